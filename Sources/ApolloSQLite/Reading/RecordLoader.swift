import ApolloAPI
import ApolloCache
import Foundation
internal import GRDB

/// Reads rows of the file as records.
struct RecordLoader {
  let file: DatabaseFile
  let exclusions: Exclusions
  let codec: (any SQLiteCodec)?
  /// Whether the file has every record that was not removed, as far as this process knows.
  let isComplete: Bool

  /// What a row has in place of fields whose record was removed.
  static let removed = Data()

  /// What was read.
  struct Loaded {
    var records: [StoredRecord?] = []
    /// The rows that were not used today before.
    var unused: [Int64] = []
  }

  /// Loads records; see ``RecordBackend``.
  ///
  /// - Parameters:
  ///   - keys: The keys of the records.
  ///   - numbers: The keys of the store.
  ///   - day: Today, as ``Day`` counts.
  /// - Returns: The record for each key.
  /// - Throws: What GRDB throws.
  func load(_ keys: [CacheKey], numberedBy numbers: Locked<StoreKeys>, on day: Int) throws -> Loaded {
    try file.read { database in
      var decoder = RecordDecoder(numberedBy: numbers, file.names.withLock { $0 })
      var loaded = Loaded(records: Array(repeating: nil, count: keys.count)), absent = Array(keys.indices)
      // As in a first launch: a large response asks for many records that cannot be there.
      if try Int.fetchOne(database, sql: "SELECT 1 FROM records LIMIT 1") != nil {
        absent = []
        let statement = try database.cachedStatement(sql: "SELECT id, fields, used FROM records WHERE key = ?")
        for (index, key) in keys.enumerated() {
          let rows = try Row.fetchCursor(statement, arguments: [key.databaseBytes])
          guard let row = try rows.next(), let blob = Data.fromDatabaseValue(row[1]) else {
            absent.append(index)
            continue
          }
          loaded.records[index] = try record(blob, for: key, numberedBy: numbers, with: &decoder, in: database)
          if Int.fromDatabaseValue(row[2]) != day, let id = Int64.fromDatabaseValue(row[0]) { loaded.unused.append(id) }
        }
      }
      // (Another process may have taken something out, of which this one is told with its next write.)
      if isComplete, !absent.isEmpty, try !Meta.has(.incomplete, in: database) {
        for index in absent { loaded.records[index] = .removed }
      }
      return loaded
    }
  }

  /// Makes a record of what a row has.
  ///
  /// - Parameters:
  ///   - blob: What the row has.
  ///   - key: The key of the record.
  ///   - numbers: The keys of the store.
  ///   - decoder: Knows the names of the file.
  ///   - database: For the names that another process has added.
  /// - Returns: The record; ``StoredRecord/removed`` if it says so; nil if it cannot be read.
  /// - Throws: What GRDB throws, and ``SQLiteCodecUnavailable``.
  func record(
    _ blob: Data, for key: CacheKey, numberedBy numbers: Locked<StoreKeys>, with decoder: inout RecordDecoder,
    in database: Database
  ) throws -> StoredRecord? {
    if blob == Self.removed { return .removed }
    let bytes: Data
    do {
      bytes = try codec?.decode(blob, for: key) ?? blob
    } catch let error as SQLiteCodecUnavailable {
      throw error
    } catch {
      return nil
    }
    for isSecondTime in [false, true] {
      do {
        return exclusions.keeping(try decoder.record(Array(bytes), for: key), named: decoder.text(of:))
      } catch is RecordDecoder.UnknownName where !isSecondTime {
        try file.readNames(database)
        decoder = RecordDecoder(numberedBy: numbers, file.names.withLock { $0 })
      } catch {
        return nil
      }
    }
    return nil
  }

  /// The keys of some records, in the order of their bytes.
  func keys(after key: CacheKey?, limit: Int) throws -> [CacheKey] {
    try file.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT key FROM records WHERE key > ? AND fields <> x'' ORDER BY key LIMIT ?",
        // A text is smaller than any bytes.
        arguments: [key.map { $0.databaseBytes.databaseValue } ?? "".databaseValue, max(0, limit)])
      var keys: [CacheKey] = [], last = key?.databaseBytes
      while let row = try rows.next() {
        guard let bytes = Data.fromDatabaseValue(row[0]) else { continue }
        if let last, !last.lexicographicallyPrecedes(bytes) { throw DatabaseError.circle }
        last = bytes
        keys.append(String(decoding: bytes, as: UTF8.self))
      }
      return keys
    }
  }
}

/// Days since 1970. Which records were used least recently is known by the day, so that reading rarely writes.
enum Day {
  static func of(_ date: Date) -> Int {
    let days = date.timeIntervalSince1970 / 86_400
    return days.isFinite ? Int(max(0, min(days, 1e9))) : 0
  }
}
