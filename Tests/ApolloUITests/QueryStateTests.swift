import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

extension Phase<HeroQuery.Data> {
  /// The name of the hero, or what is shown in its place.
  var text: String {
    switch self {
    case .none: "none"
    case .loading: "loading"
    case .waiting: "waiting"
    case .failed: "failed"
    case .content(let data): data.hero?.name ?? "nobody"
    }
  }
}

extension QueryState<HeroQuery> {
  var text: String { "\(phase.text) \(dataState) \(fetchStatus)" }
}

/// The transitions of a state. What they are named after: `ObservableQuery`, `useQuery` and `queryObserver`, the suites of
/// Apollo Client and TanStack Query.
@MainActor @Suite("The state of a query", .timeLimit(.minutes(10)))
struct QueryStateTests {
  let screen = Screen()

  // MARK: Beginning

  @Test("cache-first, hit: the data is there before the first frame, and nothing is sent")
  func hit() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = (state.data, state.fetchStatus, state.dataState) }
    #expect(state.text == "R2-D2 complete idle" && !state.isRefreshing)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && redraws.count == 0 && screen.requestCount == 0)
  }

  @Test(
    "cache-first, miss: it loads, and then has the answer", arguments: [CachePolicy.default, .fetchIgnoringCacheData])
  func miss(policy: CachePolicy) async throws {
    let state = screen.state(HeroQuery(), policy)
    #expect(state.text == "loading empty fetching")
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    #expect(state.text == "R2-D2 complete idle" && state.error == nil && state.cacheInfo?.isHit == false)
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle" && screen.requestCount == 1)
  }

  @Test("cache-and-network: what the cache has is shown at once, while the server is asked")
  func cacheAndNetwork() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    #expect(state.text == "R2-D2 complete fetching" && state.isRefreshing)
    try await screen.answer(hero("Artoo"))
    await until { state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle")
  }

  @Test("network-only: what the cache has is not shown")
  func networkOnly() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .fetchIgnoringCacheData)
    #expect(state.text == "loading empty fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.data != nil }
    #expect(state.text == "Artoo complete idle")
  }

  @Test("cache-only: a miss is an error, nothing is sent, and what comes into the cache is shown")
  func cacheOnly() async throws {
    let state = screen.state(HeroQuery(), .returnCacheDataDontFetch)
    await until { state.error != nil }
    #expect(state.text == "failed empty idle")
    try await screen.write("R2-D2")
    await until { state.data != nil }
    #expect(state.text == "R2-D2 complete idle" && state.error == nil && screen.requestCount == 0)
  }

  @Test("A failure without data is what the screen shows; another try that succeeds replaces it")
  func failure() async throws {
    let state = screen.state()
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await until { state.error != nil && state.fetchStatus == .idle }
    #expect(state.text == "failed empty idle")
    async let refetched = state.refetch()
    await until { state.fetchStatus == .fetching }
    #expect(state.phase.text == "loading")
    try await screen.answer(hero("R2-D2"))
    #expect(try await refetched.data?.hero?.name == "R2-D2")
    #expect(state.text == "R2-D2 complete idle" && state.error == nil)
  }

  // MARK: Another query

  @Test("An equal query changes nothing")
  func equal() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = (state.data, state.previousData, state.fetchStatus) }
    state.query = HeroQuery()
    try await settle(screen.client)
    #expect(redraws.count <= 0 && state.previousData == nil && screen.requestCount == 0)
  }

  @Test("Another query shows what the cache has of it, or loads, and keeps the data of the one before")
  func another() async throws {
    let empire = HeroQuery(episode: "EMPIRE"), jedi = HeroQuery(episode: "JEDI")
    try await screen.write("R2-D2")
    try await screen.write("Luke", id: "2", empire)
    let state = screen.state()
    state.query = empire
    #expect(state.text == "Luke complete idle" && state.previousData?.hero?.name == "R2-D2")
    state.query = jedi
    #expect(state.text == "loading empty fetching" && state.previousData?.hero?.name == "Luke")
    try await screen.answer(hero("Leia", id: "3"))
    await until { state.data != nil }
    #expect(state.text == "Leia complete idle" && state.previousData?.hero?.name == "Luke")
  }

  @Test("What comes late for the query before is never shown")
  func late() async throws {
    let state = screen.state()
    let first = try await screen.transport.next()
    state.query = HeroQuery(episode: "EMPIRE")
    let second = try await screen.transport.next()
    first.resolve(hero("R2-D2"))
    second.resolve(hero("Luke", id: "2"))
    await until { state.data != nil }
    try await settle(screen.client)
    #expect(state.data?.hero?.name == "Luke" && state.previousData == nil)
  }

  @Test(
    "A refetch that waits ends with a CancellationError when the query is changed, or the state cancelled or skipped")
  func refetchOfOther() async throws {
    for change in [
      { $0.query = HeroQuery(episode: "EMPIRE") }, { $0.cancel() }, { $0.isSkipped = true },
    ] as [@MainActor (QueryState<HeroQuery>) -> Void] {
      try await screen.write("R2-D2")
      let state = screen.state(), refetch = Task { try await state.refetch() }
      await until { state.fetchStatus == .fetching }
      change(state)
      await #expect(throws: CancellationError.self) { try await refetch.value }
      state.cancel()
    }
  }

  // MARK: Asking again

  @Test("Two refetches at one time are one request, and both end with its answer")
  func refetches() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    async let first = state.refetch()
    async let second = state.refetch()
    await until { state.fetchStatus == .fetching }
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    let names = try await [first.data?.hero?.name, second.data?.hero?.name]
    #expect(names == ["Artoo", "Artoo"] && state.text == "Artoo complete idle" && screen.requestCount == 1)
  }

  @Test("A refetch that fails leaves the data; the next one that succeeds takes the error away")
  func failedRefetch() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), failed = Task { try await state.refetch() }
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await #expect(throws: (any Error).self) { try await failed.value }
    #expect(state.text == "R2-D2 complete idle" && state.error != nil)
    let succeeded = Task { try await state.refetch() }
    try await screen.answer(hero("Artoo"))
    _ = try await succeeded.value
    #expect(state.text == "Artoo complete idle" && state.error == nil)
  }

  @Test("A response without data leaves the data as well, and its errors are there")
  func errorsOnly() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    try await screen.answer(.json(#"{"errors":[{"message":"tired"}]}"#))
    #expect(try await refetch.value.data == nil)
    #expect(state.text == "R2-D2 complete idle" && state.errors.map(\.message) == ["tired"])
    #expect(state.error is ResultError)
  }

  @Test("Errors of fields come beside the data")
  func fieldErrors() async throws {
    let state = screen.state()
    try await screen.answer(
      .json(
        #"{"data":{"hero":{"__typename":"Droid","id":"1","name":null}},"errors":[{"message":"no name","path":["hero","name"]}]}"#
      ))
    await until { state.data != nil }
    #expect(state.data?.hero?.id == "1" && state.errors.map(\.message) == ["no name"] && state.error == nil)
  }

  @Test("Polling asks while the data stays")
  func polling() async throws {
    let clock = TestClock(), screen = Screen(clock: clock)
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .default, RequestConfiguration(pollInterval: 10))
    #expect(state.text == "R2-D2 complete idle")
    try await settle(screen.client)
    await clock.untilWaiting()
    await clock.advanceToNext()
    await until { state.fetchStatus == .fetching }
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle")
    state.cancel()
  }

  // MARK: Following the cache

  @Test("What others write is shown, and what is going on does not change with it")
  func followed() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = (state.fetchStatus, state.dataState, state.error) }
    try await screen.write("Artoo")
    await until { state.data?.hero?.name == "Artoo" }
    try await settle(screen.client)
    #expect(state.text == "Artoo complete idle" && redraws.count == 0 && screen.requestCount == 0)
  }

  @Test("Equal data changes nothing")
  func equalData() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = (state.data, state.errors, state.dataState) }
    for _ in 0..<5 { try await screen.write("R2-D2") }
    let refetch = Task { try await state.refetch() }
    try await screen.answer(hero("R2-D2"))
    _ = try await refetch.value
    try await settle(screen.client)
    #expect(redraws.count == 0)
  }

  @Test("An optimistic update is shown and taken back, and nothing else changes")
  func optimistic() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = (state.fetchStatus, state.dataState) }
    let mutation = Task {
      try await screen.client.perform(
        mutation: RenameMutation(), optimisticData: RenameMutation.Data(rename: Character(id: "1", name: "guess")))
    }
    await until { state.data?.hero?.name == "guess" }
    let request = try await screen.transport.next()
    request.fail(URLError(.timedOut))
    _ = try? await mutation.value
    await until { state.data?.hero?.name == "R2-D2" }
    #expect(redraws.count == 0)
  }

  @Test("A refetch whose answer an optimistic update hides has the answer, and what is shown stays")
  func hiddenAnswer() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    // (Where memory cannot be read at once, the state asks the cache, which then has to have all of it.)
    await until { state.text == "R2-D2 complete idle" }
    try await screen.client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:1") }
    async let refetched = state.refetch()
    try await screen.answer(hero("Artoo"))
    #expect(try await refetched.data?.hero?.name == "Artoo")
    #expect(state.text == "R2-D2 complete idle")
    try await screen.client.store.revertOptimisticUpdate(id: "a")
    await until { state.text == "Artoo complete idle" }
    #expect(screen.requestCount == 1)
  }

  @Test("A record that is gone is asked for; what was shown stays until the answer")
  func evicted() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    try await settle(screen.client)
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:1") }
    await until { state.fetchStatus == .fetching }
    #expect(state.text == "R2-D2 complete fetching")
    try await screen.answer(hero("Artoo"))
    await until { state.fetchStatus == .idle }
    #expect(state.text == "Artoo complete idle" && screen.requestCount == 1)
  }

  @Test("A part is shown where it is asked for, and made whole")
  func partial() async throws {
    try await screen.client.store.publish(
      records: [
        "QUERY_ROOT": ["hero": .reference("Droid:1")], "Droid:1": ["__typename": "Droid", "id": "1"],
      ])
    let state = screen.state(HeroQuery(), .default, RequestConfiguration(returnsPartialData: true))
    #expect(state.dataState == .partial && state.data?.hero?.id == "1" && state.fetchStatus == .fetching)
    try await screen.answer(hero("R2-D2"))
    await until { state.dataState == .complete }
    #expect(state.text == "R2-D2 complete idle")
  }

  @Test("A part without data leaves what is shown, and is made whole")
  func partWithoutData() async throws {
    let list = ListQuery.Data(list: [Character(id: "1", name: "a")], next: nil)
    try await screen.client.store.withinReadWriteTransaction { try await $0.write(data: list, for: ListQuery()) }
    let state = QueryState(
      ListQuery(), client: screen.client, requestConfiguration: RequestConfiguration(returnsPartialData: true))
    try await settle(screen.client)
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeField("list", of: "QUERY_ROOT") }
    await until { state.fetchStatus == .fetching }
    #expect(state.data == list && state.dataState == .complete)
    try await screen.answer(.json(#"{"data":{"list":[],"next":null}}"#))
    await until { state.data?.list.isEmpty == true }
  }

  // MARK: Ending

  @Test("A skipped state asks for nothing and keeps nothing; turned on, it begins")
  func skipped() async throws {
    let state = screen.state(isSkipped: true)
    try await settle(screen.client)
    #expect(state.text == "none empty idle" && screen.requestCount == 0)
    state.isSkipped = false
    #expect(state.text == "loading empty fetching")
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    state.isSkipped = true
    #expect(state.text == "none empty idle" && state.data == nil)
    try await screen.write("Artoo")
    try await settle(screen.client)
    #expect(state.data == nil)
  }

  @Test("A cancelled state shows what it had, and follows nothing")
  func cancelled() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    _ = try await screen.transport.next()
    state.cancel()
    #expect(state.text == "R2-D2 complete idle")
    try await screen.write("Artoo")
    try await settle(screen.client)
    #expect(state.text == "R2-D2 complete idle")
  }

  @Test("A state that is released leaves no watcher and no request")
  func released() async throws {
    var state: QueryState? = screen.state()
    weak let weakState = state
    let request = try await screen.transport.next()
    state = nil
    #expect(weakState == nil)
    try await settle(screen.client)
    #expect(!request.resolve(hero("R2-D2")))
    #expect(screen.client.store.readIfInMemory(HeroQuery()) == nil)
  }

  @Test("When the user signs out, what was shown is gone")
  func signOut() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    try await screen.client.signOut()
    await until { state.error != nil }
    #expect(state.data == nil && state.text == "failed empty idle")
  }

  @Test("Without a client, the error says what to do")
  func noClient() async throws {
    let state = QueryState(HeroQuery(), client: nil)
    #expect(state.text == "failed empty idle" && "\(state.error!)".contains("QueryState(HeroQuery(), client: client)"))
    await #expect(throws: StateError.self) { try await state.refetch() }
    state.query = HeroQuery(episode: "JEDI")
    #expect(state.text == "failed empty idle")
  }
}
