@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension SQLiteTests {
  @Suite("A file that is lost while it is open")
  struct LostFileTests {
    enum Loss: CaseIterable, Sendable {
      case damaged, removed
    }

    /// A cache that writes nothing because of the time, and its store.
    private func open(_ folder: Folder) throws -> (cache: SQLiteNormalizedCache, store: ApolloStore) {
      let cache = try folder.cache()
      cache.use(TestClock())
      return (cache, ApolloStore(cache: cache))
    }

    /// Loses the file of a cache, and returns when a new one is there and the store knows of it.
    private func lose(_ folder: Folder, _ cache: SQLiteNormalizedCache, _ loss: Loss) async throws {
      switch loss {
      case .damaged:
        let file = cache.storage.file
        try await cache.storage.onQueue { try $0.replace(file, because: .damaged("a page of it")) }
      case .removed:
        for name in folder.names { try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }
      }
      try await cache.readChangesOfOtherProcesses()
      #expect(cache.recoveries.count == 1)
    }

    @Test("What is in memory stays, and is in the new file; what was removed stays gone", arguments: Loss.allCases)
    func memory(loss: Loss) async throws {
      let folder = try Folder()
      do {
        let (cache, store) = try open(folder)
        try await store.publish(items: ["1", "2"], names: ["one", "two"])
        try await store.remove("Item:2")
        try await store.flush()
        try await lose(folder, cache, loss)
        #expect(try await store.names() == ["one", nil])
        // It is as if it had always been this file.
        try await store.publish(records: ["Item:1": ["name": "new"]])
        try await cache.close()
      }
      let (cache, store) = try open(folder)
      #expect(cache.recoveries.isEmpty)
      #expect(try await store.names() == ["new", nil])
    }

    @Test("What was in the file only is missing, so that the server is asked for it", arguments: Loss.allCases)
    func missing(loss: Loss) async throws {
      let folder = try Folder()
      do {
        let (cache, store) = try open(folder)
        try await store.publish(items: ["1", "2"])
        try await store.flush()
        try await cache.close()
      }
      let (cache, store) = try open(folder)
      try await store.publish(records: ["QUERY_ROOT": ["x": 1], "Item:1": ["new": 1]])
      try await store.flush()
      try await lose(folder, cache, loss)
      #expect(try await cache.record("Item:1")?.fields.count == 4)
      await #expect(throws: ResponseDecodingError.self) { try await store.names() }
      // It is on disk as a whole when it comes again.
      try await store.publish(items: ["1", "2"])
      try await store.flush()
      #expect(try await store.names() == ["1", "2"])
      #expect(try await cache.record("Item:2")?["name"] == "2")
    }

    @Test("What waits when a file is lost is in the new one, with what the store knows of it", arguments: Loss.allCases)
    func waiting(loss: Loss) async throws {
      let folder = try Folder(), (cache, store) = try open(folder)
      try await store.publish(items: ["1"])
      try await store.flush()
      try await store.publish(records: ["Item:1": ["new": 1], "Item:5": ["x": 1]])
      try await lose(folder, cache, loss)
      try await store.flush()
      #expect(try await cache.record("Item:1")?.fields == ["__typename": "Item", "id": "1", "name": "1", "new": 1])
      #expect(try await cache.record("Item:5")?.fields == ["x": 1])
      #expect(try await cache.record("QUERY_ROOT")?["list"] == .list([.reference("Item:1")]))
    }

    @Test("A record that the codec refuses keeps no other from being written again, and that happens once")
    func refused() async throws {
      struct Refusing: SQLiteCodec {
        let encoded = Locked<Set<String>>([])

        func encode(_ data: Data, for key: String) throws -> Data {
          encoded.withLock { _ = $0.insert(key) }
          if key == "Bad:1" { throw CocoaError(.coderInvalidValue) }
          return data
        }
        func decode(_ data: Data, for key: String) throws -> Data { data }
      }
      let folder = try Folder(), codec = Refusing(), cache = try folder.cache { $0.codec = codec }
      cache.use(TestClock())
      let store = ApolloStore(cache: cache)
      try await store.publish(items: ["1", "2"])
      try await store.publish(records: ["Bad:1": ["x": 1]])
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.flush() }
      try await lose(folder, cache, .damaged)
      await #expect(throws: SQLiteNormalizedCacheError.self, "it is told of the record") { try await store.flush() }
      #expect(try await cache.record("Item:2")?["name"] == "2")
      // (The loss may have been told twice.)
      try await eventually {
        codec.encoded.withLock { $0 = [] }
        try await store.publish(records: ["Item:1": ["name": .string(UUID().uuidString)]])
        try? await store.flush()
        return codec.encoded.withLock { $0 } == ["Item:1"]
      }
      #expect(cache.storage.state.withLock { $0.news.isEmpty && $0.toldNow.isEmpty })
      #expect(cache.recoveries.count == 1)
    }

    /// Loses the file of a cache in a turn of its store, so that the store cannot write again what it has.
    private func loseInTurn(
      _ cache: SQLiteNormalizedCache, _ store: ApolloStore, _ body: (RecordEngine) async throws -> Void
    ) async throws {
      await store.engine.turns.take()
      defer { store.engine.turns.release() }
      let file = cache.storage.file
      try await cache.storage.onQueue { try $0.replace(file, because: .damaged("a page of it")) }
      try await body(store.engine)
    }

    @Test("If the file is lost while the store reads it again, memory stays, and is in the new file")
    func readAgain() async throws {
      let folder = try Folder(), (cache, store) = try open(folder)
      try await store.publish(items: ["1", "2"])
      try await store.flush()
      try await loseInTurn(cache, store) { try await $0.readAgain() }
      #expect(try await store.names() == ["1", "2"])
      try await cache.readChangesOfOtherProcesses()
      #expect(try await cache.record("Item:2")?["name"] == "2")
      #expect(!store.engine.hasUnseenLoss, "from then on, it is read again")
    }

    @Test("What the lost file had is not dropped from memory before it is written again")
    func eviction() async throws {
      let folder = try Folder(), cache = try folder.cache()
      cache.use(TestClock())
      let store = ApolloStore(cache: cache, memoryLimit: 10_000)
      try await store.publish(items: ["1", "2"])
      try await store.flush()
      try await loseInTurn(cache, store) { engine in
        engine.changeBesideTurn { _, table in
          let record = ObjectRecord.make(type: .unknown, capacity: 1)
          record.append(ObjectRecord.Field(.forName("text"), .string(String(repeating: "x", count: 20_000))))
          let number = table.number(for: "Big:1")
          table.set(number, record)
          return ChangeSet()
        }
        engine.reclaim()
      }
      #expect(try await store.names() == ["1", "2"])
    }
  }
}
