import Apollo
import ApolloPagination
import Fixture0001
import Foundation

// Each way in which apps write the policy of a query: with a dot, as a value of a known type, as a choice; with callbacks,
// with `async`, watched; on a client and on the protocol of clients.

public func callBack(_ client: ApolloClient, again: Bool, _ policy: CachePolicy) {
  let query = ReviewsQuery()
  client.fetch(query: query)
  client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData)
  client.fetch(query: query, cachePolicy: policy)
  client.fetch(query: query, cachePolicy: again ? .fetchIgnoringCacheData : .returnCacheDataElseFetch) { _ in }
  client.fetch(query: query, cachePolicy: again ? .networkOnly : .cacheFirst) { _ in }
  client.fetch(query: query) { result in print(result) }
  client.fetch(query: query, cachePolicy: .returnCacheDataAndFetch, queue: .global()) { [again] _ in print(again) }
  client.fetch(query: query, cachePolicy: .networkFirst) { result in
    if case .success(let value) = result { print(value.data?.latest.count ?? 0) }
  }
  client.fetch(query: query, cachePolicy: .cacheOnly) { _ in }
  client.fetch(query: query, cachePolicy: .cacheAndNetwork, contextIdentifier: UUID(), resultHandler: { _ in })
  client.fetch(query: query, cachePolicy: CachePolicy.Query.SingleResponse.networkOnly) { _ in }
  let request: any Cancellable = client.fetch(query: query, cachePolicy: .default)
  request.cancel()
}

public func watch(_ client: ApolloClient, again: Bool, _ policy: CachePolicy) -> [any Cancellable] {
  let query = ReviewsQuery()
  let watcher: GraphQLQueryWatcher<ReviewsQuery> = client.watch(query: query) { _ in }
  watcher.refetch()
  watcher.refetch(cachePolicy: .fetchIgnoringCacheData)
  watcher.refetch(cachePolicy: .networkOnly)
  watcher.refetch(cachePolicy: policy)
  watcher.fetch(cachePolicy: .networkFirst)
  watcher.fetch(cachePolicy: .cacheOnly)
  watcher.fetch(cachePolicy: .cacheAndNetwork)
  watcher.fetch(fetchBehavior: .CacheFirst)
  return [
    watcher,
    client.watch(query: query, cachePolicy: policy) { _ in },
    client.watch(query: query, cachePolicy: .returnCacheDataAndFetch) { _ in },
    client.watch(query: query, cachePolicy: again ? .networkOnly : .cacheFirst) { _ in },
    client.watch(query: query, cachePolicy: .cacheOnly) { _ in },
    client.watch(query: query, cachePolicy: .cacheOnly, refetchOnFailedUpdates: false) { _ in },
    client.watch(query: query, cachePolicy: .cacheAndNetwork, refetchOnFailedUpdates: true) { _ in },
    client.watch(query: query, refetchOnFailedUpdates: false) { _ in },
    client.watch(query: query, cachePolicy: .cacheFirst, refetchPolicy: .never, callbackQueue: .global()) { _ in },
    client.watch(query: query, pollInterval: 60) { _ in },
  ]
}

public func wait(_ client: ApolloClient, again: Bool, _ policy: CachePolicy) async throws {
  let query = ReviewsQuery()
  let result = try await client.fetch(query: query)
  print(result.data?.latest.count ?? 0)
  _ = try await client.fetch(query: query, cachePolicy: policy)
  _ = try await client.fetch(query: query, cachePolicy: .fetchIgnoringCacheCompletely)
  _ = try await client.fetch(query: query, cachePolicy: again ? .networkOnly : .networkFirst)
  if let cached = try await client.fetch(query: query, cachePolicy: .cacheOnly) { print(cached.source) }
  for try await each in try client.fetch(query: query, cachePolicy: .cacheAndNetwork) { print(each.source) }
  let both = try client.fetch(query: query, cachePolicy: .revalidateCache)
  for try await each in both { print(each.source) }
  for try await each in try client.fetch(query: query, fetchBehavior: .NetworkFirst) { print(each.source) }
  for try await each in client.watch(query: query, cachePolicy: .cacheAndNetwork) {
    print(each.source)
    break
  }
  let watched = client.watch(
    query: query, cachePolicy: again ? .networkOnly : .cacheFirst, refetchOnFailedUpdates: true)
  watched.refetch(cachePolicy: .networkOnly)
  watched.refetch()
  watched.setQuery(query, cachePolicy: .cacheOnly)
  watched.setQuery(query)
}

public func wait(_ client: any ApolloClientProtocol, _ policy: CachePolicy) async throws {
  let query = ReviewsQuery()
  _ = try await client.fetch(query: query, cachePolicy: policy)
  _ = try await client.fetch(query: query, cachePolicy: .networkFirst)
  client.fetch(query: query, cachePolicy: .returnCacheDataElseFetch, contextIdentifier: nil, queue: .main) { _ in }
    .cancel()
  for try await each in client.watch(query: query, cachePolicy: .cacheFirst) {
    print(each.source)
    break
  }
  for try await each in client.watch(query: query, cachePolicy: policy) {
    print(each.source)
    break
  }
}

/// A function of an app that hands on whatever policy it is given.
@discardableResult
public func reload(
  _ client: ApolloClient, _ policy: some QueryCachePolicy = CachePolicy.default
) -> any Cancellable {
  client.fetch(query: ReviewsQuery(), cachePolicy: policy) { _ in }
}

public func reloadAll(_ client: ApolloClient) {
  reload(client)
  reload(client, .networkOnly)
  reload(client, .fetchIgnoringCacheData)
  reload(client, FetchBehavior.CacheOnly)
}

public func page<Model>(_ pager: GraphQLQueryPager<Model>, _ older: AsyncGraphQLQueryPager<Model>) async throws {
  try await pager.loadNext()
  try await pager.loadNext(cachePolicy: .networkOnly)
  try await pager.loadNext(cachePolicy: .fetchIgnoringCacheData)
  try await pager.loadPrevious(cachePolicy: .cacheOnly)
  try await pager.loadPrevious(fetchBehavior: .CacheFirst)
  await pager.refetch()
  await pager.refetch(cachePolicy: .cacheAndNetwork)
  await older.refetch(cachePolicy: .fetchIgnoringCacheData)
  try await older.loadNext(cachePolicy: .returnCacheDataAndFetch)
}

public func pageWithCallbacks<Model>(_ pager: GraphQLQueryPager<Model>) {
  pager.loadNext()
  pager.loadNext(cachePolicy: .fetchIgnoringCacheData) { error in print(error ?? .cancellation) }
  pager.loadPrevious(cachePolicy: .returnCacheDataAndFetch, callbackQueue: .global()) { _ in }
  pager.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
  pager.refetch()
  pager.fetch()
}
