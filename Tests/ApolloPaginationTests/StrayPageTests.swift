import Apollo
@testable import ApolloPagination
import Fixture0041
import Testing

/// Pages apart, one of which comes from the server again by itself: by a target, an event, polling, or because a record of it
/// is gone.
@Suite("Pages that are asked for again one by one", .timeLimit(.minutes(5))) struct StrayPageTests {
  private static let friends = ["A", "B", "C", "D", "E", "F", "G"]

  private static func bed(
    _ kind: Kind = .forward, friends: [String] = friends, pageCount: Int = 2
  ) async throws -> TestBed {
    let bed = TestBed(.apart, .async, kind, friends: friends)
    await bed.fetch()
    for _ in 0..<pageCount { try await bed.loadNext() }
    return bed
  }

  @Test(
    "If the first page leads elsewhere now, the pages behind it go, and each element comes once",
    arguments: [["new"] + friends, Array(friends.dropFirst())])
  func firstPage(friends: [String]) async throws {
    let bed = try await Self.bed()
    bed.server.setFriends(friends)
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == Array(friends.prefix(2)) && bed.pager.canLoadNext)
    #expect(bed.outputs.allSatisfy { Set($0.names).count == $0.names.count })
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == friends)
  }

  @Test("If it leads where it did, all pages stay, and are new")
  func unchanged() async throws {
    let bed = try await Self.bed(), count = bed.server.requests.count
    bed.server.changeAnswers { $0.replacing(#""name":"D""#, with: #""name":"new""#) }
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == ["A", "B", "C", "new", "E", "F"] && bed.server.requests.count == count + 3)
  }

  @Test("Cursors that the server makes anew for each answer take no pages along, and elements that go do")
  func cursorsMadeAnew() async throws {
    let bed = try await Self.bed()
    for number in 0..<3 {
      bed.server.changeAnswers { answer in
        Self.friends.reduce(answer) { $0.replacing("\"c-\($1)\"", with: "\"c-\($1)\\n\(number)\"") }
      }
      await bed.client.refetch(matching: .watched)
      await bed.settle()
      #expect(bed.last?.names == ["A", "B", "C", "D", "E", "F"])
    }
    bed.server.setFriends(Array(Self.friends.dropFirst()))
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == ["B", "C"])
  }

  @Test("Where ids are cursors, an element that follows takes the place of one that goes only once")
  func idsAsCursors() async throws {
    let friends = ["A", "B", "C", "D"], bed = try await Self.bed(friends: friends, pageCount: 1)
    bed.server.changeAnswers { answer in
      answer.replacing(/"name":"."/, with: #""name":"n""#).replacing(/"id":"([A-D])"/) { #""id":"c-\#($0.1)""# }
        .replacing(/"totalCount":\d+/, with: #""totalCount":4"#)
    }
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == ["n", "n", "n", "n"])
    bed.server.setFriends(["A", "C", "D"])
    await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2)))
    await bed.settle()
    #expect(bed.last?.names == ["n", "n"])
  }

  @Test("A later page takes those behind it along, and leaves those before it", arguments: [true, false])
  func laterPage(isMissing: Bool) async throws {
    let bed = try await Self.bed()
    bed.server.setFriends(["A", "B", "D", "E", "F", "G"])
    if isMissing {
      let count = bed.recorder.values.count
      try await bed.client.store.withinReadWriteTransaction { try await $0.removeField("name", of: "Character:C") }
      await bed.recorder.wait(for: count + 1)
    } else {
      await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2, after: "c-B")))
      await bed.settle()
    }
    #expect(bed.last?.names == ["A", "B", "D", "E"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "D", "E", "F", "G"])
  }

  @Test("Pages before the first one go as well as those behind it")
  func previousPages() async throws {
    let bed = TestBed(.apart, .async, .bidirectional, friends: ["X", "Y", "Luke", "Han", "Leia", "Chewie"])
    await bed.fetch()
    try await bed.loadNext()
    try await bed.pager.loadPrevious()
    #expect(bed.last?.names == ["Y", "Luke", "Han", "Leia", "Chewie"])
    bed.server.setFriends(["X", "Y", "Luke", "new", "Han", "Leia", "Chewie"])
    await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 1, after: "c-Luke")))
    await bed.settle()
    #expect(bed.last?.names == ["new"])
    try await bed.pager.loadPrevious()
    try await bed.loadNext()
    #expect(bed.last?.names == ["Y", "Luke", "new", "Han", "Leia"])
  }

  @Test("Pages that are found by offsets stay, and are asked for again")
  func offsets() async throws {
    let bed = try await Self.bed(.offset)
    bed.server.setFriends(["new"] + Self.friends)
    await bed.client.refetch(matching: .watched)
    await bed.settle()
    #expect(bed.last?.names == ["new", "A", "B", "C", "D", "E"])
  }

  @Test("A load is over that would bring a page behind the former one", arguments: [true, false])
  func load(loadsAll: Bool) async throws {
    let bed = try await Self.bed(pageCount: 0), hold = FriendsServer.Hold()
    bed.server.on(1, .hold(hold))
    let load = Task {
      if loadsAll { try await bed.loadAll(fetchFromInitialPage: false) } else { try await bed.loadNext() }
    }
    await hold.hasCome.wait()
    bed.server.setFriends(["new"] + Self.friends)
    await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2)))
    await hold.wasCancelled.wait()
    await #expect(performing: { try await load.value }, throws: isError(.cancellation))
    #expect(bed.last?.names == ["new", "A"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["new", "A", "B", "C"])
  }

  @Test("A page that a target has asked for anew, while it is loaded, comes all the same", arguments: [0, 1])
  func askedForAnew(request: Int) async throws {
    let bed = TestBed(.apart), hold = FriendsServer.Hold()
    if request > 0 { await bed.fetch() }
    bed.server.on(request, .hold(hold))
    let load = Task { if request == 0 { await bed.fetch() } else { try await bed.loadNext() } }
    await hold.hasCome.wait()
    await bed.client.refetch(matching: .watched)
    try await load.value
    #expect(bed.last?.names == (request == 0 ? ["Luke", "Han"] : ["Luke", "Han", "Leia"]) && bed.failures.isEmpty)
    try await bed.rename("Luke", "L")
    await bed.settle()
    #expect(bed.last?.names.first == "L")
  }

  @Test("The answer to a refetch takes the place of all pages at once", arguments: Mode.allCases)
  func refetch(mode: Mode) async throws {
    for _ in 0..<20 {
      let bed = TestBed(mode, friends: Self.friends)
      await bed.fetch()
      for _ in 0..<2 { try await bed.loadNext() }
      let count = bed.recorder.values.count
      bed.server.setFriends(Array(Self.friends.dropFirst()))
      await bed.refetch()
      await bed.settle()
      #expect(bed.outputs.dropFirst(count).map(\.names) == [["B", "C"]])
      try await bed.rename("B", "Bb")
      await bed.settle()
      #expect(bed.outputs.dropFirst(count + 1).map(\.names) == [["Bb", "C"]])
    }
  }

  @Test("The failure of a page that has been replaced is not told when all pages are loaded")
  func replacedFailure() async throws {
    let bed = try await Self.bed(pageCount: 1), hold = FriendsServer.Hold()
    bed.server.on(2, .hold(hold))
    bed.server.on(3, .fail)
    let load = Task { try await bed.loadAll() }
    await hold.hasCome.wait()
    await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2, after: "c-B")))
    await bed.settle()
    hold.mayGo.fire()
    try await load.value
    #expect(bed.last?.names == Self.friends && bed.failures.isEmpty)
  }

  @Test("The failure of a page that stays is told when all pages are loaded, behind them")
  func otherFailure() async throws {
    let bed = try await Self.bed(pageCount: 1), hold = FriendsServer.Hold()
    bed.server.on(2, .hold(hold))
    bed.server.on(3, .fail)
    let load = Task { try await bed.loadAll(fetchFromInitialPage: false) }
    await hold.hasCome.wait()
    await bed.client.refetch(matching: .query(FriendsQuery(id: "2001", first: 2, after: "c-B")))
    await bed.settle()
    hold.mayGo.fire()
    try await load.value
    #expect(bed.last?.names == Self.friends && bed.failures.count == 1)
  }
}
