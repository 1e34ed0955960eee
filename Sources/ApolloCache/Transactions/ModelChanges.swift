import ApolloAPI

/// The changes that writing a model makes in the cache: values of fields, by object.
struct ModelChanges {
  typealias Fields = [(key: FieldKey, value: ModelRecords.Value)]

  /// The objects that change, in the order in which the model has them.
  private(set) var locations: [RecordLocation] = []
  private var fields: [RecordLocation: Fields] = [:]

  subscript(location: RecordLocation) -> Fields { fields[location] ?? [] }

  /// Finds the difference between a model as it was read and as it is now.
  ///
  /// A copy of a field was not changed if it has the value that was read. For a field that was not read, nil changes
  /// nothing, as long as the cache has the object without that field. Nor does a nil, or an error, that was read where
  /// the cache has a value: it stands for an object in which something is not there (`@required`, or `@catch`).
  ///
  /// - Parameters:
  ///   - old: The model as it was read; nil if nothing was read.
  ///   - new: The model as it is now.
  ///   - writesAll: Whether fields that have not changed are written as well, and every other nil as null.
  ///   - table: The records.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/ConflictingCopiesError`` if copies of a field were changed to
  ///   different values.
  init(from old: ModelRecords?, to new: ModelRecords, writesAll: Bool, in table: RecordTable) throws {
    for location in new.locations {
      guard let object = new[location] else { continue }
      let cached = table.object(at: location)
      let oldObject = old?[location]
      for field in object.fields {
        let key = field.key, oldField = oldObject?.field(key), changed = field.changes(since: oldField)
        func filled(_ value: ModelRecords.Value, of base: ModelRecords.Value?) -> ModelRecords.Value {
          guard value.holdsNulls else { return value }
          return KeptValues(base: base, field: oldField, object: cached, key: key, table: table).filling(value)
        }
        if let base = oldField?.value, changed.isEmpty {
          guard writesAll || location.isNew else { continue }
          let kept = KeptValues(base: base, field: oldField, object: cached, key: key, table: table)
          // (What the cache does not have is written with the list that it is in.)
          if location.isNew || !kept.isAll { add(kept.filling(base), of: key, at: location) }
          continue
        }
        let isWeak = oldField == nil && !writesAll
        let values = isWeak ? changed.filter { !$0.copy.value.isNull } : changed
        if values.count == 1, let (copy, base) = values.first {
          add(filled(copy.value, of: base), of: key, at: location)
        } else if !values.isEmpty {
          let changes = values.map { copy, base in
            CopyChange(own: copy.value, filled: filled(copy.value, of: base), base: base)
          }
          add(try CopyChange.joined(changes, of: values.map(\.copy)), of: key, at: location)
        } else if cached == nil || cached?.value(of: key)?.hasValue == true {
          add(.leaf(.null), of: key, at: location)
        }
      }
    }
  }

  private mutating func add(_ value: ModelRecords.Value, of key: FieldKey, at location: RecordLocation) {
    if fields[location]?.append((key, value)) == nil {
      fields[location] = [(key, value)]
      locations.append(location)
    }
  }
}

extension RecordValue {
  fileprivate var hasValue: Bool {
    switch self {
    case .null, .error: false
    default: true
    }
  }

  /// Whether objects without a key can be inside of the value.
  fileprivate var mayHoldObjects: Bool {
    switch self {
    case .object, .list: true
    default: false
    }
  }
}

// MARK: - Writing

extension RecordTable {
  /// Writes the changes that a model makes. All other fields stay, including those of objects without a key.
  ///
  /// - Returns: The fields that changed.
  mutating func apply(_ changes: ModelChanges) -> ChangeSet {
    // A guess is noted also where that is what the server has sent.
    if guesses != nil { for (record, key) in changes.places { guesses?.insert(RecordField(record: record, key: key)) } }
    // (While the writer has the table as well, each write would copy a part of it. So the writer ends first.)
    let written = ModelWriter(changes: changes, table: self).changedRecords()
    var changeSet = ChangeSet()
    for (number, record, keys) in written {
      setLocally(number, record)
      for key in keys { changeSet.insert(number, key) }
    }
    return changeSet
  }
}

extension ModelChanges {
  /// The fields that are written, whether or not they have these values already. An object without a key is a part of
  /// the field that it is in.
  var places: [(record: Int32, key: FieldKey)] {
    locations.flatMap { location in
      let keys = if case .field(let key)? = location.steps.first { [key] } else { self[location].map(\.key) }
      return keys.map { (location.record, $0) }
    }
  }
}

/// Makes new records of the records in the table and of changes.
private struct ModelWriter {
  let changes: ModelChanges
  let table: RecordTable
  /// The records that change, in the order in which the model has them.
  private var records: [Int32] = []
  /// The locations with changes, and those of the objects around them.
  private var touched: Set<RecordLocation> = []

  init(changes: ModelChanges, table: RecordTable) {
    self.changes = changes
    self.table = table
    for var location in changes.locations {
      while touched.insert(location).inserted {
        guard location.steps.popLast() != nil else {
          records.append(location.record)
          break
        }
      }
    }
  }

  /// The records in which something changes, as they are then, with the fields that have changed.
  func changedRecords() -> [(number: Int32, record: ObjectRecord, keys: [FieldKey])] {
    records.compactMap { number in
      let (record, keys) = object(at: RecordLocation(record: number))
      return keys.isEmpty ? nil : (number, record, keys)
    }
  }

  /// The object after the changes, and the fields that have changed.
  private func object(at location: RecordLocation) -> (ObjectRecord, changed: [FieldKey]) {
    let old = table.object(at: location), changes = changes[location]
    var type = old?.type ?? .unknown, changed: [FieldKey] = [], fields: [ObjectRecord.Field] = []
    for field in old?.fields ?? [] where !changes.contains(where: { $0.key == field.key }) {
      guard field.value.mayHoldObjects else {
        fields.append(field)
        continue
      }
      let value = rebuilt(field.value, at: location.appending(.field(field.key)))
      if !value.isSame(as: field.value) { changed.append(field.key) }
      fields.append(ObjectRecord.Field(field.key, value))
    }
    for (key, value) in changes {
      let oldValue = old?.value(of: key)
      let new = recordValue(value)
      if key == .typename, case .string(let name) = new {
        if old?.typename != name { changed.append(key) }
        type = .lookUp(name)
        if type != .unknown { continue }
      } else if oldValue?.isSame(as: new) != true {
        changed.append(key)
      }
      fields.append(ObjectRecord.Field(key, new))
    }
    if type != .unknown { fields.removeAll { $0.key == .typename } }
    let record = ObjectRecord.make(type: type, capacity: fields.count)
    for field in fields { record.append(field) }
    return (record.forgettingCursors(since: old), changed)
  }

  /// A value that was not replaced, with the changed objects in it.
  private func rebuilt(_ value: RecordValue, at place: RecordLocation) -> RecordValue {
    guard touched.contains(place) else { return value }
    switch value {
    case .object: return .object(object(at: place).0)
    case .list(let values):
      return .list(values.enumerated().map { rebuilt($1, at: place.appending(.index($0))) })
    default: return value
    }
  }

  private func recordValue(_ value: ModelRecords.Value) -> RecordValue {
    switch value {
    case .leaf(let value): value
    case .object(let location):
      location.steps.isEmpty ? .reference(location.record) : .object(object(at: location).0)
    case .list(let values): list(values.map { recordValue($0) })
    }
  }

  /// A list of references has a form of its own.
  private func list(_ values: [RecordValue]) -> RecordValue {
    let numbers = values.compactMap { value -> Int32? in
      switch value {
      case .reference(let number): number
      case .null: -1
      default: nil
      }
    }
    return numbers.count == values.count && !values.isEmpty ? .references(numbers) : .list(values)
  }
}
