import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

@MainActor @Suite("The network that a state of the outbox shows", .timeLimit(.minutes(10)))
struct OutboxStateTests {
  @Test("Whether there is a network is told before anything is enqueued, and after a sign-out")
  func onlineWithoutMutations() async throws {
    let monitor = ManualNetworkMonitor(isOnline: true), screen = Screen(monitor: monitor)
    let state = OutboxState(client: screen.client)
    try await settle(screen.client)
    monitor.isOnline = false
    await until { !state.isOnline }
    monitor.isOnline = true
    await until { state.isOnline }
    try await screen.client.signOut()
    try await settle(screen.client)
    monitor.isOnline = false
    await until { !state.isOnline }
    monitor.isOnline = true
    await until { state.isOnline }
  }
}
