import Apollo
import ApolloMocks
import ApolloPagination
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// What is around a query: placeholders, more of a list, events, pages, the outbox. What they are named after: `useQuery`,
/// `useSubscription` and `fetchMore` of Apollo Client, and Relay's `usePaginationFragment`.
@MainActor @Suite("Other states", .timeLimit(.minutes(10)))
struct MoreStateTests {
  let screen = Screen()

  // MARK: Placeholders

  @Test("A placeholder is shown until there is data; it is never in the cache, and does not count as data")
  func placeholder() async throws {
    let state = QueryState(HeroQuery(), client: screen.client) { _ in
      HeroQuery.Data(hero: Character(id: "0", name: "…"))
    }
    #expect(state.text == "… empty fetching" && state.isPlaceholder && !state.isRefreshing)
    #expect(screen.client.store.readIfInMemory(HeroQuery()) == nil)
    try await screen.answer(hero("R2-D2"))
    await until { !state.isPlaceholder }
    #expect(state.text == "R2-D2 complete idle" && state.previousData == nil)
  }

  @Test("The data of the query before as a placeholder")
  func previous() async throws {
    try await screen.write("R2-D2")
    let state = QueryState(HeroQuery(), client: screen.client, placeholder: { $0 })
    #expect(!state.isPlaceholder)
    screen.transport.expect(HeroQuery.self).respond(hero("Luke", id: "2"))
    state.query = HeroQuery(episode: "JEDI")
    #expect(state.text == "R2-D2 empty fetching" && state.isPlaceholder && state.previousData?.hero?.name == "R2-D2")
    state.query = HeroQuery(episode: "EMPIRE")
    #expect(state.text == "R2-D2 empty fetching" && state.previousData?.hero?.name == "R2-D2")
    await until { !state.isPlaceholder }
    #expect(state.text == "Luke complete idle")
  }

  @Test("A failure leaves the placeholder, and is there")
  func failedPlaceholder() async throws {
    let state = QueryState(HeroQuery(), client: screen.client) { _ in HeroQuery.Data(hero: nil) }
    try await screen.answer(.status(500))
    await until { state.error != nil && state.fetchStatus == .idle }
    #expect(state.isPlaceholder && state.dataState == .empty)
  }

  // MARK: More

  @Test("fetchMore: two calls are one request; what is shown is not fetching; the answer is in the cache")
  func more() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), jedi = HeroQuery(episode: "JEDI")
    let calls = (0..<2).map { _ in Task { try await state.fetchMore(jedi).data?.hero?.name } }
    await until { state.isFetchingMore }
    #expect(state.text == "R2-D2 complete idle")
    // (Of the same object.)
    try await screen.answer(hero("Artoo"))
    for call in calls { #expect(try await call.value == "Artoo") }
    await until { !state.isFetchingMore && state.data?.hero?.name == "Artoo" }
    #expect(screen.requestCount == 1 && screen.client.store.readIfInMemory(jedi)?.data?.hero?.name == "Artoo")
    let failing = Task { try await state.fetchMore(jedi) }
    try await screen.answer(.status(500))
    await #expect(throws: (any Error).self) { try await failing.value }
    #expect(!state.isFetchingMore && state.text == "Artoo complete idle")
    await #expect(throws: StateError.self) { try await QueryState(jedi, client: nil).fetchMore(jedi) }
  }

  @Test("subscribeToMore: objects of events are shown, an update can change the list, and it ends with the state")
  func subscribe() async throws {
    try await screen.write("R2-D2")
    var state: QueryState? = screen.state()
    state?.subscribeToMore(RenamedSubscription()) { transaction, event in
      var character = event.renamed
      character.name = (character.name ?? "") + "!"
      try await transaction.write(data: HeroQuery.Data(hero: character), for: HeroQuery())
    }
    let request = try await screen.transport.next()
    let (texts, events) = AsyncStream<String>.makeStream()
    request.resolve(.parts(texts))
    events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#)
    await until { state?.data?.hero?.name == "Artoo!" }
    events.yield(#"{"data":null,"errors":[{"message":"tired"}]}"#)
    events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"R2"}}}"#)
    await until { state?.data?.hero?.name == "R2!" }
    let ended = Task { await withCheckedContinuation { done in events.onTermination = { _ in done.resume() } } }
    await Task.yield()
    state = nil
    await ended.value
  }

  @Test("subscribeToMore: an update that throws ends nothing, and a subscription that has ended can begin again")
  func failedUpdate() async throws {
    struct Early: Error {}
    try await screen.write("R2-D2")
    let state = screen.state()
    func subscribe() {
      state.subscribeToMore(RenamedSubscription()) { transaction, event in
        if event.renamed.name == "early" { throw Early() }
        try await transaction.write(data: HeroQuery.Data(hero: event.renamed), for: HeroQuery())
      }
    }
    for _ in 0..<2 {
      subscribe()
      let request = try await screen.transport.next(), (texts, events) = AsyncStream<String>.makeStream()
      request.resolve(.parts(texts))
      events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"early"}}}"#)
      await until { state.error is Early }
      events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#)
      await until { state.data?.hero?.name == "Artoo" }
      events.finish()
      await until { state.listeners.values.allSatisfy(\.isEnded) }
      try await screen.write("R2-D2")
      await until { state.data?.hero?.name == "R2-D2" }
    }
  }

  // MARK: Events

  @Test("A subscription: its last event, its connection and its end")
  func events() async throws {
    var names: [String?] = []
    let state = EventState(RenamedSubscription(), client: screen.client) { names.append($0.data?.renamed.name) }
    #expect(state.data == nil && state.error == nil && "\(state.connection!)" == "pending")
    let request = try await screen.transport.next(), (texts, events) = AsyncStream<String>.makeStream()
    request.resolve(.parts(texts))
    events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#)
    await until { state.data?.renamed.name == "Artoo" }
    events.yield(#"{"data":null,"errors":[{"message":"tired"}]}"#)
    await until { state.errors.map(\.message) == ["tired"] }
    #expect(state.data?.renamed.name == "Artoo")
    events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"R2"}}}"#)
    await until { state.data?.renamed.name == "R2" }
    #expect(state.errors.isEmpty && names == ["Artoo", nil, "R2"])
    events.finish()
    await until { "\(state.connection!)" == "finished" }
    #expect(state.error == nil && state.data?.renamed.name == "R2")
  }

  @Test("A subscription that fails says so, and begins anew when it is told to; another one has no data")
  func failedEvents() async throws {
    let state = EventState(RenamedSubscription(), client: screen.client)
    try await screen.answer(.status(500, body: #"{"errors":[{"message":"tired"}]}"#))
    await until { state.error != nil }
    #expect(state.error is ResponseCodeInterceptor.ResponseCodeError && state.errors.map(\.message) == ["tired"])
    state.restart()
    #expect(state.error == nil && state.errors.isEmpty)
    try await screen.answer(.parts([#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#]))
    await until { state.data != nil }
    state.subscription = RenamedSubscription()
    #expect(state.data != nil)
    state.subscription = RenamedSubscription(room: "2")
    #expect(state.data == nil)
    let request = try await screen.transport.next()
    #expect(request.variables == ["room": "2"])
    state.isSkipped = true
    #expect(state.connection == nil)
    let none = EventState(RenamedSubscription(), client: nil)
    #expect("\(none.error!)".contains("apolloClient(client)"))
  }

  // MARK: Pages

  private func page(_ ids: [Int], next: Int?) -> MockResponse {
    .data([
      "list": .list(ids.map { ["__typename": "Droid", "id": .string("\($0)"), "name": .string("Droid \($0)")] }),
      "next": next.map { .int($0) } ?? .null,
    ])
  }

  private func pager(_ client: ApolloClient) -> PagerState<Character> {
    PagerState(ListQuery(), client: client, items: \.list, next: { $0.next.map { ListQuery(page: $0) } })
  }

  @Test("Pages follow each other until there is none behind the last one")
  func pages() async throws {
    let pager = pager(screen.client)
    #expect(pager.isLoading && pager.items.isEmpty && !pager.hasLoaded && !pager.hasNext)
    try await screen.answer(page([1, 2], next: 1))
    await until { pager.hasNext && !pager.isLoading }
    #expect(pager.items.map(\.id) == ["1", "2"] && pager.hasLoaded && !pager.hasPrevious)
    async let next: Void = pager.loadNext()
    async let ignored: Void = pager.loadNext()
    await until { pager.isLoadingNext }
    try await screen.answer(page([3], next: nil))
    _ = await (next, ignored)
    await until { !pager.hasNext }
    #expect(pager.items.map(\.id) == ["1", "2", "3"] && !pager.isLoadingNext && screen.requestCount == 2)
    await pager.loadNext()
    #expect(screen.requestCount == 2)
  }

  @Test("What memory has of the first page is there before the first frame")
  func firstPage() async throws {
    try await screen.client.store.withinReadWriteTransaction {
      try await $0.write(data: ListQuery.Data(list: [Character(id: "1", name: "a")], next: 1), for: ListQuery())
    }
    let pager = pager(screen.client), redraws = Redraws { _ = pager.items }
    #expect(pager.items.map(\.name) == ["a"] && pager.hasLoaded && pager.isLoading)
    try await screen.answer(page([1], next: 1))
    await until { pager.items.map(\.name) == ["Droid 1"] }
    await until { !pager.isLoading && redraws.count > 0 }
    #expect(redraws.count == 1)
  }

  @Test("The end of the list loads the next page, once; after a failure it does not try by itself")
  func nearTheEnd() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1, 2, 3, 4, 5, 6, 7, 8], next: 1))
    await until { pager.hasNext }
    #expect(pager.items.count == 8)
    pager.loadNextIfNeeded(at: pager.items[0])
    try await settle(screen.client)
    #expect(screen.requestCount == 1)
    for _ in 0..<3 { pager.loadNextIfNeeded(at: pager.items[4]) }
    try await screen.answer(.status(500))
    await until { pager.errorNext != nil && !pager.isLoadingNext }
    #expect(pager.items.count == 8 && pager.error == nil)
    pager.loadNextIfNeeded(at: pager.items[7])
    try await settle(screen.client)
    #expect(screen.requestCount == 2)
    async let next: Void = pager.loadNext()
    try await screen.answer(page([9], next: nil))
    await next
    await until { pager.items.count == 9 }
    #expect(pager.errorNext == nil)
  }

  @Test("A row of a new page that is in view at once loads the page behind it")
  func nearTheEndAtOnce() async throws {
    let pager = pager(screen.client)
    let list = Redraws { if let last = pager.items.last { pager.loadNextIfNeeded(at: last) } }
    try await screen.answer(page([1, 2], next: 1))
    try await screen.answer(page([3], next: 2))
    try await screen.answer(page([4, 5, 6, 7, 8, 9, 10], next: nil))
    await until { pager.items.count == 10 && !pager.isLoadingNext }
    #expect(screen.requestCount == 3 && list.count > 0)
  }

  @Test("What is shown with a page says that the page has come")
  func shownPage() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1], next: 1))
    await until { pager.hasNext }
    var wasLoading = false
    let list = Redraws { if pager.items.count == 2 { wasLoading = wasLoading || pager.isLoadingNext } }
    async let next: Void = pager.loadNext()
    try await screen.answer(page([2], next: 2))
    await next
    await until { pager.items.count == 2 && list.count > 0 }
    #expect(!wasLoading)
  }

  @Test("The end that is in view loads its next page after a new first page has taken the place of all pages")
  func nearTheEndAfterARefetch() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1], next: 1))
    await until { pager.hasNext && !pager.isLoading }
    pager.loadNextIfNeeded(at: pager.items[0])
    _ = try await screen.transport.next()
    async let refetched: Void = pager.refetch()
    try await screen.answer(page([1], next: 1))
    await refetched
    try await screen.answer(page([2, 3, 4, 5, 6, 7], next: 2))
    await until { pager.items.count == 7 && !pager.isLoadingNext }
    #expect(screen.requestCount == 4 && pager.errorNext == nil && pager.hasNext)
  }

  @Test("A refetch that fails leaves all pages; one that succeeds takes their place")
  func refetchedPages() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1], next: 1))
    await until { pager.hasNext }
    async let next: Void = pager.loadNext()
    try await screen.answer(page([2], next: nil))
    await next
    await until { pager.items.count == 2 }
    async let failed: Void = pager.refetch()
    try await screen.answer(.status(500))
    await failed
    await until { pager.error != nil }
    #expect(pager.items.count == 2)
    async let succeeded: Void = pager.refetch()
    try await screen.answer(page([1, 2, 3], next: nil))
    await succeeded
    await until { pager.items.count == 3 }
    #expect(pager.error == nil && !pager.isLoading)
  }

  @Test("A page that is given up for a new first page is not an error, and a refetch takes errors of pages away")
  func givenUpPage() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1], next: 1))
    await until { pager.hasNext && !pager.isLoading }
    let next = Task { await pager.loadNext() }
    _ = try await screen.transport.next()
    async let refetched: Void = pager.refetch()
    try await screen.answer(page([1, 2], next: 1))
    await refetched
    await next.value
    #expect(
      pager.items.count == 2 && pager.hasNext && pager.errorNext == nil && !pager.isLoadingNext && !pager.isLoading)
    async let failed: Void = pager.loadNext()
    try await screen.answer(.status(500))
    await failed
    #expect(pager.errorNext != nil && pager.error == nil)
    async let again: Void = pager.refetch()
    try await screen.answer(page([1, 2, 3], next: nil))
    await again
    #expect(pager.errorNext == nil && pager.items.count == 3)
  }

  @Test("When the user signs out, the pages are gone, and the error is that of the list")
  func signedOutPages() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1], next: 1))
    await until { pager.hasNext }
    async let next: Void = pager.loadNext()
    try await screen.answer(page([2], next: nil))
    await next
    try await screen.client.signOut()
    await until { pager.error != nil }
    #expect(pager.items.isEmpty && !pager.hasLoaded && pager.errorNext == nil)
  }

  @Test("A pager with pages that the app has loaded is shown as it is")
  func sharedPager() async throws {
    let shared = GraphQLQueryPager<[Character]>(
      client: screen.client, initialQuery: ListQuery(),
      extractPageInfo: { (page: PageExtractionData<ListQuery, ListQuery, [Character]?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _):
          CursorBasedPagination.Forward(hasNext: data.next != nil, endCursor: data.next.map { "\($0)" })
        }
      },
      pageResolver: { page, _ in page.endCursor.flatMap { Int($0) }.map { ListQuery(page: $0) } },
      initialTransform: { $0.list }, pageTransform: { $0.list })
    async let fetched: Void = shared.fetch()
    try await screen.answer(page([1], next: 1))
    await fetched
    async let next: Void = shared.loadNext()
    try await screen.answer(page([2], next: nil))
    try await next
    let pager = PagerState(shared)
    await until { pager.items.count == 2 }
    try await settle(screen.client)
    #expect(pager.items.count == 2 && !pager.isLoading && screen.requestCount == 2)
  }

  @Test("A row that changes in the cache is another row of the list")
  func changedRow() async throws {
    let pager = pager(screen.client)
    try await screen.answer(page([1, 2], next: nil))
    await until { pager.hasLoaded }
    try await screen.write("Artoo", id: "2")
    await until { pager.items.map(\.name) == ["Droid 1", "Artoo"] }
  }

  // MARK: The outbox

  @Test("What waits, what was given up, and what is sent again")
  func outbox() async throws {
    let monitor = ManualNetworkMonitor(isOnline: false), screen = Screen(monitor: monitor)
    let state = OutboxState(client: screen.client)
    #expect(state.count == 0 && state.pending.isEmpty)
    let queued = try await screen.client.enqueue(RenameMutation(), policy: Outbox.Policy(maximumAttempts: 1))
    await until { state.pending.map(\.operationName) == ["Rename"] }
    #expect(state.count == 1 && state.failed.isEmpty)
    #expect(OutboxState(client: screen.client).count == 1)
    await until { !state.isOnline }
    monitor.isOnline = true
    try await screen.answer(.json(#"{"errors":[{"message":"no"}]}"#))
    await until { state.failed.map(\.id) == [queued.id] && state.pending.isEmpty && state.isOnline }
    await state.retryAll()
    try await screen.answer(hero("Bea", field: "rename"))
    await until { state.failed.isEmpty && state.count == 0 }
    await state.pause()
    await until { state.isPaused }
    let second = try await screen.client.enqueue(RenameMutation())
    await until { state.count == 1 }
    #expect(await state.discard(second.id))
    await until { state.count == 0 }
    await state.resume()
    await until { !state.isPaused }
    let empty = OutboxState(client: nil)
    #expect(await !empty.discard(second.id) && empty.count == 0)
  }
}

extension Character: Identifiable {}
