import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// What happens at the end of a user's time, of a client, of a query, and of a view's time in sight; and what comes after it.
@MainActor @Suite("States after an end", .timeLimit(.minutes(10)))
struct EndTests {
  let clock = TestClock()
  let monitor = ManualNetworkMonitor()

  private func screen(_ defaults: RequestConfiguration = RequestConfiguration()) -> Screen {
    Screen(clock: clock, monitor: monitor, defaults: defaults)
  }

  // MARK: The user and the client

  @Test("After a sign-out, the same state and a new one ask for the next user's data")
  func signOut() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let old = screen.state(), fragment = FragmentState(Character.self, withKey: "Droid:1", client: screen.client)
    try await screen.client.signOut()
    await until { old.error != nil && fragment.data == nil }
    #expect(old.text == "failed empty idle")
    let new = screen.state()
    #expect(new.text == "loading empty fetching" && new.watch !== old.watch)
    try await screen.answer(hero("C-3PO"))
    await until { new.data != nil }
    async let refetched = old.refetch()
    try await screen.answer(hero("3PO"))
    #expect(try await refetched.data?.hero?.name == "3PO")
    #expect(old.text == "3PO complete idle" && old.error == nil)
    await until { new.data?.hero?.name == "3PO" }
    fragment.restart()
    #expect(fragment.data?.name == "3PO")
  }

  @Test("A request that is under way at a sign-out ends, and so does a refetch")
  func signOutWhileAsking() async throws {
    let screen = screen(), state = screen.state(), refetch = Task { try await state.refetch() }
    _ = try await screen.transport.next()
    try await screen.client.signOut()
    await #expect(throws: OperationError.self) { try await refetch.value }
    #expect(state.fetchStatus == .idle && state.error != nil)
  }

  @Test("When the client is closed, a refetch ends with the reason, and what is shown stays")
  func close() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    _ = try await screen.transport.next()
    try await screen.client.close()
    await #expect(throws: OperationError.self) { try await refetch.value }
    #expect(state.text == "R2-D2 complete idle" && state.error != nil)
  }

  @Test("When the client is closed, a fragment that is shown stays, and a sequence of it ends without another element")
  func closeWithFragments() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let row = FragmentState(Character.self, withKey: "Droid:1", client: screen.client)
    var names: [String?] = []
    for await card in screen.client.watchFragment(Character.self, withKey: "Droid:1") {
      names.append(card?.name)
      if names.count == 1 { try await screen.client.close() }
    }
    // (The state is told of the end on the main queue.)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      DispatchQueue.main.async { done.resume() }
    }
    row.restart()
    #expect(row.data?.name == "R2-D2" && names == ["R2-D2"])
  }

  @Test("A state without a watcher forgets the user as well: out of sight, cancelled, a mutation, a subscription")
  func withoutWatcher() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let hidden = screen.state(), cancelled = screen.state()
    hidden.hide(true, grace: .zero)
    await until { hidden.watch == nil }
    cancelled.cancel()
    let mutation = MutationState<RenameMutation>(client: screen.client)
    async let run = mutation.run(RenameMutation())
    try await screen.answer(hero("Artoo", field: "rename"))
    _ = try await run
    let events = EventState(RenamedSubscription(), client: screen.client)
    try await screen.answer(.parts([#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#]))
    await until { events.data != nil }
    try await screen.client.signOut()
    await until { hidden.data == nil && cancelled.data == nil && mutation.result == nil && events.data == nil }
    hidden.hide(false)
    #expect(hidden.text == "loading empty fetching")
  }

  // MARK: Queries

  @Test("A page of another query is given up, and the next one is sent")
  func fetchMore() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state(), first = Task { try await state.fetchMore(HeroQuery(episode: "1")) }
    _ = try await screen.transport.next()
    state.query = HeroQuery(episode: "JEDI")
    #expect(!state.isFetchingMore)
    await #expect(throws: (any Error).self) { try await first.value }
    _ = try await screen.transport.next()
    let second = Task { try await state.fetchMore(HeroQuery(episode: "2")).data?.hero?.name }
    let request = try await screen.transport.next()
    #expect(request.variables == ["episode": "2"] && state.isFetchingMore)
    request.resolve(hero("Luke", id: "2"))
    #expect(try await second.value == "Luke" && !state.isFetchingMore)
  }

  @Test(
    "What is listened to is listened to again when the state is in sight again, once; and no more with another query")
  func subscriptions() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    for _ in 0..<2 { state.subscribeToMore(RenamedSubscription()) }
    _ = try await screen.transport.next()
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    #expect(screen.requestCount == 1)
    state.hide(false)
    let request = try await screen.transport.next()
    #expect(screen.requestCount == 2)
    request.resolve(.parts([#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#]))
    await until { state.data?.hero?.name == "Artoo" }
    state.query = HeroQuery(episode: "JEDI")
    #expect(state.listeners.isEmpty && state.subscriptions.isEmpty)
  }

  @Test("A cancelled state shows nothing or what it had, and begins anew when it is told to")
  func cancelled() async throws {
    let screen = screen(), state = screen.state()
    _ = try await screen.transport.next()
    state.cancel()
    #expect(state.text == "none empty idle")
    state.hide(true)
    state.hide(false)
    #expect(state.watch == nil)
    async let refetched = state.refetch()
    try await screen.answer(hero("R2-D2"))
    #expect(try await refetched.data?.hero?.name == "R2-D2" && state.text == "R2-D2 complete idle")
  }

  @Test("A refetch of a skipped state, or without a client, says what to do; so do the words for a user")
  func refusals() async throws {
    let skipped = screen().state(isSkipped: true), none = QueryState(HeroQuery(), client: nil)
    await #expect(throws: StateError.isSkipped) { try await skipped.refetch() }
    await #expect(throws: StateError.noClient) { try await none.refetch() }
    #expect(none.error?.localizedDescription.contains("apolloClient(client)") == true)
    #expect(FragmentState(Character.self, withKey: "Droid:1", client: nil).error as? StateError == .noClient)
  }

  // MARK: Out of sight

  @Test("A visible state that joins a hidden one polls, and a hidden one does not make others poll")
  func joining() async throws {
    let screen = screen(RequestConfiguration(refetchesOn: [.foreground]))
    try await screen.write("R2-D2")
    let hidden = screen.state()
    hidden.pollInterval = 10
    hidden.hide(true, grace: .seconds(1000))
    let visible = screen.state()
    #expect(visible.watch === hidden.watch)
    await until { clock.waits.allSatisfy { $0 > .seconds(100) } }
    #expect(screen.client.post(.foreground) == 1)
    try await screen.answer(hero("Artoo"))
    await until { visible.data?.hero?.name == "Artoo" }
  }

  @Test("A refetch of a state that was let go is one request, keeps what is shown, and lets go again")
  func refetchAfterGrace() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true)
    await clock.untilWaiting()
    await clock.advanceToNext()
    await until { state.watch == nil }
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:1") }
    async let refetched = state.refetch()
    await until { state.fetchStatus == .fetching }
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    _ = try await refetched
    #expect(state.text == "Artoo complete idle" && screen.requestCount == 1)
    await clock.untilWaiting()
    await clock.advanceToNext()
    await until { state.watch == nil }
  }

  @Test("An event that was missed is made up for, also after the watcher has gone")
  func missedEvent() async throws {
    let screen = screen(RequestConfiguration(refetchesOn: [.foreground]))
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true)
    await clock.untilWaiting()
    #expect(screen.client.post(.foreground) == 0)
    await clock.advanceToNext()
    await until { state.watch == nil }
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
    #expect(screen.requestCount == 1)
  }

  @Test("A state that waits for a network, and goes out of sight, asks when it is in sight again")
  func missedNetwork() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    monitor.isOnline = false
    let refetch = Task { try await state.refetch() }
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await #expect(throws: (any Error).self) { try await refetch.value }
    #expect(state.text == "R2-D2 complete paused")
    state.hide(true)
    await clock.untilWaiting()
    await clock.advanceToNext()
    await until { state.watch == nil }
    monitor.isOnline = true
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" && state.error == nil }
  }

  // MARK: The network

  @Test("A network that goes after the failure has come: the state asks when it is back")
  func lateMonitor() async throws {
    monitor.isOnline = nil
    let screen = screen(), state = screen.state()
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.text == "failed empty idle" }
    monitor.isOnline = false
    await until { state.text == "waiting empty paused" }
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
  }

  @Test("A network that is back before anything has noticed that it was away")
  func shortBreak() async throws {
    monitor.isOnline = false
    let screen = screen(), state = screen.state()
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.error != nil }
    monitor.isOnline = true
    monitor.isOnline = false
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
  }

  @Test("A state that waits, and whose query is sent when the network is back, is one request")
  func both() async throws {
    monitor.isOnline = false
    let screen = screen(RequestConfiguration(refetchesOn: [.networkRestored])), state = screen.state()
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.error != nil }
    try await settle(screen.client)
    monitor.isOnline = true
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
    try await settle(screen.client)
    #expect(screen.requestCount == 2)
  }

  @Test("Intervals of 0 and less are none", arguments: [0, -1, .nan])
  func noInterval(seconds: Double) async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = screen.state()
    state.pollInterval = seconds
    try await settle(screen.client)
    #expect(clock.waits.isEmpty && screen.requestCount == 0)
  }

  @Test("With a refetch after each change, a hit sends nothing until there is a change")
  func always() async throws {
    let screen = screen()
    try await screen.write("R2-D2")
    let state = QueryState(HeroQuery(), client: screen.client, refetchPolicy: .always)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && screen.requestCount == 0)
    try await screen.write("Artoo")
    try await screen.answer(hero("R2"))
    await until { state.data?.hero?.name == "R2" }
  }
}
