package import ApolloCache
import Foundation
import ApolloAPI
internal import GRDB

/// Looks into a file without changing it, for tools. A file that cannot be used stays where it is.
package struct FileInspector {
  private let file: DatabaseFile

  /// - Parameter path: The file.
  /// - Throws: What a user is told if it is not a file of this cache.
  package init(path: String) throws {
    func refuse(_ reason: String) -> FileRefusal { FileRefusal(path: path, reason: reason) }
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: url.path) else { throw refuse("there is no such file") }
    if FileHeader.hasMark(OutboxSchema.kind.applicationID, url) {
      throw refuse("it is the file of an outbox, which the command \"mutations\" shows")
    }
    do {
      file = try DatabaseFile.open(url, SQLiteNormalizedCache.Configuration(), isReadOnly: true)
    } catch let problem as FileProblem {
      throw refuse(problem.description)
    } catch let SQLiteNormalizedCacheError.cannotOpen(_, reason) {
      throw refuse(reason)
    }
  }

  /// Calls a body with all rows, in the order of the bytes of their keys.
  ///
  /// - Parameter body: Called with a key; how many bytes its record takes; when it was last used, in days since 1970; and the
  ///   record, or nil if the bytes are not one: a codec has changed them, or they are damaged.
  /// - Throws: What the body throws, and errors of the database.
  package func forEachRow(
    _ body: (_ key: CacheKey, _ size: Int, _ dayOfUse: Int, _ record: ApolloCache.Record?) throws -> Void
  ) throws {
    var last: Data?
    while let end = try forEachRow(after: last, limit: 1000, body) { last = end }
  }

  private func forEachRow(
    after key: Data?, limit: Int, _ body: (CacheKey, Int, Int, ApolloCache.Record?) throws -> Void
  ) throws -> Data? {
    let loader = RecordLoader(file: file, exclusions: Exclusions([]), codec: nil, isComplete: true)
    return try file.read { database in
      let rows = try GRDB.Row.fetchCursor(
        database, sql: "SELECT key, fields, used FROM records WHERE key > ? AND fields <> x'' ORDER BY key LIMIT ?",
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
          key, blob.count, Int.fromDatabaseValue(row[2]) ?? 0, stored.map { $0.exported(key, by: table) })
      }
      return last
    }
  }

  /// What the file says of itself: the version of its format, its pages of so many bytes, and how many names of fields and
  /// types it has.
  package func summary() throws -> (version: Int, pageSize: Int, pageCount: Int, freePageCount: Int, nameCount: Int) {
    try file.read { database in
      func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      return (
        version: try number("PRAGMA user_version"), pageSize: try number("PRAGMA page_size"),
        pageCount: try number("PRAGMA page_count"), freePageCount: try number("PRAGMA freelist_count"),
        nameCount: file.names.withLock { $0.texts.count }
      )
    }
  }

  /// What SQLite finds wrong with the file. Empty if nothing is.
  package func integrityProblems() throws -> [String] {
    try file.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
  }
}

/// Why a tool cannot look at a file.
struct FileRefusal: Error, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "\(path): \(reason)." }
}
