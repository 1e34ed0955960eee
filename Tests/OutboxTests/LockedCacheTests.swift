@testable import ApolloOutbox
@testable import Apollo
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
  }
}
