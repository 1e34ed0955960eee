import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

/// What becomes of a call when the task that waits for it is cancelled, as SwiftUI does when a screen is left.
@MainActor @Suite("Cancelled calls of states", .timeLimit(.minutes(10)))
struct CancelledCallTests {
  let screen = Screen()

  private func answer(_ request: MockRequest, _ name: String) async {
    while !request.resolve(hero(name)), !Task.isCancelled { await Task.yield() }
  }

  @Test("A refetch whose task is cancelled returns at once, and the request goes on for the others")
  func refetch() async throws {
    try await screen.write("R2-D2")
    let state = screen.state()
    let cancelled = Task { try await state.refetch() }
    let other = Task { try await state.refetch() }
    let request = try await screen.transport.next()
    await until { state.refetches.count == 2 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(state.refetches.count == 1 && state.fetchStatus == .fetching)
    await answer(request, "Artoo")
    #expect(try await other.value.data?.hero?.name == "Artoo")
    #expect(state.refetches.isEmpty && screen.requestCount == 1)
  }

  @Test("A fetchMore whose task is cancelled returns at once, and the page comes")
  func more() async throws {
    try await screen.write("R2-D2")
    let state = screen.state(), next = HeroQuery(episode: "JEDI")
    let cancelled = Task { try await state.fetchMore(next) }
    let request = try await screen.transport.next()
    let other = Task { try await state.fetchMore(next).data?.hero?.name }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(state.isFetchingMore)
    await answer(request, "Artoo")
    #expect(try await other.value == "Artoo")
    #expect(!state.isFetchingMore && state.data?.hero?.name == "Artoo" && screen.requestCount == 1)
  }

  @Test("A state whose only call was cancelled can be released, which ends its requests", arguments: [true, false])
  func released(isMore: Bool) async throws {
    try await screen.write("R2-D2")
    var state: QueryState<HeroQuery>? = screen.state()
    weak let released = state
    let call = Task<Void, any Error> { [state] in
      if isMore { _ = try await state?.fetchMore(HeroQuery(episode: "JEDI")) } else { _ = try await state?.refetch() }
    }
    _ = try await screen.transport.next()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    state = nil
    await until { released == nil }
    await until { screen.transport.pending.isEmpty }
  }
}
