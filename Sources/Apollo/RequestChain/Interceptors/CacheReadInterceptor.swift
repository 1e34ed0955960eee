package import ApolloAPI
public import ApolloCache

/// Answers queries from the cache, if the cache policy allows it.
///
/// For some values the cache may keep an error that the server reported. `returnCacheDataElseFetch` then asks the
/// server again. The other policies return the data with the error.
public struct CacheReadInterceptor: ChainStep {
  private let store: ApolloStore

  /// Makes an interceptor.
  ///
  /// - Parameter store: The cache.
  public init(store: ApolloStore) { self.store = store }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard request.readsCache else {
      request.beginSending()
      return .proceed(response)
    }
    let pipeline = OperationPipeline(store: store)
    switch try await pipeline.answerFromCache(request.operation, request.cachePolicy, request.requestConfiguration) {
    case .none(let error):
      request.cacheError = error
      request.beginSending()
      return .proceed(response)
    case .first(let result):
      request.beginSending()
      return .returnAndProceed(result)
    case .only(let result): return .return(result)
    }
  }
}
