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
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    try await passage.read(response, from: store)
  }
}
