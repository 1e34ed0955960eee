@testable import ApolloCache
import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

/// Whether the cache keeps pages apart, or makes one list of them.
enum Mode: CaseIterable { case apart, list }

/// In which form the functions of a pager are called.
enum Caller: CaseIterable { case async, callbacks }

/// What is loaded: in which direction, and by which queries.
enum Kind { case forward, reverse, bidirectional, twoQueries, offset }

protocol FriendsQuerying: GraphQLQuery where Data: FriendsData {
  init(
    id: String, first: GraphQLNullable<Int>, after: GraphQLNullable<String>, last: GraphQLNullable<Int>,
    before: GraphQLNullable<String>)
}

protocol RangeQuerying: GraphQLQuery where Data: FriendsData {
  init(id: String, offset: Int, limit: Int)
}

protocol FriendsData: SelectionSet, Hashable, Sendable {
  var heroName: String? { get }
  var page: FriendsPage? { get }
  var names: [String] { get }
}

extension FriendsData {
  var names: [String] { (page?.nodes ?? []).compactMap { $0?.name } }
  var forward: CursorBasedPagination.Forward {
    CursorBasedPagination.Forward(hasNext: page?.pageInfo.hasNextPage ?? false, endCursor: page?.pageInfo.endCursor)
  }
}

extension FriendsQuery: FriendsQuerying {}
extension ListedFriendsQuery: FriendsQuerying {}
extension RangeQuery: RangeQuerying {}
extension ListedRangeQuery: RangeQuerying {}
extension FriendsQuery.Data: FriendsData {
  var heroName: String? { hero?.name }
  var page: FriendsPage? { hero?.friends?.friendsPage }
}
extension ListedFriendsQuery.Data: FriendsData {
  var heroName: String? { hero?.name }
  var page: FriendsPage? { hero?.friends?.friendsPage }
}
extension FirstFriendsQuery.Data: FriendsData {
  var heroName: String? { hero?.name }
  var page: FriendsPage? { hero?.friends?.friendsPage }
}
extension FirstListedFriendsQuery.Data: FriendsData {
  var heroName: String? { hero?.name }
  var page: FriendsPage? { hero?.friends?.friendsPage }
}
extension RangeQuery.Data: FriendsData {
  var heroName: String? { nil }
  var page: FriendsPage? { nil }
  var names: [String] { (hero?.range ?? []).map(\.name) }
}
extension ListedRangeQuery.Data: FriendsData {
  var heroName: String? { nil }
  var page: FriendsPage? { nil }
  var names: [String] { (hero?.range ?? []).map(\.name) }
}

extension GraphQLNullable where Wrapped == String {
  init(cursor: String?) { self = cursor.map { .some($0) } ?? .none }
}

/// What an output has, whatever the queries.
struct Summary: Hashable, Sendable {
  var previous: [[String]?]
  var initial: [String]?
  var next: [[String]?]
  var heroes: [String]
  var errors: [String]
  var source: UpdateSource
  /// Whether the output was delivered for the first page.
  var isForInitialPage: Bool

  /// The whole list.
  var names: [String] { (previous + [initial] + next).flatMap { $0 ?? [] } }

  init<Initial: GraphQLQuery, Page: GraphQLQuery>(_ output: PaginationOutput<Initial, Page>)
  where Initial.Data: FriendsData, Page.Data: FriendsData {
    previous = output.previousPages.map { $0.data?.names }
    initial = output.initialPage?.data?.names
    next = output.nextPages.map { $0.data?.names }
    heroes =
      output.previousPages.compactMap { $0.data?.heroName } + [output.initialPage?.data?.heroName].compactMap { $0 }
      + output.nextPages.compactMap { $0.data?.heroName }
    errors = output.allErrors.compactMap(\.message)
    source = output.lastUpdatedPage.source
    if case .initial = output.lastUpdatedPage { isForInitialPage = true } else { isForInitialPage = false }
  }
}

/// A server, a client, a pager and what a subscriber was given.
struct TestBed {
  typealias Pager = GraphQLQueryPager<Summary>

  let server: FriendsServer
  let client: ApolloClient
  let pager: Pager
  let caller: Caller
  let recorder = Recorder<Result<Summary, any Error>>()

  init(
    _ mode: Mode, _ caller: Caller = .async, _ kind: Kind = .forward, friends: [String] = ["Luke", "Han", "Leia"],
    subscribes: Bool = true, errorPolicy: ErrorPolicy = .inherited
  ) {
    server = FriendsServer(friends)
    client = ApolloClient(
      networkTransport: server, store: ApolloStore(),
      defaultRequestConfiguration: RequestConfiguration(errorPolicy: errorPolicy))
    pager = Self.pager(mode, kind, client)
    self.caller = caller
    if subscribes { pager.subscribe(onUpdate: { [recorder] in recorder.add($0) }) }
  }

  static func pager(_ mode: Mode, _ kind: Kind, _ client: ApolloClient) -> Pager {
    switch (kind, mode) {
    case (.offset, .apart): range(RangeQuery.self, client)
    case (.offset, .list): range(ListedRangeQuery.self, client)
    case (.twoQueries, .apart): twoQueries(FirstFriendsQuery(id: "2001"), FriendsQuery.self, client)
    case (.twoQueries, .list): twoQueries(FirstListedFriendsQuery(id: "2001"), ListedFriendsQuery.self, client)
    case (_, .apart): friends(FriendsQuery.self, kind, client)
    case (_, .list): friends(ListedFriendsQuery.self, kind, client)
    }
  }

  private static func friends<Query: FriendsQuerying>(
    _ type: Query.Type, _ kind: Kind, _ client: ApolloClient
  ) -> Pager {
    let initialQuery =
      switch kind {
      case .reverse: Query(id: "2001", first: .none, after: .none, last: 2, before: .none)
      case .bidirectional: Query(id: "2001", first: 1, after: "c-Luke", last: .none, before: .none)
      default: Query(id: "2001", first: 2, after: .none, last: .none, before: .none)
      }
    return GraphQLQueryPager(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<Query, Query, PaginationOutput<Query, Query>?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): bidirectional(data, kind)
        }
      },
      pageResolver: { info, direction in
        switch direction {
        case .next: Query(id: "2001", first: 2, after: .init(cursor: info.endCursor), last: .none, before: .none)
        case .previous: Query(id: "2001", first: .none, after: .none, last: 2, before: .init(cursor: info.startCursor))
        }
      },
      transform: { Summary($0) })
  }

  private static func bidirectional(_ data: some FriendsData, _ kind: Kind) -> CursorBasedPagination.Bidirectional {
    let info = data.page?.pageInfo
    return CursorBasedPagination.Bidirectional(
      hasNext: kind != .reverse && info?.hasNextPage ?? false, endCursor: info?.endCursor,
      hasPrevious: kind != .forward && info?.hasPreviousPage ?? false, startCursor: info?.startCursor)
  }

  private static func twoQueries<First: GraphQLQuery, Query: FriendsQuerying>(
    _ initialQuery: First, _ type: Query.Type, _ client: ApolloClient
  ) -> Pager where First.Data: FriendsData {
    GraphQLQueryPager(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<First, Query, PaginationOutput<First, Query>?>) in
        switch page {
        case .initial(let data, _): data.forward
        case .paginated(let data, _): data.forward
        }
      },
      pageResolver: { info, direction in
        direction == .next
          ? Query(id: "2001", first: 2, after: .init(cursor: info.endCursor), last: .none, before: .none) : nil
      },
      transform: { Summary($0) })
  }

  private static func range<Query: RangeQuerying>(_ type: Query.Type, _ client: ApolloClient) -> Pager {
    GraphQLQueryPager(
      client: client, initialQuery: Query(id: "2001", offset: 0, limit: 2),
      extractPageInfo: { (page: PageExtractionData<Query, Query, PaginationOutput<Query, Query>?>) in
        switch page {
        case .initial(let data, let output), .paginated(let data, let output):
          OffsetPagination.Forward(
            offset: (output?.allData ?? []).reduce(0) { $0 + $1.names.count }, canLoadNext: data.names.count % 2 == 0)
        }
      },
      pageResolver: { info, direction in
        direction == .next ? Query(id: "2001", offset: info.offset, limit: 2) : nil
      },
      transform: { Summary($0) })
  }
}

extension TestBed {
  var outputs: [Summary] { recorder.values.compactMap { try? $0.get() } }
  var failures: [any Error] {
    recorder.values.compactMap { if case .failure(let error) = $0 { error } else { nil } }
  }
  var last: Summary? { outputs.last }

  func fetch() async {
    switch caller {
    case .async: await pager.fetch()
    case .callbacks: await withCheckedContinuation { done in pager.fetch { done.resume() } }
    }
  }

  func refetch() async {
    switch caller {
    case .async: await pager.refetch()
    case .callbacks: await withCheckedContinuation { done in pager.refetch { done.resume() } }
    }
  }

  func loadNext() async throws {
    switch caller {
    case .async: try await pager.loadNext()
    case .callbacks: try await completion { pager.loadNext(completion: $0) }
    }
  }

  func loadPrevious() async throws {
    switch caller {
    case .async: try await pager.loadPrevious()
    case .callbacks: try await completion { pager.loadPrevious(completion: $0) }
    }
  }

  func loadAll(fetchFromInitialPage: Bool = true) async throws {
    switch caller {
    case .async: try await pager.loadAll(fetchFromInitialPage: fetchFromInitialPage)
    case .callbacks:
      try await completion { pager.loadAll(fetchFromInitialPage: fetchFromInitialPage, completion: $0) }
    }
  }

  func reset() async {
    switch caller {
    case .async: await pager.reset()
    case .callbacks: resetAtOnce()
    }
  }

  /// (In a function that is not asynchronous, the compiler takes the form of Apollo iOS 1.)
  func resetAtOnce() { pager.reset() }

  private func completion(_ start: (@escaping (PaginationError?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      start { error in
        if let error { done.resume(throwing: error) } else { done.resume() }
      }
    }
  }

  /// Changes the name of an object in the cache.
  func rename(_ id: String, _ name: String) async throws {
    try await client.store.withinReadWriteTransaction { transaction in
      try await transaction.updateObject(ofType: FriendsPage.Node.self, withKey: "Character:\(id)") { $0.name = name }
    }
  }

  /// Returns when all changes of the cache have been handed to subscribers.
  func settle() async {
    await client.store.waitUntilTold()
    await pager.hub.flush()
  }
}

/// Whether an error is one of a pager, by its text.
func isError(_ expected: PaginationError) -> @Sendable (any Error) -> Bool {
  { ($0 as? PaginationError).map { "\($0)" == "\(expected)" } ?? false }
}
