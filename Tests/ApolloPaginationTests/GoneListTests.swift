@testable import Apollo
import ApolloAPI
@testable import ApolloCache
@testable import ApolloPagination
import Fixture0041
import Testing

/// One list that the cache loses while a pager shows it. The page that comes next must not become all of it.
@Suite("Lists that the cache has lost", .timeLimit(.minutes(5))) struct GoneListTests {
  /// How the cache loses the list.
  enum Loss: CaseIterable {
    case clearing, removedObject, removedField

    func happen(to store: ApolloStore) async throws {
      switch self {
      case .clearing: try await store.clearCache()
      case .removedObject: try await store.remove("Character:2001")
      case .removedField:
        let list = try #require(store.dump().firstMatch(of: /listedFriends[^: ]*|friends[^: ]*/)).output
        try await store.withinReadWriteTransaction { try await $0.removeField(String(list), of: "Character:2001") }
      }
    }
  }

  private static let friends = ["A", "B", "C", "D", "E", "F", "G"]

  private static func bed(pageCount: Int = 0) async throws -> TestBed {
    let bed = TestBed(.list, friends: friends)
    await bed.fetch()
    for _ in 0..<pageCount { try await bed.loadNext() }
    return bed
  }

  /// Returns when the list's own request has ended as well.
  private static func settle(_ bed: TestBed) async {
    await bed.settle()
    await bed.client.activeQueries.waitUntilAnswered()
    await bed.settle()
  }

  @Test("If its first page could not be loaded, the next load begins with that", arguments: Loss.allCases, [0, 2])
  func firstPageFailed(loss: Loss, pageCount: Int) async throws {
    let bed = try await Self.bed(pageCount: pageCount), count = bed.server.requests.count, shown = bed.last?.names
    bed.server.on(count, .fail)
    bed.server.on(count + 1, .fail)
    try await loss.happen(to: bed.client.store)
    await Self.settle(bed)
    #expect(bed.failures.count == 1 && bed.last?.names == shown)
    // It fails as well, and all pages stay.
    try await bed.loadNext()
    #expect(bed.failures.count == 2 && bed.last?.names == shown && bed.pager.canLoadNext)
    #expect(bed.server.requests.count == count + 2)
    try await bed.loadNext()
    #expect(bed.last?.initial == ["A", "B", "C", "D"] && bed.last?.next == [])
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.initial == Self.friends)
    try await bed.rename("F", "new")
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E", "new", "G"])
  }

  @Test("A page that is on its way then comes behind a new first page", arguments: Loss.allCases, [true, false])
  func pageOnItsWay(loss: Loss, loadsAll: Bool) async throws {
    for isLast in [true, false] {
      let bed = try await Self.bed(), hold = FriendsServer.Hold(), first = FriendsServer.Hold()
      bed.server.on(1, .hold(hold))
      bed.server.on(2, .hold(first))
      let load = Task {
        if loadsAll { try await bed.loadAll(fetchFromInitialPage: false) } else { try await bed.loadNext() }
      }
      await hold.hasCome.wait()
      try await loss.happen(to: bed.client.store)
      await first.hasCome.wait()
      // The list's own request for the first page ends before the load, or does not.
      if !isLast {
        first.mayGo.fire()
        await Self.settle(bed)
      }
      hold.mayGo.fire()
      try await load.value
      first.mayGo.fire()
      await Self.settle(bed)
      // (A page that was written may join the new list. Then one more is loaded.)
      let shown = try #require(bed.last?.initial)
      #expect(shown == Array(Self.friends.prefix(shown.count)) && shown.count > 2 && bed.last?.next == [])
      try await bed.loadAll(fetchFromInitialPage: false)
      #expect(bed.last?.initial == Self.friends)
    }
  }

  @Test("A first page that is on its way then begins the list all the same", arguments: [true, false])
  func firstPageOnItsWay(loadsAll: Bool) async throws {
    let bed = try await Self.bed(pageCount: 1), hold = FriendsServer.Hold()
    bed.server.on(2, .hold(hold))
    let fetch = Task { if loadsAll { try await bed.loadAll() } else { await bed.refetch() } }
    await hold.hasCome.wait()
    try await bed.client.store.clearCache()
    hold.mayGo.fire()
    try await fetch.value
    await Self.settle(bed)
    if !loadsAll { try await bed.loadAll(fetchFromInitialPage: false) }
    #expect(bed.last?.initial == Self.friends && bed.last?.next == [])
    // (Where only the clearing has kept the page out of the cache, it is looked for there.)
    for wasCleared in [true, false] {
      var state = PagerState<ListedFriendsQuery, ListedFriendsQuery>()
      state.initialWatcher = GraphQLQueryWatcher(
        client: bed.client, query: ListedFriendsQuery(id: "2001", first: 2), queue: nil
      ) { _ in }
      _ = state.take(GraphQLResult(data: ListedFriendsQuery.Data(), source: .server), wasCleared: wasCleared)
      #expect(state.isInitialPageStored == wasCleared)
    }
  }

  @Test("A page that is kept out of the cache stands behind what is shown, without another request")
  func pageOutOfCache() async throws {
    let bed = try await Self.bed()
    bed.server.on(1, .fail)
    try await bed.client.store.clearCache()
    await Self.settle(bed)
    try await bed.pager.loadNext(cachePolicy: .fetchIgnoringCacheCompletely)
    #expect(bed.last?.names == ["A", "B", "C", "D"] && bed.server.requests.count == 3)
    #expect(bed.client.store.dump().isEmpty)
  }

  @Test("An element of which something is missing is not the list: the next page stands behind what is shown")
  func incompleteElement() async throws {
    let bed = try await Self.bed(pageCount: 1)
    bed.server.on(2, .fail)
    try await bed.client.store.withinReadWriteTransaction { try await $0.removeField("name", of: "Character:A") }
    await Self.settle(bed)
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E", "F"] && bed.server.requests.last?.variables["after"] == "c-D")
  }

  @Test("Nor is one that a guess hides as well")
  func incompleteAndHidden() async throws {
    let bed = try await Self.bed(pageCount: 1), store = bed.client.store
    for request in 2...3 { bed.server.on(request, .fail) }
    try await store.withinReadWriteTransaction { try await $0.removeField("name", of: "Character:A") }
    await Self.settle(bed)
    try await store.applyOptimisticUpdate(id: "guess") { try $0.removeObject(for: "Character:2001") }
    await Self.settle(bed)
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E", "F"] && bed.server.requests.last?.variables["after"] == "c-D")
  }

  @Test("A list that another answer has cut while a page was on its way goes on behind what is left")
  func cutMeanwhile() async throws {
    let bed = try await Self.bed(pageCount: 1), hold = FriendsServer.Hold()
    bed.server.on(2, .hold(hold))
    let load = Task { try await bed.loadNext() }
    await hold.hasCome.wait()
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == ["A", "B"])
    hold.mayGo.fire()
    try await load.value
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.initial == Self.friends && bed.last?.next == [])
  }

  @Test("That the list leads to a page that was loaded is forgotten when another answer has changed the list")
  func repeatedBefore() {
    let page = ListedFriendsQuery(id: "2001", first: 2, after: "c-B").variables
    var state = PagerState<ListedFriendsQuery, ListedFriendsQuery>()
    func take() { _ = state.take(GraphQLResult(data: ListedFriendsQuery.Data(), source: .server)) }
    take()
    state.isOneList = true
    state.noteLoaded(page, following: page, .next)
    #expect(state.isRepeated(page, .next))
    take()
    #expect(!state.isRepeated(page, .next))
    state.noteLoaded(page, following: page, .next)
    #expect(!state.isRepeated(page, .next))
    state.noteLoaded(page, following: page, .next)
    #expect(state.isRepeated(page, .next))
  }

  @Test("All pages come to an end where the memory is too small for the list", arguments: [false, true])
  func listTooLargeForMemory(isGrowing: Bool) async throws {
    let server = FriendsServer((0..<400).map { "f\($0)" })
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 2500))
    let client = ApolloClient(networkTransport: server, store: store), pager = TestBed.pager(.list, .forward, client)
    for request in 1000..<3000 { server.on(request, .fail) }
    if isGrowing {
      server.changeAnswers { answer in
        let count = server.requests.count
        if count % 20 == 0 { server.setFriends((0..<count / 20).map { "n\($0)" } + (0..<400).map { "f\($0)" }) }
        return answer
      }
    }
    try await pager.loadAll()
    #expect(server.requests.count < 1000)
  }

  @Test("A reset while it is found out whether the list is there ends the load, and nothing is asked for")
  func resetMeanwhile() async throws {
    let bed = try await Self.bed(), hold = FriendsServer.Hold(), engine = bed.client.store.engine
    bed.server.on(1, .fail)
    try await bed.client.store.clearCache()
    await Self.settle(bed)
    bed.client.store.whenTold { _ in
      hold.hasCome.fire()
      await hold.mayGo.wait()
    }
    await hold.hasCome.wait()
    let count = engine.state.withLock { $0.deliveries.listenerCount }
    let load = Task { try await bed.loadAll(fetchFromInitialPage: false) }
    while engine.state.withLock({ $0.deliveries.listenerCount }) == count { await Task.yield() }
    await bed.reset()
    hold.mayGo.fire()
    await #expect(throws: PaginationError.self) { try await load.value }
    await Self.settle(bed)
    #expect(bed.server.requests.count == 2 && !bed.pager.canLoadNext)
  }

  @Test("An object of a page that a later mutation has removed meanwhile is not shown for good")
  func removedMeanwhile() async throws {
    let bed = try await Self.bed(), hold = FriendsServer.Hold(), store = bed.client.store
    bed.server.on(1, .hold(hold))
    let load = Task { try await bed.loadNext() }
    await hold.hasCome.wait()
    let mutation = store.beginSending(.mutation)
    let end = store.completion(of: OptimisticUpdate(id: nil, asked: .current, guess: nil)) {
      try $0.removeObject(for: "Character:C")
    }
    #expect(await store.complete(end, asked: nil, sent: mutation) == nil)
    bed.server.setFriends(["A", "B", "D", "E", "F", "G"])
    hold.mayGo.fire()
    try await load.value
    await Self.settle(bed)
    #expect(bed.last?.names.contains("C") == false)
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == ["A", "B", "D", "E", "F", "G"])
  }
}
