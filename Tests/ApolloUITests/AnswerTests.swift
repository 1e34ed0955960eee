import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// What becomes of answers, of failures, and of what the cache has in their place.
@MainActor @Suite("Answers to states", .timeLimit(.minutes(10)))
struct AnswerTests {
  let screen = Screen()

  private static let broken =
    #"{"data":{"hero":{"__typename":"Droid","id":"1","name":null}},"errors":[{"message":"late","path":["hero","name"]}]}"#

  // MARK: Errors of fields

  @Test("cache-first: a field that has failed is asked for again by the next state, which has the rest at once")
  func failedField() async throws {
    let first = screen.state()
    try await screen.answer(.json(Self.broken))
    await until { first.fetchStatus == .idle && first.data != nil }
    let second = screen.state()
    #expect(second.text == "nobody partial fetching" && second.errors.map(\.message) == ["late"])
    try await screen.answer(hero("R2-D2"))
    await until { second.text == "R2-D2 complete idle" }
    #expect(second.errors.isEmpty && screen.requestCount == 2)
  }

  @Test("What is there before the first frame is what a request would have of the cache", arguments: [true, false])
  func errorPolicy(isIgnored: Bool) async throws {
    let first = screen.state()
    try await screen.answer(.json(Self.broken))
    await until { first.fetchStatus == .idle && first.data != nil }
    let state = screen.state(
      HeroQuery(), .default, RequestConfiguration(errorPolicy: isIgnored ? .ignore : .none))
    #expect((state.data != nil) == isIgnored && state.errors.isEmpty)
  }

  @Test("Data that may be stale for a while is there before the first frame, and nothing is sent")
  func maxStale() async throws {
    let clock = TestClock(), screen = Screen(clock: clock, defaults: RequestConfiguration(maxStale: 600))
    screen.client.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Query.hero": 60])
    let first = screen.state()
    try await screen.answer(hero("R2-D2"))
    await until { first.text == "R2-D2 complete idle" }
    first.cancel()
    await clock.advance(by: .seconds(120))
    let second = screen.state()
    #expect(second.text == "R2-D2 complete idle" && second.isStale)
    try await settle(screen.client)
    #expect(screen.requestCount == 1)
  }

  @Test("The errors of the last response stay when the cache changes, and go with the query")
  func keptErrors() async throws {
    let state = screen.state()
    try await screen.answer(
      .json(#"{"data":{"hero":{"__typename":"Droid","id":"1","name":"R2-D2"}},"errors":[{"message":"slow"}]}"#))
    await until { state.errors.map(\.message) == ["slow"] }
    try await screen.write("Artoo")
    await until { state.data?.hero?.name == "Artoo" }
    #expect(state.errors.map(\.message) == ["slow"])
    state.query = HeroQuery(episode: "JEDI")
    #expect(state.errors.isEmpty)
  }

  @Test("An error of a field goes when the field has come in another way")
  func mendedField() async throws {
    let state = screen.state()
    try await screen.answer(.json(Self.broken))
    await until { state.errors.map(\.message) == ["late"] }
    try await screen.write("Artoo")
    await until { state.data?.hero?.name == "Artoo" }
    #expect(state.errors.isEmpty)
  }

  @Test("The errors of a response without data stay when the cache changes")
  func errorsWithoutData() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    try await screen.answer(.json(#"{"data":null,"errors":[{"message":"late","path":["hero"]},{"message":"slow"}]}"#))
    _ = try await refetch.value
    try await screen.write("Artoo")
    await until { state.data?.hero?.name == "Artoo" }
    #expect(state.errors.map(\.message) == ["late", "slow"])
  }

  // MARK: Failures

  @Test("A refetch throws an OperationError, as other functions do")
  func thrown() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await #expect(throws: OperationError.self) { try await refetch.value }
    #expect(state.error != nil)
  }

  @Test("network-first without a network: the cache stands in, and the server is asked when the network is back")
  func standIn() async throws {
    let monitor = ManualNetworkMonitor(isOnline: false), screen = Screen(monitor: monitor)
    try await screen.write("R2-D2")
    let state = QueryState(
      HeroQuery(), client: screen.client, cachePolicy: CachePolicy.Query.SingleResponse.networkFirst)
    #expect(state.text == "waiting empty paused")
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.data != nil }
    #expect(state.text == "R2-D2 complete paused" && state.cacheInfo?.fetchError != nil)
    monitor.isOnline = true
    try await screen.answer(hero("Artoo"))
    await until { state.text == "Artoo complete idle" }
    #expect(state.cacheInfo?.fetchError == nil && screen.requestCount == 2)
  }

  @Test("A failure that comes when the network is back already has the query sent again, once")
  func lateFailure() async throws {
    let monitor = ManualNetworkMonitor(isOnline: false), screen = Screen(monitor: monitor), state = screen.state()
    let request = try await screen.transport.next()
    monitor.isOnline = true
    await until { state.fetchStatus == .fetching }
    while !request.resolve(.failure(URLError(.notConnectedToInternet))), !Task.isCancelled { await Task.yield() }
    try await screen.answer(.failure(URLError(.notConnectedToInternet)))
    await until { state.text == "failed empty idle" }
    try await settle(screen.client)
    #expect(screen.requestCount == 2)
  }

  // MARK: Pages

  @Test("When fetchMore returns, the page is shown")
  func shownPage() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    try await settle(screen.client)
    screen.transport.expect(HeroQuery.self).respond(hero("Artoo"))
    for asynchronously in [false, true] {
      try await screen.write("R2-D2")
      await until { state.data?.hero?.name == "R2-D2" }
      try await state.fetchMore(
        HeroQuery(episode: "JEDI"),
        requestConfiguration: RequestConfiguration(writesToCacheAsynchronously: asynchronously))
      #expect(state.data?.hero?.name == "Artoo" && !state.isFetchingMore)
    }
  }

  // MARK: Parts

  private static let first =
    #"{"data":{"hero":{"__typename":"Droid","id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"name"}],"hasNext":true}"#

  private func streamingState() async throws -> (QueryState<SlowHeroQuery>, AsyncStream<String>.Continuation) {
    screen.transport.expect(SlowHeroQuery.self)
    let state = QueryState(SlowHeroQuery(), client: screen.client), (texts, parts) = AsyncStream<String>.makeStream()
    try await screen.answer(.parts(texts))
    parts.yield(Self.first)
    await until { state.dataState == .streaming }
    return (state, parts)
  }

  @Test("Parts that will not come any more leave a part: after cancel(), out of sight, and when the client is closed")
  func endedStreams() async throws {
    for end in 0..<3 {
      let (state, parts) = try await streamingState()
      switch end {
      case 0: state.cancel()
      case 1: state.hide(true, grace: .zero)
      default: try await screen.client.close()
      }
      await until { state.watch == nil }
      #expect(state.dataState == .partial && state.fetchStatus != .fetching)
      parts.finish()
      // (The next one begins without data.)
      if end < 2 { try await screen.client.store.clearCache() }
    }
  }

  @Test("A change of the cache between two parts is not the end of the parts")
  func changedBetween() async throws {
    let (state, parts) = try await streamingState()
    try await screen.client.store.publish(
      records: ["QUERY_ROOT": ["hero": .reference("Droid:2")], "Droid:2": ["__typename": "Droid", "id": "2"]])
    await until { state.data?.hero?.id == "2" }
    #expect(state.dataState == .streaming)
    state.cancel()
    #expect(state.dataState == .partial)
    parts.finish()
  }

  // MARK: Views

  private func request(
    _ configuration: RequestConfiguration?, _ policy: CachePolicy = .default,
    placeholder: QueryState<HeroQuery>.Placeholder? = nil
  ) -> QuerySlot<HeroQuery>.Request {
    .init(
      source: .constant(HeroQuery()),
      options: WatchOptions(cachePolicy: policy, requestConfiguration: configuration, refetchPolicy: .onMiss),
      placeholder: placeholder, isSkipped: false, grace: .seconds(30))
  }

  @Test("A view that says another configuration, or policy, has another state; equal ones change nothing")
  func options() async throws {
    try await screen.write("R2-D2")
    let slot = QuerySlot<HeroQuery>()
    func update(_ request: QuerySlot<HeroQuery>.Request) -> QueryState<HeroQuery> {
      slot.update(request, client: screen.client, isVisible: true)
    }
    func configuration(_ value: String) -> RequestConfiguration {
      RequestConfiguration(headers: ["X": value], onProgress: { _ in }, refetchesOn: .always)
    }
    let first = update(request(configuration("1")))
    #expect(update(request(configuration("1"))) === first)
    let second = update(request(configuration("2")))
    #expect(second !== first && second.previousData?.hero?.name == "R2-D2" && second.text == "R2-D2 complete idle")
    let third = update(request(configuration("2"), .fetchIgnoringCacheData, placeholder: { $0 }))
    #expect(third !== second && third.text == "R2-D2 empty fetching" && third.isPlaceholder)
    #expect(update(request(nil)) !== third)
  }

  @Test("A view that has not appeared yet shows its placeholder")
  func hiddenPlaceholder() {
    let slot = QuerySlot<HeroQuery>(), placeholder = HeroQuery.Data(hero: Character(id: "0", name: "…"))
    let state = slot.update(
      request(nil, placeholder: { _ in placeholder }), client: screen.client, isVisible: false)
    #expect(state.text == "… empty paused" && state.isPlaceholder)
  }

  @Test("Observers see that a state was cancelled, also one that did nothing")
  func observedCancel() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), redraws = Redraws { _ = state.isCancelled }
    state.cancel()
    await until { redraws.count == 1 }
  }
}
