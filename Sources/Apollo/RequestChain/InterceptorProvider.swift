public import ApolloAPI
public import ApolloCache

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

/// The interceptors that most apps need. Subclasses add their own:
///
///     override func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
///       [TokenInterceptor()] + super.interceptors(for: operation)
///     }
open class DefaultInterceptorProvider: InterceptorProvider, @unchecked Sendable {
  // Subclasses that add state have to protect it themselves.
  private let client: URLSessionClient
  private let store: ApolloStore
  private let shouldInvalidateClientOnDeinit: Bool

  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true, store: ApolloStore
  ) {
    self.client = client
    self.store = store
    self.shouldInvalidateClientOnDeinit = shouldInvalidateClientOnDeinit
  }

  deinit {
    if shouldInvalidateClientOnDeinit { client.invalidate() }
  }

  open func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    [
      MaxRetryInterceptor(),
      CacheReadInterceptor(store: store),
      NetworkFetchInterceptor(client: client),
      ResponseCodeInterceptor(),
      JSONResponseParsingInterceptor(),
      CacheWriteInterceptor(store: store),
    ]
  }

  open func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}
