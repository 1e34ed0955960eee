import ApolloAPI
import Foundation

extension OperationRun {
  /// Whether there is a time for the whole operation.
  var hasDeadline: Bool {
    call.configuration.deadline != nil || Operation.operationType != .subscription && chains?.requestDeadline != nil
  }

  var deadline: (seconds: Double, error: OperationError)? {
    let common = Operation.operationType == .subscription ? nil : chains?.requestDeadline
    guard let seconds = call.configuration.deadline ?? common else { return nil }
    let url = chains.map { call.configuration.endpointURL ?? $0.endpointURL }
    let place = url.map { " (\($0.placeDescription))" } ?? ""
    let error = OperationError(
      .network, "It took longer than its deadline of \(seconds) seconds\(place).",
      operationName: Operation.operationName, cause: URLError(.timedOut))
    return (seconds, error)
  }

  /// Runs the operation until it is over, or the deadline has passed.
  nonisolated(nonsending) func run(
    to deadline: (seconds: Double, error: OperationError), listens: Bool, reporting status: SubscriptionStatus?,
    _ emit: @escaping Emit
  ) async {
    // Written this way because every comparison with NaN is false.
    guard deadline.seconds >= 0 || call.configuration.deadline != nil else {
      let error = OperationError(
        .invalidRequest, "The transport's deadline for requests is \(deadline.seconds) seconds.",
        operationName: Operation.operationName)
      return emit(.failure(error))
    }
    let gate = Gate(call.cachePolicy, emit), clock = policies.clock
    let end = clock.instant(after: .waiting(deadline.seconds))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.runWithFallback(listens: listens, reporting: status) { gate.pass($0) } }
      group.addTask {
        guard (try? await clock.sleep(until: end)) != nil else { return }
        gate.close(with: .failure(deadline.error))
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Lets outcomes pass, one by one, until the error of the deadline closes it. An operation that has its final outcome
  /// has met its deadline.
  private final class Gate: Sendable {
    private struct State {
      var outcomes: [Outcome] = []
      var isEmitting = false
      var hasFinalOutcome = false
      var isClosed = false
    }

    private let emit: Emit
    private let policy: CachePolicy
    private let state = Locked(State())

    init(_ policy: CachePolicy, _ emit: @escaping Emit) {
      self.policy = policy
      self.emit = emit
    }

    func pass(_ outcome: Outcome) {
      let isFinal =
        switch outcome {
        case .success(let result): result.isLast(of: Operation.operationType, under: policy)
        case .failure: true
        }
      add(outcome) { state in
        if isFinal { state.hasFinalOutcome = true }
        return true
      }
    }

    func close(with outcome: Outcome) {
      add(outcome) { state in
        state.isClosed = true
        return !state.hasFinalOutcome
      }
    }

    /// - Parameters:
    ///   - outcome: What to emit.
    ///   - body: Changes the state, and tells whether the outcome is to be emitted.
    private func add(_ outcome: Outcome, _ body: (inout State) -> Bool) {
      let mustEmit = state.withLock { state in
        guard !state.isClosed, body(&state) else { return false }
        state.outcomes.append(outcome)
        defer { state.isEmitting = true }
        return !state.isEmitting
      }
      // While one thread emits, it takes over what others add.
      while mustEmit, let next = next() { emit(next) }
    }

    private func next() -> Outcome? {
      state.withLock { state in
        if state.outcomes.isEmpty { state.isEmitting = false }
        return state.outcomes.isEmpty ? nil : state.outcomes.removeFirst()
      }
    }
  }
}
