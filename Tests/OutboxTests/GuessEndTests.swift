@testable import ApolloOutbox
@testable import Apollo
import Foundation
import Testing
import Waiting

// What mutations show ends with them, and with the outbox that would have sent them.

extension OutboxTests {
  @Suite("The end of guesses")
  struct GuessEndTests {
    /// A storage that keeps answers when the test says so.
    private final class HoldingStorage: Outbox.Storage {
      let memory = Outbox.InMemoryStorage()
      let answers = Awaited<[CheckedContinuation<Void, Never>]>([])

      func load() -> Outbox.Contents { memory.load() }
      func load(ownedBy owner: String?) -> Outbox.Contents { memory.load(ownedBy: owner) }

      func write(_ change: Outbox.Change) async {
        if change.saved.values.contains(where: { $0.state == .answered }) {
          await withCheckedContinuation { answer in answers.change { $0.append(answer) } }
        }
        memory.write(change)
      }
    }

    private static func guess(_ id: String) -> CreateTodo.Data { .init(createTodo: Todo(id: id, text: "guess")) }

    private static func leave(_ client: ApolloClient, isSignOut: Bool) async throws {
      if isSignOut { try await client.signOut() } else { try await client.outbox.setOwner("B") }
    }

    @Test("A mutation that is tried again while its owner leaves shows nothing any more", arguments: [false, true])
    func retryWhileLeaving(isSignOut: Bool) async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor()
      let client = server.client(.http, try Place(.memory).launch { $0.owner = "A" }, monitor: monitor)
      server.plan(.status(400))
      let first = try await client.enqueue(CreateTodo(text: "1"), optimisticData: Self.guess("1"))
      await #expect(throws: OperationError.self) { try await first.value }
      monitor.isOnline = false
      try await client.enqueue(CreateTodo(text: "2"), optimisticData: Self.guess("2"))
      #expect(client.store.optimisticUpdates.count == 1)

      let queue = client.outbox.queue, isBusy = Event(), goOn = Event()
      async let turn: Void = client.store.withinReadWriteTransaction { _ in
        isBusy.happen()
        try await goOn.wait()
      }
      try await isBusy.wait()
      async let isRetried = client.outbox.retry(first.id)
      try await eventually("it is tried again") { await queue.mutations.items[first.id]?.stage == .waiting }
      async let left: Void = Self.leave(client, isSignOut: isSignOut)
      try await eventually("the owner leaves") { await queue.isStopped }
      goOn.happen()
      try await turn
      try await left
      let result = await isRetried
      #expect(!result)
      #expect(client.store.optimisticUpdates == [])
    }

    @Test("An answer that is kept while the outbox is closed does not leave its guess in a store that lives on")
    func closeWhileKeeping() async throws {
      let server = TodoServer(), storage = HoldingStorage(), store = ApolloStore()
      let first = server.client(.http, Outbox.Configuration(storage: storage), store: store)
      try await first.enqueue(CreateTodo(text: "real"), optimisticData: Self.guess("7"))
      let answer = try await storage.answers.take { $0.isEmpty ? nil : $0.removeFirst() }
      let queue = first.outbox.queue
      async let closed: Void = first.outbox.close()
      try await eventually("it ends") { await queue.isStopped }
      answer.resume()
      await closed
      #expect(store.optimisticUpdates == [])

      let next = server.client(.http, Outbox.Configuration(storage: storage), store: store)
      try await next.outbox.flush()
      #expect(store.optimisticUpdates == [])
      #expect(try await store.text("100") == "real")
      #expect(try await store.text("7") == nil)
      #expect(server.requests.count == 1)
    }

    @Test("What mutations show ends with their client if the store lives on", arguments: [false, true])
    func storeLivesOn(isReleased: Bool) async throws {
      let server = TodoServer(), store = ApolloStore()
      var client: ApolloClient? = server.client(store: store, monitor: ManualNetworkMonitor(isOnline: false))
      try await client?.enqueue(CreateTodo(text: "a"), optimisticData: Self.guess("7"))
      #expect(try await store.text("7") == "guess")
      if !isReleased {
        await client?.outbox.close()
        #expect(store.optimisticUpdates == [])
      }
      client = nil
      try await eventually("the guess is gone") { store.optimisticUpdates.isEmpty }
      #expect(try await store.text("7") == nil)
    }

    /// What ends guesses.
    enum End: CaseIterable, Sendable { case closed, cancelled, dropped, retried }

    @Test("Guesses of which one needs the other one go together", arguments: End.allCases)
    func together(end: End) async throws {
      let server = TodoServer(), store = ApolloStore(), failures = Locked<[String]>([])
      store.onOptimisticFailure = { name, _ in failures.withLock { $0.append(name) } }
      let monitor = ManualNetworkMonitor(), client = server.client(store: store, monitor: monitor)
      await client.outbox.pause()
      server.plan(.status(400))
      let first = try await client.enqueue(
        CreateTodo(text: "first"), policy: Outbox.Policy(onFailure: end == .dropped ? .dropScope : .pauseScope))
      for number in 1...20 {
        try await client.enqueue(CreateTodo(text: "a"), optimisticData: Self.guess("\(number)"))
        try await client.enqueue(
          RenameTodo(id: "\(number)", text: "b"),
          optimisticUpdate: { transaction, mutation in
            try transaction.updateObject(ofType: Todo.self, withKey: "Todo:\(mutation.id)") { $0.text = mutation.text }
          })
      }
      #expect(store.optimisticUpdates.count == 40)
      switch end {
      case .closed: await client.outbox.close()
      case .cancelled: await client.outbox.cancelAll()
      case .dropped, .retried:
        await client.outbox.resume()
        try await client.outbox.flush()
      }
      if end == .retried {
        await client.outbox.pause()
        #expect(await client.outbox.retry(first.id))
        #expect(store.optimisticUpdates.count == 40)
        await client.outbox.close()
      }
      #expect(store.optimisticUpdates == [])
      #expect(failures.withLock { $0 } == [])
    }

    @Test("A closure ends with the client that it was given to; the mutation does not")
    func closureOfFormerClient() async throws {
      let server = TodoServer(), place = try Place(.memory), store = ApolloStore()
      let monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), store: store, monitor: monitor)
      try await first.enqueue(
        CreateTodo(text: "real"),
        optimisticUpdate: { transaction, _ in
          try transaction.write(data: Self.guess("7"), for: CreateTodo(text: "real"))
        })
      #expect(try await store.text("7") == "guess")
      await first.outbox.close()
      let next = server.client(.http, try place.launch(), store: store, monitor: monitor)
      #expect(await next.outbox.pending.count == 1)
      #expect(store.optimisticUpdates == [])
      #expect(try await store.text("7") == nil)
      monitor.isOnline = true
      try await next.outbox.flush()
      #expect(try await store.text("100") == "real")
      #expect(store.optimisticUpdates == [])
    }

    @Test("The next client over the storage and the store shows what waits, each guess once")
    func nextClient() async throws {
      let server = TodoServer(), place = try Place(.memory), store = ApolloStore()
      let monitor = ManualNetworkMonitor(isOnline: false)
      let first = server.client(.http, try place.launch(), store: store, monitor: monitor)
      try await first.enqueue(CreateTodo(text: "a"), optimisticData: Self.guess("7"))
      let shown = store.optimisticUpdates
      await first.outbox.close()
      let next = server.client(.http, try place.launch(), store: store, monitor: monitor)
      try await next.outbox.ready()
      #expect(shown.count == 1 && store.optimisticUpdates == shown)
      #expect(try await store.text("7") == "guess")
      monitor.isOnline = true
      try await next.outbox.flush()
      #expect(store.optimisticUpdates == [])
    }
  }
}
