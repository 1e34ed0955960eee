@testable import ApolloOutbox
@testable import Apollo
import Foundation
import Testing
import Waiting

// Calls that come while the owner changes, and changes of the owner that come at a time.

extension OutboxTests {
  @Suite("The owner of an outbox at the time of a call")
  struct OwnerCallTests {
    /// A storage that keeps files when the test says so.
    private final class WaitingStorage: Outbox.Storage {
      let memory = Outbox.InMemoryStorage()
      let calls = Awaited<[CheckedContinuation<Void, Never>]>([])

      func load() -> Outbox.Contents { memory.load() }
      func load(ownedBy owner: String?) -> Outbox.Contents { memory.load(ownedBy: owner) }
      func write(_ change: Outbox.Change) { memory.write(change) }

      func keep(_ files: [GraphQLFile], of id: UUID) async throws -> [GraphQLFile] {
        await withCheckedContinuation { call in calls.change { $0.append(call) } }
        return files
      }
    }

    @Test(
      "A mutation that was passed with a completion belongs to the owner at the time of the call",
      arguments: [false, true])
    func completion(isSignOut: Bool) async throws {
      let server = TodoServer(), storage = WaitingStorage(), outcomes = Awaited<[String]>([])
      let client = server.client(.http, Outbox.Configuration(storage: storage, owner: "A"))
      try await client.outbox.ready()
      let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
      let mutations: [(text: String, files: [GraphQLFile])] = [("a", [file]), ("b", [])]
      for (text, files) in mutations {
        client.enqueue(CreateTodo(text: text), files: files, queue: .global()) { result in
          let outcome = if case .success = result { "kept" } else { "failed" }
          outcomes.change { $0.append(outcome) }
        }
      }
      let call = try await storage.calls.take { $0.isEmpty ? nil : $0.removeFirst() }
      let former = client.outbox.queue
      let change = Task {
        if isSignOut { try await client.signOut() } else { try await client.outbox.setOwner("B") }
      }
      // (The storage is not left, or emptied, while it copies files.)
      try await eventually("the mutations of the former owner have ended") { await former.isStopped }
      call.resume()
      try await change.value
      try await outcomes.until { $0.count == 2 }
      #expect(outcomes.value == ["failed", "failed"])
      try await client.outbox.flush()
      #expect(server.requests.isEmpty && storage.memory.load().rows.isEmpty)
    }

    @Test("Of two changes of the owner at a time, the credentials of the later one stay, and the pause is carried over")
    func twoChanges() async throws {
      let server = TodoServer(), client = server.client(.http, Outbox.Configuration(owner: "A")), user = Locked("A")
      await client.outbox.pause()
      let isChanging = Event(), goOn = Event()
      let first = Task {
        try await client.outbox.setOwner("B") {
          isChanging.happen()
          try? await goOn.wait()
          user.withLock { $0 = "B" }
        }
      }
      try await isChanging.wait()
      let second = Task { try await client.outbox.setOwner("C") { user.withLock { $0 = "C" } } }
      // (It may come before it waits, which changes nothing.)
      for _ in 0..<100 { await Task.yield() }
      #expect(user.withLock { $0 } == "A")
      goOn.happen()
      try await first.value
      try await second.value
      #expect(user.withLock { $0 } == "C" && client.outbox.owner == "C")
      #expect(await client.outbox.isPaused)
    }

    @Test("A second change to the same owner returns when the first one is done")
    func sameOwner() async throws {
      let server = TodoServer(), client = server.client(.http, Outbox.Configuration(owner: "A")), user = Locked("A")
      let isChanging = Event(), goOn = Event()
      let first = Task {
        try await client.outbox.setOwner("B") {
          isChanging.happen()
          try? await goOn.wait()
          user.withLock { $0 = "B" }
        }
      }
      try await isChanging.wait()
      let second = Task {
        try await client.outbox.setOwner("B")
        return user.withLock { $0 }
      }
      for _ in 0..<100 { await Task.yield() }
      goOn.happen()
      #expect(try await second.value == "B")
      try await first.value
    }

    @Test("An authenticator that closes the client while it renews waits for nothing that waits for it")
    func closeWithinRenewal() async throws {
      final class Closing: Authenticator {
        let client = Locked<ApolloClient?>(nil)
        let isClosed = Event()
        func credentials() -> [String: String] { ["Authorization": "x"] }
        func renew(refused: [String: String]) async throws -> Bool {
          try await client.withLock { $0 }?.close()
          isClosed.happen()
          return false
        }
      }
      let server = TodoServer(), closing = Closing()
      let client = server.client(.http, try Place(.disk).launch()) { $0.authenticator = closing }
      closing.client.withLock { $0 = client }
      server.plan(.status(401))
      let queued = try await client.enqueue(CreateTodo(text: "1"))
      try await closing.isClosed.wait()
      await #expect(throws: CancellationError.self) { try await queued.value }
      closing.client.withLock { $0 = nil }
    }

    @Test("Mutations that wait when the user signs out are not told as failed")
    func signOut() async throws {
      let server = TodoServer(), failures = Locked(0)
      let settings = try Place(.memory).launch {
        $0.registry.register(CreateTodo.self, completion: { _ in failures.withLock { $0 += 1 } })
      }
      let client = server.client(.http, settings)
      server.always = .held
      let queued = [
        try await client.enqueue(CreateTodo(text: "a")), try await client.enqueue(CreateTodo(text: "b")),
        try await client.enqueue(CreateTodo(text: "c"), scope: "other"),
      ]
      try await eventually("two are under way") { server.heldCount == 2 }
      try await client.signOut()
      for one in queued { await #expect(throws: CancellationError.self) { try await one.value } }
      #expect(failures.withLock { $0 } == 0 && server.requests.count == 2)
    }
  }
}
