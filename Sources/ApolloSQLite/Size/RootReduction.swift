import ApolloAPI
import ApolloCache
import Foundation
internal import GRDB

/// Takes the oldest fields with arguments out of the root of queries, which gets one for each search, page or id.
///
/// As in memory, they are halved until the record is small enough.
struct RootReduction {
  let loader: RecordLoader

  private static let key = GraphQLOperationType.query.rootKey

  /// How many bytes the row has; 0 if there is none.
  func size(in database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database, sql: "SELECT length(fields) FROM records WHERE key = ?", arguments: [Self.key.databaseBytes]) ?? 0
  }

  /// Makes the row smaller. It works in a transaction.
  ///
  /// - Parameters:
  ///   - size: How many bytes the row may have.
  ///   - database: The connection that writes.
  /// - Returns: Whether it took something out. A row that cannot be read, or written, stays as it is.
  /// - Throws: What GRDB throws.
  func reduce(to size: Int64, in database: Database) throws -> Bool {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT id, fields FROM records WHERE key = ?", arguments: [Self.key.databaseBytes]),
      let id = Int64.fromDatabaseValue(row[0]), let old = Data.fromDatabaseValue(row[1]), Int64(old.count) > size
    else { return false }
    let records = RecordSnapshot()
    var decoder = RecordDecoder(numberedBy: records.keys, loader.file.names.withLock { $0 })
    let found: StoredRecord?
    do {
      found = try loader.record(old, for: Self.key, numberedBy: records.keys, with: &decoder, in: database)
    } catch is SQLiteCodecUnavailable {
      return false
    }
    guard let stored = found else { return false }
    let names = loader.file.names.withLock { $0 }
    var encoder = RecordEncoder(records) { name in
      // What came out of the file has a number there.
      guard let number = names[name] else { throw RecordEncoder.Unstorable() }
      return number
    }
    var record = stored.record, new = old
    while Int64(new.count) > size, let smaller = record.removingOldestArguments(keeping: [], stored.dates) {
      record = smaller
      guard let blob = try? encoder.blob(for: Self.key, of: record, dates: stored.dates) else { return false }
      new = Data(blob)
      guard let codec = loader.codec else { continue }
      guard let encoded = try? codec.encode(new, for: Self.key) else { return false }
      new = encoded
    }
    guard record !== stored.record else { return false }
    try database.execute(sql: "UPDATE records SET fields = ? WHERE id = ?", arguments: [new, id])
    return true
  }
}
