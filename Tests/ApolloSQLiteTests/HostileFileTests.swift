@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import StyledTests
import Testing
import Waiting

extension SQLiteTests {
  /// Whatever a file has in it, using it ends, and the process goes on.
  @Suite("Hostile files", .timeLimit(.minutes(10)))
  struct HostileFileTests {
    /// A file of this package, changed with SQLite itself.
    private func file(_ change: (Database) throws -> Void) async throws -> Folder {
      let folder = try Folder()
      do { try await folder.cache().merge(records: ["T:1": ["__typename": "Thing", "id": "1", "next": 1]]) }
      try folder.database(change)
      return folder
    }

    /// Does with a file what apps, stores and tools do.
    private func use(_ folder: Folder) async throws -> [SQLiteNormalizedCacheError.Recovery] {
      if let inspector = try? FileInspector(path: folder.file.path) {
        _ = try? inspector.summary()
        try? inspector.forEachRow { _ = "\($0)\($1)\($2)\($3?.json ?? "")" }
        _ = try? inspector.integrityProblems()
      }
      let cache = try folder.cache { $0.sizeLimit = 50_000 }, store = ApolloStore(cache: cache)
      for (_, record) in try await cache.loadRecords(forKeys: Set(HostileFiles.keys)) { _ = record.json }
      _ = try? await store.load(ThingsQuery())
      _ = try? await store.load(ThingsQuery(), returnsPartialData: true)
      _ = try await store.search { $0.key != "x" }
      for key in HostileFiles.keys {
        try? await store.publish(records: [key: ["id": 7, "text": "new", "things": [.reference("T:1")]]])
      }
      try await store.flush()
      _ = try await store.collectGarbage()
      try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "T:*") }
      try await cache.merge(records: ["New": ["x": 1, "a name": .string(String(repeating: "z", count: 90_000))]])
      try await store.flush()
      try await cache.clear()
      try await cache.merge(records: ["New": ["x": 1]])
      #expect(try await cache.record("New")?["x"] == 1)
      let recoveries = cache.recoveries
      try await cache.close()
      return recoveries
    }

    @Test("Any values in any column", arguments: Effort.seeds(30))
    func values(seed: UInt64) async throws {
      var hostile = HostileFiles(dice: Dice(seed))
      let folder = try await file { try hostile.fill($0) }
      #expect(try await use(folder).count <= 2)
    }

    @Test("A schema with something of its own is foreign, and nothing of it runs", arguments: HostileFiles.schemas)
    func schema(statements: String) async throws {
      let folder = try await file { try $0.execute(sql: statements) }
      let inspector = #expect(throws: FileRefusal.self) { try FileInspector(path: folder.file.path) }
      let recoveries = try await use(folder)
      #expect(recoveries.count == 1, "\(recoveries)")
      if !statements.hasPrefix("DROP"), !statements.contains("rootpage = (SELECT") {
        #expect(recoveries.first?.reason == .foreign(applicationID: Schema.kind.applicationID), "\(recoveries)")
        #expect(inspector?.description.contains("changed") == true, "\(String(describing: inspector))")
      }
    }

    @Test("What the log says counts, not only what the file says: a later version, and another program")
    func log() async throws {
      for change in ["PRAGMA user_version = 9", "PRAGMA application_id = 77", "PRAGMA user_version = 0"] {
        let folder = try Folder(), copy = try Folder()
        try await folder.cache().merge(records: ["A": ["x": 1]])
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: change) }
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: folder.file.path + suffix, toPath: copy.file.path + suffix)
        }
        try queue.close()
        #expect(try copy.cache().recoveries.count == 1, "\(change)")
      }
    }

    /// Each page of a table that leads to others leads to one and the same, so that its rows have no end.
    @Test("Pages that lead in circles", arguments: ["names", "records", "records_used", "sqlite_autoindex_records_1"])
    func circles(table: String) async throws {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        // Enough that the table or the index has more than one page.
        let (count, length) = table.contains("records_") ? (4000, 1) : (500, 200)
        try await cache.merge(
          records: RecordSet(
            records: (0..<count).map { number in
              let name = String(repeating: "x", count: length) + "\(number)"
              return Record(key: "T:\(number)", [table == "names" ? name : "text": .string(name)])
            }))
      }
      let (root, pageSize) = try folder.database { database in
        (
          try #require(
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table])),
          try #require(try Int.fetchOne(database, sql: "PRAGMA page_size"))
        )
      }
      var bytes = try Data(contentsOf: folder.file)
      let start = (root - 1) * pageSize
      let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
      #expect(bytes[start] == 5 || bytes[start] == 2, "it leads to others")
      // All of its cells are the first one, and so is the page behind them.
      let first = start + (Int(bytes[start + 12]) << 8 | Int(bytes[start + 13]))
      for cell in 1..<cells {
        bytes.replaceSubrange(start + 12 + 2 * cell..<start + 14 + 2 * cell, with: bytes[start + 12..<start + 14])
      }
      bytes.replaceSubrange(start + 8..<start + 12, with: bytes[first..<first + 4])
      try bytes.write(to: folder.file)
      _ = try await use(folder)
    }

    @Test("Objects in objects that each say that they have many fields take no memory for them")
    func memory() throws {
      var writer = BlobWriter()
      for byte in [RecordEncoder.version, 0, 0, 0, 0] { writer.write(byte) }
      for depth in 0..<250 {
        writer.write(count: 900_000 - depth * 100)
        writer.write(UInt64(1) << 1)
        writer.write(RecordEncoder.Tag.object)
        writer.write(UInt8(0))
      }
      for _ in 0..<1_000_000 { writer.write(UInt8(0)) }
      writer.writeChecksum(for: "A")
      var names = Names()
      names.insert("x", 1)
      let snapshot = RecordSnapshot(hasBackend: true)
      var decoder = RecordDecoder(numberedBy: snapshot.keys, names)
      let before = Self.mappedBytes()
      #expect(throws: (any Error).self) { try decoder.record(writer.bytes, for: "A") }
      #expect(Self.mappedBytes() - before < 1_000_000_000)
    }

    /// The most address space that the process has had, where the system says it.
    private static func mappedBytes() -> Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") }
      return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }

    @Test("The inspector says what is in such files, or why it cannot", arguments: Effort.seeds(2))
    func inspector(seed: UInt64) async throws {
      var hostile = HostileFiles(dice: Dice(seed &+ 1000))
      let folder = try await file { try hostile.fill($0) }
      for command in [["statistics"], ["dump"], ["dump", "--json"], ["check"], ["collect"]] {
        let child = try Child(product: "apollo-inspect", [command[0], folder.file.path] + command.dropFirst())
        let end = try await child.ended()
        #expect(end.status == 0 || end.status == 1, "\(command): \(end)")
      }
    }
  }
}

// MARK: - A query

private struct ThingsQuery: GraphQLQuery {
  static let operationName = "Things"
  static let operationDocument = OperationDocument("query Things { things { __typename id text } }")

  struct Data: SelectionSet, Hashable {
    var things: [Thing]
    static let __fields = __FieldTable(version: 1, "things")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { things = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, things) }
  }

  struct Thing: SelectionSet, Hashable {
    var __typename: String
    var id: String
    var text: String?
    static let __fields = __FieldTable(version: 3, "__typename id!# text")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
      text = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
      writer.write(2, text)
    }
  }
}
