@testable import Apollo
import ApolloAPI
@testable import ApolloCache
@testable import ApolloPagination
import Fixture0041
import Testing

/// Lists that the cache has, or may have, though it lacks something: the next page is asked for, and no page is lost.
/// And lists that begin anew, to their end.
@Suite("Lists that go on, and lists that begin anew", .timeLimit(.minutes(5))) struct KeptListTests {
  private static let friends = ["A", "B", "C", "D", "E", "F", "G"]

  /// The pages that were asked for.
  private static func pages(_ bed: TestBed) -> [String] {
    bed.server.requests.map { $0.variables["after"] ?? $0.variables["before"].map { "before \($0)" } ?? "first" }
  }

  /// Returns when the list's own request has ended as well.
  private static func settle(_ bed: TestBed) async {
    await bed.settle()
    await bed.client.activeQueries.waitUntilAnswered()
    await bed.settle()
  }

  @Test("An answer that the cache keeps without a null is no reason to begin anew", arguments: [true, false])
  func nullLeftOut(loadsAll: Bool) async throws {
    let bed = TestBed(.list, friends: Self.friends, errorPolicy: .all)
    // (So that requests without an end fail.)
    for request in 10..<100 { bed.server.on(request, .fail) }
    bed.server.changeAnswers { answer in
      let nulled = answer.replacing(/"startCursor":"[^"]*"/) { _ in #""startCursor":null"# }
      return nulled.dropLast() + #","errors":[{"message":"warning"}]}"#
    }
    if loadsAll {
      try await bed.loadAll()
    } else {
      await bed.fetch()
      for _ in 0..<3 { try await bed.loadNext() }
    }
    await Self.settle(bed)
    #expect(Self.pages(bed) == ["first", "c-B", "c-D", "c-F"])
    #expect(bed.last?.names == Self.friends && !bed.pager.canLoadNext)
  }

  @Test("A list that has lost a field beside it is there: the next page follows, also if the field cannot be loaded")
  func fieldBesideIt() async throws {
    let bed = TestBed(.list, friends: Self.friends)
    await bed.fetch()
    for _ in 0..<2 { try await bed.loadNext() }
    bed.server.on(3, .fail)
    try await bed.client.store.withinReadWriteTransaction { try await $0.removeField("name", of: "Character:2001") }
    await Self.settle(bed)
    try await bed.loadNext()
    #expect(bed.last?.names == Self.friends && Self.pages(bed) == ["first", "c-B", "c-D", "first", "c-F"])
  }

  @Test("A list is gone if no list is left of what is shown")
  func severalLists() throws {
    func isGone(_ missing: [String]...) throws -> Bool {
      let json = #"{"hero": {"name": "R2", "friends": {"nodes": [{"tags": []}], "count": 1}}, "tags": [], "no": null}"#
      let data = try ResponseReader.jsonValue(ResponseBytes(Array(json.utf8)))
      return areLists(of: data, missingWith: missing.map { $0.map { .field($0) } })
    }
    #expect(try isGone(["hero"], ["tags"]) && isGone(["hero", "friends"], ["tags"]) && isGone([]))
    #expect(try !isGone(["hero"]) && !isGone(["tags"]) && !isGone(["tags"], ["hero", "name"]) && !isGone(["no"]))
    #expect(try !isGone(["hero", "friends", "count"], ["tags"]))
    #expect(!areLists(of: nil, missingWith: [[]]))
  }

  @Test("Behind a page that stands beside the list, the next one follows, though the list is gone")
  func listCutAndGone() async throws {
    let bed = TestBed(.list, friends: Self.friends)
    await bed.fetch()
    try await bed.pager.loadNext(cachePolicy: .fetchIgnoringCacheCompletely)
    bed.server.on(2, .fail)
    try await bed.client.store.clearCache()
    await Self.settle(bed)
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == Self.friends && Self.pages(bed) == ["first", "c-B", "first", "c-D", "c-F"])
  }

  @Test("A list that begins anew and has one page by then ends with that, without an error", arguments: [true, false])
  func shortByThen(loadsAll: Bool) async throws {
    let bed = TestBed(.list, friends: Self.friends)
    await bed.fetch()
    bed.server.on(1, .fail)
    try await bed.client.store.clearCache()
    await Self.settle(bed)
    bed.server.setFriends(["A", "B"])
    if loadsAll { try await bed.loadAll(fetchFromInitialPage: false) } else { try await bed.loadNext() }
    #expect(bed.last?.names == ["A", "B"] && !bed.pager.canLoadNext && Self.pages(bed) == ["first", "first", "first"])
  }

  @Test("A list that is short when a page of it comes, after it was cleared, ends without an error")
  func shortWhenPageComes() async throws {
    let bed = TestBed(.list, friends: Self.friends), page = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(1, .hold(page))
    let load = Task { try await bed.loadAll(fetchFromInitialPage: false) }
    await page.hasCome.wait()
    bed.server.setFriends(["A", "B"])
    try await bed.client.store.clearCache()
    await bed.client.store.waitUntilTold()
    page.mayGo.fire()
    try await load.value
    #expect(bed.last?.names == ["A", "B"] && !bed.pager.canLoadNext)
  }

  @Test("All pages come in both directions, also if the list begins anew while the previous ones are loaded")
  func bothDirections() async throws {
    let friends = ["X", "Y", "Z", "Luke", "Han", "Leia", "P", "Q"]
    let bed = TestBed(.list, .async, .bidirectional, friends: friends), page = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(4, .hold(page))
    let load = Task { try await bed.loadAll(fetchFromInitialPage: false) }
    await page.hasCome.wait()
    #expect(Self.pages(bed).last == "before c-Z")
    try await bed.client.store.clearCache()
    await bed.client.store.waitUntilTold()
    page.mayGo.fire()
    try await load.value
    #expect(bed.last?.names == friends && !bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
  }

  @Test("After a clearing, a later answer that is kept out of the cache is not taken for one that is in it")
  func refusedAfterClearing() async throws {
    let bed = TestBed(.list, friends: Self.friends)
    bed.client.store.isShared = true
    await bed.fetch()
    bed.server.on(1, .answerWithoutStoring)
    try await bed.client.store.clearCache()
    await Self.settle(bed)
    try await bed.loadNext()
    #expect(Self.pages(bed) == ["first", "first", "c-B"])
    #expect(bed.last?.initial == ["A", "B"] && bed.last?.next == [["C", "D"]])
  }
}
