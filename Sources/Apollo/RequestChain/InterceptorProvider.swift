public import ApolloAPI

/// Makes the interceptors of each operation.
///
/// It is asked from any thread. A plain class conforms, as in releases 0.34 to 1.x of Apollo iOS; it need not be `Sendable`.
public protocol InterceptorProvider {
  /// New interceptors, in the order in which they are called.
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor]

  /// Sees errors before they reach the caller. By default there is none.
  func additionalErrorInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> (
    any ApolloErrorInterceptor
  )?
}

extension InterceptorProvider {
  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}
