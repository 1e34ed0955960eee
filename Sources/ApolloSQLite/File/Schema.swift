internal import GRDB

/// The tables of a file, and what its header says of it. `Docs/sqlite.md` describes them.
enum Schema {
  /// Says in the file's header whose file it is: `APLO`.
  static let applicationID = 0x4150_4c4f

  /// What leads from each version of the format to the next. The version of a file is its `user_version`.
  ///
  /// An app's update meets files of all earlier versions. So a step is never changed once it was released, and
  /// `Tests/ApolloSQLiteTests/Files` has a file of each version.
  static let migrations: [@Sendable (Database) throws -> Void] = [
    { database in
      try database.execute(
        sql: """
          CREATE TABLE records(
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            fields BLOB NOT NULL,
            written INTEGER NOT NULL,
            used INTEGER NOT NULL
          );
          CREATE INDEX records_used ON records(used);
          CREATE TABLE names(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
          CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
          """)
    }
  ]

  static var version: Int { migrations.count }

  /// Brings a file to the version of this code, in one transaction.
  static func migrate(_ database: Database) throws {
    var version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard version < self.version else { return }
    try database.inTransaction(.immediate) {
      // Another process may have been faster.
      version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      for step in migrations.dropFirst(version) { try step(database) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(self.version)")
      return .commit
    }
  }

  /// Looks at each table. A file that lacks something is damaged.
  static func check(_ database: Database) throws {
    _ = try Row.fetchOne(database, sql: "SELECT id, key, fields, written, used FROM records LIMIT 1")
    _ = try Row.fetchOne(database, sql: "SELECT key, value FROM meta LIMIT 1")
  }
}
