@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension SQLiteTests {
  @Suite("Files of which a table cannot be read")
  struct DamagedTableTests {
    /// A file with a few records, in which the first page of a table or an index is damaged.
    private func damaged(_ name: String) async throws -> Folder {
      let folder = try Folder()
      do {
        let cache = try folder.cache()
        try await cache.merge(records: ["T:1": ["n": 1], "T:2": ["n": 2], "T:3": ["n": 3]])
        try await cache.vacuum()
        try await cache.close()
      }
      let root = try folder.database { database in
        try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name])
      }
      let page = try #require(root)
      var bytes = try Data(contentsOf: folder.file)
      for place in 4096 * (page - 1)..<4096 * page { bytes[place] = 0xee }
      for name in folder.names { try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name)) }
      try bytes.write(to: folder.file)
      return folder
    }

    @Test(
      "A file in which any table begins with a damaged page is put aside once, and the cache goes on with a new one",
      arguments: ["records", "sqlite_autoindex_records_1", "records_used", "names", "sqlite_sequence", "meta"])
    func damagedTable(name: String) async throws {
      let folder = try await damaged(name)
      do {
        let cache = try folder.cache()
        _ = try await cache.loadRecords(forKeys: ["T:1", "T:2", "T:3"])
        try await cache.merge(records: ["New": ["x": 1]])
        #expect(try await cache.record("New")?["x"] == 1)
        #expect(cache.recoveries.count == 1)
        try await cache.close()
      }
      let next = try folder.cache()
      #expect(try await next.record("New")?["x"] == 1)
      #expect(next.recoveries.isEmpty)
    }

    @Test("What is read first of a file is read where it can still be put aside")
    func damagedMarks() async throws {
      let folder = try await damaged("meta"), cache = try folder.cache()
      guard case .damaged? = cache.recoveries.first?.reason else { Issue.record("\(cache.recoveries)"); return }
    }

    @Test("A process that has too many files open, or too little memory, says nothing of a file")
    func fullProcess() {
      func error(_ number: Int32) -> NSError {
        NSError(
          domain: NSCocoaErrorDomain, code: CocoaError.Code.fileReadUnknown.rawValue,
          userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(number))])
      }
      for number in [EMFILE, ENFILE, ENOMEM] { #expect(DatabaseFile.isOfProcess(error(number))) }
      for number in [EACCES, EIO, ENOENT] { #expect(!DatabaseFile.isOfProcess(error(number))) }
      #expect(!DatabaseFile.isOfProcess(CocoaError(.fileReadUnknown)))
    }
  }
}
