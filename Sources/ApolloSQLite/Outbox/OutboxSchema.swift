internal import GRDB

/// The tables of an outbox's file, and what its header says of it. `Docs/offline.md` describes them.
enum OutboxSchema {
  /// Says in the file's header whose file it is: `APLQ`.
  static let applicationID = 0x4150_4c51

  /// What leads from each version of the format to the next; see ``Schema/migrations``.
  ///
  /// The order of the tables of the first version stays: a file whose first page is damaged is read with the first page of
  /// a new file.
  static let migrations: [@Sendable (Database) throws -> Void] = [
    { database in
      try database.execute(
        sql: """
          CREATE TABLE mutations(
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            scope TEXT NOT NULL,
            operation TEXT NOT NULL,
            state TEXT NOT NULL,
            date INTEGER NOT NULL,
            contents BLOB NOT NULL
          );
          CREATE TABLE ids(local TEXT PRIMARY KEY, server TEXT, date INTEGER NOT NULL);
          """)
    }
  ]

  static var version: Int { migrations.count }

  /// Brings a file to the version of this code, in one transaction.
  static func migrate(_ database: Database) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard version < self.version else { return }
    try database.inTransaction(.immediate) {
      for step in migrations.dropFirst(version) { try step(database) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(self.version)")
      return .commit
    }
  }

  /// Looks at each table. A file that lacks something is damaged.
  static func check(_ database: Database) throws {
    _ = try Row.fetchOne(database, sql: "SELECT number, id, scope, operation, state, date FROM mutations LIMIT 1")
    _ = try Row.fetchOne(database, sql: "SELECT local, server, date FROM ids LIMIT 1")
  }
}
