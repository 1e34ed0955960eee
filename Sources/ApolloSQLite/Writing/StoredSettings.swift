import ApolloAPI
import ApolloCache
import Foundation
internal import GRDB

/// What an app keeps from the disk, as the file says it of its contents.
///
/// A release of an app may keep more from the disk than the one before, or may encrypt it. What the file has from before is
/// changed once then.
struct StoredSettings: Equatable {
  /// Types and fields that are kept in memory only.
  private let excluded: Set<String>
  /// The type of the codec; empty for none.
  private let codec: String

  init(_ exclusions: Exclusions, _ codec: (any SQLiteCodec)?) {
    excluded = exclusions.names
    // (Without its module, which differs between an app and its widget. That of a private type has an address of memory.)
    self.codec = codec.map { String(describing: type(of: $0)) } ?? ""
  }

  /// What a file says. One of an earlier release says nothing, and may have everything as plain text.
  init(of database: Database) throws {
    func text(_ key: String) throws -> String {
      let row = try Row.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
      return row.flatMap { String.fromDatabaseValue($0[0]) } ?? ""
    }
    excluded = Set(try text("excluded").split(separator: "\n").map(String.init))
    codec = try text("codec")
  }

  /// Writes them to a file.
  func save(to database: Database) throws {
    for (key, value) in [("excluded", excluded.sorted().joined(separator: "\n")), ("codec", codec)] {
      try database.execute(sql: "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", arguments: [key, value])
    }
  }

  /// Whether a file that was written with these may have what must not be in it with others.
  func mayHave(whatIsForbiddenBy other: StoredSettings) -> Bool {
    codec != other.codec || !other.excluded.isSubset(of: excluded)
  }
}

extension Storage {
  /// Takes out of the file what may be in memory only by the settings of now, and what this codec did not write. It works
  /// on the queue.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite. Then it is done when the file is opened again.
  func applySettings() throws {
    let wanted = StoredSettings(exclusions, configuration.codec)
    try withFile { file in
      let loader = loader(of: file)
      try file.write { database in
        let stored = try StoredSettings(of: database)
        guard stored != wanted else { return state.withLock { $0.owesSettings = false } }
        guard stored.mayHave(whatIsForbiddenBy: wanted) else { return state.withLock { $0.owesSettings = true } }
        try database.inTransaction(.immediate) {
          if try Self.writeAnew(database, loader) { try Meta.set(.incomplete, in: database) }
          // References to what is left out are in the file.
          if !exclusions.names.isEmpty { try Meta.set(.incomplete, in: database) }
          let isComplete = try !Meta.has(.incomplete, in: database)
          state.withLock { $0.isComplete = isComplete }
          try wanted.save(to: database)
          try noteDataVersion(database)
          return .commit
        }
        try Self.ifPossible { try Erasing.rewrite(database) }
      }
    }
  }

  /// Writes each row again as it has to be now. One that cannot be read, or be there, goes.
  ///
  /// - Returns: Whether some are gone.
  private static func writeAnew(_ database: Database, _ loader: RecordLoader) throws -> Bool {
    var hasRemoved = false
    let records = RecordSnapshot(hasBackend: true), file = loader.file
    var decoder = RecordDecoder(numberedBy: records.keys, file.names.withLock { $0 })
    var encoder = RecordEncoder(records) { name in
      // (Those of now: the decoder reads them again if another process has added some.)
      guard let number = file.names.withLock({ $0[name] }) else { throw RecordEncoder.Unstorable() }
      return number
    }
    var last: Int64 = .min
    while let row = try Row.fetchOne(
      database, sql: "SELECT id, key, fields FROM records WHERE id > ? AND fields <> x'' ORDER BY id LIMIT 1",
      arguments: [last])
    {
      guard let id = Int64.fromDatabaseValue(row[0]), id > last else { throw DatabaseError.circle }
      last = id
      let key = Data.fromDatabaseValue(row[1]).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let blob = Data.fromDatabaseValue(row[2]) ?? Data()
      let stored = try loader.record(blob, for: key, numberedBy: records.keys, with: &decoder, in: database)
      if let stored, let blob = try loader.blob(of: stored, for: key, with: &encoder) {
        try database.execute(sql: "UPDATE records SET fields = ? WHERE id = ?", arguments: [blob, id])
      } else {
        try database.execute(sql: "DELETE FROM records WHERE id = ?", arguments: [id])
        hasRemoved = true
      }
    }
    return hasRemoved
  }
}

extension RecordLoader {
  /// The blob of a record, as it is on disk; nil if it cannot be there.
  fileprivate func blob(
    of stored: StoredRecord, for key: CacheKey, with encoder: inout RecordEncoder
  ) throws -> Data? {
    do {
      let blob = Data(try encoder.blob(for: key, of: stored.record, dates: stored.dates))
      return try codec?.encode(blob, for: key) ?? blob
    } catch let error as SQLiteCodecUnavailable {
      throw error
    } catch {
      return nil
    }
  }
}
