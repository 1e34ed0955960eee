import Apollo
@testable import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

/// What a pager makes of the pages that the cache keeps apart, or makes one list of.
@Suite("Pages in the cache") struct ListTests {
  @Test("One list: what another screen loads is in the outputs")
  func anotherScreen() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    _ = try await bed.client.fetch(
      query: ListedFriendsQuery(id: "2001", first: 2, after: "c-B"), cachePolicy: .networkOnly)
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "C", "D"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E"] && bed.server.requests.last?.variables["after"] == "c-D")
  }

  @Test("One list: after the first fetch has failed, the page that another screen loads begins the list")
  func recovery() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"])
    bed.server.on(0, .fail)
    await bed.fetch()
    _ = try await bed.client.fetch(query: ListedFriendsQuery(id: "2001", first: 2), cachePolicy: .networkOnly)
    await bed.settle()
    #expect(bed.last?.names == ["A", "B"])
    try await bed.loadNext()
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B", "C", "D", "E"] && bed.last?.next == [])
  }

  @Test("One list: it is cut while its first page is not the one that the cache has")
  func firstPageOutOfCache() {
    let query = ListedFriendsQuery(id: "2001", first: 2)
    var state = PagerState<ListedFriendsQuery, ListedFriendsQuery>()
    state.initialWatcher = GraphQLQueryWatcher(client: TestBed(.list).client, query: query, queue: nil) { _ in }
    func take(_ source: GraphQLResult<ListedFriendsQuery.Data>.Source) -> [Bool] {
      _ = state.take(GraphQLResult(data: ListedFriendsQuery.Data(), source: source))
      return [state.isInitialPageStored, state.isListCut]
    }
    #expect(take(.server) == [false, false])
    #expect(take(.cache) == [true, false])
    #expect(take(.server) == [true, true])
    #expect(take(.cache) == [true, false])
  }

  @Test(
    "One list: behind a first page that is not stored, a page that the cache has is shown once, also after a change",
    arguments: [1, 2])
  func firstPageNotStored(pageCount: Int) async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"]), pages: [[String]?] = [["C", "D"], ["E"]]
    bed.client.store.isShared = true
    await bed.fetch()
    bed.server.on(1, .answerWithoutStoring)
    await bed.fetch()
    for _ in 0..<pageCount { try await bed.loadNext() }
    #expect(bed.last?.initial == ["A", "B"] && bed.last?.next == Array(pages.prefix(pageCount)))
    try await bed.rename("A", "Ann")
    await bed.settle()
    #expect(bed.last?.initial == (pageCount == 1 ? ["Ann", "B", "C", "D"] : ["Ann", "B", "C", "D", "E"]))
    #expect(bed.last?.next == [])
    if pageCount == 1 { try await bed.loadNext() }
    #expect(bed.last?.initial == ["Ann", "B", "C", "D", "E"] && bed.last?.next == [])
  }

  @Test("One list: a page behind it that the cache has is shown once, though one before it is kept out of the cache")
  func previousPageOutOfCache() async throws {
    let bed = TestBed(.list, .async, .bidirectional, friends: ["Leia", "Luke", "Han", "Chewie"])
    await bed.fetch()
    try await bed.pager.loadPrevious(cachePolicy: .fetchIgnoringCacheCompletely)
    try await bed.loadNext()
    #expect(bed.last?.names == ["Leia", "Luke", "Han", "Chewie"])
    try await bed.rename("Han", "Han Solo")
    await bed.settle()
    #expect(bed.last?.names == ["Leia", "Luke", "Han Solo", "Chewie"])
  }

  @Test("One list: a list that the app has emptied begins anew with its first page")
  func emptied() async throws {
    let bed = TestBed(.list, .async, .offset)
    await bed.fetch()
    try await bed.loadNext()
    try await bed.client.store.withinReadWriteTransaction { transaction in
      try await transaction.update(query: ListedRangeQuery(id: "2001", offset: 0, limit: 2)) { $0.hero?.range = [] }
    }
    await bed.settle()
    #expect(bed.last?.names == [] && bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(bed.last?.initial == ["Luke", "Han"] && bed.last?.next == [])
    try await bed.loadNext()
    #expect(bed.last?.initial == ["Luke", "Han", "Leia"] && bed.server.requests.count == 4)
  }

  @Test("One list: after it was cut, its pages can be loaded again")
  func cutList() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E", "F", "G"])
    try await bed.loadAll()
    _ = try await bed.client.fetch(query: ListedFriendsQuery(id: "2001", first: 2), cachePolicy: .networkOnly)
    await bed.settle()
    #expect(bed.last?.names == ["A", "B"] && bed.pager.canLoadNext)
    try await bed.loadNext()
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == ["A", "B", "C", "D", "E", "F", "G"])
  }

  @Test("One list: the error of a field stays in its place")
  func errorOfField() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    bed.server.on(1, .answer(Self.half(#"{"message":"half","path":["hero","friends","nodes",1]}"#)))
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C"] && bed.last?.errors == ["half"])
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B", "C", "D", "E"] && bed.last?.errors == ["half"])
  }

  @Test("One list: a watcher of a later page has the whole list, also after an answer with the error of a field")
  func watcherOfLaterPage() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"]), names = Recorder<[String]>()
    await bed.fetch()
    let watcher = bed.client.watch(
      query: ListedFriendsQuery(id: "2001", first: 2, after: "c-B"), cachePolicy: .fetchIgnoringCacheData,
      callbackQueue: .global()
    ) { result in
      let value = try? result.get()
      names.add((value?.data?.names ?? []) + (value?.errors ?? []).map { "\($0.path ?? [])" })
    }
    await names.wait(for: 1)
    #expect(names.values == [["A", "B", "C", "D"]])
    bed.server.on(2, .answer(Self.half(#"{"message":"half","path":["hero","friends","nodes",1]}"#)))
    watcher.refetch()
    await names.wait(for: 2)
    #expect(names.values.last == ["A", "B", "C", "[hero, friends, nodes, 3]"])
    watcher.cancel()
  }

  @Test("One list: a page that cannot be stored, because an error has no place, stays apart with those behind it")
  func errorWithoutPath() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    bed.server.on(1, .answer(Self.half(#"{"message":"half"}"#)))
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B"] && bed.last?.next == [["C"]] && bed.last?.errors == ["half"])
    try await bed.loadNext()
    #expect(bed.last?.next == [["C"], ["D", "E"]])
  }

  @Test(
    "One list: where errors are ignored, pages are where they would be otherwise; where none may be, a page is asked for again",
    arguments: [true, false])
  func errorPolicies(hasPath: Bool) async throws {
    let half = Self.half(#"{"message":"half"\#(hasPath ? #","path":["hero","friends","nodes",1]"# : "")}"#)
    func afterError(_ policy: ErrorPolicy) async throws -> TestBed {
      let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E"], errorPolicy: policy)
      await bed.fetch()
      bed.server.on(1, .answer(half))
      try await bed.loadNext()
      return bed
    }
    let all = try await afterError(.all), ignoring = try await afterError(.ignore)
    #expect(ignoring.last?.initial == all.last?.initial && ignoring.last?.next == all.last?.next)
    #expect(all.last?.errors == ["half"] && ignoring.last?.errors == [])
    try await all.loadNext()
    try await ignoring.loadNext()
    #expect(ignoring.last?.initial == all.last?.initial && ignoring.last?.next == all.last?.next)
    let strict = try await afterError(.none)
    guard case .failure(let error as OperationError) = strict.recorder.values.last else {
      Issue.record("\(strict.recorder.values)")
      return
    }
    #expect(error.code == .operationRefused)
    try await strict.loadNext()
    #expect(strict.last?.names == ["A", "B", "C", "D"] && strict.last?.errors == [])
  }

  /// A second page with one friend, and an error in place of another.
  private static func half(_ error: String) -> String {
    let page = FriendsServer.connection(
      #"{"__typename":"Character","id":"C","name":"C"},null"#, ["C"], previous: true, next: true, 5)
    return FriendsServer.hero(#""friends":"# + page).dropLast() + #","errors":[\#(error)]}"#
  }

  @Test("One list: what a transaction writes is in the outputs")
  func transaction() async throws {
    let bed = TestBed(.list)
    try await bed.loadAll()
    try await bed.client.store.withinReadWriteTransaction { transaction in
      try await transaction.update(query: ListedFriendsQuery(id: "2001", first: 2)) {
        $0.hero?.friends?.nodes?.removeFirst()
      }
    }
    await bed.settle()
    #expect(bed.last?.names == ["Han", "Leia"] && bed.recorder.values.count == 2)
  }

  @Test("One list: a policy that reads the cache asks the server, because the cache has no page behind its list")
  func cacheFirst() async throws {
    let bed = TestBed(.list)
    await bed.fetch()
    try await bed.pager.loadNext(cachePolicy: CachePolicy.Query.CacheOnly.cacheOnly)
    #expect(bed.server.requests.count == 1 && bed.recorder.values.count == 1)
    try await bed.pager.loadNext(cachePolicy: CachePolicy.Query.SingleResponse.cacheFirst)
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  @Test("One list: a pager begins with all that the cache has")
  func warmCache() async throws {
    let bed = TestBed(.list)
    try await bed.loadAll()
    let pager = TestBed.pager(.list, .forward, bed.client)
    await pager.refetch(cachePolicy: CachePolicy.Query.SingleResponse.cacheFirst)
    #expect(try await pager.outputs.first { _ in true }?.get().initial == ["Luke", "Han", "Leia"])
    #expect(!pager.canLoadNext && bed.server.requests.count == 2)
  }

  @Test("Without the cache, pages are apart")
  func ignoringCache() async throws {
    let bed = TestBed(.list)
    await bed.pager.refetch(cachePolicy: .fetchIgnoringCacheCompletely)
    try await bed.pager.loadNext(cachePolicy: .fetchIgnoringCacheCompletely)
    #expect(bed.last?.initial == ["Luke", "Han"] && bed.last?.next == [["Leia"]])
  }

  @Test("One list: a page that is kept out of the cache stays apart with those behind it")
  func pageOutOfCache() async throws {
    let bed = TestBed(.list, friends: ["A", "B", "C", "D", "E", "F", "G"])
    await bed.fetch()
    try await bed.loadNext()
    try await bed.pager.loadNext(cachePolicy: .fetchIgnoringCacheCompletely)
    #expect(bed.last?.initial == ["A", "B", "C", "D"] && bed.last?.next == [["E", "F"]])
    try await bed.loadNext()
    #expect(bed.last?.next == [["E", "F"], ["G"]])
    await bed.refetch()
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B", "C", "D"] && bed.last?.next == [])
  }

  @Test("A client that writes nothing to the cache keeps pages apart")
  func nothingWritten() async throws {
    let client = ApolloClient(
      networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore(),
      defaultRequestConfiguration: RequestConfiguration(writeResultsToCache: false))
    let pager = TestBed.pager(.list, .forward, client)
    try await pager.loadAll()
    #expect(try await pager.outputs.first { _ in true }?.get().next == [["Leia"]])
  }

  @Test("A list without a policy is apart, though lists beside it and inside of it have one")
  func nestedLists() async throws {
    let server = FriendsServer(["Luke", "Han", "Leia"])
    let pager = GraphQLQueryPager(
      client: ApolloClient(networkTransport: server, store: ApolloStore()),
      initialQuery: NestedFriendsQuery(id: "2001", first: 2),
      extractPageInfo: { data in
        let info = data.hero?.friends?.pageInfo
        return CursorBasedPagination.Forward(hasNext: info?.hasNextPage ?? false, endCursor: info?.endCursor)
      },
      pageResolver: { info, _ in
        NestedFriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor)) as NestedFriendsQuery?
      })
    try await pager.loadAll()
    let output = try #require(try await pager.outputs.first { _ in true }?.get())
    #expect(output.allData.map { $0.hero?.friends?.nodes?.compactMap { $0?.name } } == [["Luke", "Han"], ["Leia"]])
  }

  @Test("Two queries: pages of another list than that of the first query are apart")
  func otherList() async throws {
    let bed = TestBed(.apart)
    let pager = GraphQLQueryPager(
      client: bed.client, initialQuery: FirstListedFriendsQuery(id: "2001"),
      extractInitialPageInfo: { $0.forward }, extractNextPageInfo: { (data: FriendsQuery.Data) in data.forward },
      pageResolver: { info, _ in FriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor)) })
    try await pager.loadAll()
    let output = try #require(try await pager.outputs.first { _ in true }?.get())
    #expect(
      output.initialPage?.data?.names == ["Luke", "Han"] && output.nextPages.map { $0.data?.names } == [["Leia"]])
    #expect(bed.server.requests.count == 2)
  }

  // MARK: Policies

  @Test("A fetch delivers what the cache has, and then what the server says", arguments: Mode.allCases, Caller.allCases)
  func cacheAndNetwork(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    await bed.fetch()
    #expect(bed.outputs.map(\.source) == [.server, .cache, .server])
  }

  @Test("Pages apart: a page that the cache has comes from there")
  func pagesFromCache() async throws {
    let bed = TestBed(.apart)
    try await bed.loadAll()
    await bed.pager.refetch(cachePolicy: CachePolicy.Query.CacheOnly.cacheOnly)
    try await bed.pager.loadNext(cachePolicy: CachePolicy.Query.CacheOnly.cacheOnly)
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && bed.last?.source == .cache)
    #expect(bed.server.requests.count == 2)
  }

  @Test("Each kind of policy can be named", arguments: Mode.allCases)
  func policies(mode: Mode) async throws {
    let bed = TestBed(mode, .async, .bidirectional)
    let pager = bed.pager
    await pager.refetch(cachePolicy: .networkOnly)
    await pager.refetch(cachePolicy: CachePolicy.Query.CacheAndNetwork.cacheAndNetwork)
    await pager.refetch(fetchBehavior: .NetworkOnly)
    await pager.refetch(cachePolicy: CachePolicy.returnCacheDataElseFetch)
    try await pager.loadNext(fetchBehavior: .NetworkFirst)
    try await pager.loadPrevious(cachePolicy: .networkFirst)
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
    await pager.refetch()
    // The one list has the page before it already.
    #expect(pager.canLoadPrevious == (mode == .apart))
    if mode == .apart {
      try await pager.loadPrevious(cachePolicy: CachePolicy.Query.CacheAndNetwork.cacheAndNetwork)
    }
    try await pager.loadNext(cachePolicy: CachePolicy.Query.CacheAndNetwork.revalidateCache)
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }
}
