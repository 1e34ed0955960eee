@testable import ApolloOutbox
@testable import Apollo
import Foundation
import Testing
import Waiting

// By behaviour: AppSync's "cancelling lets the queue proceed", "cancelling an offline mutation removes it" and "cancelAll".

extension OutboxTests {
  @Suite("Cancelling, trying again, and the end of an outbox")
  struct CancellingTests {
    @Test("A mutation that is expected to make an object of an interface is not taken: there is no such object")
    func abstractType() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      var todo = Todo(id: "7", text: "guess")
      todo.__typename = "Entry"
      let guess = CreateTodo.Data(createTodo: todo)
      let error = await #expect(throws: OperationError.self) {
        try await client.enqueue(CreateTodo(text: "a"), optimisticData: guess)
      }
      #expect(error?.code == .invalidRequest && error?.message.contains("'createTodo'") == true)
      #expect(client.outbox.count == 0)
    }

    @Test(
      "A mutation that waits, or is sent, can be cancelled; the next one is sent", arguments: Place.Kind.allCases,
      [false, true])
    func cancel(kind: Place.Kind, isUnderWay: Bool) async throws {
      let server = TodoServer(), place = try Place(kind), client = server.client(.http, try place.launch())
      if isUnderWay { server.plan(.held) } else { await client.outbox.pause() }
      let first = try await client.enqueue(
        CreateTodo(text: "a"), optimisticData: .init(createTodo: Todo(id: "7", text: "guess")))
      let second = try await client.enqueue(CreateTodo(text: "b"))
      if isUnderWay { try await eventually("it is under way") { server.heldCount == 1 } }
      #expect(await first.cancel())
      #expect(try await client.store.text("7") == nil)
      #expect(await !first.cancel())
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(try await place.copy().storage().load().rows.count <= 1)
      await client.outbox.resume()
      _ = try await second.value
      server.release()
      try await client.outbox.flush()
      #expect(server.executions.contains("CreateTodo b") && client.outbox.count == 0)
    }

    @Test("All can be cancelled at once, and nothing more is sent")
    func cancelAll() async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      server.plan(.held)
      for text in ["a", "b", "c"] { try await client.enqueue(CreateTodo(text: text)) }
      try await client.enqueue(CreateTodo(text: "d"), scope: "other", policy: Outbox.Policy())
      try await eventually("one is under way") { server.heldCount == 1 && server.texts == ["d"] }
      await client.outbox.cancelAll()
      #expect(client.outbox.count == 0 && server.requests.count == 2)
      #expect(try await place.copy().storage().load().rows.allSatisfy { $0.state == .answered })
      server.release()
    }

    @Test("What is cancelled while it is enqueued is neither kept nor sent, and holds nothing up", arguments: 0..<20)
    func cancelWhileEnqueuing(round: Int) async throws {
      let server = TodoServer(), place = try Place(.disk), client = server.client(.http, try place.launch())
      server.always = .noNetwork
      try await client.outbox.ready()
      let task = Task { try await client.enqueue(CreateTodo(text: "a")) }
      for _ in 0..<round { await Task.yield() }
      await client.outbox.cancelAll()
      _ = try? await task.value
      await client.outbox.cancelAll()
      server.always = nil
      let sent = server.executions.count
      _ = try await client.enqueue(CreateTodo(text: "b")).value
      #expect(server.executions.count == sent + 1)
      try await client.outbox.flush()
      await client.outbox.close()
      #expect(try await place.storage().load().rows.isEmpty)
    }

    @Test("When the outbox ends, no caller waits for ever")
    func ending() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.always = .noNetwork
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let value = Task { try await queued.value }, states = Task { await queued.history() }
      let statuses = client.outbox.statuses
      await client.outbox.close()
      await #expect(throws: CancellationError.self) { try await value.value }
      _ = await states.value
      for await _ in statuses {}
      await #expect(throws: OperationError.self) { try await client.outbox.flush() }
    }

    @Test("An answered mutation cannot be cancelled")
    func cancelAnswered() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      _ = try await queued.value
      #expect(await !queued.cancel())
      #expect(await !client.outbox.cancel(UUID()))
    }

    @Test("What waits behind others is not sent when all are cancelled, even before the storage is loaded")
    func cancelAllAtOnce() async throws {
      let server = TodoServer(), place = try Place(.disk), monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), monitor: monitor)
      for number in 0..<50 { try await first.enqueue(CreateTodo(text: "\(number)"), scope: "scope \(number % 10)") }
      await first.outbox.close()
      let next = server.client(.http, try place.launch { $0.maximumConcurrentScopes = 2 }, monitor: monitor)
      await next.outbox.cancelAll()
      try await next.outbox.flush()
      #expect(server.requests.isEmpty && next.outbox.count == 0)
    }

    @Test("A mutation that is tried again is not sent beside the one that is under way")
    func retryBesideAnother() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.status(400), .held)
      let first = try await client.enqueue(CreateTodo(text: "a"))
      await #expect(throws: (any Error).self) { try await first.value }
      try await client.enqueue(CreateTodo(text: "b"))
      try await eventually("the second is under way") { server.heldCount == 1 }
      #expect(await client.outbox.retry(first.id))
      #expect(await client.outbox.queue.mutations.underWay.count == 1)
      server.release()
      try await client.outbox.flush()
      #expect(server.texts == ["b", "a"] && server.mostUnderWay == 1)
    }
  }
}
