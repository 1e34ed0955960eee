import ApolloCache
import ApolloSQLite
import Foundation
import Testing

// (What an app has of its own conforms to a protocol that is deprecated.)

/// As of Apollo iOS 0.46 to 1.15.1, where rows were written one by one.
@available(*, deprecated)
private class RowDatabase: SQLiteDatabase {
  var rows: [CacheKey: String] = [:]

  required init(fileURL: URL) throws {}
  func createRecordsTableIfNeeded() throws {}
  func selectRawRows(forKeys keys: Set<CacheKey>) throws -> [DatabaseRow] {
    keys.compactMap { key in rows[key].map { DatabaseRow(cacheKey: key, storedInfo: $0) } }
  }
  func addOrUpdateRecordString(_ recordString: String, for cacheKey: CacheKey) throws { rows[cacheKey] = recordString }
  func deleteRecord(for cacheKey: CacheKey) throws { rows[cacheKey] = nil }
  func deleteRecords(matching pattern: CacheKey) throws { rows = [:] }
  func clearDatabase(shouldVacuumOnClear: Bool) throws { rows = [:] }
}

/// As of later releases.
@available(*, deprecated)
private final class BatchDatabase: SQLiteDatabase {
  var rows: [CacheKey: String] = [:]

  init(fileURL: URL) throws {}
  func createRecordsTableIfNeeded() throws {}
  func selectRawRows(forKeys keys: Set<CacheKey>) throws -> [DatabaseRow] { [] }
  func addOrUpdate(records: [(cacheKey: CacheKey, recordString: String)]) throws {
    for record in records { rows[record.cacheKey] = record.recordString }
  }
  func deleteRecord(for cacheKey: CacheKey) throws {}
  func deleteRecords(matching pattern: CacheKey) throws {}
  func clearDatabase(shouldVacuumOnClear: Bool) throws {}
}

/// It writes no rows, which only the compiler of Apollo iOS would have noticed.
@available(*, deprecated)
private final class NoDatabase: SQLiteDatabase {
  init(fileURL: URL) throws {}
  func createRecordsTableIfNeeded() throws {}
  func selectRawRows(forKeys keys: Set<CacheKey>) throws -> [DatabaseRow] { [] }
  func deleteRecord(for cacheKey: CacheKey) throws {}
  func deleteRecords(matching pattern: CacheKey) throws {}
  func clearDatabase(shouldVacuumOnClear: Bool) throws {}
}

extension SQLiteTests {
  @Suite("Databases of apps, as in Apollo iOS")
  struct OwnDatabaseTests {
    private let file = URL(fileURLWithPath: "/rows.sqlite")

    @available(*, deprecated)
    @Test("A database implements one form of the function that writes rows, and the other form leads to it")
    func forms() throws {
      let rows = try RowDatabase(fileURL: file), batches = try BatchDatabase(fileURL: file)
      let databases: [any SQLiteDatabase] = [rows, batches]
      for database in databases {
        try database.addOrUpdate(records: [(cacheKey: "a", recordString: "1"), (cacheKey: "b", recordString: "2")])
        try database.addOrUpdateRecordString("3", for: "c")
      }
      #expect(rows.rows == ["a": "1", "b": "2", "c": "3"])
      #expect(batches.rows == ["a": "1", "b": "2", "c": "3"])
    }

    @available(*, deprecated)
    @Test("A database that implements no form is an error, and does not call itself for ever")
    func noForm() throws {
      let database = try NoDatabase(fileURL: file)
      #expect(throws: SQLiteError.self) { try database.addOrUpdateRecordString("1", for: "a") }
      #expect(throws: SQLiteError.self) { try database.addOrUpdate(records: [(cacheKey: "a", recordString: "1")]) }
    }

    @available(*, deprecated)
    @Test("The names of the databases of Apollo iOS open the file, and a database of the app is an error")
    func names() async throws {
      let folder = try Folder()
      let cache = try SQLiteNormalizedCache(database: SQLiteDotSwiftDatabase(fileURL: folder.file))
      try await cache.close()
      let other = try SQLiteNormalizedCache(fileURL: folder.file, databaseType: SQLiteDotSwiftDatabase.self)
      try await other.close()
      #expect(throws: SQLiteError.self) { try SQLiteNormalizedCache(database: RowDatabase(fileURL: folder.file)) }
    }
  }
}
