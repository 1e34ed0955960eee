@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import ApolloTestSupport
import Foundation
import Testing

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
  }
}
