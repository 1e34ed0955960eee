package import ApolloTransport
package import ApolloAPI

/// A result of an operation, or the error that ends it.
package typealias OperationOutcome<Operation: GraphQLOperation> = Result<GraphQLResult<Operation.Data>, any Error>

/// Called with each result of an operation, and with the error that ends it.
package typealias OperationEmit<Operation: GraphQLOperation> = @Sendable (OperationOutcome<Operation>) -> Void

/// Where the results of a chain go.
package struct ChainExit<Operation: GraphQLOperation>: Sendable {
  /// Whether to wait for what code of the app may still do after the operation has a result.
  package let listens: Bool
  /// Whether the steps run in a task that a sign-out ends. (The passage does not tell that: parts of a chain that code of the
  /// app surrounds run in tasks of their own.)
  package private(set) var isTracked = false
  /// Called with each result and each failure.
  package var emit: OperationEmit<Operation>
  /// Set for a part of the chain that code of the app surrounds: results go to that code, and not to the caller. It takes
  /// them from ``emit``, at the end of the completions of interceptors with callbacks.
  package var inner: (any InnerPart)?

  package init(
    listens: Bool, emit: @escaping OperationEmit<Operation>, inner: (any InnerPart)? = nil
  ) {
    self.listens = listens
    self.emit = emit
    self.inner = inner
  }

  /// A copy with another closure. The completion of an interceptor is held no longer than what it asked for runs,
  /// because releasing it is how the interceptor says that it is done.
  package func emitting(to emit: @escaping OperationEmit<Operation>) -> Self {
    var copy = self
    copy.emit = emit
    return copy
  }

  /// A copy for steps in a task that a sign-out ends.
  var tracked: Self {
    var copy = self
    copy.isTracked = true
    return copy
  }

  /// Delivers a result that is not the last one.
  func deliver(_ value: GraphQLResult<Operation.Data>) {
    inner?.note(nil as OperationResponse<Operation>?)
    emit(.success(value))
  }
}

/// A part of a chain that code of the app surrounds.
///
/// (It does not name the type of the operation: then all values that hold one would have to look up its type at run time.
/// That takes 10,000 instructions for each fetch.)
package protocol InnerPart: AnyObject, Sendable {
  /// The position of the first step of this part.
  var start: Int { get }
  /// The position of the first step behind this part.
  var end: Int { get }

  /// Notes that a step of the part starts the operation again, and not code of the app.
  func noteRetryOfStep()

  /// Notes the response of the outcome that comes next. (Interceptors with callbacks pass on the outcome alone.)
  func note<Operation: GraphQLOperation>(_ response: OperationResponse<Operation>?)

  /// Whether no result is taken any more.
  var isOver: Bool { get }
}

/// How a pass through the steps ended.
package enum ChainEnding<Operation: GraphQLOperation>: Sendable {
  /// The result, or all results, have been delivered.
  case done
  /// An error ended it, or it was cancelled: nothing follows.
  case stopped
  /// The operation starts again, and delivers its results to `emit`.
  case retry(OperationPassage<Operation>, emit: OperationEmit<Operation>)
}
