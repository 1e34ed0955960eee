import ApolloTransport
package import ApolloAPI
import ApolloCache

/// The steps of an operation, in order, and what runs them: one task takes an operation from the first step to the last.
package protocol StepChain: AnyObject, Sendable {
  /// The steps.
  var steps: [StepKind] { get }
  /// Whether code of an app has the chain, so that it can cancel it.
  var isHandedOut: Bool { get }
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// Cancels it.
  func cancel()
  /// Reads the cache if the server does not answer; nil: the client does.
  var standInReader: (any StandInReader)? { get }

  /// Runs `body` to its end. Cancelling the chain cancels `body`, and cancelling the calling task cancels the chain.
  func untilCancelled(_ body: @escaping @Sendable () async -> Void) async

  /// Calls code of the app at a position, and takes the operation on as the code says.
  nonisolated(nonsending) func passApp<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation>

  /// Gives a failure to code of the app that may recover from it, before the caller has it.
  ///
  /// - Returns: How it ended; nil if the failure goes to the caller.
  nonisolated(nonsending) func recover<Operation: GraphQLOperation>(
    from error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation>?

  /// Makes the error for an operation that has passed the last step, and has no result.
  ///
  /// - Parameter index: How many steps it has passed.
  /// - Returns: The error.
  func noResult(at index: Int) -> any Error
}

/// How a step is called.
package enum StepKind: Sendable {
  case plain(any ChainStep)
  /// A step that is told the outcome as well.
  case listening(any OutcomeStep)
  /// A step that writes results to a cache. A result with errors is written when no step starts the operation again
  /// because of them, unless code of the app comes after this step.
  case writing(any ChainStep)
  /// The step that sends the operation.
  case source(any ResponseSource)
  /// Code of the app, which the chain calls itself.
  case app
}

/// The steps of an operation over a transport without interceptors.
final class SourceChain: StepChain {
  let steps: [StepKind]

  init(_ steps: [StepKind]) { self.steps = steps }

  var isHandedOut: Bool { false }
  var isCancelled: Bool { false }
  func cancel() {}
  var standInReader: (any StandInReader)? { nil }
  func untilCancelled(_ body: @escaping @Sendable () async -> Void) async { await body() }

  nonisolated(nonsending) func passApp<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    // (None of its steps is code of an app.)
    .stopped
  }

  nonisolated(nonsending) func recover<Operation: GraphQLOperation>(
    from error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation>? { nil }

  func noResult(at index: Int) -> any Error {
    OperationError(.configuration, "The transport ended without a result and without an error.")
  }
}
