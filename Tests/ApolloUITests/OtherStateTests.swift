import Apollo
import ApolloMocks
import Foundation
import Testing

@testable import ApolloUI

@MainActor @Suite("The state of a fragment, and of a mutation", .timeLimit(.minutes(10)))
struct OtherStateTests {
  let screen = Screen()

  private func card(_ id: String) -> FragmentState<Character> {
    FragmentState(Character.self, withKey: "Droid:\(id)", client: screen.client)
  }

  @Test("A fragment is there at once, follows its object, and is nil while a part of it is missing")
  func fragment() async throws {
    try await screen.write("R2-D2")
    let card = card("1"), other = self.card("2")
    #expect(card.data?.name == "R2-D2" && other.data == nil)
    try await screen.write("Artoo")
    await until { card.data?.name == "Artoo" }
    try await screen.client.store.withinReadWriteTransaction { try await $0.removeObject(for: "Droid:1") }
    await until { card.data == nil }
    try await screen.write("Luke", id: "2")
    await until { other.data?.name == "Luke" }
    #expect(FragmentState(Character.self, withKey: "Droid:1", client: nil).data == nil)
  }

  @Test("Of a thousand rows, the one whose object changes is drawn anew")
  func rows() async throws {
    let ids = (0..<1000).map(String.init)
    try await screen.client.store.publish(
      records: RecordSet(
        records: ids.map { Record(key: "Droid:\($0)", ["__typename": "Droid", "id": .string($0), "name": "old"]) }))
    let cards = ids.map(card), redraws = cards.map { card in Redraws { _ = card.data } }
    #expect(cards.allSatisfy { $0.data?.name == "old" })
    try await settle(screen.client)
    try await screen.write("new", id: "500")
    await until { cards[500].data?.name == "new" }
    try await settle(screen.client)
    #expect(redraws.map(\.count).reduce(0, +) == 1 && redraws[500].count == 1)
  }

  @Test("A fragment that is released leaves nothing")
  func released() async throws {
    var card: FragmentState? = card("1")
    weak let weakCard = card
    card = nil
    #expect(weakCard == nil)
  }

  @Test("A mutation runs, and its result is there; a failure is as well")
  func mutation() async throws {
    let state = MutationState<RenameMutation>(client: screen.client)
    #expect(!state.isRunning && state.result == nil && state.error == nil)
    let run = Task { try await state.run(RenameMutation()) }
    await until { state.isRunning }
    try await screen.answer(hero("Bea", field: "rename"))
    #expect(try await run.value.data?.rename.name == "Bea")
    #expect(!state.isRunning && state.data?.rename.name == "Bea")
    let failed = Task { try await state.run(RenameMutation()) }
    await until { state.isRunning }
    #expect(state.data == nil)
    try await screen.answer(.failure(URLError(.badServerResponse)))
    await #expect(throws: OperationError.self) { try await failed.value }
    #expect(!state.isRunning && (state.error as? URLError)?.code == .badServerResponse)
    state.reset()
    #expect(state.error == nil)
  }

  @Test("A mutation that the server refuses returns its response, and the state has the error")
  func refused() async throws {
    let state = MutationState<RenameMutation>(client: screen.client)
    let run = Task { try await state.run(RenameMutation()) }
    try await screen.answer(.json(#"{"data":null,"errors":[{"message":"no"}]}"#))
    #expect(try await run.value.data == nil)
    #expect(!state.isRunning && state.result?.errors?.count == 1)
    let error = try #require(state.error as? ResultError)
    #expect(error.graphQLErrors.map(\.message) == ["no"])
    let again = Task { try await state.run(RenameMutation()) }
    try await screen.answer(hero("Bea", field: "rename"))
    _ = try await again.value
    #expect(state.error == nil && state.data?.rename.name == "Bea")
  }

  @Test("All calls are sent, and the state is that of the last one")
  func lastCall() async throws {
    let state = MutationState<RenameMutation>(client: screen.client)
    let first = Task { try await state.run(RenameMutation()) }
    let firstRequest = try await screen.transport.next()
    let second = Task { try await state.run(RenameMutation()) }
    let secondRequest = try await screen.transport.next()
    while !secondRequest.resolve(hero("second", field: "rename")), !Task.isCancelled { await Task.yield() }
    _ = try await second.value
    while !firstRequest.resolve(hero("first", field: "rename")), !Task.isCancelled { await Task.yield() }
    #expect(try await first.value.data?.rename.name == "first")
    #expect(state.data?.rename.name == "second" && !state.isRunning)
  }

  @Test("What comes after a reset is not shown; without a client a call fails")
  func reset() async throws {
    let state = MutationState<RenameMutation>(client: screen.client)
    let run = Task { try await state.run(RenameMutation()) }
    let request = try await screen.transport.next()
    state.reset()
    while !request.resolve(hero("Bea", field: "rename")), !Task.isCancelled { await Task.yield() }
    _ = try await run.value
    #expect(state.data == nil && !state.isRunning)
    let without = MutationState<RenameMutation>(client: nil)
    await #expect(throws: StateError.self) { try await without.run(RenameMutation()) }
    #expect(without.error is StateError)
  }
}
