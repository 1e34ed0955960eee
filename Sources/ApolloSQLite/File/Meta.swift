internal import GRDB

/// What a file says of itself, beside what its tables have.
enum Meta {
  enum Mark: String {
    /// Pages may have what was removed, with `secureDelete`: the file has to be written anew.
    case remnants
    /// Some records are not there that were not removed.
    case incomplete
  }

  static func has(_ mark: Mark, in database: Database) throws -> Bool {
    let statement = try database.cachedStatement(sql: "SELECT 1 FROM meta WHERE key = ?")
    return try Int.fetchOne(statement, arguments: [mark.rawValue]) != nil
  }

  /// Sets a mark, in the transaction that makes it true.
  static func set(_ mark: Mark, in database: Database) throws {
    try database.execute(sql: "INSERT OR REPLACE INTO meta(key, value) VALUES(?, 1)", arguments: [mark.rawValue])
  }

  static func remove(_ mark: Mark, in database: Database) throws {
    try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [mark.rawValue])
  }
}
