internal import GRDB

/// The tables of an outbox's file, and what its header says of it. `Docs/offline.md` describes them.
enum OutboxSchema {
  /// The mark is `APLQ`.
  ///
  /// The order of the tables of the first version stays: a file whose first page is damaged is read with the first page of
  /// a new file.
  static let kind = FileKind(
    applicationID: 0x4150_4c51,
    migrations: [
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
      },
      // Whose a mutation or an id is, as a hash; NULL: an outbox without an owner has it.
      { database in
        try database.execute(
          sql: "ALTER TABLE mutations ADD COLUMN owner TEXT; ALTER TABLE ids ADD COLUMN owner TEXT")
      },
    ])

  /// Whether the tables in which mutations and ids are found are as a version of this package makes them. A view of that
  /// name could be anything.
  static func hasOwnTables(_ database: Database) throws -> Bool {
    let found = try FileSchema(of: database)
    return try (1...kind.version).contains { version in
      let wanted = try kind.schema(ofVersion: version)
      return ["mutations", "ids"].allSatisfy { found.has($0, asIn: wanted) }
    }
  }
}
