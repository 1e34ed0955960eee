import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// Events for states that have no watcher, or whose watcher goes.
@MainActor @Suite("Events that a state misses", .timeLimit(.minutes(10)))
struct MissedEventTests {
  let screen = Screen(clock: TestClock(), defaults: RequestConfiguration(refetchesOn: [.foreground]))

  /// A state that has been out of sight until its watcher has gone.
  private func restingState() async throws -> QueryState<HeroQuery> {
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    return state
  }

  @Test("An event after the watcher has gone has the query sent in sight, once")
  func afterGrace() async throws {
    let state = try await restingState()
    #expect(screen.client.post(.foreground) == 0 && screen.client.post("other") == 0)
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    state.hide(false)
    try await settle(screen.client)
    #expect(state.text == "Artoo complete idle" && screen.requestCount == 1)
  }

  @Test("An event without a condition for it changes nothing")
  func otherEvent() async throws {
    let state = try await restingState()
    #expect(screen.client.post("other") == 0)
    state.hide(false)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && screen.requestCount == 0)
  }

  @Test("A record that is gone as well is one request")
  func afterGraceWithoutData() async throws {
    let state = try await restingState()
    #expect(screen.client.post(.foreground) == 0)
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:1") }
    state.hide(false)
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
    try await settle(screen.client)
    #expect(screen.requestCount == 1)
  }

  @Test("A view that has not appeared yet hears events")
  func beforeAppearing() async throws {
    try await screen.write("R2-D2")
    let slot = QuerySlot<HeroQuery>()
    let request = QuerySlot<HeroQuery>.Request(
      source: .constant(HeroQuery()),
      options: WatchOptions(cachePolicy: CachePolicy.default, requestConfiguration: nil, refetchPolicy: .onMiss),
      placeholder: nil, isSkipped: false, grace: .zero)
    let state = slot.update(request, client: screen.client, isVisible: false)
    #expect(screen.client.post(.foreground) == 0 && state.text == "R2-D2 complete idle")
    slot.update(request, client: screen.client, isVisible: true)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
  }

  @Test("A request for an event that ends with the watcher is sent again in sight")
  func underWay() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    #expect(screen.client.post(.foreground) == 1)
    _ = try await screen.transport.next()
    await until { state.fetchStatus == .fetching }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
  }

  @Test("An event counts for a state whose watcher has gone, if its request has ended with the state in sight")
  func endsWithAnother() async throws {
    try await screen.write("R2-D2")
    let visible = screen.state(), state = screen.state()
    #expect(screen.client.post(.foreground) == 1)
    await until { state.fetchStatus == .fetching && screen.requestCount == 1 }
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    visible.cancel()
    state.hide(false)
    await until { screen.requestCount == 2 }
    #expect(state.text == "R2-D2 complete fetching")
  }

  // MARK: Refetches

  nonisolated static let targets: [ApolloClient.RefetchTarget] = [
    .type(HeroQuery.self), .named("Hero"), .reading("Droid:1"), .query(HeroQuery()), .watched,
  ]

  @Test("A refetch by the client after the watcher has gone has the query sent in sight", arguments: targets.indices)
  func refetch(index: Int) async throws {
    let state = try await restingState(), target = Self.targets[index]
    async let sent = screen.client.refetch(matching: target)
    // (What is named with its variables is sent without a watcher as well.)
    if case .query = target { try await screen.answer(hero("R2")) }
    let count = await sent
    state.hide(false)
    await until { screen.requestCount == count + 1 }
    #expect(state.fetchStatus == .fetching)
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
  }

  @Test("So does a mutation with the query among those that are sent after it, for a state that reads the cache alone")
  func refetchAfterMutation() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .returnCacheDataDontFetch)
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    async let renamed = screen.client.perform(mutation: RenameMutation(), refetchQueries: [.type(HeroQuery.self)])
    try await screen.answer(hero("Bea", id: "7", field: "rename"))
    _ = try await renamed
    state.hide(false)
    try await screen.answer(hero("Artoo"))
    await until { state.data?.hero?.name == "Artoo" }
  }

  @Test("A refetch of other queries changes nothing for a state without a watcher, and none does for a cancelled one")
  func otherRefetch() async throws {
    let state = try await restingState()
    #expect(await screen.client.refetch(matching: .type(ListQuery.self), .named("List")) == 0)
    state.hide(false)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && screen.requestCount == 0)
    state.cancel()
    #expect(await screen.client.refetch(matching: .watched) == 0)
    #expect(state.signOutListener?.hasMissedEvent == false)
  }

  @Test("A refetch that has begun, of which the state is not told before its watcher goes, is sent again in sight")
  func refetchMeanwhile() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    state.hide(true, grace: .seconds(1000))
    let refetch = Task.detached { [client = screen.client] in await client.refetch(matching: .watched) }
    // (It is told on the main queue, where nothing else runs meanwhile.)
    while screen.requestCount == 0 {}
    state.letGo()
    #expect(await refetch.value == 1)
    state.hide(false)
    #expect(state.text == "R2-D2 complete fetching")
  }

  // MARK: Other states

  @Test("An event counts for no other query, and not for a state that was cancelled")
  func otherQuery() async throws {
    let jedi = HeroQuery(episode: "JEDI"), state = try await restingState()
    try await screen.write("Luke", id: "2", jedi)
    #expect(screen.client.post(.foreground) == 0)
    state.query = jedi
    state.hide(false)
    try await settle(screen.client)
    #expect(state.text == "Luke complete idle" && screen.requestCount == 0)
    state.cancel()
    #expect(screen.client.post(.foreground) == 0)
    #expect(!state.hasMissedEvent && state.signOutListener?.hasMissedEvent == false)
  }

  @Test(
    "A state that joins a hidden one with a missed event is one request, and so is a refetch",
    arguments: [CachePolicy.default, .returnCacheDataAndFetch])
  func joining(policy: CachePolicy) async throws {
    let hidden = screen.state(HeroQuery(), policy)
    try await screen.answer(hero("R2-D2"))
    await until { hidden.text == "R2-D2 complete idle" }
    hidden.hide(true, grace: .seconds(1000))
    #expect(screen.client.post(.foreground) == 0)
    let visible = screen.state(HeroQuery(), policy)
    #expect(visible.watch === hidden.watch && visible.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { visible.text == "Artoo complete idle" }
    visible.hide(true, grace: .seconds(1000))
    #expect(screen.client.post(.foreground) == 0)
    visible.hide(false)
    async let refetched = visible.refetch()
    try await screen.answer(hero("R2"))
    #expect(try await refetched.data?.hero?.name == "R2")
    try await settle(screen.client)
    #expect(screen.requestCount == 3)
  }
}
