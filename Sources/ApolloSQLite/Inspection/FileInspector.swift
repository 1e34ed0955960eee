package import ApolloCache
package import Foundation
import ApolloAPI
internal import GRDB

/// Looks into a file without changing it, for tools. A file that cannot be used stays where it is.
package struct FileInspector {
  private let file: DatabaseFile

  /// - Parameter url: The file.
  /// - Throws: ``Problem`` if it is not a file of this cache.
  package init(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { throw Problem(description: "there is no such file") }
    if FileHeader.hasMark(OutboxSchema.kind.applicationID, url) {
      throw Problem(description: "it is the file of an outbox, which the command \"mutations\" shows")
    }
    do {
      file = try DatabaseFile.open(url, SQLiteNormalizedCache.Configuration(), isReadOnly: true)
    } catch let problem as FileProblem {
      throw Problem(description: problem.description)
    } catch let SQLiteNormalizedCacheError.cannotOpen(_, reason) {
      throw Problem(description: reason)
    }
  }

  /// Why a file cannot be looked at.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// A row, with the record if it is one.
  package struct Row {
    package let key: CacheKey
    /// How many bytes the record takes.
    package let size: Int
    /// When it was last used, in days since 1970.
    package let dayOfUse: Int
    /// nil if the bytes are not a record: a codec has changed them, or they are damaged.
    package let record: ApolloCache.Record?

    /// The type of the object.
    package var type: String? {
      if case .string(let name)? = record?["__typename"] { name } else { nil }
    }
  }

  /// Calls a body with all rows, in the order of the bytes of their keys.
  package func forEachRow(_ body: (Row) throws -> Void) throws {
    var last: Data?
    while let end = try forEachRow(after: last, limit: 1000, body) { last = end }
  }

  private func forEachRow(after key: Data?, limit: Int, _ body: (Row) throws -> Void) throws -> Data? {
    let loader = RecordLoader(file: file, exclusions: Exclusions([]), codec: nil)
    return try file.read { database in
      let rows = try GRDB.Row.fetchCursor(
        database, sql: "SELECT key, fields, used FROM records WHERE key > ? ORDER BY key LIMIT ?",
        arguments: [key.map(\.databaseValue) ?? "".databaseValue, limit])
      var last: Data?, before = key
      let table = RecordSnapshot(hasBackend: true)
      var decoder = RecordDecoder(numberedBy: table.keys, file.names.withLock { $0 })
      while let row = try rows.next() {
        guard let bytes = Data.fromDatabaseValue(row[0]) else { continue }
        if let before, !before.lexicographicallyPrecedes(bytes) { throw DatabaseError.circle }
        (before, last) = (bytes, bytes)
        let key = String(decoding: bytes, as: UTF8.self), blob = Data.fromDatabaseValue(row[1]) ?? Data()
        let stored = try loader.record(blob, for: key, numberedBy: table.keys, with: &decoder, in: database)
        try body(
          Row(
            key: key, size: blob.count, dayOfUse: Int.fromDatabaseValue(row[2]) ?? 0,
            record: stored.map { $0.exported(key, by: table) }))
      }
      return last
    }
  }

  /// What the file says of itself.
  package struct Summary {
    package let version: Int, pageSize: Int, pageCount: Int, freePageCount: Int, nameCount: Int
  }

  package func summary() throws -> Summary {
    try file.read { database in
      func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      return Summary(
        version: try number("PRAGMA user_version"), pageSize: try number("PRAGMA page_size"),
        pageCount: try number("PRAGMA page_count"), freePageCount: try number("PRAGMA freelist_count"),
        nameCount: file.names.withLock { $0.texts.count })
    }
  }

  /// What SQLite finds wrong with the file. Empty if nothing is.
  package func integrityProblems() throws -> [String] {
    try file.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
  }
}
