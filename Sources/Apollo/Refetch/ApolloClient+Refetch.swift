import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Foundation

extension ApolloClient {
  /// Sends queries again, and waits until they are answered.
  ///
  ///     await client.refetch(matching: .type(FeedQuery.self), .reading("User:7"))
  ///
  /// Watchers are given the results as of every other request. Several watchers of one query with equal variables cause
  /// one request, and so do several targets that name it; a watcher that does not write to the cache causes one of its own.
  /// If that request is cancelled with its watcher, the next watcher sends the query. If it fails, or its answer is not
  /// stored, each of the others sends it as well. So all watchers of the query have the data, or are told of a failure.
  /// The state of a screen that has no watcher, because it has been out of sight for long, sends its query when it is
  /// in sight again.
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
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called with the number of queries, when they are answered. nil, the default: nothing is called.
  public func refetch(
    matching targets: [RefetchTarget], callbackQueue: DispatchQueue = .main, completion: ((Int) -> Void)? = nil
  ) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let completion = completion
    Task {
      let count = await refetch(targets)
      callbackQueue.async { completion?(count) }
    }
  }

  func refetch(_ targets: [RefetchTarget]) async -> Int {
    // (Asked for now, so that a sign-out ends those that are sent later.)
    var named: [AnyHashable: @Sendable () async -> Void] = [:]
    for case .query(let query) in targets { named[AnyHashable(query)] = fetchingAgain(query) }
    let sent = activeQueries.send(targets)
    let watched = Set(sent.map { query, _ in AnyHashable(query) })
    let others = named.filter { !watched.contains($0.key) }.map { $0.value }
    await withTaskGroup(of: Void.self) { tasks in
      for (query, request) in sent {
        let fetch = named[AnyHashable(query)]
        tasks.addTask {
          // (What is named is sent, also if none of its watchers is left.)
          if await request?.value != true { await fetch?() }
        }
      }
      for fetch in others { tasks.addTask { await fetch() } }
    }
    return sent.count + others.count
  }

  private func fetchingAgain<Query: GraphQLQuery>(_ query: Query) -> @Sendable () async -> Void {
    let call = OperationCall(query, cachePolicy: .fetchIgnoringCacheData, configuration: nil)
    return { [self] in _ = try? await lastResult(of: call) }
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
