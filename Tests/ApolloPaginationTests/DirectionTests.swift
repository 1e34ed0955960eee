import Apollo
import ApolloPagination
import Fixture0041
import Testing

/// After the suite ForwardPaginationTests of Apollo iOS.
@Suite("Forward") struct ForwardTests {
  @Test("Pages are loaded one after the other", arguments: Mode.allCases, Caller.allCases)
  func fetchMultiplePages(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    let first = try #require(bed.last)
    #expect(first.initial == ["Luke", "Han"] && first.next == [] && first.source == .server && first.isForInitialPage)
    try await bed.loadNext()
    let second = try #require(bed.last)
    #expect(second.names == ["Luke", "Han", "Leia"])
    #expect(second.source == .server && !second.isForInitialPage)
    #expect(second.initial == (mode == .list ? ["Luke", "Han", "Leia"] : ["Luke", "Han"]))
    #expect(second.next == (mode == .list ? [] : [["Leia"]]) && second.previous == [])
    #expect(bed.recorder.values.count == 2, "There is one output for each page.")
  }

  @Test("Each page is asked for with the cursor of the one before", arguments: Mode.allCases)
  func variableMapping(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    try await bed.pager.loadNext(cachePolicy: .fetchIgnoringCacheData)
    let variables = try #require(bed.server.requests.last?.variables)
    #expect(variables == ["id": "2001", "first": "2", "after": "c-Han"])
  }

  @Test("Whether there is a next page changes with the pages", arguments: Mode.allCases, Caller.allCases)
  func paginationState(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    #expect(!bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
    await bed.fetch()
    #expect(bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
    try await bed.loadNext()
    #expect(!bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
  }

  @Test("A change of an object is in all pages", arguments: Mode.allCases, Caller.allCases)
  func fetchMultiplePages_mutateHero(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    try await bed.loadNext()
    try await bed.rename("2001", "C3PO")
    await bed.settle()
    #expect(bed.last?.heroes == Array(repeating: "C3PO", count: mode == .list ? 1 : 2))
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && bed.last?.source == .cache)
    #expect(bed.recorder.values.count == (mode == .list ? 3 : 4), "Each watcher is told once.")
  }

  @Test("A change of an element of a later page is delivered", arguments: Mode.allCases)
  func changeOfLaterPage(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    try await bed.loadNext()
    try await bed.rename("Leia", "Leia Organa")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "Leia Organa"])
    #expect(bed.recorder.values.count == 3)
  }

  @Test("All pages are one output", arguments: Mode.allCases, Caller.allCases)
  func loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E", "F", "G"])
    try await bed.loadAll()
    #expect(bed.outputs.map(\.names) == [["A", "B", "C", "D", "E", "F", "G"]])
    #expect(bed.recorder.values.count == 1 && bed.server.requests.count == 4)
    #expect(!bed.pager.canLoadNext)
  }

  @Test("The remaining pages are loaded behind those that are there", arguments: Mode.allCases, Caller.allCases)
  func loadAllFromHere(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == ["A", "B", "C", "D", "E"])
    #expect(bed.server.requests.count == 3 && bed.recorder.values.count == 2)
  }

  @Test("A fetch that fails ends, and its error is an output", arguments: Mode.allCases, Caller.allCases)
  func failingFetch_finishes(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.on(0, .fail)
    await bed.fetch()
    #expect(bed.failures.count == 1 && bed.outputs.isEmpty)
    #expect(!bed.pager.canLoadNext)
    await bed.refetch()
    #expect(bed.last?.names == ["Luke", "Han"])
  }
}

/// After the suite ReversePaginationTests of Apollo iOS.
@Suite("Reverse") struct ReverseTests {
  @Test("Pages are loaded from the end to the start", arguments: Mode.allCases, Caller.allCases)
  func fetchMultiplePages(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .reverse)
    await bed.fetch()
    #expect(bed.last?.initial == ["Han", "Leia"] && bed.pager.canLoadPrevious)
    try await bed.loadPrevious()
    let second = try #require(bed.last)
    #expect(second.names == ["Luke", "Han", "Leia"] && second.next == [])
    #expect(second.previous == (mode == .list ? [] : [["Luke"]]))
    #expect(!bed.pager.canLoadPrevious && bed.recorder.values.count == 2)
  }

  @Test("All pages are loaded", arguments: Mode.allCases, Caller.allCases)
  func loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .reverse, friends: ["A", "B", "C", "D", "E"])
    try await bed.loadAll()
    #expect(bed.outputs.map(\.names) == [["A", "B", "C", "D", "E"]])
    if mode == .apart { #expect(bed.last?.previous == [["A"], ["B", "C"]], "They are in the order of the list.") }
  }
}

/// After the suite BidirectionalPaginationTests of Apollo iOS.
@Suite("Bidirectional") struct BidirectionalTests {
  @Test("Pages are loaded on both sides", arguments: Mode.allCases, Caller.allCases)
  func fetchMultiplePages(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .bidirectional)
    await bed.fetch()
    #expect(bed.last?.initial == ["Han"] && bed.pager.canLoadNext && bed.pager.canLoadPrevious)
    try await bed.loadNext()
    #expect(bed.last?.names == ["Han", "Leia"] && !bed.pager.canLoadNext && bed.pager.canLoadPrevious)
    try await bed.loadPrevious()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
    #expect(bed.last?.previous == (mode == .list ? [] : [["Luke"]]))
    #expect(bed.last?.next == (mode == .list ? [] : [["Leia"]]))
    #expect(!bed.pager.canLoadNext && !bed.pager.canLoadPrevious)
  }

  @Test("All pages on both sides are one output", arguments: Mode.allCases, Caller.allCases)
  func loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .bidirectional)
    try await bed.loadAll()
    #expect(bed.outputs.map(\.names) == [["Luke", "Han", "Leia"]])
  }
}

/// After the suite OffsetTests of Apollo iOS.
@Suite("Offset") struct OffsetTests {
  @Test("Pages are asked for by their place", arguments: Mode.allCases, Caller.allCases)
  func concatenatesPages_matchingInitialAndPaginated(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .offset)
    await bed.fetch()
    #expect(bed.last?.names == ["Luke", "Han"] && bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"] && !bed.pager.canLoadNext)
    #expect(bed.server.requests.last?.variables["offset"] == "2")
    #expect(bed.last?.next == (mode == .list ? [] : [["Leia"]]))
  }

  @Test("All pages are loaded, also if the server ends with an empty one", arguments: Mode.allCases)
  func loadAll(mode: Mode) async throws {
    let bed = TestBed(mode, .async, .offset, friends: ["A", "B", "C", "D", "E"])
    try await bed.loadAll()
    #expect(bed.outputs.map(\.names) == [["A", "B", "C", "D", "E"]])
  }

  @Test("Pages apart: after removals, no page takes the place of one that is shown")
  func removals() async throws {
    let bed = TestBed(.apart, .async, .offset, friends: ["A", "B", "C", "D", "E", "F", "G", "H"])
    await bed.fetch()
    try await bed.loadNext()
    try await bed.client.store.withinReadWriteTransaction { transaction in
      try await transaction.update(query: RangeQuery(id: "2001", offset: 0, limit: 2)) { $0.hero?.range = [] }
    }
    await bed.settle()
    #expect(bed.last?.names == ["C", "D"] && bed.pager.canLoadNext)
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.repeatedPage))
    #expect(bed.last?.names == ["C", "D"] && bed.server.requests.count == 2)
  }

  @Test("The kinds of information tell in which directions there are pages")
  func kinds() {
    let forward = OffsetPagination.Forward(offset: 2, canLoadNext: true)
    #expect(forward.canLoadNext && !forward.canLoadPrevious && forward.offset == 2)
    let reverse = OffsetPagination.Reverse(offset: 2, canLoadPrevious: true)
    #expect(!reverse.canLoadNext && reverse.canLoadPrevious && reverse.offset == 2)
    let both = OffsetPagination.Bidirectional(offset: 2, canLoadNext: false, canLoadPrevious: true)
    #expect(!both.canLoadNext && both.canLoadPrevious && both.offset == 2)
    let cursor = CursorBasedPagination.Reverse(hasPrevious: true, startCursor: "c")
    #expect(!cursor.canLoadNext && cursor.canLoadPrevious && cursor.startCursor == "c")
    #expect(!CursorBasedPagination.Forward(hasNext: true, endCursor: nil).canLoadPrevious)
  }
}
