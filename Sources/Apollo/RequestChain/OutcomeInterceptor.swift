public import ApolloAPI

/// An interceptor that is told how an operation ended, before its caller is, and may start it over.
///
/// The interceptors of a chain are asked from the last to the first: what stands next to the network decides first.
public protocol OutcomeInterceptor: AsyncInterceptor {
  /// Called with the result of each pass through the chain, or with the error that ended it.
  ///
  /// - Throws: The error that the caller gets instead.
  func didEnd<Operation: GraphQLOperation>(
    with outcome: Result<GraphQLResult<Operation.Data>, any Error>, request: HTTPRequest<Operation>,
    response: HTTPResponse<Operation>?
  ) async throws -> OutcomeAction
}

extension OutcomeInterceptor {
  public var listening: (any OutcomeInterceptor)? { self }
}

/// What becomes of the outcome of a chain.
public enum OutcomeAction: Hashable, Sendable {
  /// The caller gets it.
  case deliver
  /// It is dropped, and the chain begins at its first interceptor.
  case retry
}
