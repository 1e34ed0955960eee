import Apollo
import ApolloPagination
import Fixture0041
import Foundation

// A view model on the main actor that shows the pages of a pager, in both forms of its functions.

@MainActor public final class FriendsModel {
  public struct Friend { public let name: String }

  public private(set) var friends: [Friend] = []
  public private(set) var log: [String] = []
  public let pager: GraphQLQueryPager<[Friend]>

  public init(client: ApolloClientProtocol, lists: Bool) {
    if lists {
      pager = GraphQLQueryPager(
        client: client,
        initialQuery: ListedFriendsQuery(id: "2001", first: 2),
        extractPageInfo: { (page: PageExtractionData<ListedFriendsQuery, ListedFriendsQuery, [Friend]?>) in
          switch page {
          case .initial(let data, _), .paginated(let data, _):
            let info = data.hero?.friends?.pageInfo
            return CursorBasedPagination.Forward(hasNext: info?.hasNextPage ?? false, endCursor: info?.endCursor)
          }
        },
        pageResolver: { info, direction in
          guard direction == .next, let cursor = info.endCursor else { return nil }
          return ListedFriendsQuery(id: "2001", first: 2, after: .some(cursor))
        },
        initialTransform: FriendsModel.friends,
        pageTransform: { data in FriendsModel.friends(data) })
    } else {
      pager = GraphQLQueryPager(
        client: client, watcherDispatchQueue: .main, initialQuery: FriendsQuery(id: "2001", first: 2),
        extractPageInfo: {
          (page: PageExtractionData<FriendsQuery, FriendsQuery, PaginationOutput<FriendsQuery, FriendsQuery>?>) in
          switch page {
          case .initial(let data, _), .paginated(let data, _):
            return CursorBasedPagination.Forward(
              hasNext: data.hero?.friends?.pageInfo.hasNextPage ?? false,
              endCursor: data.hero?.friends?.pageInfo.endCursor)
          }
        },
        pageResolver: { info, _ in
          info.endCursor.map { FriendsQuery(id: "2001", first: 2, after: .some($0)) }
        },
        transform: { output in
          output.allData.flatMap { ($0.hero?.friends?.nodes ?? []).compactMap { $0 } }.map { Friend(name: $0.name) }
        })
    }
    pager.subscribe { [weak self] output in
      switch output {
      case .success(let friends): self?.friends = friends
      case .failure(let error): self?.log.append(error.localizedDescription)
      }
    }
  }

  nonisolated private static func friends(_ data: ListedFriendsQuery.Data) -> [Friend] {
    (data.hero?.friends?.nodes ?? []).compactMap { $0 }.map { Friend(name: $0.name) }
  }

  // As in Apollo iOS 1

  public func appear() { pager.fetch() }

  public func loadMore(then: @escaping () -> Void) {
    guard pager.canLoadNext else { return then() }
    pager.loadNext { [weak self] error in
      self?.log.append(error.map { "\($0)" } ?? "more")
      then()
    }
  }

  public func refresh(then: @escaping () -> Void) { pager.refetch { then() } }
  public func disappear() { pager.reset() }

  // As in Apollo iOS 2

  public func show() async throws {
    await pager.fetch()
    try await pager.loadNext(cachePolicy: .networkOnly)
    await pager.refetch()
    try await pager.loadAll(fetchFromInitialPage: false)
  }
}

/// A stand-in for a client, as in an app's tests.
public final class StandIn: ApolloClientProtocol {
  private let client: ApolloClient
  public init(_ client: ApolloClient) { self.client = client }
  public var store: ApolloStore { client.store }

  public func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, Error>) -> Void)?) {
    client.clearCache(callbackQueue: callbackQueue, completion: completion)
  }

  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: RequestContext?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> Cancellable {
    client.fetch(
      query: query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context, queue: queue,
      resultHandler: resultHandler)
  }
}
