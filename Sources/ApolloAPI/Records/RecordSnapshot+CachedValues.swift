// Conversion between the values that backends and functions of an app see, and those of the engine.

extension RecordSnapshot {
  /// The fields of a record of the engine.
  ///
  /// Of two fields whose arguments differ only in how Unicode composes their characters, the later one is left out: a
  /// dictionary has room for one of them.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - wanted: The fields to include. nil, the default: all.
  /// - Returns: The fields, by their names with arguments.
  package func exported(_ record: ObjectRecord, only wanted: Set<FieldKey>? = nil) -> [String: CachedValue] {
    var fields: [String: CachedValue] = [:], isASCII = true
    for field in record.fields where isASCII && wanted?.contains(field.key) ?? true {
      let text = text(of: field.key)
      isASCII = !field.key.hasArguments || text.utf8.allSatisfy { $0 < 0x80 }
      fields[text] = exported(field.value)
    }
    if !isASCII { fields = exportedApart(record, only: wanted) }
    if let typename = record.type.name { fields["__typename"] = .string(typename) }
    return fields
  }

  private func exportedApart(_ record: ObjectRecord, only wanted: Set<FieldKey>?) -> [String: CachedValue] {
    var fields: [String: CachedValue] = [:], names: Set<String> = []
    for field in record.fields {
      let text = text(of: field.key)
      guard names.insert(text).inserted, wanted?.contains(field.key) ?? true else { continue }
      fields[text] = exported(field.value)
    }
    return fields
  }

  /// The value of a field of the engine.
  func exported(_ value: RecordValue) -> CachedValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .json(let text): .json(text)
    case .reference(let number): .reference(key(of: number) ?? "")
    case .references(let numbers): .list(numbers.map { $0 < 0 ? .null : .reference(key(of: $0) ?? "") })
    case .object(let record): .object(exported(record))
    case .list(let values): .list(values.map(exported))
    case .error(let error): .error(error.text)
    case .incoming: .null
    }
  }

  /// The fields of a backend's record in the form of the engine. Keys that are new are given numbers.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - type: The type of the object, if the fields do not tell it.
  /// - Returns: The record of the engine.
  package func imported(_ fields: [String: CachedValue], type: TypeSymbol = .unknown) -> ObjectRecord {
    var type = type
    if case .string(let typename)? = fields["__typename"] { type = .lookUp(typename) }
    let kept = fields.sorted { $0.key < $1.key }.filter { type == .unknown || $0.key != "__typename" }
    let record = ObjectRecord.make(type: type, capacity: kept.count)
    for (key, value) in kept {
      record.append(ObjectRecord.Field(keys.withLock { $0.fieldKey(key) }, imported(value)))
    }
    return record
  }

  /// A value in the form of the engine. Keys that are new are given numbers.
  func imported(_ value: CachedValue) -> RecordValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .json(let text): return .json(text)
    case .reference(let key): return .reference(insert(key))
    case .object(let fields): return .object(imported(fields))
    case .list(let values): return importedList(values)
    case .error(let text): return CachedError(text: text).map { .error($0) } ?? .null
    }
  }

  private func importedList(_ values: [CachedValue]) -> RecordValue {
    let numbers = values.compactMap { value -> Int32? in
      switch value {
      case .reference(let key): insert(key)
      case .null: -1
      default: nil
      }
    }
    return numbers.count == values.count && !values.isEmpty ? .references(numbers) : .list(values.map(imported))
  }
}
