import ApolloAPI
internal import GRDB

/// What a file of this package is for, and the versions of its format.
struct FileKind: Sendable {
  /// The mark in the header that says whose file it is.
  let applicationID: Int
  /// What leads from each version of the format to the next. The version of a file is its `user_version`.
  ///
  /// An app's update meets files of all earlier versions. So a step is never changed once it was released.
  let migrations: [@Sendable (Database) throws -> Void]
  private let schemas = Locked<[Int: FileSchema]>([:])

  init(applicationID: Int, migrations: [@Sendable (Database) throws -> Void]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// The version of the format that this release writes.
  var version: Int { migrations.count }

  /// Checks that a file has what its version has, and nothing else. It looks at the list of what is in the file, and not
  /// into a table: what another program has added, such as a trigger, must not run.
  ///
  /// - Throws: ``FileProblem``, and what GRDB throws.
  func check(_ database: Database) throws {
    // All of it at one moment: another process may make the file.
    try database.inTransaction(.deferred) {
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let found = try FileSchema(of: database)
      // Whose file it is counts first: another program has versions of its own.
      guard id == applicationID || found.isEmpty && version == 0 else {
        throw found.isOfApolloIOS ? FileProblem.apolloIOS : FileProblem.foreign(applicationID: id)
      }
      guard (0...self.version).contains(version) else { throw FileProblem.newer(version: version) }
      let wanted = try schema(ofVersion: version)
      if let problem = found.problem(comparedWith: wanted, applicationID: id) { throw problem }
      return .commit
    }
  }

  /// What a file of a version has.
  func schema(ofVersion version: Int) throws -> FileSchema {
    if let known = schemas.withLock({ $0[version] }) { return known }
    let schema = try DatabaseQueue().writeWithoutTransaction { database in
      for step in migrations.prefix(version) { try step(database) }
      return try FileSchema(of: database)
    }
    schemas.withLock { $0[version] = schema }
    return schema
  }

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
