import ForeignText
import Foundation
internal import GRDB

/// Takes what was removed out of a file and its log, where its bytes would stay until something else takes their place.
enum Erasing {
  /// Looks at all pages of a file. Where pages lead in circles, removing all rows would have no end.
  ///
  /// - Throws: `SQLITE_CORRUPT` if something is wrong.
  static func check(_ database: Database) throws {
    let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "ok"
    guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found.shownOnOneLine) }
  }

  /// Writes a file anew from what is in it, and empties its log. Nothing that was removed is left in either.
  static func rewrite(_ database: Database) throws {
    // SQLite makes another file for it otherwise.
    try database.execute(sql: "PRAGMA temp_store = MEMORY")
    try database.execute(sql: "VACUUM")
    try emptyLog(database)
  }

  /// Writes the log to the file, and cuts it.
  ///
  /// - Throws: `SQLITE_BUSY` if another process reads longer than a write waits.
  static func emptyLog(_ database: Database) throws { try database.checkpoint(.truncate) }

  /// Goes on with a rewriting that a process has begun and not ended.
  static func finish(_ database: Database, _ file: URL) throws {
    guard try Int.fetchOne(database, sql: "SELECT 1 FROM records LIMIT 1") == nil else { return }
    let pages = try Pages(of: database)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0
    guard pages.freeSize > 0 || pages.fileSize < size else { return }
    try check(database)
    try rewrite(database)
  }
}
