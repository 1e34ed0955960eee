import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing
import Waiting

/// How a list asks for the next page when its last row comes into view.
enum Asking: CaseIterable {
  case task, callback, sequence
}

@Suite("Pages that stay", .timeLimit(.minutes(5))) struct KeptPagesTests {
  @Test("The next page can be asked for from the output of the one before", arguments: Mode.allCases, Asking.allCases)
  func loadsFromOutputs(mode: Mode, asking: Asking) async throws {
    for _ in 0..<10 {
      let bed = TestBed(mode, friends: (0..<12).map { "F\($0)" }, subscribes: false)
      let pager = bed.pager, errors = Recorder<String>(), names = Awaited<[String]>([])
      let ask: @Sendable () -> Void = {
        guard pager.canLoadNext else { return }
        if asking == .callback {
          pager.loadNext(completion: { error in if let error { errors.add("\(error)") } })
        } else {
          Task { do { try await pager.loadNext() } catch { errors.add("\(error)") } }
        }
      }
      let iteration = Task {
        guard asking == .sequence else { return }
        for await output in pager.outputs {
          guard let summary = try? output.get() else { continue }
          names.change { $0 = summary.names }
          if pager.canLoadNext { do { try await pager.loadNext() } catch { errors.add("\(error)") } }
        }
      }
      if asking != .sequence {
        pager.subscribe(onUpdate: { output in
          guard let summary = try? output.get() else { return }
          names.change { $0 = summary.names }
          ask()
        })
      }
      await pager.fetch()
      try await names.until { $0.count == 12 }
      #expect(errors.values.isEmpty)
      iteration.cancel()
    }
  }

  @Test(
    "A refetch that fails keeps the pages and their watching, and is told", arguments: Mode.allCases, Caller.allCases)
  func failedRefetch(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    try await bed.loadNext()
    for (number, answer) in [FriendsServer.Action.fail, .answer(FriendsServer.errorsOnly)].enumerated() {
      bed.server.on(bed.server.requests.count, answer)
      await bed.refetch()
      #expect(bed.last?.names.count == 3)
      for (id, place) in [("Luke", 0), ("Leia", 2)] {
        try await bed.rename(id, "\(id) \(number)")
        await bed.settle()
        #expect(bed.last?.names[place] == "\(id) \(number)")
        #expect(bed.last?.names.count == 3)
      }
      #expect(bed.pager.canLoadNext == false)
    }
    #expect(bed.failures.count == 1)
  }

  @Test("Changes show while a refetch waits, and its answer takes the place of all pages", arguments: Mode.allCases)
  func waitingRefetch(mode: Mode) async throws {
    let bed = TestBed(mode), hold = FriendsServer.Hold()
    await bed.fetch()
    try await bed.loadNext()
    bed.server.on(bed.server.requests.count, .hold(hold))
    let refetch = Task { await bed.refetch() }
    await hold.hasCome.wait()
    try await bed.rename("Leia", "General Leia")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "General Leia"])
    hold.mayGo.fire()
    await refetch.value
    #expect(bed.last?.names.prefix(2) == ["Luke", "Han"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  @Test("A refetch that is cancelled keeps the pages", arguments: Mode.allCases)
  func cancelledRefetch(mode: Mode) async throws {
    let bed = TestBed(mode), hold = FriendsServer.Hold()
    await bed.fetch()
    try await bed.loadNext()
    bed.server.on(bed.server.requests.count, .hold(hold))
    let refetch = Task { await bed.pager.refetch() }
    await hold.hasCome.wait()
    refetch.cancel()
    await refetch.value
    try await bed.rename("Leia", "General Leia")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "General Leia"])
  }

  @Test(
    "Loading all pages anew keeps those that are there if the first one fails", arguments: Mode.allCases,
    Caller.allCases)
  func failedLoadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await bed.fetch()
    try await bed.loadNext()
    bed.server.on(bed.server.requests.count, .fail)
    try await bed.loadAll()
    #expect(bed.failures.count == 1)
    try await bed.rename("Leia", "General Leia")
    await bed.settle()
    #expect(bed.last?.names == ["Luke", "Han", "General Leia"])
  }

  @Test("One of two who wait for a page may give up; the page comes for the other")
  func oneGivesUp() async throws {
    let bed = TestBed(.apart), hold = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(1, .hold(hold))
    let first = Task { try await bed.pager.loadNext() }
    await hold.hasCome.wait()
    let second = Task { try await bed.pager.loadNext() }
    let engine = try #require(bed.pager.engine as? PagerEngine<FriendsQuery, FriendsQuery>)
    try await eventually { engine.state.withLock { $0.load?.waiterCount } == 2 }
    first.cancel()
    // (It does not wait for the page.)
    await #expect(performing: { try await first.value }, throws: isError(.cancellation))
    hold.mayGo.fire()
    try await second.value
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
    #expect(bed.server.requests.count == 2)
  }

  /// Loads the next page of two that are apart, which is given up when its request has come.
  private func givingUp(_ kind: Kind = .forward) async throws -> TestBed {
    let bed = TestBed(.apart, .async, kind), hold = FriendsServer.Hold()
    let engine = try #require(bed.pager.engine as? PagerEngine<FriendsQuery, FriendsQuery>)
    await bed.fetch()
    bed.server.on(1, .hold(hold))
    let load = try bed.pager.begin(.next)
    await hold.hasCome.wait()
    engine.leave(load.id)
    return bed
  }

  @Test("A load that was given up is not joined: the page is asked for anew")
  func givenUp() async throws {
    let bed = try await givingUp()
    let failure = await bed.pager.outcome(of: try bed.pager.begin(.next))
    #expect(failure == nil && bed.last?.names == ["Luke", "Han", "Leia"])
    #expect(bed.server.requests.count == 3 && bed.failures.isEmpty)
  }

  @Test("A load that was given up does not keep others from being begun")
  func givenUpForOthers() async throws {
    let bed = try await givingUp(.bidirectional)
    let failure = await bed.pager.outcome(of: try bed.pager.begin(.previous))
    #expect(failure == nil && bed.last?.names == ["Luke", "Han"])
    let other = try await givingUp()
    try await other.pager.loadAll(fetchFromInitialPage: false)
    #expect(other.last?.names == ["Luke", "Han", "Leia"])
  }
}
