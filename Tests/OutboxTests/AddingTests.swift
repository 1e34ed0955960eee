@testable import ApolloOutbox
@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension OutboxTests {
  /// What happens while a mutation is enqueued, which takes as long as its files are large.
  @Suite("While a mutation is enqueued")
  struct AddingTests {
    /// A storage whose copies of files are there, and which returns when a test says so.
    final class HoldingStorage: Outbox.Storage {
      let inner: any Outbox.Storage
      /// Whether a copy fails in the end.
      let fails = Locked(false)
      private let calls = Awaited<[CheckedContinuation<Void, Never>]>([])

      init(_ inner: any Outbox.Storage) { self.inner = inner }

      func load() async throws -> Outbox.Contents { try await inner.load() }
      func load(ownedBy owner: String?) async throws -> Outbox.Contents { try await inner.load(ownedBy: owner) }
      func write(_ change: Outbox.Change) async throws { try await inner.write(change) }
      func removeAll() async throws { try await inner.removeAll() }
      func close() async { await inner.close() }

      func keep(_ files: [GraphQLFile], of id: UUID) async throws -> [GraphQLFile] {
        let copies = try await inner.keep(files, of: id)
        await withCheckedContinuation { call in calls.change { $0.append(call) } }
        if fails.withLock({ $0 }) { throw FailingStorage.Full() }
        return copies
      }

      /// Waits until files are copied.
      func call() async throws -> CheckedContinuation<Void, Never> {
        try await calls.take { $0.isEmpty ? nil : $0.removeFirst() }
      }
    }

    private static let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))

    @Test("A mutation is shown while its files are copied, and no later one of its scope overtakes it")
    func order() async throws {
      let server = TodoServer(), storage = HoldingStorage(Outbox.InMemoryStorage())
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      let adding = Task {
        try await client.enqueue(Attach(), optimisticUpdate: { _, _ in }, files: [Self.file])
      }
      let call = try await storage.call()
      #expect(client.store.optimisticUpdates.count == 1)
      let later = try await client.enqueue(CreateTodo(text: "later"))
      _ = try await client.enqueue(CreateTodo(text: "other"), scope: "other").value
      #expect(server.executions == ["CreateTodo other"])
      call.resume()
      _ = try await adding.value.value
      _ = try await later.value
      #expect(server.executions == ["CreateTodo other", "Attach", "CreateTodo later"])
    }

    @Test(
      "A mutation that names the temporary id of an object waits while the one that makes it is enqueued",
      arguments: [Outbox.defaultScope, "other"])
    func temporaryID(scope: String) async throws {
      let server = TodoServer(), storage = HoldingStorage(Outbox.InMemoryStorage()), id = Outbox.makeLocalID()
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      server.add("100", "old")
      let adding = Task {
        try await client.enqueue(Attach(), files: [Self.file], localID: id, idMapping: { _ in "100" })
      }
      let call = try await storage.call()
      let renamed = try await client.enqueue(RenameTodo(id: id, text: "new"), scope: scope)
      #expect(await client.outbox.failed.isEmpty)
      call.resume()
      _ = try await adding.value
      #expect(try await renamed.value.data?.renameTodo?.text == "new")
      #expect(server.executions == ["Attach", "RenameTodo new"])
    }

    @Test("What names the temporary id of an object is given up when the mutation that makes it cannot be enqueued")
    func failedCreator() async throws {
      let server = TodoServer(), storage = HoldingStorage(Outbox.InMemoryStorage()), id = Outbox.makeLocalID()
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      storage.fails.withLock { $0 = true }
      let adding = Task {
        try await client.enqueue(Attach(), files: [Self.file], localID: id, idMapping: { _ in "100" })
      }
      let call = try await storage.call()
      let naming = try await client.enqueue(RenameTodo(id: id, text: "a"), scope: "other")
      #expect(await client.outbox.failed.isEmpty)
      call.resume()
      await #expect(throws: FailingStorage.Full.self) { try await adding.value }
      let error = await #expect(throws: OperationError.self) { try await naming.value }
      #expect(error?.code == .unknownID && server.requests.isEmpty)
    }

    @Test("What waits for a mutation with a lower number goes on when that one cannot be enqueued")
    func missingNumber() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      try await client.outbox.ready()
      let queue = client.outbox.queue
      let number = try await queue.takeNumber(in: Outbox.defaultScope).0
      let later = try await client.enqueue(CreateTodo(text: "a"))
      let naming = try await client.enqueue(RenameTodo(id: Outbox.makeLocalID(), text: "b"), scope: "other")
      #expect(await client.outbox.failed.isEmpty && server.requests.isEmpty)
      await queue.endAdding(number)
      _ = try await later.value
      let error = await #expect(throws: OperationError.self) { try await naming.value }
      #expect(error?.code == .unknownID)
    }

    @Test("A mutation whose time ends while its files are copied is given up after that, and the next one is sent")
    func expiry() async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let storage = HoldingStorage(Outbox.InMemoryStorage()), isChanging = Event(), goOn = Event()
      let client = server.client(.http, Outbox.Configuration(storage: storage), monitor: monitor) { $0.clock = clock }
      let changing = Task {
        try await client.outbox.setOwner("B") {
          isChanging.happen()
          try? await goOn.wait()
        }
      }
      try await isChanging.wait()
      let policy = Outbox.Policy(expiresAfter: 86_400)
      let other = try await client.enqueue(CreateTodo(text: "other"), scope: "other", policy: policy)
      let adding = Task { try await client.enqueue(Attach(), files: [Self.file], policy: policy) }
      let call = try await storage.call()
      let later = try await client.enqueue(CreateTodo(text: "later"))
      goOn.happen()
      try await changing.value
      await clock.advance(by: .seconds(86_400))
      await #expect(throws: OperationError.self) { try await other.value }
      call.resume()
      let added = try await adding.value
      let error = await #expect(throws: OperationError.self) { try await added.value }
      #expect(error?.code == .expired)
      monitor.isOnline = true
      _ = try await later.value
      #expect(server.executions == ["CreateTodo later"])
    }

    /// What happens while files are copied.
    enum End: CaseIterable, Sendable { case close, signOut, owner, cancellation }

    @Test("A mutation that ends while its files are copied leaves no copies", arguments: End.allCases)
    func copies(end: End) async throws {
      let server = TodoServer(), place = try Place(.disk), storage = HoldingStorage(try place.storage())
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      try await client.outbox.ready()
      let queue = client.outbox.queue
      let adding = Task { try await client.enqueue(Attach(), files: [Self.file]) }
      let call = try await storage.call()
      #expect(!place.fileNames.isEmpty)
      let ending = Task {
        switch end {
        case .close: await client.outbox.close()
        case .signOut: try await client.signOut()
        case .owner: try await client.outbox.setOwner("B")
        case .cancellation: await client.outbox.cancelAll()
        }
      }
      try await eventually("it ends") {
        if end == .cancellation { return await queue.mutations.items.isEmpty }
        return await queue.isStopped
      }
      call.resume()
      try await ending.value
      await #expect(throws: (any Error).self) { try await adding.value }
      #expect(place.fileNames.isEmpty && server.requests.isEmpty)
      await client.outbox.close()
    }
  }
}
