@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension SQLiteTests {
  @Suite("The limit of the size, and the root of queries")
  struct RootSizeTests {
    private static let limit = 400_000
    private static let text = Record.Value.string(String(repeating: "z", count: 500))

    private static func records(_ name: String, _ count: Int) -> RecordSet {
      RecordSet(records: (0..<count).map { Record(key: "\(name):\($0)", ["t": text]) })
    }

    private static func size(of folder: Folder) throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int)
    }

    @Test("Of a root with very many arguments, the oldest go, and other records stay")
    func arguments() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.sizeLimit = Self.limit }
      try await cache.merge(records: Self.records("Kept", 100))
      let results = Record.Value.list((0..<20).map { .reference("Result:\($0)") })
      // As 4000 different searches.
      for part in 0..<40 {
        var fields: Record.Fields = ["plain": 1]
        for number in 0..<100 { fields["search(text:\"\(part)-\(number)\")"] = results }
        try await cache.merge(records: RecordSet(records: [Record(key: "QUERY_ROOT", fields)]))
      }
      try await cache.vacuum()
      #expect(try Self.size(of: folder) <= Self.limit)
      let root = try #require(try await cache.record("QUERY_ROOT"))
      #expect(root["plain"] == 1)
      #expect(root.fields.count > 100 && root.fields.count < 3000)
      #expect((0..<100).allSatisfy { root["search(text:\"39-\($0)\")"] != nil })
      #expect((0..<100).allSatisfy { root["search(text:\"0-\($0)\")"] == nil })
      let keys = try await cache.keys(after: nil, limit: 10_000)
      #expect(keys.filter { $0.hasPrefix("Kept:") }.count == 100)
    }

    @Test("Beside a root that cannot be made smaller, other records keep some room")
    func irreducible() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.sizeLimit = Self.limit }
      let long = Record.Value.string(String(repeating: "y", count: Self.limit))
      try await cache.merge(records: RecordSet(records: [Record(key: "QUERY_ROOT", ["plain": long])]))
      try await cache.merge(records: Self.records("Some", 30))
      let some = try await cache.keys(after: nil, limit: 10_000)
      #expect(some.filter { $0.hasPrefix("Some:") }.count == 30)
      try await cache.merge(records: Self.records("More", 1000))
      try await cache.vacuum()
      #expect(try Self.size(of: folder) < 2 * Self.limit)
      let more = try await cache.keys(after: nil, limit: 10_000)
      #expect(more.contains("QUERY_ROOT") && more.count > 30 && more.count < 900)
    }

    @Test("A root that the codec cannot change now stays, and the write succeeds")
    func locked() async throws {
      let folder = try Folder(), codec = LockedCodec()
      let cache = try folder.cache { ($0.sizeLimit, $0.codec) = (Self.limit, codec) }
      var fields: Record.Fields = [:]
      for number in 0..<1000 { fields["search(text:\"\(number)\")"] = Self.text }
      try await cache.merge(records: RecordSet(records: [Record(key: "QUERY_ROOT", fields)]))
      let root = try #require(try await cache.record("QUERY_ROOT"))
      #expect(root.fields.count > 100 && root.fields.count < 1000)
      let reduction = RootReduction(loader: cache.storage.loader(of: cache.storage.file))
      codec.isLocked.withLock { $0 = true }
      let isReduced = try cache.storage.file.write { try reduction.reduce(to: 1000, in: $0) }
      #expect(!isReduced)
      codec.isLocked.withLock { $0 = false }
      #expect(try await cache.record("QUERY_ROOT") == root)
    }
  }
}
