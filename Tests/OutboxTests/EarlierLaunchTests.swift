@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

// What an earlier launch has left, and what a later one makes of it.

extension OutboxTests {
  @Suite("Mutations of earlier launches")
  struct EarlierLaunchTests {
    @Test(
      "A mutation that an earlier launch has given up says so, and its result is not waited for",
      arguments: Place.Kind.allCases)
    func failed(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), outcomes = Locked(0)
      server.plan(.status(400))
      let first = server.client(.http, try place.launch())
      try await first.enqueue(CreateTodo(text: "a"))
      try await first.outbox.flush()
      await first.outbox.close()
      let next = server.client(
        .http,
        try place.launch { $0.registry.register(CreateTodo.self, completion: { _ in outcomes.withLock { $0 += 1 } }) })
      let queued = try #require(await next.outbox.queued(CreateTodo.self).first)
      guard case .failed = queued.state else {
        Issue.record("\(queued.state)")
        return
      }
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.operationName == "CreateTodo" && error?.message.contains("400") == true)
      #expect(outcomes.withLock { $0 } == 0)
      #expect(await next.outbox.retry(queued.id))
      try await next.outbox.flush()
      #expect(server.texts == ["a"] && outcomes.withLock { $0 } == 1)
      await next.outbox.close()
    }

    @Test("A mutation that another one has dropped pauses no scope, in a later launch either")
    func droppedMutation() async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      server.plan(.status(400))
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(onFailure: .dropScope))
      let dropped = try await client.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(onFailure: .pauseScope))
      await client.outbox.resume()
      let error = await #expect(throws: OperationError.self) { try await dropped.value }
      #expect(error?.code == .scopeDropped)
      await client.outbox.close()
      let next = server.client(.http, try place.launch())
      try await next.enqueue(CreateTodo(text: "c"))
      try await next.outbox.flush()
      #expect(server.texts == ["c"])
      #expect(await next.outbox.failed.count == 2)
      await next.outbox.close()
    }

    @Test("What is given up while it is loaded is told like all else, once, and its policy holds")
    func givenUpWhileLoading() async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(isOnline: false)
      let outcomes = Locked<[String]>([])
      func launch() throws -> ApolloClient {
        let settings = try place.launch {
          $0.registry.register(
            Attach.self,
            completion: { result in
              if case .failure(let error) = result { outcomes.withLock { $0.append("\(error)") } }
            })
        }
        return server.client(.http, settings, monitor: monitor)
      }
      let first = try launch()
      let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
      try await first.enqueue(Attach(), files: [file], policy: Outbox.Policy(onFailure: .dropScope))
      try await first.enqueue(CreateTodo(text: "b"))
      await first.outbox.close()
      try FileManager.default.removeItem(atPath: place.file.path + "-files")
      monitor.isOnline = true
      for _ in 0..<2 {
        let next = try launch()
        try await next.outbox.flush()
        #expect(await next.outbox.failed.map(\.error?.code) == [.storage, .scopeDropped])
        await next.outbox.close()
      }
      #expect(outcomes.withLock { $0.count } == 1 && server.requests.isEmpty)
    }

    @Test("An id stays as long as a mutation names it, whatever its age and whichever user signs in meanwhile")
    func oldID() async throws {
      let server = TodoServer(), place = try Place(.disk), clock = TestClock(), id = Outbox.makeLocalID()
      func client(_ owner: String, isOnline: Bool) throws -> ApolloClient {
        let monitor = ManualNetworkMonitor(isOnline: isOnline)
        return server.client(.http, try place.launch { $0.owner = owner }, monitor: monitor) { $0.clock = clock }
      }
      let first = try client("A", isOnline: true)
      _ = try await first.enqueue(CreateTodo(text: "a"), localID: id, idMapping: { $0.createTodo?.id }).value
      try await first.outbox.flush()
      await first.outbox.close()
      let offline = try client("A", isOnline: false)
      try await offline.enqueue(RenameTodo(id: id, text: "b"))
      await offline.outbox.close()
      await clock.advance(by: .seconds(100 * 86_400))
      let other = try client("B", isOnline: true)
      try await other.outbox.ready()
      await other.outbox.close()
      let last = try client("A", isOnline: true)
      try await last.outbox.flush()
      #expect(server.texts == ["b"])
      await last.outbox.close()
      // What no mutation names goes.
      let later = try client("A", isOnline: true)
      try await later.outbox.ready()
      #expect(later.outbox.serverID(for: id) == nil)
      await later.outbox.close()
    }

    @Test("What is tried again is shown below what was enqueued later")
    func placeOfRetry() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      func rename(_ text: String) async throws -> UUID {
        try await client.enqueue(
          RenameTodo(id: "1", text: text), optimisticData: .init(renameTodo: Todo(id: "1", text: text))
        ).id
      }
      server.plan(.status(400))
      let first = try await rename("first")
      try await client.outbox.flush()
      await client.outbox.pause()
      _ = try await rename("second")
      _ = try await rename("third")
      #expect(await client.outbox.retry(first))
      #expect(try await client.store.text("1") == "third")
      await client.outbox.cancelAll()
      #expect(try await client.store.text("1") == nil)
    }
  }
}
