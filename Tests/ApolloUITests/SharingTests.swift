import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// States that show one query. What they are named after: `queryObserver` of TanStack Query, and `useQuery` of Apollo Client.
@MainActor @Suite("States that share a watcher", .timeLimit(.minutes(10)))
struct SharingTests {
  let screen = Screen()

  @Test("Two states of one query are one request and one watcher, and show the same")
  func two() async throws {
    let states = [screen.state(), screen.state()]
    #expect(
      states[0].watch === states[1].watch && states.map(\.text) == ["loading empty fetching", "loading empty fetching"])
    try await screen.answer(hero("R2-D2"))
    await until { states.allSatisfy { $0.data != nil } }
    try await settle(screen.client)
    #expect(states.map(\.text) == ["R2-D2 complete idle", "R2-D2 complete idle"] && screen.requestCount == 1)
  }

  @Test("A state that comes later has the data before its first frame, and sends nothing")
  func later() async throws {
    let first = screen.state()
    try await screen.answer(hero("R2-D2"))
    await until { first.data != nil }
    let second = screen.state()
    #expect(second.text == "R2-D2 complete idle" && second.watch === first.watch)
    try await screen.write("Artoo")
    await until { first.data?.hero?.name == "Artoo" && second.data?.hero?.name == "Artoo" }
    #expect(screen.requestCount == 1)
  }

  @Test("A refetch of one state is that of the other, and two at one time are one request")
  func refetch() async throws {
    try await screen.write("R2-D2")
    let first = screen.state(), second = screen.state()
    let refetches = [first, second].map { state in Task { try await state.refetch().data?.hero?.name } }
    await until { first.isRefreshing && second.isRefreshing }
    try await screen.answer(hero("Artoo"))
    for refetch in refetches { #expect(try await refetch.value == "Artoo") }
    #expect(first.text == "Artoo complete idle" && second.text == first.text && screen.requestCount == 1)
  }

  @Test("cache-and-network: the second state joins the request of the first, and asks again when that is over")
  func cacheAndNetwork() async throws {
    try await screen.write("R2-D2")
    let first = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    let second = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    try await screen.answer(hero("Artoo"))
    await until { first.fetchStatus == .idle && second.fetchStatus == .idle }
    #expect(screen.requestCount == 1)
    let third = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    #expect(third.text == "Artoo complete fetching")
    await until { first.isRefreshing && second.isRefreshing }
    try await screen.answer(hero("R2"))
    await until { [first, second, third].allSatisfy { $0.text == "R2 complete idle" } }
    #expect(screen.requestCount == 2)
  }

  @Test("What one state was told does not hold for another one: they have watchers of their own")
  func options() async throws {
    let usual = screen.state(), cacheOnly = screen.state(HeroQuery(), .returnCacheDataDontFetch)
    let own = screen.state(HeroQuery(), .default, RequestConfiguration(returnsPartialData: true))
    let other = screen.state(HeroQuery(episode: "JEDI"))
    #expect(usual.watch !== cacheOnly.watch && usual.watch !== own.watch && usual.watch !== other.watch as AnyObject?)
    await until { cacheOnly.error != nil }
    #expect(cacheOnly.text == "failed empty idle" && usual.text == "loading empty fetching")
    let otherClient = Screen().state()
    #expect(otherClient.watch !== usual.watch)
  }

  @Test("A state that ends takes nothing from the other; with the last one, request and watcher end")
  func ending() async throws {
    var first: QueryState? = screen.state(), second: QueryState? = screen.state()
    let request = try await screen.transport.next()
    first?.cancel()
    first = nil
    try await settle(screen.client)
    #expect(request.resolve(hero("R2-D2")))
    await until { second?.data != nil }
    weak let watch = second?.watch
    #expect(watch != nil)
    second = nil
    await until { watch == nil }
  }

  @Test("A state that does not poll does not keep others of its query from it")
  func oneWithoutPolling() async throws {
    let clock = TestClock(), screen = Screen(clock: clock)
    try await screen.write("R2-D2")
    let first = screen.state(), second = screen.state()
    first.pollInterval = 0
    second.pollInterval = 10
    await until { clock.waits.count == 1 && clock.waits[0] < .seconds(12) }
    second.pollInterval = 0
    await until { clock.waits.isEmpty }
    #expect(first.watch === second.watch)
  }

  @Test("A state that was told nothing polls as the client does, whatever another one was told", arguments: [0, 600])
  func defaultPolling(other: Double) async throws {
    let clock = TestClock(), screen = Screen(clock: clock, defaults: RequestConfiguration(pollInterval: 10))
    try await screen.write("R2-D2")
    let first = screen.state(), second = screen.state()
    second.pollInterval = other
    await until { clock.waits.count == 1 && clock.waits[0] < .seconds(12) }
    first.hide(true)
    await until { !clock.waits.contains { $0 < .seconds(12) } }
  }

  @Test("The shortest interval counts, and goes with its state")
  func polling() async throws {
    let clock = TestClock(), screen = Screen(clock: clock)
    try await screen.write("R2-D2")
    let first = screen.state()
    var second: QueryState? = screen.state()
    first.pollInterval = 60
    await clock.untilWaiting()
    second?.pollInterval = 10
    await until { clock.waits.count == 1 && clock.waits[0] < .seconds(12) }
    second = nil
    await until { clock.waits.count == 1 && clock.waits[0] > .seconds(50) }
    first.pollInterval = nil
    await until { clock.waits.isEmpty }
  }

  @Test("A query that is left for another and taken up again shows what it had")
  func change() async throws {
    let first = screen.state(), second = screen.state()
    try await screen.answer(hero("R2-D2"))
    await until { first.data != nil }
    first.query = HeroQuery(episode: "JEDI")
    #expect(first.text == "loading empty fetching" && second.text == "R2-D2 complete idle")
    first.query = HeroQuery()
    #expect(first.text == "R2-D2 complete idle" && first.watch === second.watch)
    try await settle(screen.client)
    #expect(second.text == "R2-D2 complete idle")
  }
}
