import ApolloAPI

/// What a model changes in the cache: values of fields, by the objects that have them.
struct ModelChanges {
  typealias Fields = [(key: FieldKey, value: ModelRecords.Value)]

  /// The objects that change, in the order of the model.
  private(set) var locations: [RecordLocation] = []
  private var fields: [RecordLocation: Fields] = [:]

  subscript(location: RecordLocation) -> Fields { fields[location] ?? [] }

  /// The difference between a model as it was read and as it is now.
  ///
  /// A copy that has the value that was read was not changed. Of a field that was not read, a nil says nothing, as long
  /// as the cache has the object without that field.
  ///
  /// - Parameters:
  ///   - old: What was read; nil if nothing was.
  ///   - writesAll: Fields that have not changed are written as well, and every nil as null.
  /// - Throws: ``ConflictingCopiesError`` if copies of a field were changed to different values.
  init(from old: ModelRecords?, to new: ModelRecords, writesAll: Bool, in table: RecordTable) throws {
    for location in new.locations {
      guard let object = new[location] else { continue }
      let cached = table.object(at: location)
      let oldObject = old?[location]
      for field in object.fields {
        let key = field.key, base = oldObject?.value(of: key), copies = field.copies
        let changed = copies.filter { copy in base.map { !copy.value.isSame(as: $0) } ?? true }
        if let base, changed.isEmpty {
          if writesAll { add(base, of: key, at: location) }
          continue
        }
        let isWeak = base == nil && !writesAll
        let values = isWeak ? changed.filter { !$0.value.isNull } : changed
        if let first = values.first {
          if let other = values.first(where: { !$0.value.isSame(as: first.value) }) {
            throw ConflictingCopiesError(first: first.path, second: other.path)
          }
          add(first.value, of: key, at: location)
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
}

// MARK: - Writing

extension RecordTable {
  /// Writes what a model changes. All other fields stay as they are, also those of objects without a key.
  mutating func apply(_ changes: ModelChanges, _ changeSet: inout ChangeSet) {
    let writer = ModelWriter(changes: changes, table: self)
    for number in writer.records {
      let location = RecordLocation(record: number)
      let (record, keys) = writer.object(at: location)
      guard !keys.isEmpty else { continue }
      set(number, record)
      for key in keys { changeSet.insert(number, key) }
    }
  }
}

/// Makes new records of those that the table has and of changes.
private struct ModelWriter {
  let changes: ModelChanges
  let table: RecordTable
  /// The records that change, in the order of the model.
  private(set) var records: [Int32] = []
  /// Where there are changes, and the places that lead there.
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

  /// The object as it becomes, and the fields that are others than before.
  func object(at location: RecordLocation) -> (ObjectRecord, changed: [FieldKey]) {
    let old = table.object(at: location), changes = changes[location]
    var type = old?.type ?? .unknown, changed: [FieldKey] = [], fields: [ObjectRecord.Field] = []
    for field in old?.fields ?? [] where !changes.contains(where: { $0.key == field.key }) {
      let value = rebuilt(field.value, at: location.appending(.field(field.key)))
      if !value.isSame(as: field.value) { changed.append(field.key) }
      fields.append(ObjectRecord.Field(field.key, value))
    }
    for (key, value) in changes {
      let oldValue = old?.value(of: key), new = recordValue(value, insteadOf: oldValue)
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
    return (record, changed)
  }

  /// A value that is where it was, with the objects in it as they become.
  private func rebuilt(_ value: RecordValue, at place: RecordLocation) -> RecordValue {
    guard touched.contains(place) else { return value }
    switch value {
    case .object: return .object(object(at: place).0)
    case .list(let values):
      return .list(values.enumerated().map { rebuilt($1, at: place.appending(.index($0))) })
    default: return value
    }
  }

  private func recordValue(_ value: ModelRecords.Value, insteadOf old: RecordValue?) -> RecordValue {
    switch value {
    case .leaf(let value): return value
    case .object(let location):
      return location.steps.isEmpty ? .reference(location.record) : .object(object(at: location).0)
    case .list(let values):
      var olds: [RecordValue] = []
      if case .list(let values)? = old { olds = values }
      return list(
        values.enumerated().map { index, value in
          // An error stays where it was: in the model it is nil.
          if value.isNull, olds.indices.contains(index), case .error = olds[index] { return olds[index] }
          return recordValue(value, insteadOf: olds.indices.contains(index) ? olds[index] : nil)
        })
    }
  }

  /// Lists of records have a form of their own.
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
