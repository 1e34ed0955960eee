package import ApolloAPI
package import Foundation

// Conversion between the records that backends see and those of the engine.

extension RecordSet {
  /// Makes records of the batch that was read from a response.
  ///
  /// - Parameters:
  ///   - transfer: The batch.
  ///   - date: When the response came.
  package init(_ transfer: RecordBatchTransfer, receivedAt date: Date) {
    var table = RecordTable(), changes = ChangeSet(), notStored: Set<Int32> = []
    let hasOpenLists = transfer.hasOpenLists
    if let batch = transfer.take() {
      let incoming = IncomingRecords(
        batch, in: table.records, date: FieldDate(seconds: RecordTable.seconds(date)), leavesOutNulls: false, nil)
      let hasErrors = incoming.hasErrors
      _ = incoming.forEachRecord { number, record, dates, context in
        context?.begin(number, table.records.dates(of: number))
        if dates.date(of: .typename).isTransient { notStored.insert(number) }
        table.merge(record, into: number, dates: dates, hasErrors: hasErrors, context: context, &changes)
      }
    }
    // A table has no date for the type of an object. That of an object which must not be stored as a whole says so.
    let expiry = Lifetime.notStored.date(at: 0).expiry
    self.init(
      records: table.numbers.compactMap { number in
        var record = table.exported(number)
        if notStored.contains(number) {
          record?.expirations["__typename"] = Date(timeIntervalSince1970: Double(expiry))
        }
        return record
      })
    self.hasOpenLists = hasOpenLists
  }
}

extension RecordSet {
  /// The records with an expiry for all fields that have none, and for the others if the lifetime is a limit for all.
  func keeping(_ lifetime: Lifetime) -> RecordSet {
    var kept = RecordSet(
      records: storage.values.map { record in
        var record = record
        let received = RecordTable.seconds(record.receivedAt), date = lifetime.date(at: received)
        for field in record.fields.keys {
          if let expiration = record.expirations[field] {
            let own = FieldDate(seconds: received, expiry: RecordTable.seconds(expiration))
            guard let limit = date.lifetimeLimit, limit == .notStored || own.isForBackend else { continue }
          }
          record.expirations[field] = Date(timeIntervalSince1970: Double(date.expiry))
        }
        return record
      })
    (kept.asked, kept.hasOpenLists) = (asked, hasOpenLists)
    return kept
  }

  /// The records without their nulls: without each field that is null, and each list that has a null in it.
  var withoutNulls: RecordSet {
    var rest = RecordSet(
      records: storage.values.map { record in
        var record = record
        record.fields = record.fields.compactMapValues(\.withoutNulls)
        return record
      })
    (rest.asked, rest.hasOpenLists) = (asked, hasOpenLists)
    return rest
  }
}

extension CachedValue {
  /// The value without the nulls of an object; nil if it is null, or a list that has a null in it.
  fileprivate var withoutNulls: CachedValue? {
    switch self {
    case .null: nil
    case .object(let fields): .object(fields.compactMapValues(\.withoutNulls))
    case .list: hasNull ? nil : self
    case .bool, .int, .double, .string, .json, .reference, .error: self
    }
  }

  private var hasNull: Bool {
    switch self {
    case .null: true
    case .list(let values): values.contains(where: \.hasNull)
    case .object(let fields): fields.values.contains(where: \.hasNull)
    case .bool, .int, .double, .string, .json, .reference, .error: false
    }
  }
}

extension RecordTable {
  /// Those of the requested records that exist.
  func exported(_ keys: Set<CacheKey>) -> [CacheKey: Record] {
    var exported: [CacheKey: Record] = [:]
    for key in keys {
      if let number = records.number(of: key), let record = self.exported(number) { exported[key] = record }
    }
    return exported
  }

  /// The record with a number, in the form for backends.
  ///
  /// - Parameters:
  ///   - number: The number of the record.
  ///   - wanted: The fields to include. nil, the default: all.
  ///   - forBackend: Whether fields are left out that are kept in memory only. The default is false.
  /// - Returns: The record; nil if it does not exist.
  func exported(_ number: Int32, only wanted: Set<FieldKey>? = nil, forBackend: Bool = false) -> Record? {
    guard let record = records[number], let key = records.key(of: number) else { return nil }
    let dates = records.dates(of: number), newest = dates.newest
    var fields = wanted
    if forBackend, records.hasExpiries {
      let known = dates.datesByKey
      fields = Set(record.fields.lazy.map(\.key)).filter { key in
        wanted?.contains(key) ?? true && (known[key] ?? dates.common).isForBackend
      }
      if fields?.isEmpty == true, record.count > 0 { return nil }
    }
    var result = Record(key: key, records.exported(record, only: fields))
    result.receivedAt = RecordSnapshot.date(newest)
    guard dates != RecordDates(FieldDate(seconds: newest)) else { return result }
    let known = dates.datesByKey
    for key in record.fields.lazy.map(\.key) where fields?.contains(key) ?? true {
      let date = known[key] ?? dates.common
      if date.seconds == newest, date.serverExpiry == nil { continue }
      let text = records.text(of: key)
      if date.seconds != newest { result.dates[text] = Date(timeIntervalSince1970: Double(date.seconds)) }
      if let expiry = RecordSnapshot.date(date.serverExpiry ?? 0) { result.expirations[text] = expiry }
    }
    return result
  }

  /// The dates of a backend's record.
  func imported(datesOf record: Record) -> RecordDates {
    let common = FieldDate(seconds: Self.seconds(record.receivedAt))
    return RecordDates(
      common,
      exceptions: Set(record.dates.keys).union(record.expirations.keys).sorted().map { field in
        (
          records.keys.withLock { $0.fieldKey(field) },
          FieldDate(
            seconds: record.dates[field].map { Self.seconds($0) } ?? common.seconds,
            expiry: Self.seconds(record.expirations[field]))
        )
      })
  }

  /// The fields of a backend's record in the form of the engine. Keys that are new are given numbers.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - type: The type of the object, if the fields do not tell it.
  /// - Returns: The record of the engine.
  func imported(_ fields: Record.Fields, type: TypeSymbol = .unknown) -> ObjectRecord {
    records.imported(fields, type: type)
  }

  /// The number of a key. A new key is given a number.
  func number(for key: CacheKey) -> Int32 { records.insert(key) }
}
