@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
import Testing

extension SQLiteTests {
  /// Files that were written by the version that introduced the first format, with every kind of value. A line of the
  /// list beside them says what each record has to be.
  @Suite("Files of version 1", .serialized)
  struct RecordedFileTests {
    private static let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Files", isDirectory: true)
    private static let list = files.appendingPathComponent("version-1-records.txt")

    /// What a test can compare of a record, in a line.
    private static func line(_ record: Record) -> String {
      func text(_ dates: [CacheKey: Date]) -> String {
        dates.sorted { $0.key < $1.key }.map { "\($0.key)=\(Int64($0.value.timeIntervalSince1970))" }
          .joined(separator: " ")
      }
      let received = record.receivedAt.map { "\(Int64($0.timeIntervalSince1970))" } ?? "-"
      return [record.key, record.json, received, text(record.dates), text(record.expirations)].joined(separator: "\t")
    }

    /// Where a file is opened: the recorded one stays as it is.
    private func copy(_ name: String) throws -> Folder {
      let folder = try Folder()
      for suffix in ["", "-wal"] {
        let source = Self.files.appendingPathComponent(name + suffix)
        guard FileManager.default.fileExists(atPath: source.path) else { continue }
        try FileManager.default.copyItem(atPath: source.path, toPath: folder.file.path + suffix)
      }
      return folder
    }

    @Test(
      "A file has all of its records, with their dates, whether its log was written to it or not",
      arguments: ["version-1-closed.sqlite", "version-1-killed.sqlite"])
    func records(name: String) async throws {
      try await record()
      let lines = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(String.init)
      let folder = try copy(name)
      for isSecondTime in [false, true] {
        let cache = try folder.cache()
        #expect(cache.recoveries.isEmpty)
        let keys = try await cache.keys(after: nil, limit: 10_000)
        let records = try await cache.loadRecords(forKeys: Set(keys))
        let found = records.values.filter { $0.key != "New" }.map(Self.line).sorted()
        #expect(found.count > 250 && found == lines)
        #expect(isSecondTime == (records["New"] != nil))
        try await cache.merge(records: ["New": ["x": 1]])
      }
    }

    // MARK: Recording

    /// Records the files, for the release that changes the format: `APOLLO_RECORD_FILE=1`.
    private func record() async throws {
      guard ProcessInfo.processInfo.environment["APOLLO_RECORD_FILE"] != nil else { return }
      let manager = FileManager.default
      for name in try manager.contentsOfDirectory(atPath: Self.files.path)
      where name.hasPrefix("version-1-closed") || name.hasPrefix("version-1-killed") {
        try manager.removeItem(at: Self.files.appendingPathComponent(name))
      }
      let closed = Self.files.appendingPathComponent("version-1-closed.sqlite")
      let cache = try SQLiteNormalizedCache(fileURL: closed)
      try await cache.merge(records: Self.records)
      let keys = try await cache.keys(after: nil, limit: 10_000)
      let lines = try await cache.loadRecords(forKeys: Set(keys)).values.map(Self.line).sorted()
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.list)
      // As a process leaves them that is stopped.
      for suffix in ["", "-wal"] {
        try manager.copyItem(
          atPath: closed.path + suffix,
          toPath: Self.files.appendingPathComponent("version-1-killed.sqlite" + suffix).path)
      }
      try await cache.close()
      for suffix in ["-wal", "-shm"] { try? manager.removeItem(atPath: closed.path + suffix) }
    }

    private static var records: RecordSet {
      var dice = Dice(33), records = Array(RecordedFile.records.storage.values)
      for number in 0..<250 {
        var record = Record(
          key: ["T:\(number)", "Ключ:\(number)", #"QUERY_ROOT.a(x:"\#(number)")"#][number % 3],
          Dictionary(
            (0..<Int.random(in: 1..<9, using: &dice)).map { index in
              (index % 3 == 0 ? "f\(index)(a:\"é \(number % 4)\")" : "f\(index)", Record.Value.random(&dice))
            }
          ) { $1 })
        if number % 2 == 0 { record["__typename"] = .string("Type\(number % 7)") }
        if number % 3 != 0 { record.receivedAt = Date(timeIntervalSince1970: 1_700_000_000 + Double(number)) }
        for (index, name) in record.fields.keys.sorted().enumerated() where name != "__typename" && index > 1 {
          guard record.receivedAt != nil else { continue }
          if index % 3 == 0 { record.dates[name] = Date(timeIntervalSince1970: 1_600_000_000) }
          if index % 3 == 1 { record.expirations[name] = Date(timeIntervalSince1970: 4_000_000_000) }
        }
        records.append(record)
      }
      records.append(Record(key: "Empty", [:]))
      records.append(Record(key: "Long", ["text": .string(String(repeating: "é🚀", count: 20_000))]))
      records.append(
        Record(key: "Numbers", ["most": .int(.max), "least": .int(.min), "tiny": .double(.leastNonzeroMagnitude)]))
      return RecordSet(records: records)
    }
  }
}
