import Apollo
import ApolloAPI
import ApolloConcurrency
@testable import ApolloPagination
import Fixture0041
import Testing

/// What answers of the server say of pages apart, whatever else has changed these.
@Suite("Answers to queries of pages, and other changes of pages", .timeLimit(.minutes(5))) struct OtherAnswerTests {
  /// What has asked for the first page.
  enum Asker: CaseIterable { case target, pager, watcher }

  private static let friends = ["A", "B", "C", "D", "E", "F", "G"]

  private static func bed(_ kind: Kind = .forward) async throws -> TestBed {
    let bed = TestBed(.apart, .async, kind, friends: friends)
    await bed.fetch()
    for _ in 0..<2 { try await bed.loadNext() }
    return bed
  }

  @Test("An answer that another part of the app has asked for takes pages along as the pager's own does")
  func otherAsker() async throws {
    for asker in Asker.allCases {
      let bed = try await Self.bed(), other = TestBed.pager(.apart, .forward, bed.client)
      await other.fetch()
      for _ in 0..<2 { try await other.loadNext() }
      bed.server.setFriends(["new"] + Self.friends)
      switch asker {
      case .target: await bed.client.refetch(matching: .watched)
      case .pager: await other.refetch()
      case .watcher:
        let answers = Recorder<Bool>()
        let watcher = bed.client.watch(
          query: FriendsQuery(id: "2001", first: 2), cachePolicy: .fetchIgnoringCacheData
        ) { _ in answers.add(true) }
        await answers.wait(for: 1)
        watcher.cancel()
      }
      await bed.settle()
      #expect(bed.last?.names == ["new", "A"])
      try await bed.loadNext()
      #expect(bed.last?.names == ["new", "A", "B", "C"])
      withExtendedLifetime(other) {}
    }
  }

  @Test(
    "It does as well where all pages came from the cache, and the server has never answered this pager",
    arguments: [["A", "B", "C", "E", "F", "G"], ["A", "B", "C", "D", "E", "new", "F", "G"]])
  func pagesOfCache(friends: [String]) async throws {
    let bed = TestBed(.apart, friends: Self.friends), other = TestBed.pager(.apart, .forward, bed.client)
    try await other.loadAll()
    await bed.pager.refetch(cachePolicy: CachePolicy.Query.CacheOnly.cacheOnly)
    for _ in 0..<3 { try await bed.pager.loadNext(cachePolicy: CachePolicy.Query.CacheOnly.cacheOnly) }
    #expect(bed.last?.names == Self.friends && bed.server.requests.count == 4)
    bed.server.setFriends(friends)
    try await other.loadAll()
    await bed.settle()
    let names = try #require(bed.last?.names)
    #expect(names == Array(friends.prefix(names.count)))
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == friends)
    withExtendedLifetime(other) {}
  }

  @Test("An answer with errors does not tell where its page leads, so that all pages stay")
  func answerWithErrors() async throws {
    let bed = try await Self.bed()
    bed.server.on(3, .answer(#"{"data":{"hero":null},"errors":[{"message":"busy","path":["hero"]}]}"#))
    for names in [["C", "D", "E", "F"], ["A", "B", "C", "D", "E", "F"]] {
      await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2)))
      await bed.settle()
      #expect(bed.last?.names == names)
    }
  }

  @Test("Pages that are found by offsets stay when the app has removed an element, and a page is asked for again")
  func localEdit() async throws {
    let bed = try await Self.bed(.offset)
    let first = RangeQuery(id: "2001", offset: 0, limit: 2)
    try await bed.client.store.withinReadWriteTransaction { transaction in
      try await transaction.update(query: first) { _ = $0.hero?.range.removeFirst() }
    }
    await bed.client.refetch(matching: .query(RangeQuery(id: "2001", offset: 2, limit: 2)))
    await bed.settle()
    #expect(bed.last?.names == ["B", "C", "D", "E", "F"])
  }

  @Test("They stay as well when a guess has added an element")
  func guess() async throws {
    let bed = try await Self.bed(.offset), first = RangeQuery(id: "2001", offset: 0, limit: 2)
    try await bed.client.store.applyOptimisticUpdate(id: "a") { transaction in
      try transaction.update(query: first) { data in
        let added = data.hero?.range.first
        if let added { data.hero?.range.append(added) }
      }
    }
    await bed.client.refetch(matching: .query(first))
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "A", "C", "D", "E", "F"])
  }

  @Test("A page that comes while the app is asked which one is next counts")
  func askedMeanwhile() async throws {
    let bed = TestBed(.apart, friends: Self.friends, subscribes: false), query = FriendsQuery(id: "2001", first: 2)
    let earlier = try await bed.client.fetch(query: query, cachePolicy: .networkOnly)
    bed.server.setFriends(["new"] + Self.friends)
    let later = try await bed.client.fetch(query: query, cachePolicy: .networkOnly)
    let meanwhile = Locked<(@Sendable () -> Void)?>(nil)
    let rules = PageRules<FriendsQuery, FriendsQuery>(
      { page in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.forward
        }
      },
      { info, _ in
        let body = meanwhile.withLock { body in
          defer { body = nil }
          return body
        }
        body?()
        return FriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor))
      })
    let engine = PagerEngine(
      client: bed.client, initialQuery: query, rules: rules,
      sink: .init(send: { _, _, _ in }, forget: {}, flush: {}))
    let load = engine.state.withLock { state in
      _ = state.take(earlier)
      return state.beginLoad(.next)
    }
    meanwhile.withLock { $0 = { engine.state.withLock { _ = $0.take(later) } } }
    let page = try engine.beginPage(.next, of: #require(load), 0)
    #expect(page.query.after == "c-A")
  }
}
