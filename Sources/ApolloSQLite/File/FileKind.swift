internal import GRDB

/// What a file of this package is for, and the versions of its format.
struct FileKind: Sendable {
  /// The mark in the header that says whose file it is.
  let applicationID: Int
  /// What leads from each version of the format to the next. The version of a file is its `user_version`.
  ///
  /// An app's update meets files of all earlier versions. So a step is never changed once it was released.
  let migrations: [@Sendable (Database) throws -> Void]

  /// The version of the format that this release writes.
  var version: Int { migrations.count }

  /// Brings a file to the version of this release, in one transaction.
  func migrate(_ database: Database) throws {
    func versionOfFile() throws -> Int { try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 }
    guard try versionOfFile() < version else { return }
    try database.inTransaction(.immediate) {
      // Another process may have been faster.
      for step in migrations.dropFirst(try versionOfFile()) { try step(database) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
  }
}
