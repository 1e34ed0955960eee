@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension SQLiteTests {
  @Suite("What is not in the file, and what was removed")
  struct MissingRecordTests {
    /// Reasons for which a record is not in the file although it was not removed.
    enum Loss: CaseIterable {
      case limit, excluded, damage, notStored

      func configure(_ configuration: inout SQLiteNormalizedCache.Configuration) {
        if self == .excluded { configuration.excluded = ["Item"] }
      }
    }

    /// A file with a list of two items, the second of which it has lost.
    private func file(without loss: Loss) async throws -> Folder {
      let folder = try Folder(), cache = try folder.cache(loss.configure), store = ApolloStore(cache: cache)
      try await store.publish(items: ["1", "2"])
      if loss == .notStored {
        var hidden = Record(key: "Item:2", ["name": "2"], receivedAt: Date())
        hidden.expirations = ["name": Date(timeIntervalSince1970: Double(FieldDate.inMemory))]
        try await store.publish(records: RecordSet(records: [hidden]))
        try await store.withinReadWriteTransaction { try $0.removeField("id", of: "Item:2") }
      }
      try await store.flush()
      if loss == .limit {
        try cache.storage.file.write { database in
          try database.execute(sql: "UPDATE records SET used = 1 WHERE key = CAST('Item:2' AS BLOB)")
          var isTrimmed = false
          let loader = cache.storage.loader(of: cache.storage.file)
          try Trimming.trim(database, to: 1, on: cache.storage.day, readingWith: loader) {
            isTrimmed = true
          }
          #expect(isTrimmed)
        }
        // (The limit leaves the root only.)
        try await store.publish(records: ["Item:1": ["name": "one"]])
        try await store.flush()
      }
      try await cache.close()
      if loss == .damage {
        try folder.database {
          try $0.execute(sql: "UPDATE records SET fields = x'01' WHERE key = CAST('Item:2' AS BLOB)")
        }
      }
      return folder
    }

    @Test(
      "What the file has lost is missing, so the server is asked: it is not nil in a list", arguments: Loss.allCases)
    func lost(loss: Loss) async throws {
      let folder = try await file(without: loss), store = ApolloStore(cache: try folder.cache(loss.configure))
      for _ in 0..<2 {
        await #expect(throws: ResponseDecodingError.self) { try await store.names() }
        // A collection does not take the reference away.
        try await store.removeDanglingReferences()
      }
      try await store.publish(records: ["Item:2": ["__typename": "Item", "id": "2", "name": "two"]])
      if loss != .excluded { #expect(try await store.names().last == "two") }
    }

    @Test("What was removed is gone in a list, also after a new start, and whatever else the file has lost")
    func removed() async throws {
      for isIncomplete in [false, true] {
        for isPattern in [false, true] {
          let folder = try Folder()
          do {
            let cache = try folder.cache()
            if isIncomplete {
              try cache.storage.file.write { try Meta.set(.incomplete, in: $0) }
              cache.storage.state.withLock { $0.isComplete = false }
            }
            let store = ApolloStore(cache: cache)
            try await store.publish(items: ["1", "2"])
            try await store.withinReadWriteTransaction {
              if isPattern { try $0.removeObjects(matching: "*:2") } else { try $0.removeObject(for: "Item:2") }
            }
            try await store.flush()
          }
          let cache = try folder.cache(), store = ApolloStore(cache: cache)
          #expect(try await store.names() == ["1", nil])
          #expect(try await cache.keys(after: nil, limit: 9) == ["Item:1", "QUERY_ROOT"])
          #expect(try await cache.record("Item:2") == nil)
          #expect(try await store.search().map(\.key) == ["Item:1", "QUERY_ROOT"])
          // It can come again.
          try await store.publish(items: ["2"])
          try await store.flush()
          #expect(try await store.names() == ["2"])
          #expect(try await cache.record("Item:2")?["name"] == "2")
        }
      }
    }

    @Test("What an app removes that the file has lost is gone, also after a new start")
    func removedAfterLoss() async throws {
      let folder = try await file(without: .limit)
      do {
        let store = ApolloStore(cache: try folder.cache())
        try await store.publish(items: ["1"])
        try await store.publish(records: ["QUERY_ROOT": ["list": [.reference("Item:1"), .reference("Item:2")]]])
        try await store.withinReadWriteTransaction { try $0.removeObject(for: "Item:2") }
        #expect(try await store.names() == ["1", nil])
        try await store.flush()
      }
      let store = ApolloStore(cache: try folder.cache())
      #expect(try await store.names() == ["1", nil])
      try await store.removeDanglingReferences()
      try await store.flush()
      // Nothing leads to it any more, so the file need not remember it.
      #expect(try folder.database { try Int.fetchOne($0, sql: "SELECT count(*) FROM records WHERE fields = x''") } == 0)
      #expect(try await store.names() == ["1", nil])
    }

    @Test("Whether the file has lost something is asked for only if a record is not there")
    func marks() async throws {
      let folder = try Folder(), cache = try folder.cache(), keys = RecordSnapshot(hasBackend: true).keys
      try await cache.merge(records: ["A": ["x": 1], "B": ["x": 1]])
      let statements = Locked<[String]>([])
      try cache.storage.file.read { database in
        database.trace { event in statements.withLock { $0.append("\(event)") } }
      }
      func isMarkRead() -> Bool { statements.withLock { $0.contains { $0.contains("meta") } } }
      #expect(try cache.load(["A", "B"], numberedBy: keys).allSatisfy { $0?.isRemoved == false })
      #expect(!isMarkRead() && statements.withLock { !$0.isEmpty })
      let loaded = try cache.load(["A", "C", "B"], numberedBy: keys)
      #expect(loaded.map { $0?.isRemoved } == [false, true, false])
      #expect(isMarkRead())
    }

    @Test("Keys that differ only in how Unicode composes characters are two records, also when both are loaded at once")
    func normalization() async throws {
      let composed = "caf\u{e9}", decomposed = "cafe\u{301}", folder = try Folder()
      do {
        let store = ApolloStore(cache: try folder.cache())
        var records: RecordSet = [
          "QUERY_ROOT": ["list": [.reference("Item:\(composed)"), .reference("Item:\(decomposed)")]]
        ]
        records.insert(Record(key: "Item:\(composed)", ["__typename": "Item", "id": "1", "name": "composed"]))
        try await store.publish(records: records)
        try await store.publish(
          records: RecordSet(records: [
            Record(key: "Item:\(decomposed)", ["__typename": "Item", "id": "2", "name": "decomposed"])
          ]))
        try await store.flush()
      }
      #expect(try await ApolloStore(cache: try folder.cache()).names() == ["composed", "decomposed"])
    }

    @Test("While a codec cannot work, what is on disk stays, and what is written waits")
    func codecUnavailable() async throws {
      let folder = try Folder(), codec = LockedCodec()
      do {
        let store = ApolloStore(cache: try folder.cache { $0.codec = codec })
        try await store.publish(items: ["1", "2"])
        try await store.publish(records: ["QUERY_ROOT": ["other": 1]])
        try await store.flush()
      }
      codec.isLocked.withLock { $0 = true }
      do {
        let cache = try folder.cache { $0.codec = codec }, store = ApolloStore(cache: cache)
        await #expect(throws: SQLiteCodecUnavailable.self) { try await cache.record("QUERY_ROOT") }
        try? await store.publish(records: ["QUERY_ROOT": ["third": 3]])
        await #expect(throws: (any Error).self) { try await store.collectGarbage() }
        try await store.write(response: ResponseBytes(#"{"data":{"list":[]}}"#.utf8), for: ListQuery())
        await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.flush() }
        codec.isLocked.withLock { $0 = false }
        try await store.flush()
      }
      let cache = try folder.cache { $0.codec = codec }
      #expect(try await cache.record("QUERY_ROOT")?["other"] == 1)
      #expect(try await cache.record("QUERY_ROOT")?["list"] == .list([]))
      #expect(try await cache.record("Item:1")?["name"] == "1")
    }
  }
}
