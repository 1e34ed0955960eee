@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing
import Waiting

extension SQLiteTests {
  @Suite("Another process that writes to the file")
  struct OtherProcessTests {
    /// Does what another process does: it opens a copy of the file, and its rows come into the file.
    private func inOtherProcess(
      _ folder: Folder, codec: (any SQLiteCodec)? = nil, _ body: (ApolloStore) async throws -> Void
    ) async throws {
      let copy = try Folder()
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.file.path + suffix) {
        try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
      }
      let cache = try copy.cache { $0.codec = codec }, store = ApolloStore(cache: cache)
      try await body(store)
      try await store.flush()
      try await cache.close()
      try folder.database { database in
        try database.execute(
          sql: """
            ATTACH ? AS other; BEGIN;
            INSERT OR REPLACE INTO names SELECT * FROM other.names;
            DELETE FROM records; INSERT INTO records SELECT * FROM other.records; COMMIT; DETACH other
            """, arguments: [copy.file.path])
      }
    }

    @Test("What it writes is read where nothing was before, when the look for it returns", arguments: 0..<10)
    func absentBefore(round: Int) async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await store.flush()
      await #expect(throws: ResponseDecodingError.self) { try await store.names() }
      try await inOtherProcess(folder) { try await $0.publish(items: ["1", "2"]) }
      try await cache.readChangesOfOtherProcesses()
      #expect(try await store.names() == ["1", "2"])
      try await inOtherProcess(folder) { try await $0.publish(items: ["3"]) }
      try await cache.readChangesOfOtherProcesses()
      #expect(try await store.names() == ["3"])
    }

    @Test("A write that fails does not hide that it has written")
    func failedWrite() async throws {
      let folder = try Folder(), codec = LockedCodec()
      let cache = try folder.cache { $0.codec = codec }, store = ApolloStore(cache: cache)
      try await store.publish(items: ["1"])
      try await store.flush()
      try await inOtherProcess(folder, codec: codec) { try await $0.publish(items: ["1"], names: ["one"]) }
      // In a transaction that has noted the other process.
      codec.isLocked.withLock { $0 = true }
      try await store.publish(records: ["Item:1": ["new": 1]])
      await #expect(throws: (any Error).self) { try await store.flush() }
      codec.isLocked.withLock { $0 = false }
      try await store.flush()
      try await cache.readChangesOfOtherProcesses()
      #expect(try await store.names() == ["one"])
      #expect(try await cache.record("Item:1")?["new"] == 1)
    }

    @Test("A collection leaves what it has linked, before the collection and meanwhile")
    func collection() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await store.publish(items: ["1"])
      try await store.flush()
      try await inOtherProcess(folder) { try await $0.publish(items: ["1", "2"]) }
      #expect(try await store.collectGarbage().isEmpty)
      try await store.flush()
      #expect(try await store.names() == ["1", "2"])
      // The removal of the collection comes behind what the other process has written.
      try await store.publish(records: ["Lost:1": ["x": 1]])
      try await store.flush()
      let removed = RecordWrite.unreachable("Lost:1", in: store, cache.foreignChangeCount)
      try await inOtherProcess(folder) {
        try await $0.publish(records: ["QUERY_ROOT": ["lost": .reference("Lost:1")]])
      }
      try await cache.take(removed)
      try await cache.flush()
      #expect(try await cache.record("Lost:1")?["x"] == 1)
      try await cache.take(RecordWrite.unreachable("Lost:1", in: store, cache.foreignChangeCount))
      try await cache.flush()
      #expect(try await cache.record("Lost:1") == nil, "nothing was written meanwhile")
    }

    @Test("What it had to leave out is missing, and not gone, before and after the next write")
    func leftOut() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await cache.merge(records: ["A": ["x": 1], "B": ["x": 1]])
      try folder.database { database in
        try database.execute(sql: "DELETE FROM records WHERE key = CAST('B' AS BLOB)")
        try Meta.set(.incomplete, in: database)
      }
      let keys = RecordSnapshot(hasBackend: true).keys
      #expect(try cache.load(["B"], numberedBy: keys)[0] == nil)
      try await store.publish(records: ["C": ["x": 1]])
      try await store.flush()
      #expect(!cache.storage.state.withLock { $0.isComplete })
      #expect(try cache.load(["B"], numberedBy: keys)[0] == nil)
      // What this process removes is remembered from then on.
      try await store.remove("A")
      try await store.flush()
      #expect(try cache.load(["A"], numberedBy: keys)[0]?.isRemoved == true)
    }

    @Test("What is in memory only replaces nothing but its own fields")
    func memoryOnly() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      func publish(_ name: String) async throws {
        var user = Record(key: "User:1", ["secret": .string(name), "shown": .string(name)], receivedAt: Date())
        user.expirations = user.fields.mapValues { _ in Date(timeIntervalSince1970: Double(FieldDate.inMemory)) }
        try await store.publish(records: RecordSet(records: [user]))
        try await store.flush()
      }
      try await publish("a")
      try await inOtherProcess(folder) { try await $0.publish(records: ["User:1": ["name": "Ann", "shown": "old"]]) }
      try await publish("b")
      #expect(try await cache.record("User:1")?.fields == ["name": "Ann"])
    }
  }
}

extension RecordWrite {
  fileprivate static func unreachable(_ key: CacheKey, in store: ApolloStore, _ count: Int) -> RecordWrite {
    var table = store.engine.table
    let number = table.number(for: key)
    _ = table.remove(number)
    var write = RecordWrite(table.records)
    write.unreachable = [(number, count)]
    return write
  }
}
