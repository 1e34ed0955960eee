import ApolloAPI
import ApolloCache
import Foundation
internal import GRDB

/// Writes batches in a transaction that is under way.
///
/// A row is replaced by the record in memory. If that is not all that there may be, because the record was not loaded or
/// another process has written, the record is merged with the row.
struct BatchWriter {
  let database: Database
  let file: DatabaseFile
  let loader: RecordLoader
  /// Whether another process has written to the file since it was opened.
  let isShared: Bool
  /// How often another process has written to it, as far as it is known.
  let foreignChangeCount: Int
  let day: Int
  /// The names of the file with those that this transaction adds.
  private(set) var names: Names
  /// Whether the file has every record that was not removed.
  private(set) var isComplete: Bool
  /// The first failure of the codec.
  private(set) var codecFailure: SQLiteNormalizedCacheError?
  // Finding one by its text takes a good part of the time that writing a row takes.
  private let insertion: Statement
  private let removal: Statement

  init(_ database: Database, _ loader: RecordLoader, foreignChangeCount: Int, day: Int) throws {
    self.database = database
    self.loader = loader
    self.foreignChangeCount = foreignChangeCount
    isShared = foreignChangeCount > 0
    self.day = day
    isComplete = loader.isComplete
    file = loader.file
    names = file.names.withLock { $0 }
    insertion = try database.cachedStatement(
      sql: """
        INSERT INTO records(key, fields, written, used) VALUES(?, ?, ?, ?)
        ON CONFLICT(key) DO UPDATE SET fields = excluded.fields, written = excluded.written, used = excluded.used
        """)
    removal = try database.cachedStatement(sql: "DELETE FROM records WHERE key = ?")
  }

  mutating func write(_ batch: PendingWrites.Batch) throws {
    for pattern in batch.removedPatterns { try remove(matching: CacheKeyPattern(pattern)) }
    let records = batch.records, database = database
    let names = Locked(names)
    defer { self.names = names.withLock { $0 } }
    var encoder = RecordEncoder(records) { name in
      try names.withLock { names in
        if let number = names[name] { return number }
        let number = try Self.insert(name, in: database)
        names.insert(name, number)
        return number
      }
    }
    for (number, change) in batch.changes.sorted(by: { $0.key < $1.key }) {
      guard let key = records.key(of: number), !Exclusions.unstoredKeys.contains(key) else { continue }
      try write(number, key: key, change: change, of: records, with: &encoder)
    }
  }

  private mutating func write(
    _ number: Int32, key: CacheKey, change: RecordChange, of records: RecordSnapshot, with encoder: inout RecordEncoder
  ) throws {
    var change = change
    if let count = change.unreachableSince {
      guard count == foreignChangeCount else { return }
      if records[number] == nil { return try remove(key) }
      change.isReplaced = true
    }
    guard let record = records[number] else {
      // One that is only not in memory was not removed. (A collection that has failed loads records for itself.)
      let isGone = records.isLoaded(number) && (change.isRewritten || !change.fields.isEmpty)
      if change.isReplaced || isGone { try noteRemoval(of: key) }
      return
    }
    let kept = kept(of: record, number, records)
    // The row may have an earlier value of a field that is in memory only now.
    if change.isRewritten { change.fields += record.fields.lazy.map(\.key) }
    let mayHaveMore = !change.isReplaced && (isShared || !records.isLoaded(number))
    var stored = kept ?? StoredRecord(.of([], type: record.type), RecordDates())
    if mayHaveMore, let row = try row(key, records.keys) {
      let merge = RowMerge(memory: stored, change: change, isWhole: !isShared && records.isLoaded(number))
      stored = merge.merged(with: row)
    } else if kept == nil {
      if change.isReplaced || !change.fields.isEmpty { try leaveOut(key) }
      return
    } else if isShared, !change.isReplaced, !change.isRewritten, records.isLoaded(number) {
      // Another process has removed it: only what is new is written.
      stored = RowMerge(memory: stored, change: change, isWhole: false).changed
    }
    guard stored.record.count > 0 || record.count == 0 else { return try leaveOut(key) }
    var blob: [UInt8]
    do {
      blob = try encoder.blob(for: key, of: stored.record, dates: stored.dates)
    } catch is RecordEncoder.Unstorable {
      return try leaveOut(key)
    }
    if let codec = loader.codec {
      do {
        blob = Array(try codec.encode(Data(blob), for: key))
      } catch let error as SQLiteCodecUnavailable {
        throw error
      } catch {
        codecFailure = codecFailure ?? .codecFailed(key: key, reason: "\(error)")
        return try leaveOut(key)
      }
    }
    // A literal, because other initializers ask for each value's type at run time.
    insertion.setUncheckedArguments([key.databaseBytes, Data(blob), Int64(stored.dates.newest), day])
    try insertion.execute()
  }

  /// What may be on disk of a record; nil if nothing may.
  private func kept(of record: ObjectRecord, _ number: Int32, _ records: RecordSnapshot) -> StoredRecord? {
    let dates = records.dates(of: number)
    if loader.exclusions.names.isEmpty, !records.hasExpiries { return StoredRecord(record, dates) }
    guard let fields = loader.exclusions.fields(of: record, named: records.text(of:)) else { return nil }
    guard records.hasExpiries else {
      return StoredRecord(fields.count == record.count ? record : .of(fields, type: record.type), dates)
    }
    let known = dates.datesByKey
    let forDisk = fields.filter { (known[$0.key] ?? dates.common).isForBackend }
    if forDisk.isEmpty, record.count > 0 { return nil }
    return StoredRecord(.of(forDisk, type: record.type), dates)
  }

  private func row(_ key: CacheKey, _ numbers: Locked<StoreKeys>) throws -> StoredRecord? {
    let statement = try database.cachedStatement(sql: "SELECT fields FROM records WHERE key = ?")
    guard let row = try Row.fetchOne(statement, arguments: [key.databaseBytes]),
      let blob = Data.fromDatabaseValue(row[0])
    else { return nil }
    var decoder = RecordDecoder(numberedBy: numbers, names)
    let stored = try loader.record(blob, for: key, numberedBy: numbers, with: &decoder, in: database)
    return stored.flatMap { $0.isRemoved ? nil : $0 }
  }

  private func remove(_ key: CacheKey) throws {
    try removal.execute(arguments: [key.databaseBytes])
  }

  /// Removes the row of a record that is there, and cannot be on disk.
  private mutating func leaveOut(_ key: CacheKey) throws {
    if isComplete { try Meta.set(.incomplete, in: database) }
    isComplete = false
    try remove(key)
  }

  /// Writes that there is no such record. In a file that is not complete, it says nothing that there is no row.
  private func noteRemoval(of key: CacheKey) throws {
    if isComplete { return try remove(key) }
    insertion.setUncheckedArguments([key.databaseBytes, RecordLoader.removed, Int64(0), day])
    try insertion.execute()
  }

  private func remove(matching pattern: CacheKeyPattern) throws {
    let rows = try Row.fetchCursor(database, sql: "SELECT id, key FROM records ORDER BY id")
    var ids: [Int64] = [], last: Int64?
    while let row = try rows.next() {
      guard let id = Int64.fromDatabaseValue(row[0]), last.map({ $0 < id }) ?? true else { throw DatabaseError.circle }
      last = id
      guard let key = Data.fromDatabaseValue(row[1]) else { continue }
      if pattern.matches(String(decoding: key, as: UTF8.self)) { ids.append(id) }
    }
    let statement = try database.cachedStatement(
      sql: isComplete
        ? "DELETE FROM records WHERE id = ?" : "UPDATE records SET fields = x'', written = 0 WHERE id = ?")
    for id in ids { try statement.execute(arguments: [id]) }
  }

  /// The number of a name, which another process may have added.
  private static func insert(_ name: String, in database: Database) throws -> Int64 {
    // SQLite's texts end there.
    if name.utf8.contains(0) { throw RecordEncoder.Unstorable() }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO names(name) VALUES(?)").execute(arguments: [name])
    let statement = try database.cachedStatement(sql: "SELECT id FROM names WHERE name = ?")
    guard let id = try Int64.fetchOne(statement, arguments: [name]), (1...Names.limit).contains(id) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a name that was added has no number")
    }
    return id
  }
}

/// A record in memory, and the row of the file that may have more of it.
struct RowMerge {
  /// The fields in memory that may be on disk.
  let memory: StoredRecord
  let change: RecordChange
  /// Whether memory has everything of the record that this process knows.
  let isWhole: Bool

  /// The fields that this process has changed.
  var changed: StoredRecord {
    let changed = Set(change.fields)
    let fields = memory.record.fields.filter { change.isRewritten || changed.contains($0.key) }
    return StoredRecord(.of(fields, type: memory.record.type), memory.dates.only(fields))
  }

  /// What the row has to be: the fields that were changed as they are in memory, all others as in the row. Of those that
  /// may not have been written before, the newer one counts.
  func merged(with row: StoredRecord) -> StoredRecord {
    let changed = Set(change.fields), dates = memory.dates.datesByKey, rowDates = row.dates.datesByKey
    func date(_ key: FieldKey) -> FieldDate { dates[key] ?? memory.dates.common }
    func rowDate(_ key: FieldKey) -> FieldDate { rowDates[key] ?? row.dates.common }
    var seen: Set<FieldKey> = []
    var fields: [(field: ObjectRecord.Field, date: FieldDate)] = []
    let inMemory = Dictionary(memory.record.fields.lazy.map { ($0.key, $0) }) { first, _ in first }
    for field in row.record.fields where seen.insert(field.key).inserted {
      let isChanged = changed.contains(field.key), own = inMemory[field.key]
      if isChanged || change.isRewritten && own != nil {
        if let own { fields.append((own, date(own.key))) }
      } else if change.isDated, let own, date(own.key).seconds >= rowDate(field.key).seconds {
        fields.append((own, date(own.key)))
      } else {
        fields.append((field, rowDate(field.key)))
      }
    }
    for field in memory.record.fields where !seen.contains(field.key) {
      // Another process may have removed the others.
      guard change.isRewritten || change.isDated || changed.contains(field.key) || isWhole else { continue }
      fields.append((field, date(field.key)))
    }
    let type = memory.record.type == .unknown ? row.record.type : memory.record.type
    return StoredRecord(.of(fields.map(\.field), type: type), RecordDates(fields.map { ($0.field.key, $0.date) }))
  }
}

extension RecordDates {
  /// The dates of some fields.
  fileprivate func only(_ fields: [ObjectRecord.Field]) -> RecordDates {
    let known = datesByKey
    return RecordDates(fields.map { ($0.key, known[$0.key] ?? common) })
  }

  /// The dates of fields, of which the newest is the common one.
  fileprivate init(_ dates: [(key: FieldKey, date: FieldDate)]) {
    let newest = dates.max { $0.date.seconds < $1.date.seconds }?.date ?? FieldDate()
    self.init(
      newest, exceptions: dates.filter { $0.date != newest })
  }
}
