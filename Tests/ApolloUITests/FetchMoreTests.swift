import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Pages that a state asks for, which are requests of the state as well.
@MainActor @Suite("More of the list of a state", .timeLimit(.minutes(10)))
struct FetchMoreTests {
  let screen = Screen()
  let next = HeroQuery(episode: "JEDI")

  @Test("fetchMore: the configuration of the state holds, unless the call has one of its own")
  func configuration() async throws {
    let state = screen.state(
      HeroQuery(), .default, RequestConfiguration(writeResultsToCache: false, headers: ["X-Tenant": "7"]))
    try await screen.answer(hero("R2-D2"))
    await until { state.data != nil }
    for (configuration, tenant) in [(nil, "7"), (RequestConfiguration(headers: ["X-Tenant": "8"]), "8")] {
      let more = Task { try await state.fetchMore(next, requestConfiguration: configuration).data?.hero?.name }
      let request = try await screen.transport.next()
      #expect(request.urlRequest.value(forHTTPHeaderField: "X-Tenant") == tenant)
      request.resolve(hero("Luke", id: "2"))
      #expect(try await more.value == "Luke")
      #expect((screen.client.store.readIfInMemory(next) == nil) == (configuration == nil))
    }
  }

  @Test("fetchMore: a skipped state sends nothing, and says so")
  func skipped() async throws {
    let state = screen.state(isSkipped: true)
    await #expect(throws: StateError.isSkipped) { try await state.fetchMore(next) }
    #expect(screen.requestCount == 0 && !state.isFetchingMore)
  }

  @Test("fetchMore: a cancelled state follows the cache again, and shows the page", arguments: [false, true])
  func cancelled(isHidden: Bool) async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    if isHidden { state.hide(true, grace: .seconds(1000)) }
    state.cancel()
    let more = Task { try await state.fetchMore(next) }
    try await screen.answer(hero("Artoo"))
    _ = try await more.value
    await until { state.data?.hero?.name == "Artoo" }
    #expect(!state.isFetchingMore && screen.requestCount == 1)
  }

  @Test("fetchMore: a cancelled state does not ask for its query again, whatever its policy: the page is shown")
  func cancelledUnderPolicy() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(HeroQuery(), .returnCacheDataAndFetch)
    try await screen.answer(hero("R2-D2"))
    await until { state.text == "R2-D2 complete idle" }
    state.cancel()
    let more = Task { try await state.fetchMore(next) }
    try await screen.answer(hero("Artoo"))
    _ = try await more.value
    await until { state.data?.hero?.name == "Artoo" }
    #expect(screen.requestCount == 2)
  }

  @Test("fetchMore: after a sign-out a state asks for its query as well, for the next user")
  func signedOut() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    try await screen.client.signOut()
    await until { state.error != nil }
    let more = Task { try await state.fetchMore(next) }
    for _ in 0..<2 { try await screen.answer(hero("C-3PO")) }
    _ = try await more.value
    await until { state.text == "C-3PO complete idle" }
    #expect(state.error == nil && screen.requestCount == 2)
  }
}
