internal import GRDB

/// The tables of a file, and what its header says of it. `Docs/sqlite.md` describes them.
enum Schema {
  /// The mark is `APLO`. `Tests/ApolloSQLiteTests/Files` has a file of each version.
  static let kind = FileKind(
    applicationID: 0x4150_4c4f,
    migrations: [
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
    ])
}
