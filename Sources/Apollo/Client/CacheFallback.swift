import ApolloAPI
import ApolloCache
import Foundation

// `networkFirst`: the cache stands in for a server that does not answer, whatever transport was to ask it.

extension ApolloStore {
  /// The result of the cache in place of a failure.
  ///
  /// - Returns: nil if the cache does not have all of the data, or is not to be asked: the server did answer, or the
  ///   operation was cancelled.
  func standIn<Query: GraphQLQuery>(for error: any Error, of query: Query) -> GraphQLResult<Query.Data>? {
    let isAnswer = (error as? any ApolloError)?.code == .operationRefused
    guard !isAnswer, !(error is CancellationError), var result = GraphQLResult(read(query)) else { return nil }
    result.cacheInfo.fetchError = OperationError.unwrap(error)
    return result
  }
}

extension ApolloClient {
  /// The results of a query under a policy of any release.
  func stream<Query: GraphQLQuery>(
    of query: Query, under policy: some QueryCachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    let results = networkTransport.results(
      of: query, cachePolicy: policy.requestPolicy, contextIdentifier: contextIdentifier, context: context)
    guard policy.fallsBackToCache else { return results }
    let store = store
    let (stream, continuation) = AsyncThrowingStream<GraphQLResult<Query.Data>, any Error>.makeStream()
    let task = Task {
      do {
        for try await result in results { continuation.yield(result) }
        continuation.finish()
      } catch {
        if let result = store.standIn(for: error, of: query) {
          continuation.yield(result)
          continuation.finish()
        } else {
          continuation.finish(throwing: error)
        }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
