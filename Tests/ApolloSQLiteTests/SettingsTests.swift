import Apollo
@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing
import Waiting

extension SQLiteTests {
  @Suite("What an app sets, and what the system says")
  struct SettingsTests {
    @Test("The file names a codec by what is the same in all launches and targets")
    func codecName() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.codec = Flip() }
      try await cache.merge(records: ["Item:1": ["x": 1]])
      try await cache.close()
      let name = try await DatabaseQueue(path: folder.file.path).read {
        try String.fetchOne($0, sql: "SELECT value FROM meta WHERE key = 'codec'")
      }
      #expect(name == "Flip")
    }

    /// Counts what is read.
    private struct Counting: SQLiteCodec {
      let count: Locked<Int>

      func encode(_ data: Data, for key: String) throws -> Data { data }

      func decode(_ data: Data, for key: String) throws -> Data {
        count.withLock { $0 += 1 }
        return data
      }
    }

    @Test("A file is not written anew where a chain excludes types that it has excluded in the launch before")
    func exclusionsOfChain() async throws {
      let folder = try Folder(), count = Locked(0)
      for _ in 0..<2 {
        let cache = try folder.cache { $0.codec = Counting(count: count) }
        // (The settings are looked at before there is a chain.)
        try await cache.flush()
        let chain = ChainedNormalizedCache(sqliteCache: cache, sqliteExcludeList: ["Session"])
        try await cache.flush()
        #expect(count.withLock { $0 } == 0)
        try await chain.merge(records: ["Item:1": ["x": 1], "Item:2": ["x": 2]])
        try await cache.close()
        count.withLock { $0 = 0 }
      }
    }

    private struct Flip: SQLiteCodec {
      func encode(_ data: Data, for key: String) throws -> Data {
        if key == "Bad:1" { throw CocoaError(.coderInvalidValue) }
        return Data(data.map { ~$0 })
      }
      func decode(_ data: Data, for key: String) throws -> Data {
        if data.first == RecordEncoder.version { throw CocoaError(.coderInvalidValue) }
        return Data(data.map { ~$0 })
      }
    }

    @Test("What a release of the app keeps from the disk, or encrypts, is taken out of the file of the release before")
    func changed() async throws {
      let settings: [@Sendable (inout SQLiteNormalizedCache.Configuration) -> Void] = [
        { $0.excluded = ["User.token"] }, { $0.excluded = ["User"] }, { $0.codec = Flip() },
      ]
      for configure in settings {
        let folder = try Folder()
        do {
          let store = ApolloStore(cache: try folder.cache())
          try await store.publish(records: [
            "User:1": ["__typename": "User", "token": "secret", "name": "Ann"],
            "Item:1": ["__typename": "Item", "x": 1],
            "QUERY_ROOT": ["me": .reference("User:1"), "x": 1],
          ])
          try await store.flush()
        }
        #expect(folder.contents.range(of: Data("secret".utf8)) != nil)
        let cache = try folder.cache(configure)
        try await cache.flush()
        #expect(folder.contents.range(of: Data("secret".utf8)) == nil)
        var configuration = SQLiteNormalizedCache.Configuration()
        configure(&configuration)
        if configuration.codec == nil {
          #expect(try await cache.record("QUERY_ROOT")?["x"] == 1)
          #expect(try await cache.record("Item:1")?["x"] == 1)
        }
        if configuration.excluded == ["User.token"] {
          #expect(try await cache.record("User:1")?.fields == ["__typename": "User", "name": "Ann"])
        }
        // With the same settings all of it stays.
        try await cache.merge(records: ["Item:2": ["x": 2]])
        try await cache.close()
        let next = try folder.cache(configure)
        try await next.flush()
        #expect(try await next.record("Item:2")?["x"] == 2)
      }
    }

    @Test("With secure deletion, what a process has left when it was ended is gone after the next flush")
    func secureDeleteAfterEnd() async throws {
      let folder = try Folder(), copy = try Folder()
      let cache = try folder.cache { $0.secureDelete = true }, store = ApolloStore(cache: cache)
      for round in 0..<10 {
        try await store.publish(
          records: RecordSet(
            records: (0..<40).map {
              let text = "secret\(round)" + String(repeating: "x", count: 100 * ($0 % 7 + round))
              return Record(key: "T:\($0)", ["t": .string(text)])
            }))
        try await cache.storage.onQueue { try $0.writePending() }
      }
      try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "T:*") }
      try await cache.storage.onQueue { try $0.writePending() }
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.file.path + suffix) {
        try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
      }
      let next = try copy.cache { $0.secureDelete = true }
      #expect(next.storage.state.withLock { $0.hasRemnants })
      try await next.flush()
      #expect(copy.contents.range(of: Data("secret".utf8)) == nil)
      #expect(!next.storage.state.withLock { $0.hasRemnants })
      try await next.close()
      #expect(try !copy.cache { $0.secureDelete = true }.storage.state.withLock { $0.hasRemnants })
    }

    @Test("With durability at once, a transaction with a record that the codec refuses has changed nothing on disk")
    func immediateCodecFailure() async throws {
      let folder = try Folder()
      do {
        let store = ApolloStore(cache: try folder.cache { ($0.durability, $0.codec) = (.immediate, Flip()) })
        try await store.publish(records: ["A": ["x": 1]])
        await #expect(throws: SQLiteNormalizedCacheError.self) {
          try await store.publish(records: ["A": ["x": 2], "Bad:1": ["x": 1]])
        }
        #expect(try await store.search().map(\.fields) == [["x": 1]])
        try await store.publish(records: ["B": ["x": 1]])
      }
      let cache = try folder.cache { $0.codec = Flip() }
      #expect(try await cache.record("A")?["x"] == 1)
      #expect(try await cache.record("B")?["x"] == 1)
    }

    @Test("The dates of values that were confirmed are on disk when the app is in the background")
    func dates() async throws {
      let folder = try Folder(), center = NotificationCenter(), time = Locked(1000.0)
      let cache = try folder.cache(), store = ApolloStore(cache: cache)
      store.clock = { Date(timeIntervalSince1970: time.withLock { $0 }) }
      let lifecycle = AppLifecycle(cache.storage, center: center)
      let response = ResponseBytes(#"{"data":{"list":[]}}"#.utf8)
      for seconds in [1000.0, 2000, 2010] {
        time.withLock { $0 = seconds }
        try await store.write(response: response, for: ListQuery())
      }
      center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
      try await eventually {
        try folder.database {
          try Int.fetchOne($0, sql: "SELECT written FROM records WHERE key = CAST('QUERY_ROOT' AS BLOB)")
        } == 2010
      }
      withExtendedLifetime(lifecycle) {}
    }

    @Test("A file in a shared container gives up its locks, and what is written meanwhile is on disk afterwards")
    func suspension() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.isInSharedContainer = true }
      SQLiteNormalizedCache.suspend()
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await cache.merge(records: ["A": ["x": 1]]) }
      SQLiteNormalizedCache.resume()
      try await cache.flush()
      #expect(try await cache.record("A")?["x"] == 1)
    }

    @Test("Closing a client closes the file behind a chain of caches")
    func chain() async throws {
      let folder = try Folder(), chain = ChainedNormalizedCache(sqliteCache: try folder.cache())
      let client = ApolloClient(
        configuration: .init(
          url: try #require(URL(string: "http://localhost")), cache: .store(ApolloStore(cache: chain))))
      try await client.close()
      #expect(try await folder.cache().record("A") == nil)
    }

    @Test("A name with a NUL is not on disk, and does not take the place of another")
    func nul() async throws {
      let folder = try Folder(), cache = try folder.cache()
      try await cache.merge(records: [
        "A": ["__typename": "User", "a": 1], "B": ["__typename": "User\0x", "a": 2], "C": ["a\0b": 3, "a": 3],
      ])
      try await cache.close()
      let next = try folder.cache()
      #expect(try await next.record("A")?.fields == ["__typename": "User", "a": 1])
      #expect(try await next.record("B") == nil)
      #expect(try await next.record("C") == nil)
    }
  }
}
