public import ApolloAPI
public import ApolloCache

/// Answers queries from the cache where the cache policy allows it.
public struct CacheReadInterceptor: AsyncInterceptor {
  private let store: ApolloStore

  public init(store: ApolloStore) { self.store = store }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard Operation.operationType == .query else { return .proceed(response) }
    switch request.cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return .proceed(response)
    case .returnCacheDataElseFetch:
      guard let data = try? load(request).get() else { return .proceed(response) }
      return .return(GraphQLResult(data: data, source: .cache))
    case .returnCacheDataDontFetch: return .return(GraphQLResult(data: try load(request).get(), source: .cache))
    case .returnCacheDataAndFetch:
      guard let data = try? load(request).get() else { return .proceed(response) }
      return .returnAndProceed(GraphQLResult(data: data, source: .cache))
    }
  }

  private func load<Operation>(_ request: HTTPRequest<Operation>) -> Result<Operation.Data, ResponseDecodingError> {
    store.loadWithDependencies(request.operation).data
  }
}
