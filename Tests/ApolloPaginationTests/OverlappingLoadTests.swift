import Apollo
@testable import ApolloPagination
import Testing

@Suite("Loads of the first page that overlap", .timeLimit(.minutes(5))) struct OverlappingLoadTests {
  @Test("A fetch whose place another one has taken is over when that one is", arguments: Mode.allCases)
  func replacedFetch(mode: Mode) async {
    let bed = TestBed(mode), first = FriendsServer.Hold(), second = FriendsServer.Hold()
    bed.server.on(0, .hold(first))
    bed.server.on(1, .hold(second))
    let replaced = Task {
      await bed.fetch()
      return bed.outputs.map(\.names)
    }
    await first.hasCome.wait()
    let later = Task { await bed.fetch() }
    await second.hasCome.wait()
    await first.wasCancelled.wait()
    await bed.settle()
    second.mayGo.fire()
    #expect(await replaced.value == [["Luke", "Han"]])
    await later.value
    #expect(bed.recorder.values.count == 1)
  }

  @Test("It does not wait for the other one if its task is cancelled, and leaves it alone", arguments: Mode.allCases)
  func cancelledFetch(mode: Mode) async {
    let bed = TestBed(mode), first = FriendsServer.Hold(), second = FriendsServer.Hold()
    bed.server.on(0, .hold(first))
    bed.server.on(1, .hold(second))
    let replaced = Task { await bed.pager.fetch() }
    await first.hasCome.wait()
    let later = Task { await bed.pager.fetch() }
    await second.hasCome.wait()
    replaced.cancel()
    await replaced.value
    #expect(bed.recorder.values.isEmpty)
    second.mayGo.fire()
    await later.value
    #expect(bed.last?.names == ["Luke", "Han"])
  }

  @Test("It has the page of the other one, although the call for that one is cancelled", arguments: Mode.allCases)
  func cancelledLater(mode: Mode) async {
    let bed = TestBed(mode), first = FriendsServer.Hold(), second = FriendsServer.Hold()
    bed.server.on(0, .hold(first))
    bed.server.on(1, .hold(second))
    let replaced = Task { await bed.pager.fetch() }
    await first.hasCome.wait()
    let later = Task { await bed.pager.refetch() }
    await second.hasCome.wait()
    await first.wasCancelled.wait()
    later.cancel()
    await later.value
    #expect(bed.recorder.values.isEmpty)
    second.mayGo.fire()
    await replaced.value
    #expect(bed.last?.names == ["Luke", "Han"])
  }

  @Test("The request is stopped when both calls are cancelled", arguments: Mode.allCases, [true, false])
  func cancelledBoth(mode: Mode, isLaterFirst: Bool) async {
    let bed = TestBed(mode), first = FriendsServer.Hold(), second = FriendsServer.Hold()
    bed.server.on(0, .hold(first))
    bed.server.on(1, .hold(second))
    let replaced = Task { await bed.pager.fetch() }
    await first.hasCome.wait()
    let later = Task { await bed.pager.refetch() }
    await second.hasCome.wait()
    for call in isLaterFirst ? [later, replaced] : [replaced, later] {
      call.cancel()
      await call.value
    }
    await second.wasCancelled.wait()
    #expect(bed.recorder.values.isEmpty)
  }

  @Test("Loading all pages throws if another fetch takes the place of its first page", arguments: Mode.allCases)
  func replacedLoadAll(mode: Mode) async throws {
    let bed = TestBed(mode), first = FriendsServer.Hold(), second = FriendsServer.Hold()
    await bed.fetch()
    bed.server.on(1, .hold(first))
    bed.server.on(2, .hold(second))
    let all = Task { try await bed.loadAll() }
    await first.hasCome.wait()
    let later = Task { await bed.refetch() }
    await second.hasCome.wait()
    await #expect(performing: { try await all.value }, throws: isError(.cancellation))
    second.mayGo.fire()
    await later.value
    #expect(bed.last?.names == ["Luke", "Han"])
  }
}
