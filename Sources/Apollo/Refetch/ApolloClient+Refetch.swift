import ApolloOperations
import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import ApolloCache
import Foundation

extension ApolloClient {
  /// Sends queries again, and waits until they are answered.
  ///
  ///     await client.refetch(matching: .type(FeedQuery.self), .reading("User:7"))
  ///
  /// Watchers are given the results as of every other request. Several watchers of one query with equal variables cause
  /// one request, and so do several targets that name it; a watcher that does not write to the cache causes one of its own.
  /// What fails is delivered to the watchers of the query.
  ///
  /// - Parameter targets: The queries. Those without a watcher are sent only for
  ///   ``ApolloClient/RefetchTarget/query(_:)``.
  /// - Returns: How many queries were sent.
  @discardableResult
  public func refetch(matching targets: RefetchTarget...) async -> Int { await refetch(targets) }

  /// Sends queries again, and calls a completion.
  ///
  /// - Parameters:
  ///   - targets: The queries. Those without a watcher are sent only for ``ApolloClient/RefetchTarget/query(_:)``.
  ///   - completion: Called on a global queue of the system with the number of queries, when they are answered.
  public func refetch(matching targets: [RefetchTarget], completion: ((Int) -> Void)? = nil) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let completion = completion
    Task {
      let count = await refetch(targets)
      completion?(count)
    }
  }

  func refetch(_ targets: [RefetchTarget]) async -> Int {
    let watched = activeQueries.matching(targets)
    var seen = Set(watched.map { AnyHashable($0.watchedQuery) })
    let others = targets.compactMap { target -> (any GraphQLQuery)? in
      guard case .query(let query) = target, seen.insert(AnyHashable(query)).inserted else { return nil }
      return query
    }
    await withTaskGroup(of: Void.self) { group in
      for query in watched { group.addTask { await query.refetchToEnd() } }
      for query in others { group.addTask { await self.fetchAgain(query) } }
    }
    return watched.count + others.count
  }

  private func fetchAgain(_ query: some GraphQLQuery) async {
    _ = try? await lastResult(of: OperationCall(query, cachePolicy: .fetchIgnoringCacheData, configuration: nil))
  }

  /// Tells the client of an event. Watchers whose configuration says so (``RequestConfiguration/refetchesOn``) send their
  /// queries again.
  ///
  /// - Parameter event: What has happened.
  /// - Returns: How many queries are sent.
  @discardableResult
  public func post(_ event: RefetchEvent) -> Int { activeQueries.post(event) }

  /// Loads the data of a query that will be needed soon, if the cache does not have it. What fails is not told: the query
  /// is then sent when it is needed.
  ///
  ///     next = client.prefetch(query: ProfileQuery(id: "7"))
  ///
  /// - Parameters:
  ///   - query: The query, with its variables.
  ///   - requestConfiguration: What is different for this request. nil: nothing.
  /// - Returns: Keeps the data from collections until it is released; see `ApolloStore.retain(_:)`.
  @discardableResult
  public func prefetch<Query: GraphQLQuery>(
    query: Query, requestConfiguration: RequestConfiguration? = nil
  ) -> ApolloStore.Retention {
    let call = OperationCall(
      query, cachePolicy: .returnCacheDataElseFetch, configuration: requestConfiguration)
    Task { [self] in _ = try? await lastResult(of: call) }
    return store.retain(query)
  }
}
