import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// What a screen shows while a user signs out, and after it.
@MainActor @Suite("States of a user who goes", .timeLimit(.minutes(10)))
struct UserTests {
  /// Does something in the middle of a sign-out, when the cache still has the user's data.
  @MainActor
  final class Middle: Authenticator {
    var body: () -> Void = {}

    nonisolated func credentials() -> [String: String] { [:] }
    nonisolated func renew(refused: [String: String]) -> Bool { false }
    nonisolated func forgetCredentials() async { await run() }

    private func run() { body() }
  }

  /// What was made for a screen, and the names that it has shown.
  @MainActor
  final class Made {
    let state: QueryState<HeroQuery>
    let row: FragmentState<Character>
    var names: [String?] = []
    var watchers: [any Cancellable] = []
    var draws: [Redraws] = []

    init(_ screen: Screen) {
      state = screen.state()
      row = FragmentState(Character.self, withKey: "Droid:1", client: screen.client)
      let (state, row) = (state, row)
      draws = [
        Redraws { [weak self] in self?.names.append(state.data?.hero?.name) },
        Redraws { [weak self] in self?.names.append(row.data?.name) },
      ]
      let fragments = screen.client.watchFragment(Character.self, withKey: "Droid:1") { [weak self] in
        self?.names.append($0?.name)
      }
      let heroes = screen.client.watch(query: HeroQuery()) { [weak self] result in
        self?.names.append((try? result.get())?.data?.hero?.name)
      }
      watchers = [fragments, heroes]
    }
  }

  @Test("What is made while the user signs out shows nothing of this user, neither at once nor later")
  func meanwhile() async throws {
    let middle = Middle(), screen = Screen(authenticator: middle)
    try await screen.write("R2-D2")
    var all: [Made] = []
    middle.body = {
      #expect(screen.client.isSigningOut)
      all.append(Made(screen))
    }
    try await screen.client.signOut()
    let made = try #require(all.first)
    #expect(!screen.client.isSigningOut)
    await until { made.state.error != nil && made.draws[1].count > 0 && made.names.count > 4 }
    try await settle(screen.client)
    #expect(made.names.allSatisfy { $0 == nil } && made.state.text == "failed empty idle")
    // A view is drawn for the end, and begins anew.
    made.row.restart()
    try await screen.write("C-3PO")
    await until { made.row.data?.name == "C-3PO" }
    #expect(screen.state().text == "C-3PO complete idle")
  }

  @Test("The errors of the user are gone as well; that of the sign-out stays")
  func errors() async throws {
    let screen = Screen()
    try await screen.write("R2-D2")
    let state = screen.state(), refetch = Task { try await state.refetch() }
    try await screen.answer(.failure(URLError(.badServerResponse)))
    _ = try? await refetch.value
    #expect(state.error != nil)
    state.hide(true, grace: .zero)
    await until { state.watch == nil }
    let failed = EventState(RenamedSubscription(), client: screen.client)
    try await screen.answer(.status(500))
    await until { failed.error != nil }
    let running = EventState(RenamedSubscription(), client: screen.client)
    _ = try await screen.transport.next()
    try await screen.client.signOut()
    await until { state.error == nil && failed.error == nil && running.error != nil }
    try await settle(screen.client)
    #expect((running.error as? any ApolloError)?.code == .signedOut && state.data == nil)
  }
}
