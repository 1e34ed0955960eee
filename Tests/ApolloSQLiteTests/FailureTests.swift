@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import ApolloTestSupport
import Foundation
internal import GRDB
import Testing
import Waiting

extension SQLiteTests {
  @Suite("What fails in the middle")
  struct FailureTests {
    @Test("A file that cannot be made anew is tried again and again, is told of once, and has what waits in the end")
    func replacing() async throws {
      let folder = try Folder(), told = Locked(0)
      let cache = try folder.cache { $0.onRecovery = { _ in told.withLock { $0 += 1 } } }
      let store = ApolloStore(cache: cache)
      try await store.publish(records: ["A": ["x": 1]])
      try await store.flush()
      // A file is in the place of the folder.
      try FileManager.default.removeItem(at: folder.url)
      try Data().write(to: folder.url)
      try await store.publish(records: ["A": ["x": 2]])
      for _ in 0..<3 { await #expect(throws: (any Error).self) { try await store.flush() } }
      #expect(cache.recoveries.map(\.reason) == [.removed])
      try FileManager.default.removeItem(at: folder.url)
      try await store.flush()
      #expect(cache.recoveries.count == 1 && told.withLock { $0 } == 1)
      #expect(try await cache.record("A")?["x"] == 2)
      // One that fails later is another one. (The store reads the new one before.)
      try await cache.readChangesOfOtherProcesses()
      try await store.flush()
      try FileManager.default.removeItem(at: folder.url)
      try await store.publish(records: ["A": ["x": 3]])
      try await store.flush()
      #expect(cache.recoveries.count == 2 && told.withLock { $0 } == 2)
    }

    @Test("A cache whose file cannot be made anew is closed, and released")
    func closing() async throws {
      let folder = try Folder()
      var store: ApolloStore? = ApolloStore(cache: try folder.cache())
      weak let cache = store?.cache as? SQLiteNormalizedCache
      try await store?.publish(records: ["A": ["x": 1]])
      try await store?.flush()
      try FileManager.default.removeItem(at: folder.url)
      try Data().write(to: folder.url)
      try await store?.publish(records: ["A": ["x": 2]])
      await #expect(throws: (any Error).self) { try await store?.flush() }
      store = nil
      try await eventually { cache == nil }
    }

    @Test("A collection that cannot write leaves the records that it has loaded for itself")
    func collection() async throws {
      let folder = try Folder(), now = Date()
      do {
        let cache = try folder.cache()
        var record = Record(key: "T:1", ["old": 1, "new": 1], receivedAt: now)
        record.expirations = ["old": now.addingTimeInterval(-1000)]
        record.dates = ["old": now.addingTimeInterval(-5000)]
        try await cache.merge(
          records: RecordSet(records: [record, Record(key: "QUERY_ROOT", ["list": [.reference("T:1")]])]))
        try await cache.close()
      }
      let cache = try folder.cache { $0.busyTimeout = 0 }, store = ApolloStore(cache: cache)
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.removeStaleFields() }
      try await store.publish(records: ["A": ["x": 1]])
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      #expect(try await cache.record("T:1")?["new"] == 1)
      #expect(try await cache.record("A")?["x"] == 1)
      // It can go on.
      try await store.removeStaleFields()
      try await store.flush()
      #expect(try await cache.record("T:1")?.fields == ["new": 1])
    }

    @Test("A clearing that another process disturbs leaves nothing half in memory, and says nothing of trying again")
    func clearing() async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache(), store = ApolloStore(cache: cache)
        try await store.publish(items: ["1", "2"])
        try await store.flush()
        try await cache.close()
      }
      let cache = try folder.cache { $0.busyTimeout = 0 }, store = ApolloStore(cache: cache)
      // One of the two is in memory.
      try await store.publish(records: [
        "QUERY_ROOT": ["list": [.reference("Item:1"), .reference("Item:2")]], "Item:1": ["name": "one"],
      ])
      try await store.flush()
      let reader = try folder.blocker()
      try await reader.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN")
        _ = try Row.fetchAll(database, sql: "SELECT * FROM records")
      }
      let error = await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.clearCache() }
      #expect(error?.description.contains("tried again") == false)
      try await reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      await #expect(throws: ResponseDecodingError.self) { try await store.names() }
      try await store.clearCache()
      #expect(try await cache.keys(after: nil, limit: 9).isEmpty)
    }

    @Test("What waits while a clearing fails is written as it was, whatever is written behind it")
    func writesBeforeClearing() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.busyTimeout = 0 }, store = ApolloStore(cache: cache)
      try await store.publish(records: ["A": ["x": 1, "secret": 1], "B": ["x": 1]])
      try await store.flush()
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try await store.withinReadWriteTransaction { try $0.removeField("secret", of: "A") }
      try await store.publish(records: ["B": ["x": 2]])
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.clearCache() }
      try await store.publish(records: ["C": ["x": 1]])
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.flush() }
      try await store.publish(records: ["C": ["y": 1]])
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      #expect(try await cache.record("A")?.fields == ["x": 1])
      #expect(try await cache.record("B")?.fields == ["x": 2])
      #expect(try await cache.record("C")?.fields == ["x": 1, "y": 1])
    }

    @Test(
      "What the end of a mutation removes goes with the next write, if its own write fails", arguments: [false, true])
    func removal(byPattern: Bool) async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache(), store = ApolloStore(cache: cache)
        try await store.publish(items: ["1", "2"])
        try await store.flush()
        try await cache.close()
      }
      let cache = try folder.cache {
        $0.durability = .immediate
        $0.busyTimeout = 0
      }
      let store = ApolloStore(cache: cache)
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try await failToEnd(in: store) { transaction in
        if byPattern {
          try transaction.removeObjects(matching: "Item:*")
        } else {
          try transaction.removeObject(for: "Item:1")
        }
      }
      let left: Set<CacheKey> = byPattern ? [] : ["Item:2"]
      let seen = try await store.withinReadTransaction {
        try $0.readOnlyCache.loadRecords(forKeys: ["Item:1", "Item:2"])
      }
      #expect(Set(seen.keys) == left, "the file still has them")
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.publish(records: ["A": ["x": 1]])
      #expect(try await Set(cache.keys(after: nil, limit: 9)) == left.union(["A", "QUERY_ROOT"]))
      // Nothing is hidden any more.
      try await cache.merge(records: ["Item:4": ["name": "four"]])
      let new = try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["Item:4"]) }
      #expect(new["Item:4"]?["name"] == "four")
    }

    /// Ends a mutation with a change of which the write fails.
    private func failToEnd(in store: ApolloStore, with change: @escaping OptimisticUpdate.Change) async throws {
      let answer = #"{"data":{"list":[{"__typename":"Item","id":"1","name":"one"}]}}"#
      let contents = try ResponseReader.read(
        ListQuery.Data.self, from: ResponseBytes(answer.utf8), variables: .none, rootKey: "QUERY_ROOT",
        identity: store.identity)
      let end = store.completion(of: OptimisticUpdate(id: "g", asked: nil, guess: nil), change)
      let error = await store.publish(try #require(contents.records), completing: end)
      #expect(error is SQLiteNormalizedCacheError)
    }

    @Test("A guess brings nothing back that could not be removed, and hides nothing once it is removed")
    func removalBelowGuess() async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache(), store = ApolloStore(cache: cache)
        try await store.publish(items: ["1", "2"])
        try await store.flush()
        try await cache.close()
      }
      let cache = try folder.cache {
        $0.durability = .immediate
        $0.busyTimeout = 0
      }
      let store = ApolloStore(cache: cache), reads = Locked(false)
      func records(_ keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
        try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: keys) }
      }
      try await store.applyOptimisticUpdate(id: "guess") { transaction in
        if reads.withLock({ $0 }) { _ = try transaction.cache.loadRecords(forKeys: ["Item:2"]) }
      }
      reads.withLock { $0 = true }
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      for _ in 0..<2 { try await failToEnd(in: store) { try $0.removeObjects(matching: "Item:*") } }
      #expect(store.engine.state.withLock { $0.unwrittenDates.patterns } == ["Item:*"])
      #expect(try await records(["Item:1", "Item:2"]).isEmpty)
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      #expect(try await cache.keys(after: nil, limit: 9) == ["QUERY_ROOT"])
      try await cache.merge(records: ["Item:4": ["name": "four"]])
      #expect(try await records(["Item:4"])["Item:4"]?["name"] == "four")
    }

    @Test("What is written after failures is on disk soon, if something else could be written before")
    func pause() async throws {
      let folder = try Folder(), clock = TestClock()
      let cache = try folder.cache { $0.busyTimeout = 0 }, store = ApolloStore(cache: cache)
      cache.use(clock)
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try await store.publish(records: ["A": ["x": 1]])
      while cache.storage.state.withLock({ $0.failureCount }) < 6 { await clock.advanceToNext() }
      await clock.untilWaiting()
      #expect(clock.waits == [.milliseconds(Storage.longestDelay)])
      // As long as it fails, it is not tried more often because there is more to write.
      try await store.publish(records: ["A": ["x": 2]])
      #expect(clock.waits.count == 1)
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      try await store.publish(records: ["B": ["x": 1]])
      await clock.advance(by: .milliseconds(2 * Storage.delay))
      try await eventually { cache.storage.state.withLock { $0.pending.isEmpty } }
      let count = try folder.database {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM records WHERE key = CAST('B' AS BLOB)")
      }
      #expect(count == 1)
    }

    @Test("A trimming that ends in the middle leaves what it has removed missing, and not gone")
    func trimming() async throws {
      var isHalf = false
      for limit in stride(from: 500, through: 3000, by: 500) {
        let folder = try Folder(), cache = try folder.cache { $0.sizeLimit = 200_000 }, count = Locked(0)
        try cache.storage.file.write { database in
          database.add(
            function: DatabaseFunction("note_removal", argumentCount: 0) { _ in
              let number = count.withLock { count in
                count += 1
                return count
              }
              if number > limit { throw DatabaseError(resultCode: .SQLITE_FULL, message: "full") }
              return 1
            })
          try database.execute(
            sql: "CREATE TEMP TRIGGER removals AFTER DELETE ON main.records BEGIN SELECT note_removal(); END")
        }
        try await cache.merge(
          records: RecordSet(
            records: (0..<3000).map { number in
              let text = String(repeating: "x", count: number < 1500 ? 10 : 400)
              return Record(key: "T:\(number)", ["text": .string(text)])
            }))
        let isComplete = try cache.storage.file.write { try !Meta.has(.incomplete, in: $0) }
        #expect(cache.storage.state.withLock { $0.isComplete } == isComplete)
        isHalf = isHalf || !isComplete && count.withLock { $0 } > limit
      }
      #expect(isHalf)
    }
  }
}
