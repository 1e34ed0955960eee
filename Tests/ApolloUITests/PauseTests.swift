import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// No network, no view in sight, and events. What they are named after: `queryObserver` and `onlineManager` of TanStack
/// Query, and `RefetchEventManager` of Apollo Client.
@MainActor @Suite("States that wait", .timeLimit(.minutes(10)))
struct PauseTests {
  let monitor = ManualNetworkMonitor(isOnline: false)
  let clock = TestClock()

  private func screen(_ defaults: RequestConfiguration = RequestConfiguration()) -> Screen {
    Screen(clock: clock, monitor: monitor, defaults: defaults)
  }

  // MARK: No network

  @Test("offline at the start: it waits, and asks by itself when there is a network")
  func offlineStart() async throws {
    let screen = screen(), state = screen.state()
    #expect(state.text == "waiting empty paused")
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.error != nil }
    try await settle(screen.client)
    #expect(state.text == "waiting empty paused")
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    #expect(state.text == "R2-D2 complete idle" && state.error == nil && screen.requestCount == 2)
  }

  @Test("A refetch without a network leaves the data, fails, and is done when there is one")
  func offlineRefetch() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await #expect(throws: (any Error).self) { try await refetch.value }
    #expect(state.text == "R2-D2 complete paused" && state.error != nil)
    monitor.isOnline = true
    try await screen.answer(hero("Artoo"))
    await until { state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle" && state.error == nil)
  }

  @Test("Two states that wait for a network are one request when it is there")
  func two() async throws {
    let screen = screen(), states = [screen.state(), screen.state()]
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { states.allSatisfy { $0.error != nil } }
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { states.allSatisfy { $0.text == "R2-D2 complete idle" } }
    #expect(screen.requestCount == 2)
  }

  @Test("Requests that wait for a network are paused, and go on")
  func waiting() async throws {
    let screen = screen(RequestConfiguration(waitsForNetwork: true)), state = screen.state()
    #expect(state.text == "waiting empty paused")
    try await settle(screen.client)
    monitor.isOnline = true
    await until { state.fetchStatus == .fetching }
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    #expect(state.text == "R2-D2 complete idle")
  }

  @Test("A server that does not answer while there is a network is a failure, and not a pause")
  func online() async throws {
    monitor.isOnline = true
    let screen = screen(), state = screen.state()
    #expect(state.text == "loading empty fetching")
    try await screen.answer(.failure(URLError(.cannotConnectToHost)))
    await until { state.error != nil && state.fetchStatus == .idle }
    #expect(state.text == "failed empty idle")
  }

  @Test("A network that the monitor finds first is not a change: a request that fails is not sent again")
  func firstWord() async throws {
    let monitor = ManualNetworkMonitor(isOnline: nil), screen = Screen(clock: clock, monitor: monitor)
    let state = screen.state(), request = try await screen.transport.next()
    monitor.isOnline = true
    try await settle(screen.client)
    while !request.resolve(.failure(URLError(.cannotConnectToHost))), !Task.isCancelled { await Task.yield() }
    await until { state.error != nil }
    try await settle(screen.client)
    #expect(state.text == "failed empty idle" && screen.requestCount == 1)
  }

  @Test("A monitor that finds first that there is no network pauses a state, which goes on when there is one")
  func firstWordOffline() async throws {
    let monitor = ManualNetworkMonitor(isOnline: nil), screen = Screen(clock: clock, monitor: monitor)
    let state = screen.state()
    #expect(state.text == "loading empty fetching")
    monitor.isOnline = false
    await until { state.fetchStatus == .paused }
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.error != nil }
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
    #expect(screen.requestCount == 2)
  }

  @Test("What the cache has is shown without a network, and nothing is paused")
  func cached() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    #expect(screen.state().text == "R2-D2 complete idle")
  }

  // MARK: Out of sight

  @Test("Out of sight a state does not poll, and in sight it does again")
  func hiddenPolling() async throws {
    monitor.isOnline = true
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.pollInterval = 10
    state.hide(true, grace: .seconds(1000))
    await until { clock.waits.count == 1 && clock.waits[0] > .seconds(100) }
    await clock.advance(by: .seconds(100))
    try await settle(screen.client)
    #expect(state.fetchStatus == .idle && screen.requestCount == 0)
    state.hide(false)
    await clock.untilWaiting()
    await clock.advanceToNext()
    try await screen.answer(hero("Artoo"))
    await until { state.data?.hero?.name == "Artoo" }
  }

  @Test("After a while out of sight the watcher goes, and what is shown stays; in sight it shows the cache again")
  func grace() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true)
    await clock.untilWaiting()
    try await screen.write("Artoo")
    await until { state.data?.hero?.name == "Artoo" }
    await clock.advanceToNext()
    await until { state.watch == nil }
    try await screen.write("R2")
    try await settle(screen.client)
    #expect(state.text == "Artoo complete idle")
    state.hide(false)
    #expect(state.text == "R2 complete idle" && state.watch != nil)
    try await settle(screen.client)
    #expect(screen.requestCount == 0)
  }

  @Test("A state that ignores the cache shows in sight again what the cache has of its answer, and asks")
  func graceWithoutCache() async throws {
    monitor.isOnline = true
    let screen = screen(), state = screen.state(HeroQuery(), .fetchIgnoringCacheData)
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    try await screen.write("Artoo")
    state.hide(false)
    #expect(state.text == "Artoo complete fetching")
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await until { state.error != nil && state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle")
  }

  @Test(
    "What was kept out of the cache is not replaced by what the cache has, and a state without data does not read it",
    arguments: [true, false])
  func graceOutsideTheCache(isAnswered: Bool) async throws {
    monitor.isOnline = true
    let screen = screen()
    let state = screen.state(
      HeroQuery(), isAnswered ? .fetchIgnoringCacheCompletely : .fetchIgnoringCacheData)
    try await screen.answer(isAnswered ? hero("R2-D2") : .failure(URLError(.badServerResponse)))
    await until { state.fetchStatus == .idle }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    try await screen.write("Artoo")
    state.hide(false)
    #expect(state.text == (isAnswered ? "R2-D2 complete fetching" : "loading empty fetching"))
  }

  @Test(
    "What was kept out of the cache stays under each policy in sight again, also if its request fails",
    arguments: [CachePolicy.returnCacheDataAndFetch, .returnCacheDataElseFetch, .fetchIgnoringCacheCompletely])
  func graceWithUnwrittenResults(policy: CachePolicy) async throws {
    monitor.isOnline = true
    let screen = screen()
    let state = screen.state(HeroQuery(), policy, RequestConfiguration(writeResultsToCache: false))
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
    try await screen.write("cache")
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await until { state.error != nil && state.fetchStatus == .idle }
    try await screen.write("Artoo")
    try await settle(screen.client)
    #expect(state.data?.hero?.name == "R2-D2")
  }

  @Test("Data that has come out of sight takes the error away that stood in its place")
  func errorBeforeData() async throws {
    monitor.isOnline = true
    let screen = screen(), state = screen.state()
    try await screen.answer(.status(500))
    await until { state.text == "failed empty idle" }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    try await screen.write("R2-D2")
    state.hide(false)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && state.error == nil && screen.requestCount == 1)
  }

  @Test("In sight again within the time, nothing has changed")
  func withinGrace() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state(), watch = state.watch, redraws = Redraws { _ = (state.data, state.fetchStatus) }
    state.hide(true)
    await clock.untilWaiting()
    state.hide(false)
    await until { clock.waits.isEmpty }
    try await settle(screen.client)
    #expect(state.watch === watch && redraws.count == 0)
  }

  @Test("What was shown stays when the record is gone meanwhile, until the answer is there")
  func keeps() async throws {
    monitor.isOnline = true
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:1") }
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle")
  }

  @Test("A refetch out of sight is done, as the app has asked for it")
  func hiddenRefetch() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    async let refetched = state.refetch()
    try await screen.answer(hero("Artoo"))
    #expect(try await refetched.data?.hero?.name == "Artoo" && state.data?.hero?.name == "Artoo")
  }

  // MARK: Events

  @Test("An event has a payload, which the condition sees")
  func payload() async throws {
    let screen = screen(
      RequestConfiguration(refetchesOn: .when { $0.name == "account changed" && $0.payload as? String == "7" }))
    try await screen.write("R2-D2")
    let state = screen.state()
    #expect(screen.client.post(.init("account changed", payload: "8")) == 0)
    #expect(screen.client.post(.init("account changed", payload: "7")) == 1)
    try await screen.answer(hero("Artoo"))
    await until { state.data?.hero?.name == "Artoo" }
    #expect(
      RefetchEvent("a", payload: 1) == RefetchEvent("a")
        && RefetchEvent("a").hashValue == ("a" as RefetchEvent).hashValue)
  }

  @Test("Every event, or none, whatever the client says otherwise")
  func switches() async throws {
    let screen = screen(RequestConfiguration(refetchesOn: .always))
    try await screen.write("R2-D2")
    let never = screen.state(HeroQuery(), .default, RequestConfiguration(refetchesOn: .never))
    #expect(screen.client.post(.foreground) == 0)
    let always = screen.state()
    #expect(screen.client.post(.background) == 0)
    #expect(screen.client.post("anything") == 1)
    try await screen.answer(hero("Artoo"))
    await until { always.data?.hero?.name == "Artoo" && never.data?.hero?.name == "Artoo" }
  }

  @Test("The client tells by itself that there is a network again, once for each time")
  func networkRestored() async throws {
    monitor.isOnline = true
    let screen = screen(RequestConfiguration(refetchesOn: [.networkRestored]))
    try await screen.write("R2-D2")
    let state = screen.state()
    monitor.isOnline = nil
    monitor.isOnline = true
    try await settle(screen.client)
    #expect(screen.requestCount == 0)
    // (A monitor keeps the last change only.)
    monitor.isOnline = false
    try await settle(screen.client)
    monitor.isOnline = true
    try await screen.answer(hero("Artoo"))
    await until { state.data?.hero?.name == "Artoo" }
    try await settle(screen.client)
    #expect(screen.requestCount == 1)
  }

  @Test("An event while the state is out of sight has its query sent when it is in sight again")
  func hiddenEvent() async throws {
    let screen = screen(RequestConfiguration(refetchesOn: [.foreground]))
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true)
    #expect(screen.client.post(.foreground) == 0)
    try await settle(screen.client)
    #expect(screen.requestCount == 0)
    state.hide(false)
    try await screen.answer(hero("Artoo"))
    await until { state.data?.hero?.name == "Artoo" }
    state.hide(true)
    state.hide(false)
    try await settle(screen.client)
    #expect(screen.requestCount == 1)
  }

  @Test("A skipped state ignores events, and so does one without a condition")
  func ignored() async throws {
    let screen = screen(RequestConfiguration(refetchesOn: [.foreground])), state = screen.state(isSkipped: true)
    #expect(screen.client.post(.foreground) == 0 && screen.client.post("other") == 0)
    #expect(state.text == "none empty idle")
  }

  // MARK: Ages

  @Test("Data becomes stale at its time, without a request; fresh data is not")
  func stale() async throws {
    monitor.isOnline = true
    let screen = screen()
    screen.client.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Query.hero": 60])
    let state = screen.state()
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    let redraws = Redraws { _ = state.data }
    #expect(!state.isStale)
    await clock.untilWaiting()
    await clock.advance(by: .seconds(59))
    try await settle(screen.client)
    #expect(!state.isStale)
    await clock.advance(by: .seconds(3))
    await until { state.isStale }
    #expect(state.text == "R2-D2 complete idle" && redraws.count == 0 && screen.requestCount == 1)
    async let refetched = state.refetch()
    try await screen.answer(hero("R2-D2"))
    _ = try await refetched
    await until { !state.isStale }
  }
}
