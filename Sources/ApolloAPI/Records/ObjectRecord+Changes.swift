// Making new records of existing ones. A record that another thread may see is never changed.

extension ObjectRecord {
  /// The record without some of its fields.
  package func removing(_ keys: [FieldKey]) -> ObjectRecord {
    filtered { !keys.contains($0.key) }
  }

  /// A copy that refers to records by other numbers.
  package func mappingReferences(_ number: (Int32) -> Int32) -> ObjectRecord {
    let result = ObjectRecord.make(type: type, capacity: count)
    for field in fields { result.append(Field(field.key, field.value.mappingReferences(number))) }
    return result
  }

  package func forEachReference(_ body: (Int32) -> Void) {
    for field in fields { field.value.forEachReference(body) }
  }

  private func filtered(_ isIncluded: (Field) -> Bool) -> ObjectRecord {
    let kept = fields.filter(isIncluded)
    let result = ObjectRecord.make(type: type, capacity: kept.count)
    for field in kept { result.append(field) }
    return result
  }

  /// How many bytes of memory the record takes, by estimate.
  package var estimatedSize: Int {
    48 + fields.reduce(0) { $0 + MemoryLayout<Field>.stride + $1.value.estimatedSize }
  }
}

extension RecordValue {
  fileprivate func mappingReferences(_ number: (Int32) -> Int32) -> RecordValue {
    switch self {
    case .reference(let old): .reference(number(old))
    case .references(let list): .references(list.map { $0 < 0 ? $0 : number($0) })
    case .object(let record): .object(record.mappingReferences(number))
    case .list(let values): .list(values.map { $0.mappingReferences(number) })
    case .null, .bool, .int, .double, .string, .json, .error: self
    }
  }

  fileprivate func forEachReference(_ body: (Int32) -> Void) {
    switch self {
    case .reference(let number): body(number)
    case .references(let numbers): for number in numbers where number >= 0 { body(number) }
    case .object(let record): record.forEachReference(body)
    case .list(let values): for value in values { value.forEachReference(body) }
    case .null, .bool, .int, .double, .string, .json, .error: break
    }
  }

  /// Memory beside the value itself.
  fileprivate var estimatedSize: Int {
    switch self {
    case .string(let text), .json(let text): text.utf8.count > 15 ? 32 + text.utf8.count : 0
    case .references(let numbers): 32 + 4 * numbers.count
    case .object(let record): record.estimatedSize
    case .list(let values): values.reduce(32) { $0 + MemoryLayout<RecordValue>.stride + $1.estimatedSize }
    case .error(let error): 200 + error.text.utf8.count
    case .null, .bool, .int, .double, .reference: 0
    }
  }
}
