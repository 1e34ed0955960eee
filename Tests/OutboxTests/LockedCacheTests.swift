@testable import ApolloOutbox
@testable import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension OutboxTests {
  /// Answers that come into the cache once, and a cache that cannot be read for a while.
  @Suite("Answers and guesses, and a cache whose key is locked")
  struct LockedCacheTests {
    /// A codec whose key is locked when the test says so.
    private final class Lockable: SQLiteCodec {
      let isLocked = Locked(false)

      func encode(_ data: Data, for key: String) throws -> Data { try flipped(data) }
      func decode(_ data: Data, for key: String) throws -> Data { try flipped(data) }

      private func flipped(_ data: Data) throws -> Data {
        if isLocked.withLock({ $0 }) { throw SQLiteCodecUnavailable() }
        return Data(data.map { ~$0 })
      }
    }

    /// A mutation that adds its object to the list.
    private struct AddTodo: GraphQLMutation {
      static let operationName = CreateTodo.operationName
      static let operationDocument = CreateTodo.operationDocument
      typealias Data = CreateTodo.Data
      var text: String
      func __writeVariables(to writer: inout __JSONWriter) { writer.write("text", text) }
      var __listEdits: [__ListEdit] { [__ListEdit(.appendNode, at: ["createTodo"], connections: ["QUERY_ROOT.todos"])] }
    }

    /// An app that is started again and again.
    private struct App {
      let server = TodoServer(), codec = Lockable(), clock = TestClock(), place: Place
      let updates = Locked(0), completions = Locked(0), failed = Event()

      init() throws {
        place = try Place(.disk)
        server.add("1", "one")
        server.add("2", "two")
      }

      func launch(isOnline: Bool = true) throws -> ApolloClient {
        var settings = SQLiteNormalizedCache.Configuration()
        settings.codec = codec
        let cache = try SQLiteNormalizedCache(
          fileURL: place.folder.appendingPathComponent("cache.sqlite"), configuration: settings)
        let configuration = try place.launch {
          $0.owner = "A"
          $0.registry.register(
            RenameTodo.self,
            optimisticUpdate: { transaction, variables in
              try transaction.updateObject(ofType: Todo.self, withKey: "Todo:1") { $0.text += "+guess" }
            },
            update: { transaction, _ in
              try transaction.updateObject(ofType: Todo.self, withKey: "Todo:2") { $0.text += "!" }
              updates.withLock { $0 += 1 }
            }, completion: { _ in completions.withLock { $0 += 1 } })
          $0.registry.register(AddTodo.self)
          $0.onStorageFailure = { _ in failed.happen() }
        }
        let monitor = ManualNetworkMonitor(isOnline: isOnline)
        return server.client(.http, configuration, store: ApolloStore(cache: cache), monitor: monitor) {
          $0.clock = clock
        }
      }

      /// Leaves a mutation that waits, and the list in the cache.
      func leave() async throws {
        let client = try launch(isOnline: false)
        _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
        await client.outbox.pause()
        try await client.enqueue(RenameTodo(id: "1", text: "new"))
        #expect(try await client.store.texts() == ["one+guess", "two"])
        try await client.store.flush()
        try await client.close()
      }
    }

    @Test(
      "An answer that is in the cache is not brought there again by the next client or owner", arguments: [false, true])
    func once(isOwner: Bool) async throws {
      let app = try App(), client = try app.launch()
      _ = try await client.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
      try await client.store.flush()
      app.codec.isLocked.withLock { $0 = true }
      _ = try await client.enqueue(RenameTodo(id: "1", text: "new")).value
      // It returns when the cache could not be written.
      try await client.outbox.flush()
      app.codec.isLocked.withLock { $0 = false }
      var next = client
      if isOwner {
        try await client.outbox.setOwner("B")
        try await client.outbox.setOwner("A")
      } else {
        try await client.close()
        next = try app.launch()
      }
      try await next.outbox.ready()
      #expect(app.updates.withLock { $0 } == 1 && app.completions.withLock { $0 } == 1)
      #expect(try await next.store.texts() == ["new", "two!"])
      #expect(await next.outbox.pending.isEmpty)
      try await next.close()
    }

    @Test("A guess that needs what the cache cannot read is shown when it can be read")
    func guess() async throws {
      let app = try App()
      try await app.leave()
      app.codec.isLocked.withLock { $0 = true }
      let client = try app.launch(isOnline: false)
      try await client.outbox.ready()
      try await app.failed.wait()
      app.codec.isLocked.withLock { $0 = false }
      #expect(try await client.store.texts() == ["one", "two"])
      try await eventually("it waits") { app.clock.waits.contains(.seconds(2)) }
      await app.clock.advance(by: .seconds(2))
      try await eventually("it is shown") { try await client.store.texts() == ["one+guess", "two"] }
      try await client.close()
    }

    @Test(
      "An update that needs what the cache cannot read is made when it can be read, in a later launch as well",
      arguments: [false, true])
    func update(isLaterLaunch: Bool) async throws {
      let app = try App()
      try await app.leave()
      app.codec.isLocked.withLock { $0 = true }
      var client = try app.launch()
      try await eventually("it is done") { !app.server.executions.isEmpty }
      // (The guess is one of the failures.)
      try await app.failed.wait(for: 2)
      try await eventually("others are not kept waiting") { await client.outbox.queue.mutations.lines.isEmpty }
      #expect(app.updates.withLock { $0 } == 0 && client.outbox.count == 1)
      app.codec.isLocked.withLock { $0 = false }
      if isLaterLaunch {
        try await client.close()
        client = try app.launch()
        try await client.outbox.ready()
      } else {
        for await _ in client.outbox.statuses { break }
      }
      try await eventually("it is over") { client.outbox.count == 0 }
      #expect(try await client.store.texts() == ["new", "two!"])
      #expect(app.completions.withLock { $0 } == 1 && app.server.executions.count == 1)
      try await client.close()
    }

    /// A cache that cannot read one record when the test says so.
    private final class TornCache: EnumerableNormalizedCache {
      struct Torn: Error {}
      let memory = InMemoryNormalizedCache(), isTorn = Locked(false)

      func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
        if isTorn.withLock({ $0 }), keys.contains("Todo:2") { throw Torn() }
        return memory.loadRecords(forKeys: keys)
      }
      func merge(records: RecordSet) throws -> Set<CacheKey> { try memory.merge(records: records) }
      func removeRecord(for key: CacheKey) throws { try memory.removeRecord(for: key) }
      func removeRecords(matching pattern: CacheKey) throws { try memory.removeRecords(matching: pattern) }
      func clear() { memory.clear() }
      func keys(after key: CacheKey?, limit: Int) -> [CacheKey] { [] }
    }

    @Test("Several updates that the cache cannot read are one failure, and wait no longer than one")
    func several() async throws {
      let server = TodoServer(), cache = TornCache(), clock = TestClock(), updates = Locked(0)
      server.add("1", "one")
      _ = try cache.merge(records: ["Todo:2": ["__typename": "Todo", "id": "2", "text": "two"]])
      let settings = try Place(.memory).launch {
        $0.registry.register(
          RenameTodo.self,
          update: { transaction, _ in
            try transaction.updateObject(ofType: Todo.self, withKey: "Todo:2") { $0.text += "!" }
            updates.withLock { $0 += 1 }
          })
      }
      let client = server.client(.http, settings, store: ApolloStore(cache: cache)) { $0.clock = clock }
      let queue = client.outbox.queue
      cache.isTorn.withLock { $0 = true }
      for number in 0..<3 { try await client.enqueue(RenameTodo(id: "1", text: "new"), scope: "\(number)") }
      try await client.outbox.flush()
      for delay in [2, 4, 8] {
        // (The wait begins with the first failure, when the others are still to come.)
        try await eventually("they wait for \(delay) seconds") {
          await queue.readingAgain == nil && clock.waits == [.seconds(delay)]
        }
        #expect(updates.withLock { $0 } == 0 && client.outbox.count == 3)
        if delay == 8 { cache.isTorn.withLock { $0 = false } }
        await clock.advance(by: .seconds(delay))
      }
      try await eventually("they are over") { client.outbox.count == 0 }
      #expect(updates.withLock { $0 } == 3)
      try await client.close()
    }

    @Test("An answer that is brought into the cache is not brought there a second time at the same time")
    func atTheSameTime() async throws {
      let app = try App()
      try await app.leave()
      app.codec.isLocked.withLock { $0 = true }
      app.server.always = .held
      let client = try app.launch(), queue = client.outbox.queue
      try await app.failed.wait()
      try await eventually("it is sent") { app.server.heldCount == 1 }
      app.codec.isLocked.withLock { $0 = false }
      // What ends the guess waits for the end of the transaction.
      try await client.store.withinReadWriteTransaction { _ in
        app.server.release()
        try await eventually("it is answered") { await queue.mutations.items.values.allSatisfy { !$0.isUnanswered } }
        for await _ in client.outbox.statuses { break }
        try await eventually("the guess is tried again") { await queue.unread.isEmpty }
      }
      try await eventually("it is over") { client.outbox.count == 0 }
      #expect(app.updates.withLock { $0 } == 1 && app.completions.withLock { $0 } == 1)
      #expect(try await client.store.texts() == ["new", "two!"])
      try await client.close()
    }

    @Test("An update that is made again is not made once more by the next client or owner", arguments: [false, true])
    func endWhileMade(isOwner: Bool) async throws {
      let app = try App()
      try await app.leave()
      app.codec.isLocked.withLock { $0 = true }
      let client = try app.launch(), queue = client.outbox.queue
      // (The guess is one of the failures.)
      try await app.failed.wait(for: 2)
      try await eventually("the update waits for the key") { await queue.mutations.lines.isEmpty }
      app.codec.isLocked.withLock { $0 = false }
      let isHeld = Event(), goesOn = Event()
      let transaction = begin {
        try await client.store.withinReadWriteTransaction { _ in
          isHeld.happen()
          try await goesOn.wait()
        }
      }
      try await isHeld.wait()
      for await _ in client.outbox.statuses { break }
      try await eventually("the update is made again") { await queue.unread.isEmpty }
      let end = begin {
        if isOwner { try await client.outbox.setOwner("B") } else { await client.outbox.close() }
      }
      try await eventually("the outbox ends") { await queue.isStopped }
      // (The end may come before it waits, which changes nothing.)
      for _ in 0..<100 { await Task.yield() }
      goesOn.happen()
      try await transaction.value
      try await end.value
      var next = client
      if isOwner {
        try await client.outbox.setOwner("A")
      } else {
        try await client.close()
        next = try app.launch()
      }
      try await next.outbox.ready()
      #expect(app.updates.withLock { $0 } == 1 && app.completions.withLock { $0 } == 1)
      #expect(try await next.store.texts() == ["new", "two!"])
      try await next.close()
    }

    @Test("A list that the cache cannot read is changed when it can be read")
    func list() async throws {
      let app = try App(), first = try app.launch(isOnline: false)
      _ = try await first.fetch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData)
      await first.outbox.pause()
      try await first.enqueue(AddTodo(text: "three"))
      try await first.store.flush()
      try await first.close()
      app.codec.isLocked.withLock { $0 = true }
      let client = try app.launch()
      try await app.failed.wait()
      #expect(client.outbox.count == 1 && app.server.executions.count == 1)
      app.codec.isLocked.withLock { $0 = false }
      for await _ in client.outbox.statuses { break }
      try await eventually("it is over") { client.outbox.count == 0 }
      #expect(try await client.store.texts() == ["one", "two", "three"])
      try await client.close()
    }

    /// A cache that cannot be written when the test says so.
    private final class FullCache: NormalizedCache {
      struct Full: Error {}
      let memory = InMemoryNormalizedCache(), isFull = Locked(false)

      func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { memory.loadRecords(forKeys: keys) }
      func merge(records: RecordSet) throws -> Set<CacheKey> {
        if isFull.withLock({ $0 }) { throw Full() }
        return try memory.merge(records: records)
      }
      func removeRecord(for key: CacheKey) throws { try memory.removeRecord(for: key) }
      func removeRecords(matching pattern: CacheKey) throws { try memory.removeRecords(matching: pattern) }
      func clear() { memory.clear() }
    }

    @Test("An update that throws is not made again because the cache cannot be written")
    func unwritable() async throws {
      struct Declined: Error {}
      let server = TodoServer(), cache = FullCache(), updates = Locked(0)
      server.add("1", "one")
      let settings = try Place(.memory).launch {
        $0.registry.register(
          RenameTodo.self,
          update: { _, _ in
            updates.withLock { $0 += 1 }
            throw Declined()
          })
      }
      let client = server.client(.http, settings, store: ApolloStore(cache: cache))
      cache.isFull.withLock { $0 = true }
      try await client.enqueue(RenameTodo(id: "1", text: "new"))
      try await eventually("it is over") { client.outbox.count == 0 }
      #expect(updates.withLock { $0 } == 1)
      cache.isFull.withLock { $0 = false }
      try await client.close()
    }
  }
}
