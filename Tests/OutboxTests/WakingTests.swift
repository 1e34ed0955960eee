@testable import ApolloOutbox
@testable import Apollo
import Foundation
import Testing
import Waiting

extension OutboxTests {
  /// Whatever calls an outbox, or wakes it, its own work knows nothing of that.
  @Suite("What wakes an outbox")
  struct WakingTests {
    private enum Waker { @TaskLocal static var isRunning = false }

    /// Notes whether the tasks that ask for credentials have inherited something.
    private final class Noting: Authenticator {
      let asked = Locked<[Bool]>([])

      func credentials() -> [String: String] {
        asked.withLock { $0.append(Waker.isRunning) }
        return [:]
      }

      func renew(refused: [String: String]) -> Bool { false }
    }

    enum Call: CaseIterable, Sendable { case enqueue, passing, resume, retry, flush, answer }

    @Test(
      "What sends a mutation inherits nothing of the task that calls the outbox or wakes it", arguments: Call.allCases)
    func inheritance(call: Call) async throws {
      let server = TodoServer(), authenticator = Noting()
      let settings = try Place(.memory).launch { ($0.retry.baseDelay, $0.retry.maxDelay) = (3600, 3600) }
      let client = server.client(.http, settings) { $0.authenticator = authenticator }
      switch call {
      case .enqueue, .passing: break
      case .resume: await client.outbox.pause()
      case .retry: server.plan(.status(400))
      case .flush, .answer: server.plan(.noNetwork)
      }
      var id = UUID()
      if call != .enqueue, call != .passing {
        let queued = try await client.enqueue(CreateTodo(text: "a"))
        id = queued.id
        try await eventually("it waits, or has failed") {
          switch queued.state {
          case .queued: call == .resume
          case .waitingForNetwork, .failed: true
          default: false
          }
        }
      }
      try await Waker.$isRunning.withValue(true) {
        switch call {
        case .enqueue: try await client.enqueue(CreateTodo(text: "a"))
        case .passing: client.enqueue(CreateTodo(text: "a"), queue: .global()) { _ in }
        case .resume: await client.outbox.resume()
        case .retry: #expect(await client.outbox.retry(id))
        case .flush: try await client.outbox.flush()
        case .answer: _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
        }
      }
      try await eventually("it is sent") { server.texts == ["a"] }
      // The query itself is of the caller.
      #expect(authenticator.asked.withLock { $0 }.count { $0 } == (call == .answer ? 1 : 0))
      await client.outbox.close()
    }

    // MARK: Transactions

    private static func client(_ server: TodoServer, _ store: ApolloStore) async throws -> ApolloClient {
      let client = server.client(.http, try Place(.memory).launch(), store: store)
      _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
      return client
    }

    private static func guess(_ text: String, _ id: String = "1") -> RenameTodo.Data {
      RenameTodo.Data(renameTodo: Todo(id: id, text: text))
    }

    @Test(
      "What is enqueued in the body of a transaction is shown when that has ended, and its answer is written",
      arguments: [false, true])
    func transaction(isAnsweredInBody: Bool) async throws {
      let server = TodoServer(), store = ApolloStore()
      server.add("1", "old")
      let client = try await Self.client(server, store)
      if !isAnsweredInBody { server.always = .held }
      let queued = try await store.withinReadWriteTransaction { _ -> Outbox.QueuedMutation<RenameTodo> in
        let queued = try await client.enqueue(
          RenameTodo(id: "1", text: "new"), optimisticData: Self.guess("guess"))
        try await eventually("the server has it") {
          isAnsweredInBody ? !server.executions.isEmpty : server.heldCount == 1
        }
        return queued
      }
      if !isAnsweredInBody {
        try await eventually("it is shown") { try await store.texts() == ["guess"] }
        server.release()
      }
      let result = try await queued.value
      #expect(result.cacheInfo.error == nil)
      try await eventually("no guess is left") { store.optimisticUpdates.isEmpty }
      #expect(try await store.texts() == ["new"])
      await client.outbox.close()
    }

    @Test("Of several that are enqueued in one body, the last one is on top; what is cancelled there is not shown")
    func severalInTransaction() async throws {
      let server = TodoServer(), store = ApolloStore()
      server.add("1", "one")
      server.add("2", "two")
      let client = try await Self.client(server, store)
      await client.outbox.pause()
      let before = try await client.enqueue(RenameTodo(id: "2", text: "x"), optimisticData: Self.guess("x", "2"))
      #expect(try await store.texts() == ["one", "x"])
      try await store.withinReadWriteTransaction { _ in
        for text in ["a", "b", "c"] {
          try await client.enqueue(RenameTodo(id: "1", text: text), optimisticData: Self.guess(text))
        }
        #expect(await before.cancel())
      }
      try await eventually("they are shown") { try await store.texts() == ["c", "two"] }
      // What comes next is on top.
      try await client.enqueue(RenameTodo(id: "1", text: "d"), optimisticData: Self.guess("d"))
      #expect(try await store.texts() == ["d", "two"])
      await client.outbox.close()
    }

    @Test("A client that is made in the body of a transaction takes mutations there, and shows all of them after it")
    func clientInTransaction() async throws {
      let server = TodoServer(), store = ApolloStore(), storage = Outbox.InMemoryStorage()
      server.add("1", "old")
      _ = try await server.client(.http, store: store).fetch(
        query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
      @Sendable func client() -> ApolloClient {
        let monitor = ManualNetworkMonitor(isOnline: false)
        return server.client(.http, Outbox.Configuration(storage: storage), store: store, monitor: monitor)
      }
      let first = client()
      try await first.enqueue(RenameTodo(id: "1", text: "a"), optimisticData: Self.guess("a"))
      await first.outbox.close()
      #expect(try await store.texts() == ["old"])
      let next = try await store.withinReadWriteTransaction { _ -> ApolloClient in
        let next = client()
        try await next.enqueue(RenameTodo(id: "1", text: "b"), optimisticData: Self.guess("b"))
        return next
      }
      try await next.outbox.ready()
      try await eventually("both are shown, in their order") {
        store.optimisticUpdates.count == 2 ? try await store.texts() == ["b"] : false
      }
      await next.outbox.close()
      #expect(try await store.texts() == ["old"])
    }

    /// A call in the body of a transaction.
    enum CallInBody: CaseIterable, Sendable { case fetch, flush }

    @Test(
      "A call in the body of a transaction does not wait for what an earlier launch has left, which is shown after it",
      arguments: CallInBody.allCases)
    func callInTransaction(_ call: CallInBody) async throws {
      let server = TodoServer(), store = ApolloStore(), storage = Outbox.InMemoryStorage()
      server.add("1", "old")
      @Sendable func client(isOnline: Bool) -> ApolloClient {
        let monitor = ManualNetworkMonitor(isOnline: isOnline)
        return server.client(.http, Outbox.Configuration(storage: storage), store: store, monitor: monitor)
      }
      let first = client(isOnline: false)
      try await first.enqueue(RenameTodo(id: "1", text: "new"), optimisticData: Self.guess("new"))
      await first.outbox.close()
      let next = try await store.withinReadWriteTransaction { _ -> ApolloClient in
        let next = client(isOnline: true)
        switch call {
        case .fetch: _ = try await next.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
        case .flush: try await next.outbox.flush()
        }
        #expect(server.executions.isEmpty)
        return next
      }
      try await next.outbox.flush()
      #expect(server.executions.count == 1 && next.outbox.count == 0)
      await next.outbox.close()
    }
  }
}
