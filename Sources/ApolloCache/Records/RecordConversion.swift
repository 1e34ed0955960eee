package import ApolloAPI
import Foundation

// Conversion between the records that backends see and those of the engine.

extension RecordSet {
  /// Makes records of the batch that was read from a response.
  package init(_ transfer: RecordBatchTransfer) {
    var table = RecordTable()
    if let batch = transfer.take() { _ = table.merge(batch, date: FieldDate(seconds: RecordTable.seconds(Date()))) }
    self.init(records: table.numbers.compactMap { table.exported($0) })
  }
}

extension RecordSet {
  /// The records with an expiry for all fields that have none, and for the others if the lifetime is a limit for all.
  package func keeping(_ lifetime: Lifetime) -> RecordSet {
    RecordSet(
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
    var result = Record(key: key, exported(record, only: fields))
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
        RecordDates.Exception(
          records.keys.withLock { $0.fieldKey(field) },
          FieldDate(
            seconds: record.dates[field].map { Self.seconds($0) } ?? common.seconds,
            expiry: Self.seconds(record.expirations[field])))
      })
  }

  private func exported(_ record: ObjectRecord, only wanted: Set<FieldKey>? = nil) -> Record.Fields {
    var fields: Record.Fields = [:]
    for field in record.fields where wanted?.contains(field.key) ?? true {
      fields[records.text(of: field.key)] = exported(field.value)
    }
    if let typename = record.type.name { fields["__typename"] = .string(typename) }
    return fields
  }

  private func exported(_ value: RecordValue) -> Record.Value {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .json(let text): .json(text)
    case .reference(let number): .reference(records.key(of: number) ?? "")
    case .references(let numbers): .list(numbers.map { $0 < 0 ? .null : .reference(records.key(of: $0) ?? "") })
    case .object(let record): .object(exported(record))
    case .list(let values): .list(values.map(exported))
    case .error(let error): .error(error.text)
    }
  }

  /// The fields of a backend's record in the form of the engine. Keys that are new are given numbers.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - type: The type of the object, if the fields do not tell it.
  /// - Returns: The record of the engine.
  func imported(_ fields: Record.Fields, type: TypeSymbol = .unknown) -> ObjectRecord {
    var type = type
    if case .string(let typename)? = fields["__typename"] { type = .lookUp(typename) }
    let kept = fields.sorted { $0.key < $1.key }.filter { type == .unknown || $0.key != "__typename" }
    let record = ObjectRecord.make(type: type, capacity: kept.count)
    for (key, value) in kept {
      record.append(ObjectRecord.Field(records.keys.withLock { $0.fieldKey(key) }, imported(value)))
    }
    return record
  }

  private func imported(_ value: Record.Value) -> RecordValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .json(let text): return .json(text)
    case .reference(let key): return .reference(number(for: key))
    case .object(let fields): return .object(imported(fields))
    case .list(let values): return importedList(values)
    case .error(let text): return CachedError(text: text).map { .error($0) } ?? .null
    }
  }

  private func importedList(_ values: [Record.Value]) -> RecordValue {
    let numbers = values.compactMap { value -> Int32? in
      switch value {
      case .reference(let key): number(for: key)
      case .null: -1
      default: nil
      }
    }
    return numbers.count == values.count && !values.isEmpty ? .references(numbers) : .list(values.map(imported))
  }

  /// The number of a key. A new key is given a number.
  func number(for key: CacheKey) -> Int32 { records.insert(key) }
}
