import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Ends an operation that takes too long.
struct Deadline: SurroundingStep {
  let seconds: Double
  /// Whether it was asked for with the operation, and not only with its transport.
  let isOfOperation: Bool
  /// The address of the server; nil if the transport has none.
  let url: URL?
  let clock: any ClientClock

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    // Written this way because every comparison with NaN is false.
    guard seconds >= 0 || isOfOperation else {
      let error = OperationError(
        .invalidRequest, "The transport's deadline for requests is \(seconds) seconds.",
        operationName: Operation.operationName)
      return emit(.failure(error))
    }
    let gate = Gate<Operation>(call.cachePolicy, emit)
    let end = clock.instant(after: .waiting(seconds))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await next(call) { gate.pass($0) } }
      group.addTask {
        guard (try? await clock.sleep(until: end)) != nil else { return }
        gate.close(with: .failure(error(for: Operation.operationName)))
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func error(for operationName: String) -> OperationError {
    let place = url.map { " (\($0.placeDescription))" } ?? ""
    return OperationError(
      .network, "It took longer than its deadline of \(seconds) seconds\(place).", operationName: operationName,
      cause: URLError(.timedOut))
  }

  /// Lets outcomes pass, one by one, until the error of the deadline closes it. An operation that has its final outcome
  /// has met its deadline.
  private final class Gate<Operation: GraphQLOperation>: Sendable {
    typealias Outcome = OperationRun<Operation>.Outcome

    private struct State {
      var outcomes: [Outcome] = []
      var isEmitting = false
      var hasFinalOutcome = false
      var isClosed = false
    }

    private let emit: OperationRun<Operation>.Emit
    private let policy: CachePolicy
    private let state = Locked(State())

    init(_ policy: CachePolicy, _ emit: @escaping OperationRun<Operation>.Emit) {
      self.policy = policy
      self.emit = emit
    }

    func pass(_ outcome: Outcome) {
      let isFinal = outcome.isLast(of: Operation.self, under: policy)
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

extension OperationRun {
  /// The time for the whole operation; nil: there is none.
  var deadline: Deadline? {
    let common = Operation.operationType == .subscription ? nil : chains?.requestDeadline
    guard let seconds = call.configuration.deadline ?? common else { return nil }
    return Deadline(
      seconds: seconds, isOfOperation: call.configuration.deadline != nil,
      url: chains.map { call.configuration.endpointURL ?? $0.endpointURL }, clock: policies.clock)
  }
}
