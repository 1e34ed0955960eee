@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import ApolloTestSupport
import Foundation
internal import GRDB
import StyledTests
import Testing
import Waiting

extension SQLiteTests {
  @Suite("As a backend")
  struct CacheTests {
    @Test("It does what every backend has to", arguments: NormalizedCacheConformance.allChecks)
    func conformance(check: NormalizedCacheConformance) async throws {
      let folder = try Folder()
      try await check.run { try folder.cache() }
    }

    @Test("So does one that writes at once, and a chain", arguments: NormalizedCacheConformance.allChecks)
    func conformanceAtOnce(check: NormalizedCacheConformance) async throws {
      let folder = try Folder()
      try await check.run { ChainedNormalizedCache(sqliteCache: try folder.cache { $0.durability = .immediate }) }
    }

    @Test("Random writes, removals and new starts leave what a dictionary has", arguments: Effort.seeds(5))
    func property(seed: UInt64) async throws {
      let folder = try Folder()
      var dice = Dice(seed), model = RecordSet(), cache: SQLiteNormalizedCache? = try folder.cache()
      let keys = (0..<30).map { "T:\($0)" } + ["QUERY_ROOT", "", "ü:*"]
      for step in 0..<80 {
        let used = try #require(cache)
        switch Int.random(in: 0..<20, using: &dice) {
        case 0..<12:
          let records = RecordSet(
            records: (0..<Int.random(in: 1..<6, using: &dice)).map { _ in
              Record(
                key: keys.randomElement(using: &dice)!,
                Dictionary(
                  (0..<Int.random(in: 1..<5, using: &dice)).map { _ in
                    ("f\(Int.random(in: 0..<6, using: &dice))", Record.Value.random(&dice))
                  }
                ) { $1 },
                receivedAt: Date(timeIntervalSince1970: Double(1_700_000_000 + step)))
            })
          let changed = try await used.merge(records: records)
          #expect(changed == merge(records, into: &model))
        case 12..<14:
          let key = keys.randomElement(using: &dice)!
          try await used.removeRecord(for: key)
          model.removeRecord(for: key)
        case 14..<16:
          let pattern = ["T:1*", "*:2", "t:2", "%", "QUERY"].randomElement(using: &dice)!
          try await used.removeRecords(matching: pattern)
          model.removeRecords(matching: pattern)
        case 16 where step % 3 == 0:
          try await used.clear()
          model.clear()
        default:
          try await used.close()
          cache = try folder.cache()
        }
        let found = try await cache?.loadRecords(forKeys: Set(keys))
        #expect(found?.mapValues(\.fields) == model.storage.mapValues(\.fields), "seed \(seed), step \(step)")
      }
      cache = nil
      #expect(try folder.database { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }

    /// Objects inside of a field are merged by their fields, and lists and references are replaced.
    private func merge(_ records: RecordSet, into model: inout RecordSet) -> Set<CacheKey> {
      let memory = InMemoryNormalizedCache(records: model)
      let changed = try? memory.merge(records: records)
      model = RecordSet(records: memory.loadRecords(forKeys: model.keys.union(records.keys)).values)
      return changed ?? []
    }

    @Test("A store's write is on disk after its flush, and a result does not wait for the disk")
    func flush() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      // A connection cannot write while another one does.
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try await store.publish(records: ["A": ["x": 1]])
      #expect(try await blocker.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 0)
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      #expect(try await blocker.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 1)
    }

    @Test("What waits is written when the cache is released")
    func release() async throws {
      let folder = try Folder()
      var store: ApolloStore? = ApolloStore(cache: try folder.cache())
      try await store?.publish(records: ["A": ["x": 1], "QUERY_ROOT": ["a": .reference("A")]])
      store = nil
      let cache = try folder.cache()
      #expect(try await cache.record("A")?["x"] == 1)
      #expect(try await cache.record("QUERY_ROOT")?["a"] == .reference("A"))
    }

    @Test("A closed cache has written everything, gives its file free, and cannot be used any more")
    func close() async throws {
      let folder = try Folder(), cache = try folder.cache(), store = ApolloStore(cache: cache)
      try await store.publish(records: ["A": ["x": 1]])
      try await cache.close()
      let next = try folder.cache()
      #expect(try await next.record("A")?["x"] == 1)
      await #expect(throws: (any Error).self) { try await cache.record("A") }
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache.merge(records: ["A": ["x": 2]]) }
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache.clear() }
      #expect(try await next.record("A")?["x"] == 1)
      #expect(next.recoveries.isEmpty)
    }

    @Test("Roots of mutations and subscriptions, and what a server does not let be stored, are never on disk")
    func unstored() async throws {
      let folder = try Folder(), store = ApolloStore(cache: try folder.cache())
      var secret = Record(key: "A", ["open": 1, "closed": "secret-1"], receivedAt: Date())
      secret.expirations = ["closed": Date(timeIntervalSince1970: Double(FieldDate.inMemory))]
      try await store.publish(
        records: RecordSet(records: [
          secret, Record(key: "MUTATION_ROOT", [#"login(password:"secret-2")"#: true]),
          Record(key: "SUBSCRIPTION_ROOT", ["s": "secret-3"]),
        ]))
      try await store.flush()
      #expect(folder.contents.range(of: Data("secret".utf8)) == nil)
      #expect(try await (store.cache as? SQLiteNormalizedCache)?.record("A")?.fields == ["open": 1])
      #expect(try await store.search { _ in true }.contains { $0["closed"] == "secret-1" }, "it is in memory")
    }

    @Test("Excluded types and fields stay in memory, those in objects without a key as well")
    func excluded() async throws {
      let folder = try Folder()
      let cache = try folder.cache { $0.excluded = ["Session", "User.token"] }, store = ApolloStore(cache: cache)
      try await store.publish(records: [
        "Session:1": ["__typename": "Session", "id": "secret"],
        "User:1": ["__typename": "User", "name": "Ann", "token": "secret", "token(a:1)": "secret"],
        "QUERY_ROOT": [
          "me": ["__typename": "User", "name": "Ann", "token": "secret"],
          "sessions": [["__typename": "Session", "id": "secret"]],
        ],
      ])
      try await store.flush()
      #expect(folder.contents.range(of: Data("secret".utf8)) == nil)
      #expect(try await cache.record("User:1")?.fields == ["__typename": "User", "name": "Ann"])
      #expect(try await cache.record("QUERY_ROOT")?.fields == ["me": ["__typename": "User", "name": "Ann"]])
      #expect(try await store.search(type: "Session").count == 1)
    }

    @Test("The codec has every blob, and a record that it refuses counts as missing")
    func codec() async throws {
      struct Flip: SQLiteCodec {
        func encode(_ data: Data, for key: String) throws -> Data {
          if key == "Bad:1" { throw CocoaError(.coderInvalidValue) }
          return Data(data.map { ~$0 })
        }
        func decode(_ data: Data, for key: String) throws -> Data { Data(data.map { ~$0 }) }
      }
      let folder = try Folder(), failures = Locked<[String]>([])
      var cache: SQLiteNormalizedCache? = try folder.cache {
        $0.codec = Flip()
        $0.onWriteFailure = { error in failures.withLock { $0.append("\(error)") } }
      }
      try await cache?.merge(records: ["A": ["x": "plain-text"]])
      #expect(folder.contents.range(of: Data("plain-text".utf8)) == nil)
      #expect(try await cache?.record("A")?["x"] == "plain-text")
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache?.merge(records: ["Bad:1": ["x": 1]]) }
      #expect(failures.withLock { $0.count == 1 && $0[0].contains("Bad:1") })
      #expect(try await cache?.record("Bad:1") == nil)
      cache = nil
      #expect(try await folder.cache().record("A") == nil, "without the codec, it is not a record")
    }

    @Test("A record is kept in memory until it is on disk, however small the memory is")
    func evictionWaits() async throws {
      let folder = try Folder(), cache = try folder.cache()
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let store = ApolloStore(cache: cache, memoryLimit: 1000)
      for number in 0..<50 { try await store.publish(records: ["A:\(number)": ["x": .int(number)]]) }
      #expect(store.engine.table.numbers.count == 50)
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      try await store.publish(records: ["A:50": ["x": 50]])
      #expect(store.engine.table.numbers.count < 50)
      #expect(try await store.search().count == 51)
    }

    @Test("What cannot be written waits, is told once, and takes no more room the longer it waits")
    func failingWrites() async throws {
      let folder = try Folder(), told = Locked<[String]>([])
      let cache = try folder.cache {
        $0.busyTimeout = 0
        $0.onWriteFailure = { error in told.withLock { $0.append("\(error)") } }
      }
      let store = ApolloStore(cache: cache), blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      for number in 0..<20 {
        try await store.publish(records: ["A": ["x": .int(number)], "B": ["x": .int(number)]])
        if number == 10 { try await store.remove("B") }
        await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.flush() }
        // (The cache tries again by itself, and what is being written does not wait at that moment.)
        try await eventually {
          cache.storage.state.withLock { $0.pending.batches.count == 1 && $0.pending.batches[0].writes.count == 1 }
        }
      }
      #expect(told.withLock { $0.count == 1 && $0[0].contains(folder.file.path) && $0[0].contains("locked") })
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.flush()
      #expect(
        try await cache.loadRecords(forKeys: ["A", "B"]).mapValues(\.fields) == ["A": ["x": 19], "B": ["x": 19]])
      #expect(cache.storage.state.withLock { $0.pending.isEmpty })
    }

    @Test("What comes while the file is tried again is joined with what waits, but for what stands behind a pattern")
    func joining() async throws {
      let store = ApolloStore()
      var pending = PendingWrites()
      func publish(_ value: Int) async throws -> RecordWrite {
        try await store.publish(records: ["A": ["x": .int(value)]])
        return RecordWrite(store.engine.table.records)
      }
      for value in 0..<20 {
        pending.append(try await publish(value))
        #expect(pending.beginWriting().count == 1)
        pending.append(try await publish(value + 1))
        pending.endWriting(succeeded: false)
        #expect(pending.batches.count == 1 && pending.batches[0].writes.count == 1)
      }
      var removal = try await publish(30)
      removal.removedPatterns = ["A:*"]
      pending.append(removal)
      _ = pending.beginWriting()
      pending.append(try await publish(31))
      pending.endWriting(succeeded: false)
      #expect(pending.batches.map(\.removedPatterns) == [[], ["A:*"]])
    }

    @Test("What waits answers reads: a removal, a pattern, and a record that has left the memory")
    func pendingReads() async throws {
      let folder = try Folder(), cache = try folder.cache()
      try await cache.merge(records: ["A:1": ["x": 1], "A:2": ["x": 1], "B": ["x": 1]])
      let store = ApolloStore(cache: cache)
      try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "A:*") }
      try await store.remove("B")
      #expect(
        try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["A:1", "B"]) }.isEmpty)
      try await store.publish(records: ["A:2": ["y": 2]])
      #expect(try await cache.loadRecords(forKeys: ["A:1", "A:2", "B"]).mapValues(\.fields) == ["A:2": ["y": 2]])
    }

    @Test("A collection goes through the whole file, and loads no more than a page of it into memory")
    func collection() async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        try await cache.merge(
          records: RecordSet(
            records: (0..<6000).map { Record(key: "T:\($0)", ["x": .int($0)]) } + [
              Record(key: "QUERY_ROOT", ["kept": .reference("T:17")])
            ]))
      }
      let cache = try folder.cache(), store = ApolloStore(cache: cache)
      let garbage = try await store.collectGarbage()
      #expect(garbage.removedRecords.count == 5999)
      #expect(store.engine.table.numbers.count < 10)
      try await store.flush()
      #expect(try await cache.keys(after: nil, limit: 10) == ["QUERY_ROOT", "T:17"])
    }

    @Test("The file stays within its limit, and loses what was not used for the longest time")
    func sizeLimit() async throws {
      let folder = try Folder(), limit = 400_000
      let cache = try folder.cache { $0.sizeLimit = limit }
      let text = Record.Value.string(String(repeating: "z", count: 500))
      try await cache.merge(
        records: RecordSet(
          records: (0..<300).map { Record(key: "Old:\($0)", ["t": text]) } + [
            Record(key: "QUERY_ROOT", ["a": 1])
          ]))
      try cache.storage.file.write { try $0.execute(sql: "UPDATE records SET used = 100") }
      _ = try await cache.loadRecords(forKeys: ["Old:1", "Old:2"])
      for part in 0..<12 {
        try await cache.merge(
          records: RecordSet(records: (0..<30).map { Record(key: "New:\(part):\($0)", ["t": text]) }))
      }
      try await cache.vacuum()
      let size = try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int
      #expect(try #require(size) <= limit)
      let keys = try await cache.keys(after: nil, limit: 10_000)
      #expect(
        keys.contains("QUERY_ROOT") && keys.contains("New:11:29") && keys.contains("New:0:0") && keys.contains("Old:1"))
      let old = keys.filter { $0.hasPrefix("Old:") }
      #expect(old.count < 300 && old.contains("Old:2") && keys.count > 400)
    }

    @Test("What was used while the clock was ahead does not stay in place of what is used now")
    func sizeLimitAfterWrongClock() async throws {
      let folder = try Folder(), limit = 400_000, clock = TestClock()
      let cache = try folder.cache { $0.sizeLimit = limit }
      cache.use(clock)
      func write(_ name: String) async throws {
        let text = Record.Value.string(String(repeating: "z", count: 500))
        try await cache.merge(
          records: RecordSet(records: (0..<300).map { Record(key: "\(name):\($0)", ["t": text]) }))
      }
      func count(_ name: String) async throws -> Int {
        try await cache.keys(after: nil, limit: 10_000).filter { $0.hasPrefix("\(name):") }.count
      }
      let today = clock.date
      clock.date = today.addingTimeInterval(86_400 * 7300)
      for name in ["A", "B", "C"] { try await write(name) }
      clock.date = today
      try await write("D")
      #expect(try await count("D") == 300)
      clock.date = today.addingTimeInterval(86_400)
      try await write("E")
      let old = try await count("A") + count("B") + count("C"), recent = try await count("D")
      #expect(try await count("E") == 300 && recent > 150 && old < 300)
    }

    @Test("After a clear with secure deletion, nothing of what was there is in the files")
    func secureDelete() async throws {
      let folder = try Folder()
      let cache = try folder.cache { $0.secureDelete = true }
      try await cache.merge(
        records: RecordSet(records: (0..<200).map { Record(key: "A:\($0)", ["t": .string("secret-text-\($0)")]) }))
      #expect(folder.contents.range(of: Data("secret-text".utf8)) != nil)
      try await cache.clear()
      #expect(folder.contents.range(of: Data("secret-text".utf8)) == nil)
      #expect(folder.contents.range(of: Data("A:1".utf8)) == nil)
      #expect(folder.contents.count < 100_000)
    }

    @Test("With durability at once, a write is on disk when it returns, and one that fails has not happened")
    func immediate() async throws {
      for (durability, level) in [
        (SQLiteNormalizedCache.Configuration.Durability.immediate, 2), (.batched, 1),
      ] {
        let folder = try Folder(), cache = try folder.cache { $0.durability = durability }
        // FULL is 2: SQLite waits for the disk after each commit, and not only from time to time.
        let found = try cache.storage.file.write {
          try Int.fetchOne($0, sql: "PRAGMA synchronous")
        }
        #expect(found == level)
      }
      let folder = try Folder()
      let store = ApolloStore(cache: try folder.cache { ($0.durability, $0.busyTimeout) = (.immediate, 0) })
      try await store.publish(records: ["A": ["x": 1]])
      let other = try folder.blocker()
      #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 1)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.publish(records: ["A": ["x": 2]]) }
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      #expect(try await store.search().map(\.fields) == [["x": 1]])
      try await store.flush()
      #expect(try await (store.cache as? SQLiteNormalizedCache)?.record("A")?.fields == ["x": 1])
    }
  }
}
