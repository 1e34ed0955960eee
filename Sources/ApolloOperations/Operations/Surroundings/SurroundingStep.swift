import ApolloTransport
import ApolloAPI
import ApolloCache

/// A step around the whole chain of an operation: it can begin before the chain does, hold results back, and run the chain
/// again.
///
/// Results come to it from any thread, because interceptors with callbacks may give them there. So it gives on at once what
/// it need not hold back; where it has to wait first, ``LateOutcomes`` keeps the order.
protocol SurroundingStep: Sendable {
  /// Runs an operation, and returns when all of it is over.
  ///
  /// - Parameters:
  ///   - call: The operation.
  ///   - emit: To be called with each result, and with the error that ends the operation.
  ///   - next: Runs what the step surrounds.
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async
}

/// Runs what a step surrounds, for an operation that the step may have changed.
typealias SurroundedPart<Operation: GraphQLOperation> =
  @Sendable (
    OperationCall<Operation>, @escaping OperationRun<Operation>.Emit
  ) async -> Void

extension OperationRun {
  /// What surrounds the chain, from the outermost to the innermost. Most operations have nothing.
  ///
  /// A failure passes from the innermost step to the outermost. So the wait for a network counts as time of the operation,
  /// the cache stands in for what misses its deadline, and a guess goes when all of that is over.
  @inline(never) var surroundings: [any SurroundingStep] {
    var steps: [any SurroundingStep] = []
    if let effects = call.options.effects, !call.options.showsNoGuess, let store {
      steps.append(Guess(effects: effects, store: store))
    }
    let errorPolicy = call.configuration.errorPolicy
    if errorPolicy == .none || errorPolicy == .ignore { steps.append(ErrorPolicyStep(policy: errorPolicy)) }
    if call.fallsBackToCache { steps.append(CacheStandIn(store: store)) }
    if let deadline { steps.append(deadline) }
    if let offline = policies.offline(for: call.configuration) {
      steps.append(NetworkWait(offline: offline, running: policies.running))
    }
    return steps
  }
}

/// Gives outcomes on in their order, where each takes time to make.
final class LateOutcomes<Operation: GraphQLOperation>: Sendable {
  private let emit: OperationRun<Operation>.Emit
  private let last = Locked<Task<Void, Never>?>(nil)

  init(_ emit: @escaping OperationRun<Operation>.Emit) { self.emit = emit }

  /// Makes an outcome, and gives it on behind those that were added before.
  func emit(_ make: @escaping @Sendable () async -> OperationRun<Operation>.Outcome) {
    last.withLock { last in
      last = Task { [previous = last, emit] in
        await previous?.value
        emit(await make())
      }
    }
  }

  /// Waits until all outcomes have been given on.
  nonisolated(nonsending) func end() async { await last.withLock { $0 }?.value }
}
