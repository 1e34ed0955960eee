import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Testing

/// After the suite ConcurrencyTests of Apollo iOS.
@Suite("Concurrent loads") struct ConcurrencyTests {
  @Test(
    "Of many loads at once, one asks the server, and the others wait for its page", arguments: Mode.allCases,
    Caller.allCases)
  func concurrentFetches(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    let hold = FriendsServer.Hold()
    bed.server.on(1, .hold(hold))
    let first = Task { try await bed.loadNext() }
    await hold.hasCome.wait()
    let others = (0..<4).map { _ in Task { try await bed.loadNext() } }
    await bed.settle()
    hold.mayGo.fire()
    try await first.value
    for other in others { try await other.value }
    #expect(bed.outputs.map(\.names) == [["Luke", "Han"], ["Luke", "Han", "Leia"]])
    #expect(bed.server.requests.count == 2)
  }

  @Test(
    "A second load in another direction is an error, and one in the same direction waits for the first",
    arguments: Mode.allCases, Caller.allCases)
  func concurrentFetchesThrowsError(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .bidirectional)
    await bed.fetch()
    let hold = FriendsServer.Hold()
    bed.server.on(1, .hold(hold))
    let first = Task { try await bed.loadNext() }
    await hold.hasCome.wait()
    let second = Task { try await bed.loadNext() }
    await #expect(performing: { try await bed.loadPrevious() }, throws: isError(.loadInProgress))
    await #expect(
      performing: { try await bed.loadAll(fetchFromInitialPage: false) }, throws: isError(.loadInProgress))
    await bed.settle()
    hold.mayGo.fire()
    try await first.value
    try await second.value
    try await bed.loadPrevious()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  @Test("Many tasks may do everything at once", arguments: Mode.allCases)
  func manyTasks(mode: Mode) async throws {
    let bed = TestBed(mode, friends: (0..<40).map { "F\($0)" })
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          switch number % 6 {
          case 0: await bed.pager.fetch()
          case 1: try? await bed.pager.loadAll()
          case 2: await bed.pager.reset()
          case 3: _ = bed.pager.canLoadNext
          default: try? await bed.pager.loadNext()
          }
        }
      }
    }
    try await bed.pager.loadAll()
    #expect(bed.last?.names.count == 40)
  }
}

/// After the suites AsyncGraphQLQueryPagerCoordinatorTests and GraphQLQueryPagerCoordinatorTests of Apollo iOS.
@Suite("Coordinator") struct CoordinatorTests {
  @Test("Whether there is more is known after each page", arguments: Mode.allCases, Caller.allCases)
  func canLoadMore(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    #expect(bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(!bed.pager.canLoadNext)
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.pageHasNoMoreContent))
  }

  @Test("Whether there is more before the start is known, too", arguments: Mode.allCases, Caller.allCases)
  func canLoadPrevious(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, .reverse)
    await bed.fetch()
    #expect(bed.pager.canLoadPrevious && !bed.pager.canLoadNext)
    try await bed.loadPrevious()
    #expect(!bed.pager.canLoadPrevious)
    await #expect(performing: { try await bed.loadPrevious() }, throws: isError(.pageHasNoMoreContent))
  }

  @Test("A pager that is reset while all pages are loaded delivers nothing", arguments: Mode.allCases, Caller.allCases)
  func canResetMidflight(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller), hold = FriendsServer.Hold()
    bed.server.on(1, .hold(hold))
    let load = Task { try await bed.loadAll() }
    await hold.hasCome.wait()
    await bed.reset()
    await #expect(performing: { try await load.value }, throws: isError(.cancellation))
    await hold.wasCancelled.wait()
    await bed.settle()
    #expect(bed.recorder.values.isEmpty && !bed.pager.canLoadNext)
  }

  @Test("A pager that is reset during the first fetch delivers nothing", arguments: Mode.allCases, Caller.allCases)
  func resetDuringFetch(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller), hold = FriendsServer.Hold()
    bed.server.on(0, .hold(hold))
    let fetch = Task { await bed.fetch() }
    await hold.hasCome.wait()
    await bed.reset()
    await fetch.value
    await bed.settle()
    #expect(bed.recorder.values.isEmpty)
  }

  @Test("After a reset, loads begin anew", arguments: Mode.allCases, Caller.allCases)
  func reset_loadingState(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller), hold = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(1, .hold(hold))
    let load = Task { try await bed.loadNext() }
    await hold.hasCome.wait()
    await bed.reset()
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.missingInitialPage))
    await #expect(performing: { try await load.value }, throws: isError(.cancellation))
    await bed.fetch()
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  @Test("All completions are called, also those of loads that were not begun", arguments: Mode.allCases)
  func reset_callsCallbacks(mode: Mode) async throws {
    let bed = TestBed(mode), hold = FriendsServer.Hold(), errors = Recorder<String>()
    await bed.fetch()
    bed.server.on(1, .hold(hold))
    bed.pager.loadNext(completion: { errors.add("\($0.map { "\($0)" } ?? "")") })
    await hold.hasCome.wait()
    bed.pager.loadPrevious(completion: { errors.add("\($0.map { "\($0)" } ?? "")") })
    await errors.wait(for: 1)
    bed.resetAtOnce()
    await errors.wait(for: 2)
    #expect(Set(errors.values) == ["\(PaginationError.loadInProgress)", "\(PaginationError.cancellation)"])
    #expect(bed.recorder.values.count == 1)
  }

  @Test("A pager that is released stops its request, and its completion is called", arguments: Mode.allCases)
  func deinit_callsCallback(mode: Mode) async throws {
    let server = FriendsServer(["Luke", "Han", "Leia"]), hold = FriendsServer.Hold(), errors = Recorder<String>()
    let client = ApolloClient(networkTransport: server, store: ApolloStore())
    var pager: TestBed.Pager? = TestBed.pager(mode, .forward, client)
    await pager?.fetch()
    server.on(1, .hold(hold))
    pager?.loadNext(completion: { errors.add("\($0.map { "\($0)" } ?? "")") })
    await hold.hasCome.wait()
    pager = nil
    await errors.wait(for: 1)
    await hold.wasCancelled.wait()
    #expect(errors.values == ["\(PaginationError.cancellation)"])
  }

  @Test("A pager that is released watches nothing", arguments: Mode.allCases)
  func deinit_stopsWatchers(mode: Mode) async throws {
    let bed = TestBed(mode)
    var pager: TestBed.Pager? = TestBed.pager(mode, .forward, bed.client)
    let outputs = Recorder<Int>()
    pager?.subscribe(onUpdate: { _ in outputs.add(1) })
    weak let engine = pager?.engine
    await pager?.fetch()
    try await pager?.loadNext()
    #expect(outputs.values.count == 2 && engine != nil)
    pager = nil
    try await bed.rename("Luke", "Luke Skywalker")
    await bed.settle()
    #expect(outputs.values.count == 2 && engine == nil)
  }

  @Test("A task that is cancelled stops its request", arguments: Mode.allCases, Caller.allCases)
  func taskCancellation(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode), hold = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(1, .hold(hold))
    let load = Task {
      try await caller == .async ? bed.pager.loadNext() : bed.pager.loadAll(fetchFromInitialPage: false)
    }
    await hold.hasCome.wait()
    load.cancel()
    await hold.wasCancelled.wait()
    await #expect(performing: { try await load.value }, throws: isError(.cancellation))
    try await bed.pager.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"], "It can be loaded again.")
  }

  @Test("A fetch whose task is cancelled leaves nothing behind", arguments: Mode.allCases)
  func fetchCancellation(mode: Mode) async throws {
    let bed = TestBed(mode), hold = FriendsServer.Hold()
    bed.server.on(0, .hold(hold))
    let fetch = Task { await bed.pager.fetch() }
    await hold.hasCome.wait()
    fetch.cancel()
    await fetch.value
    await #expect(performing: { try await bed.pager.loadNext() }, throws: isError(.missingInitialPage))
    #expect(bed.recorder.values.isEmpty)
  }
}
