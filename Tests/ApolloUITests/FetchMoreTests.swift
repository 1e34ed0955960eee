import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Pages that a state asks for, which are requests of the state as well.
@MainActor @Suite("More of the list of a state", .timeLimit(.minutes(2)))
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
}
