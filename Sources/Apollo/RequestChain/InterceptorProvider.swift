public import ApolloAPI

/// Makes the interceptors of each operation.
public protocol InterceptorProvider: Sendable {
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
