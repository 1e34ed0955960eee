public import ApolloCache
public import Foundation

// Names of Apollo iOS 1 and 2 for an app's own access to the file. Their rows are texts, and those of this package are
// not, so nothing passes through them any more.

private let advice =
  "To change what is stored, such as by encryption, set `configuration.codec`; for all else, see "
  + "`SQLiteNormalizedCache.Configuration`."

/// A row of Apollo iOS 1 and 2.
@available(
  *, deprecated, message: "Records are not texts any more. Set `codec` in `SQLiteNormalizedCache.Configuration`"
)
public struct DatabaseRow: Sendable {
  /// The key of the record.
  public let cacheKey: CacheKey
  /// The record as JSON.
  public let storedInfo: String

  /// Makes a row.
  public init(cacheKey: CacheKey, storedInfo: String) {
    self.cacheKey = cacheKey
    self.storedInfo = storedInfo
  }
}

/// An app's own access to the file, as in Apollo iOS 0.46 to 2. Nothing calls its functions. A type implements
/// ``addOrUpdate(records:)`` or, as before release 1.15.2, ``addOrUpdateRecordString(_:for:)``.
@available(*, deprecated, message: "Nothing calls it. Set `codec` in `SQLiteNormalizedCache.Configuration`")
public protocol SQLiteDatabase {
  /// Opens a file.
  init(fileURL: URL) throws
  /// Makes the table.
  func createRecordsTableIfNeeded() throws
  /// Reads rows.
  func selectRawRows(forKeys keys: Set<CacheKey>) throws -> [DatabaseRow]
  /// Writes rows.
  func addOrUpdate(records: [(cacheKey: CacheKey, recordString: String)]) throws
  /// Writes a row.
  func addOrUpdateRecordString(_ recordString: String, for cacheKey: CacheKey) throws
  /// Removes a row.
  func deleteRecord(for cacheKey: CacheKey) throws
  /// Removes the rows whose keys match.
  func deleteRecords(matching pattern: CacheKey) throws
  /// Removes all rows.
  func clearDatabase(shouldVacuumOnClear: Bool) throws
}

/// The types of databases whose rows are being written one by one.
private enum Forms {
  @TaskLocal static var tried: Set<ObjectIdentifier> = []
}

@available(*, deprecated)
extension SQLiteDatabase {
  /// Writes rows one by one. It throws if the type implements neither form of the function.
  public func addOrUpdate(records: [(cacheKey: CacheKey, recordString: String)]) throws {
    let database = ObjectIdentifier(Self.self)
    guard !Forms.tried.contains(database) else {
      throw SQLiteError.execution(message: "\(Self.self) implements no form of 'addOrUpdate'", resultCode: 21)
    }
    try Forms.$tried.withValue(Forms.tried.union([database])) {
      for record in records { try addOrUpdateRecordString(record.recordString, for: record.cacheKey) }
    }
  }

  /// Writes a row with the function for several rows.
  public func addOrUpdateRecordString(_ recordString: String, for cacheKey: CacheKey) throws {
    try addOrUpdate(records: [(cacheKey: cacheKey, recordString: recordString)])
  }

  /// The name of the table.
  public static var tableName: String { "records" }
  /// The name of the column with the number of a row.
  public static var idColumnName: String { "_id" }
  /// The name of the column with the key.
  public static var keyColumnName: String { "key" }
  /// The name of the column with the record.
  public static var recordColumName: String { "record" }
}

/// The name of a file, for ``SQLiteNormalizedCache/init(database:shouldVacuumOnClear:)``.
@available(*, deprecated, message: "Use `SQLiteNormalizedCache(fileURL:configuration:)`")
public final class ApolloSQLiteDatabase: SQLiteDatabase {
  /// The file.
  public let fileURL: URL

  /// Notes a file. The cache opens it.
  public init(fileURL: URL) throws { self.fileURL = fileURL }

  /// Does nothing: the cache makes its tables.
  public func createRecordsTableIfNeeded() throws {}

  /// Has no effect: the cache always uses the write-ahead log.
  public func setJournalMode(mode: JournalMode) throws {}

  /// Throws: there are no rows that are texts.
  public func selectRawRows(forKeys keys: Set<CacheKey>) throws -> [DatabaseRow] { throw unsupported }

  /// Throws: there are no rows that are texts.
  public func addOrUpdate(records: [(cacheKey: CacheKey, recordString: String)]) throws { throw unsupported }

  /// Throws: use the cache.
  public func deleteRecord(for cacheKey: CacheKey) throws { throw unsupported }

  /// Throws: use the cache.
  public func deleteRecords(matching pattern: CacheKey) throws { throw unsupported }

  /// Throws: use the cache.
  public func clearDatabase(shouldVacuumOnClear: Bool) throws { throw unsupported }

  /// The result code is that of a library that is used in a wrong way.
  private var unsupported: SQLiteError {
    .execution(message: "The file has no rows that are texts. " + advice, resultCode: 21)
  }
}

/// The database of Apollo iOS 0.43 to 1.20, which opened the file with SQLite.swift.
@available(
  *, deprecated, message: "SQLite.swift is not used any more. Use `SQLiteNormalizedCache(fileURL:configuration:)`"
)
public typealias SQLiteDotSwiftDatabase = ApolloSQLiteDatabase

extension SQLiteNormalizedCache {
  /// Opens the file of a database of Apollo iOS 1 and 2.
  ///
  /// - Parameters:
  ///   - database: The database, which must be an `ApolloSQLiteDatabase`.
  ///   - shouldVacuumOnClear: See ``init(fileURL:shouldVacuumOnClear:configuration:)``. The default is false.
  /// - Throws: ``SQLiteNormalizedCacheError``; ``SQLiteError/execution(message:resultCode:)`` for an app's own database.
  @available(
    *, deprecated, message: "Use `init(fileURL:configuration:)`; in place of a wrapper, set `configuration.codec`"
  )
  public convenience init(database: any SQLiteDatabase, shouldVacuumOnClear: Bool = false) throws {
    guard let database = database as? ApolloSQLiteDatabase else { throw Self.foreign(type(of: database)) }
    try self.init(fileURL: database.fileURL, shouldVacuumOnClear: shouldVacuumOnClear)
  }

  /// Opens a file, as in Apollo iOS 1 and 2.
  ///
  /// - Parameters:
  ///   - fileURL: The file.
  ///   - databaseType: It must be `ApolloSQLiteDatabase`.
  ///   - shouldVacuumOnClear: See ``init(fileURL:shouldVacuumOnClear:configuration:)``. The default is false.
  /// - Throws: ``SQLiteNormalizedCacheError``; ``SQLiteError/execution(message:resultCode:)`` for an app's own type.
  @available(
    *, deprecated, message: "Leave `databaseType` out; in place of a type of your own, set `configuration.codec`"
  )
  public convenience init(
    fileURL: URL, databaseType: any SQLiteDatabase.Type, shouldVacuumOnClear: Bool = false
  ) throws {
    guard databaseType is ApolloSQLiteDatabase.Type else { throw Self.foreign(databaseType) }
    try self.init(fileURL: fileURL, shouldVacuumOnClear: shouldVacuumOnClear)
  }

  private static func foreign(_ type: Any.Type) -> SQLiteError {
    .execution(message: "A database of the app's own, such as \(type), is not supported. " + advice, resultCode: 21)
  }
}
