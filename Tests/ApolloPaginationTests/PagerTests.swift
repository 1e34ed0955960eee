import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

/// After the suites GraphQLQueryPagerTests and AsyncGraphQLQueryPagerTests of Apollo iOS.
@Suite("Pager") struct PagerTests {
  private typealias Output = PaginationOutput<FriendsQuery, FriendsQuery>

  private let server = FriendsServer(["Luke", "Han", "Leia"])
  private let client: ApolloClient
  private let initialQuery = FriendsQuery(id: "2001", first: 2)

  init() { client = ApolloClient(networkTransport: server, store: ApolloStore()) }

  @Sendable private static func next(
    _ info: CursorBasedPagination.Forward, _ direction: PaginationDirection
  ) -> FriendsQuery? {
    direction == .next ? FriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor)) : nil
  }

  // MARK: Initializers

  @Test("With one closure for the data of a query")
  func forwardInit_simple() async throws {
    let pager = GraphQLQueryPager(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { data in
        CursorBasedPagination.Forward(
          hasNext: data.hero?.friends?.pageInfo.hasNextPage ?? false, endCursor: data.hero?.friends?.pageInfo.endCursor)
      },
      pageResolver: { page, direction in
        switch direction {
        case .next: FriendsQuery(id: "2001", first: 2, after: .init(cursor: page.endCursor))
        case .previous: nil
        }
      })
    let outputs = Recorder<[String]?>()
    pager.subscribe(onUpdate: { outputs.add(try? $0.get().allData.flatMap(\.names)) })
    await pager.fetch()
    try await pager.loadNext()
    #expect(outputs.values == [["Luke", "Han"], ["Luke", "Han", "Leia"]])
  }

  @Test("With the parameters of Apollo iOS 1, in their order")
  func forwardInit_watcherQueue() async throws {
    let pager = GraphQLQueryPager(
      client: client, watcherDispatchQueue: .main, initialQuery: initialQuery, extractPageInfo: { $0.forward },
      pageResolver: Self.next)
    await pager.fetch()
    try await pager.loadNext()
    let output = try await pager.outputs.first { _ in true }?.get()
    #expect(output?.allPages.count == 2 && output?.allErrors.isEmpty == true && output?.lastUpdatedPage.data != nil)
  }

  @Test("With the data and what was delivered so far")
  func forwardInit_extraction() async throws {
    let counts = Recorder<Int>()
    let pager = GraphQLQueryPager<Output>(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<FriendsQuery, FriendsQuery, Output?>) in
        switch page {
        case .initial(let data, let output), .paginated(let data, let output):
          counts.add(output?.allPages.count ?? 0)
          return data.forward
        }
      }, pageResolver: Self.next)
    await pager.fetch()
    #expect(pager.canLoadNext && counts.values.last == 1)
    try await pager.loadNext()
    #expect(!pager.canLoadNext && counts.values.last == 2)
  }

  @Test("With a transform of the pages to a model")
  func forwardInit_transform() async throws {
    let pager = GraphQLQueryPager(
      client: client, watcherDispatchQueue: .main, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<FriendsQuery, FriendsQuery, Output?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.forward
        }
      },
      pageResolver: Self.next, transform: { $0.allData.flatMap(\.names).joined(separator: ", ") })
    try await pager.loadAll()
    #expect(try await pager.outputs.first { _ in true }?.get() == "Luke, Han, Leia")
  }

  @Test("With transforms of pages to elements")
  func forwardInit_elements() async throws {
    let sizes = Recorder<Int?>()
    let pager = GraphQLQueryPager<[String]>(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<FriendsQuery, FriendsQuery, [String]?>) in
        switch page {
        case .initial(let data, let names), .paginated(let data, let names):
          sizes.add(names?.count)
          return data.forward
        }
      },
      pageResolver: Self.next, initialTransform: \.names, pageTransform: \.names)
    await pager.fetch()
    try await pager.loadNext()
    #expect(try await pager.outputs.first { _ in true }?.get() == ["Luke", "Han", "Leia"])
    #expect(sizes.values.last == 3)
  }

  @Test("With two queries")
  func forwardInit_twoQueries() async throws {
    let pager = GraphQLQueryPager(
      client: client, initialQuery: FirstFriendsQuery(id: "2001"),
      extractInitialPageInfo: { $0.forward }, extractNextPageInfo: { (data: FriendsQuery.Data) in data.forward },
      pageResolver: Self.next)
    await pager.fetch()
    try await pager.loadNext()
    let output = try #require(try await pager.outputs.first { _ in true }?.get())
    #expect(
      output.initialPage?.data?.names == ["Luke", "Han"] && output.nextPages.map { $0.data?.names } == [["Leia"]])
  }

  @Test("The asynchronous pager of Apollo iOS 1 does the same")
  func asyncPager() async throws {
    let pager = AsyncGraphQLQueryPager(
      client: client, initialQuery: initialQuery, extractPageInfo: { $0.forward }, pageResolver: Self.next)
    let count = Recorder<Int>()
    pager.subscribe { count.add((try? $0.get().allPages.count) ?? -1) }
    #expect(await !pager.canLoadNext)
    await pager.fetch()
    #expect(await pager.canLoadNext)
    #expect(await !pager.canLoadPrevious)
    try await pager.loadNext(cachePolicy: .fetchIgnoringCacheData)
    await #expect(performing: { try await pager.loadPrevious() }, throws: isError(.pageHasNoMoreContent))
    await pager.refetch()
    try await pager.loadAll(fetchFromInitialPage: false)
    await count.wait(for: 4)
    #expect(count.values == [1, 2, 1, 2])
    await pager.reset()
    await #expect(performing: { try await pager.loadNext() }, throws: isError(.missingInitialPage))
  }

  @Test("The asynchronous pager has all initializers")
  func asyncPagerInitializers() async throws {
    let names = AsyncGraphQLQueryPager<[String]>(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<FriendsQuery, FriendsQuery, [String]?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.forward
        }
      },
      pageResolver: Self.next, initialTransform: \.names, pageTransform: \.names)
    try await names.loadAll()
    #expect(try await names.outputs.first { _ in true }?.get() == ["Luke", "Han", "Leia"])
    let two = AsyncGraphQLQueryPager(
      client: client, initialQuery: FirstFriendsQuery(id: "2001"), watcherDispatchQueue: .global(),
      extractInitialPageInfo: { $0.forward }, extractNextPageInfo: { (data: FriendsQuery.Data) in data.forward },
      pageResolver: Self.next)
    try await two.loadAll()
    #expect(try await two.outputs.first { _ in true }?.get().nextPages.count == 1)
    let count = AsyncGraphQLQueryPager(
      client: client, initialQuery: initialQuery,
      extractPageInfo: { (page: PageExtractionData<FriendsQuery, FriendsQuery, Output?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.forward
        }
      },
      pageResolver: Self.next, transform: { $0.allPages.count })
    try await count.loadAll()
    #expect(try await count.outputs.first { _ in true }?.get() == 2)
  }

  // MARK: Pages

  @Test("Pages are concatenated in a model", arguments: Mode.allCases, Caller.allCases)
  func concatenatesPages_matchingInitialAndPaginated(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await bed.loadNext()
    try await bed.loadNext()
    #expect(bed.outputs.map(\.names) == [["A", "B"], ["A", "B", "C", "D"], ["A", "B", "C", "D", "E"]])
  }

  @Test("The last page is told apart from the others", arguments: Mode.allCases)
  func passesBackSeparateData(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    #expect(bed.last?.initial?.last == "Han" && bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
    try await bed.loadNext()
    #expect((mode == .list ? bed.last?.initial?.last : bed.last?.next.last??.last) == "Leia")
  }

  @Test("A first page of one query, and others of another", arguments: Mode.allCases, Caller.allCases)
  func twoQueries(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .twoQueries, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await bed.loadNext()
    #expect(bed.last?.next == (mode == .list ? [] : [["C", "D"]]))
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E"] && !bed.pager.canLoadNext)
    #expect(bed.recorder.values.count == 3)
    try await bed.rename("E", "Echo")
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "C", "D", "Echo"] && bed.recorder.values.count == 4)
  }

  @Test("Loading anew forgets the other pages", arguments: Mode.allCases, Caller.allCases)
  func refetch(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    try await bed.loadNext()
    await bed.refetch()
    #expect(bed.last?.names == ["Luke", "Han"] && bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }
}
