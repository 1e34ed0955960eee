package import ApolloTransport
package import ApolloAPI
import ApolloCache

/// One step of an operation, over any transport. The interceptors of this package are steps.
///
/// It runs in the task of the caller, which waits for it. So a step that waits must stop when its task is cancelled.
package protocol ChainStep: Sendable {
  /// - Throws: The error that ends the operation, unless the chain recovers from it.
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

/// The step that sends an operation, and gives what comes to the steps behind it, one response after the other.
package protocol ResponseSource: Sendable {
  /// - Parameters:
  ///   - passage: The operation.
  ///   - receive: Called with each response, one call after the other. It returns when the caller has the result. If it
  ///     throws, further responses are useless.
  /// - Throws: The error that ends the operation, or what `receive` threw.
  nonisolated(nonsending) func responses<Operation: GraphQLOperation>(
    to passage: OperationPassage<Operation>,
    receive: @escaping @Sendable (OperationResponse<Operation>) async throws -> Void
  ) async throws
}

/// What comes after a ``ChainStep``.
package enum NextStep<Operation: GraphQLOperation>: Sendable {
  /// The next interceptor is called.
  case proceed(OperationResponse<Operation>?)
  /// The caller is given this value, and the chain ends.
  case `return`(GraphQLResult<Operation.Data>)
  /// The caller is given this value, and the chain continues.
  case returnAndProceed(GraphQLResult<Operation.Data>)
  /// The next interceptor is called once for each response of an operation with several responses.
  indirect case proceedWithEach(AsyncThrowingStream<OperationResponse<Operation>, any Error>)
  /// The operation starts again with the first interceptor of the chain; or of the part that code of the app surrounds,
  /// if the step is in one that can start by itself.
  case retry
}

/// A step that is told how an operation ended, before the caller is, and may start the operation again.
///
/// The steps of a chain are called from the last to the first, so the one next to the network decides first.
package protocol OutcomeStep: ChainStep {
  /// Called with the result of each pass through the chain, or with the error that ended it.
  ///
  /// - Throws: The error that the caller gets instead.
  nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction

  /// Called with the outcome of a part that code of the app surrounds, if the step is in it. The caller does not have
  /// the outcome yet: the code may change it, and ``didEnd(_:of:_:)`` is told what becomes of it. That one is called by
  /// default.
  ///
  /// - Throws: The error that the code gets instead.
  nonisolated(nonsending) func partDidEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction
}

extension OutcomeStep {
  package nonisolated(nonsending) func partDidEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction {
    try await didEnd(outcome, of: passage, response)
  }
}

/// What happens with the outcome of a chain.
package enum OutcomeAction: Hashable, Sendable {
  /// The caller is given the outcome.
  case deliver
  /// The outcome is dropped, and the operation starts again as for ``NextStep/retry``.
  case retry
}
