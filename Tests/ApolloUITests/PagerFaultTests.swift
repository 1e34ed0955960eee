import Apollo
import ApolloMocks
import ApolloPagination
import Foundation
import Testing

@testable import ApolloUI

/// What a list of pages shows when something goes wrong, and where it goes on by itself.
@MainActor @Suite("Pages that fail", .timeLimit(.minutes(10)))
struct PagerFaultTests {
  let screen = Screen()

  private func page(_ ids: [Int], next: Int?) -> MockResponse {
    .data([
      "list": .list(ids.map { ["__typename": "Droid", "id": .string("\($0)"), "name": .string("Droid \($0)")] }),
      "next": next.map { .int($0) } ?? .null,
    ])
  }

  private func refusal(_ message: String) -> MockResponse { .json(#"{"errors": [{"message": "\#(message)"}]}"#) }

  /// - Parameter onPage: Called when the items of a page beside the first one are made.
  private func makePager(onPage: @escaping @Sendable () -> Void = {}) -> GraphQLQueryPager<[Character]> {
    GraphQLQueryPager(
      client: screen.client, initialQuery: ListQuery(),
      extractPageInfo: { (page: PageExtractionData<ListQuery, ListQuery, [Character]?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _):
          CursorBasedPagination.Forward(hasNext: data.next != nil, endCursor: data.next.map { "\($0)" })
        }
      },
      pageResolver: { page, _ in page.endCursor.flatMap { Int($0) }.map { ListQuery(page: $0) } },
      initialTransform: { $0.list },
      pageTransform: { data in
        onPage()
        return data.list
      })
  }

  @Test("A state that is released ends its request, although two calls wait for the first page", arguments: [1, 2])
  func releasedWithTwoLoads(refetchCount: Int) async throws {
    var state: PagerState<Character>? = makeState()
    weak let released = state
    _ = try await screen.transport.next()
    for _ in 0..<refetchCount {
      let pull = Task { [state] in await state?.refetch() }
      _ = try await screen.transport.next()
      pull.cancel()
      await pull.value
    }
    state = nil
    await until { released == nil }
    await until { screen.transport.pending.isEmpty }
  }

  private func makeState() -> PagerState<Character> {
    PagerState(ListQuery(), client: screen.client, items: \.list, next: { $0.next.map { ListQuery(page: $0) } })
  }

  private func write(_ ids: [Int], page: Int, next: Int?) async throws {
    let list = ids.map { Character(id: "\($0)", name: "Droid \($0)") }
    try await screen.client.store.withinReadWriteTransaction {
      try await $0.write(data: ListQuery.Data(list: list, next: next), for: ListQuery(page: page))
    }
  }

  @Test("A next page without data is an error of that page, and is asked for again when the user says so")
  func nextPageWithoutData() async throws {
    let state = makeState()
    try await screen.answer(page([1, 2], next: 1))
    await until { state.hasNext && !state.isLoading }
    state.loadNextIfNeeded(at: state.items[1])
    try await screen.answer(refusal("Too many requests."))
    await until { state.errorNext != nil && !state.isLoadingNext }
    try await settle(screen.client)
    #expect("\(state.errorNext!)".contains("Too many requests.") && state.error == nil)
    #expect(state.items.count == 2 && state.hasNext && screen.requestCount == 2)
    async let next: Void = state.loadNext()
    try await screen.answer(page([3], next: nil))
    await next
    #expect(state.items.count == 3 && state.errorNext == nil)
  }

  @Test("A first page without data is an error, and not an empty list; a refetch without data says why")
  func firstPageWithoutData() async throws {
    let state = makeState()
    try await screen.answer(refusal("Who are you?"))
    await until { !state.isLoading }
    #expect("\(state.error!)".contains("Who are you?") && !state.hasLoaded && state.errors.count == 1)
    async let refetched: Void = state.refetch()
    try await screen.answer(page([1], next: nil))
    await refetched
    #expect(state.error == nil && state.hasLoaded && state.items.count == 1 && state.errors.isEmpty)
    async let refused: Void = state.refetch()
    try await screen.answer(refusal("No more."))
    await refused
    #expect("\(state.error!)".contains("No more.") && state.items.count == 1)
  }

  @Test("Errors of fields are told beside the items")
  func errorsOfFields() async throws {
    let state = makeState()
    try await screen.answer(
      .json(#"{"data": {"list": [], "next": null}, "errors": [{"message": "no name", "path": ["list", 0]}]}"#))
    await until { !state.isLoading }
    #expect(state.hasLoaded && state.errors.map(\.message) == ["no name"] && state.error == nil)
  }

  @Test("Empty pages are passed, the first one as well; a released state asks for nothing more")
  func emptyPages() async throws {
    var state: PagerState<Character>? = makeState()
    weak let released = state
    try await screen.answer(page([], next: 1))
    try await screen.answer(page([], next: 2))
    _ = try await screen.transport.next()
    #expect(screen.requestCount == 3 && state?.hasNext == true)
    state = nil
    await until { released == nil }
    await until { screen.transport.pending.isEmpty }
    try await settle(screen.client)
    #expect(screen.requestCount == 3)
  }

  @Test("What fails is told as what it is: the first page, while the next one comes")
  func firstPageFailsBesideTheNext() async throws {
    try await write([1, 2], page: 0, next: 1)
    let state = makeState()
    await until { state.hasNext }
    let first = try await screen.transport.next()
    let next = Task { await state.loadNext() }
    let second = try await screen.transport.next()
    first.resolve(.status(500))
    await until { state.error != nil }
    #expect(state.errorNext == nil && state.isLoadingNext)
    second.resolve(page([3], next: nil))
    await next.value
    #expect(state.items.count == 3 && state.errorNext == nil)
  }

  @Test("Without a network, the pages that the cache has follow each other by themselves")
  func cachedPages() async throws {
    for page in 0..<3 { try await write([page], page: page, next: page + 1) }
    screen.transport.expect(ListQuery.self).respond { _ in .failure(URLError(.notConnectedToInternet)) }
    let state = makeState()
    let list = Redraws { if let last = state.items.last { state.loadNextIfNeeded(at: last) } }
    await until { state.errorNext != nil && !state.isLoadingNext }
    #expect(state.items.map(\.id) == ["0", "1", "2"] && list.count > 0)
    #expect(state.error is URLError && state.errorNext is URLError)
  }

  @Test("A page that another part of the app loads is not an error")
  func loadedElsewhere() async throws {
    let pager = makePager(), state = PagerState(pager)
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    let all = Task { try await pager.loadAll(fetchFromInitialPage: false) }
    let request = try await screen.transport.next()
    await state.loadNext()
    #expect(state.errorNext == nil)
    request.resolve(page([2], next: nil))
    try await all.value
    await until { state.items.count == 2 }
    #expect(state.errorNext == nil && !state.hasNext)
  }

  @Test(
    "A state that goes leaves the request to another one of its pager; a failure before it does not keep one from loading"
  )
  func sharedPager() async throws {
    let pager = makePager(), state = PagerState(pager)
    _ = try await screen.transport.next()
    var other: PagerState<Character>? = PagerState(pager)
    let request = try await screen.transport.next()
    weak let released = other
    other = nil
    await until { released == nil }
    request.resolve(.status(500))
    await until { state.error != nil }
    let third = PagerState(pager)
    try await screen.answer(page([1], next: nil))
    await until { state.items.count == 1 && third.items.count == 1 }
    #expect(state.error == nil && third.error == nil)
  }

  @Test("After a reset and a sign-out nothing of the user is shown, and a new state loads")
  func resetAndSignOut() async throws {
    let pager = makePager(), state = PagerState(pager)
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    await pager.reset()
    try await screen.client.signOut()
    await until { state.items.isEmpty }
    #expect(!state.hasLoaded && !state.hasNext)
    let new = PagerState(pager)
    #expect(new.items.isEmpty && new.isLoading)
    try await screen.answer(page([2], next: nil))
    await until { new.items.count == 1 && state.items.count == 1 }
  }

  @Test("After a reset by another part of the app, the next page is an error once, and offered again with new pages")
  func loadAfterReset() async throws {
    let pager = makePager(), state = PagerState(pager)
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    await pager.reset()
    await state.loadNext()
    #expect(state.errorNext != nil && !state.hasNext && !state.hasPrevious && state.items.count == 1)
    let fetch = Task { await pager.fetch() }
    try await screen.answer(page([1, 2], next: 1))
    await fetch.value
    await until { state.items.count == 2 && state.hasNext }
    async let next: Void = state.loadNext()
    try await screen.answer(page([3], next: nil))
    await next
    #expect(state.items.count == 3 && state.errorNext == nil)
  }

  @Test("A refetch goes on when the view that has asked for it ends its task")
  func cancelledRefetch() async throws {
    let state = makeState()
    try await screen.answer(page([1], next: nil))
    await until { !state.isLoading }
    let refetch = Task { await state.refetch() }
    let request = try await screen.transport.next()
    refetch.cancel()
    try await settle(screen.client)
    request.resolve(page([1, 2], next: nil))
    await until { state.items.count == 2 && !state.isLoading }
  }

  @Test("A page comes although the view that has asked for it ends its task, and asks again meanwhile")
  func cancelledNext() async throws {
    let state = makeState()
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    let next = Task { await state.loadNext() }
    let request = try await screen.transport.next()
    next.cancel()
    await state.loadNext()
    try await settle(screen.client)
    request.resolve(page([2], next: nil))
    await until { state.items.count == 2 && !state.isLoadingNext }
    #expect(state.errorNext == nil && screen.requestCount == 2)
  }

  @Test(
    "A call that was cancelled returns at once, and a state that is released ends its requests",
    arguments: [true, false])
  func cancelledAndReleased(isNext: Bool) async throws {
    var state: PagerState<Character>? = makeState()
    weak let released = state
    try await screen.answer(page([1], next: 1))
    await until { state?.hasNext == true && state?.isLoading == false }
    let call = Task { [state] in
      if isNext { await state?.loadNext() } else { await state?.refetch() }
    }
    _ = try await screen.transport.next()
    call.cancel()
    await call.value
    state = nil
    await until { released == nil }
    await until { screen.transport.pending.isEmpty }
  }

  @Test("No items are made on the main thread")
  func besideTheMainThread() async throws {
    let (calls, call) = AsyncStream<Bool>.makeStream()
    let state = PagerState(makePager(onPage: { call.yield(Thread.isMainThread) }))
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    async let next: Void = state.loadNext()
    try await screen.answer(page([2], next: 2))
    await next
    try await screen.write("Artoo", id: "1")
    await until { state.items.first?.name == "Artoo" }
    call.finish()
    var areMain: Set<Bool> = []
    for await isMain in calls { areMain.insert(isMain) }
    #expect(areMain == [false])
  }

  @Test("No items are made on the main thread for a state whose pager has pages already")
  func besideTheMainThreadWithPages() async throws {
    let (calls, call) = AsyncStream<Bool>.makeStream()
    let pager = makePager(onPage: { call.yield(Thread.isMainThread) })
    let loads = Task {
      await pager.fetch()
      try await pager.loadNext()
    }
    try await screen.answer(page([1], next: 1))
    try await screen.answer(page([2], next: 2))
    try await loads.value
    let state = PagerState(pager)
    await until { state.hasNext }
    #expect(state.items.map(\.id) == ["1", "2"] && !state.hasPrevious)
    call.finish()
    var areMain: Set<Bool> = []
    for await isMain in calls { areMain.insert(isMain) }
    #expect(areMain == [false])
  }
}
