import Apollo
import ApolloMocks
import ApolloPagination
import Foundation
import Testing

@testable import ApolloUI

/// What a list of pages shows whose pager another screen uses as well, or another user has used.
@MainActor @Suite("Pagers of several screens", .timeLimit(.minutes(10)))
struct SharedPagerTests {
  let screen = Screen()

  private func page(_ ids: [Int], next: Int?) -> MockResponse {
    .data([
      "list": .list(ids.map { ["__typename": "Droid", "id": .string("\($0)"), "name": .string("Droid \($0)")] }),
      "next": next.map { .int($0) } ?? .null,
    ])
  }

  private func makePager() -> GraphQLQueryPager<[Character]> {
    GraphQLQueryPager(
      client: screen.client, initialQuery: ListQuery(),
      extractPageInfo: { (page: PageExtractionData<ListQuery, ListQuery, [Character]?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _):
          CursorBasedPagination.Forward(hasNext: data.next != nil, endCursor: data.next.map { "\($0)" })
        }
      },
      pageResolver: { page, _ in page.endCursor.flatMap { Int($0) }.map { ListQuery(page: $0) } },
      initialTransform: { $0.list }, pageTransform: { $0.list })
  }

  @Test("After a failure, a new state has all pages before the first frame, and asks for nothing")
  func afterFailure() async throws {
    let pager = makePager(), state = PagerState(pager)
    try await screen.answer(page([1, 2], next: 1))
    await until { state.hasNext && !state.isLoading }
    async let next: Void = state.loadNext()
    try await screen.answer(page([3], next: 2))
    await next
    async let failed: Void = state.loadNext()
    try await screen.answer(.status(500))
    await failed
    #expect(state.errorNext != nil)
    let new = PagerState(pager)
    #expect(new.items.map(\.id) == ["1", "2", "3"] && new.hasLoaded && !new.isLoading)
    await until { new.errorNext != nil && new.hasNext }
    try await settle(screen.client)
    #expect(new.items.count == 3 && state.items.count == 3 && screen.requestCount == 3)
  }

  @Test(
    "A new state of a pager with pages loads the page beside them at once, if there is one", arguments: [true, false])
  func loadAtOnce(hasNext: Bool) async throws {
    let pager = makePager()
    async let fetched: Void = pager.fetch()
    try await screen.answer(page([1, 2], next: hasNext ? 1 : nil))
    await fetched
    let state = PagerState(pager)
    #expect(state.items.count == 2)
    screen.transport.expect(ListQuery.self).respond(page([3], next: nil))
    await state.loadNext()
    #expect(state.items.count == (hasNext ? 3 : 2) && !state.hasNext && state.errorNext == nil)
    let other = PagerState(pager)
    await other.loadPrevious()
    #expect(!other.hasPrevious && other.errorPrevious == nil && !other.isLoadingPrevious)
    #expect(screen.requestCount == (hasNext ? 2 : 1))
  }

  @Test("A new state whose first page is on its way asks for no page beside it")
  func loadTooEarly() async throws {
    let state = PagerState(makePager())
    await state.loadNext()
    await state.loadPrevious()
    #expect(state.errorNext == nil && state.errorPrevious == nil && state.isLoading)
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    #expect(screen.requestCount == 1)
  }

  @Test("A state whose request another state has replaced is loading until the page is there")
  func overlapping() async throws {
    let pager = makePager(), state = PagerState(pager)
    _ = try await screen.transport.next()
    let other = PagerState(pager)
    let request = try await screen.transport.next()
    try await settle(screen.client)
    #expect(state.isLoading && other.isLoading)
    request.resolve(page([1], next: nil))
    await until { !state.isLoading && !other.isLoading }
    #expect(state.items.count == 1 && other.items.count == 1)
  }

  @Test("After a sign-out no error of the former user stays, and the list of the next one goes on by itself")
  func signOut() async throws {
    let pager = makePager(), state = PagerState(pager)
    try await screen.answer(page([1], next: 1))
    await until { state.hasNext && !state.isLoading }
    async let failed: Void = state.loadNext()
    try await screen.answer(.status(500))
    await failed
    #expect(state.errorNext != nil)
    try await screen.client.signOut()
    await until { state.error != nil && state.items.isEmpty }
    #expect(state.errorNext == nil && !state.hasLoaded)
    let new = PagerState(pager)
    #expect(new.items.isEmpty && new.isLoading)
    try await screen.answer(page([2], next: 1))
    await until { new.items.count == 1 && !new.isLoading && state.items.count == 1 }
    #expect(new.error == nil && state.error == nil && state.errorNext == nil)
    state.loadNextIfNeeded(at: state.items[0])
    try await screen.answer(page([3], next: nil))
    await until { state.items.count == 2 && new.items.count == 2 }
  }

  @Test("An error without a path stays when the page changes in the cache, and is told once")
  func errorWithoutPath() async throws {
    let state = PagerState(
      ListQuery(), client: screen.client, items: \.list, next: { $0.next.map { ListQuery(page: $0) } })
    let list = #"{"list": [{"__typename": "Droid", "id": "1", "name": "Droid 1"}], "next": 1}"#
    try await screen.answer(.json(#"{"data": \#(list), "errors": [{"message": "slow"}]}"#))
    await until { state.hasLoaded && !state.isLoading }
    #expect(state.errors.map(\.message) == ["slow"])
    let errors = Redraws { _ = state.errors }
    try await screen.write("Artoo", id: "1")
    await until { state.items.first?.name == "Artoo" }
    try await settle(screen.client)
    #expect(state.errors.map(\.message) == ["slow"] && errors.count == 0 && screen.requestCount == 1)
  }
}
