// Making new records of existing ones. A record that another thread may see is never changed.

extension ObjectRecord {
  /// The record without some of its fields.
  package func removing(_ keys: [FieldKey]) -> ObjectRecord {
    guard keys.count > 8 else { return filtered { !keys.contains($0.key) } }
    let removed = Set(keys)
    return filtered { !removed.contains($0.key) }
  }

  /// The record without its nulls: without each field that is null, and each list that has a null in it.
  var withoutNulls: ObjectRecord {
    let result = ObjectRecord.make(type: type, capacity: count)
    for field in fields {
      switch field.value {
      case .object(let object): result.append(Field(field.key, .object(object.withoutNulls)))
      case let value: if !value.hasNull { result.append(field) }
      }
    }
    return result
  }

  /// The record without the older half of its fields with arguments.
  ///
  /// - Parameters:
  ///   - kept: Fields that stay and do not count.
  ///   - dates: When the fields came. Of those that came together, the one that was stored first is the oldest.
  /// - Returns: The record; nil if it has fewer than two such fields.
  package func removingOldestArguments(keeping kept: Set<FieldKey>, _ dates: RecordDates) -> ObjectRecord? {
    let known = dates.datesByKey
    let keys = fields.lazy.map(\.key).filter { $0.hasArguments && !kept.contains($0) }.enumerated()
      .sorted { a, b in
        let (first, second) = (
          (known[a.element] ?? dates.common).seconds, (known[b.element] ?? dates.common).seconds
        )
        return first == second ? a.offset < b.offset : first < second
      }.map(\.element)
    guard keys.count > 1 else { return nil }
    let removed = Set(keys.prefix(keys.count / 2))
    return filtered { !removed.contains($0.key) }
  }

  /// A copy that refers to records, and to keys of fields with arguments, by other numbers.
  package func renumbered(_ number: (Int32) -> Int32, _ fieldKey: (FieldKey) -> FieldKey) -> ObjectRecord {
    let result = ObjectRecord.make(type: type, capacity: count)
    for field in fields {
      let key = field.key.hasArguments ? fieldKey(field.key) : field.key
      result.append(Field(key, field.value.renumbered(number, fieldKey)))
    }
    return result
  }

  /// Gives the numbers of the records that the record refers to.
  package func forEachReference(_ body: (Int32) -> Void) {
    for field in fields { field.value.forEachReference(body) }
  }

  func forEachField(_ body: (Field) -> Void) {
    let places = places
    for index in 0..<places.count { body(places[index]) }
    withExtendedLifetime(self) {}
  }

  private func filtered(_ isIncluded: (Field) -> Bool) -> ObjectRecord {
    let kept = fields.filter(isIncluded)
    let result = ObjectRecord.make(type: type, capacity: kept.count)
    for field in kept { result.append(field) }
    return result
  }

  /// The keys of the fields with arguments, of objects in the record too.
  var keysWithArguments: [FieldKey] {
    fields.flatMap { ($0.key.hasArguments ? [$0.key] : []) + $0.value.keysWithArguments }
  }

  /// How many keys the record uses: its own, and those of its fields with arguments, but not of objects inside of it.
  package var keyCount: Int {
    var count = 1
    forEachKey { if $0.hasArguments { count += 1 } }
    return count
  }

  /// How many bytes of memory the record takes, by estimate.
  var estimatedSize: Int {
    48 + fields.reduce(0) { $0 + MemoryLayout<Field>.stride + $1.value.estimatedSize }
  }
}

extension RecordValue {
  fileprivate func renumbered(_ number: (Int32) -> Int32, _ fieldKey: (FieldKey) -> FieldKey) -> RecordValue {
    switch self {
    case .reference(let old): .reference(number(old))
    case .references(let list): .references(list.map { $0 < 0 ? $0 : number($0) })
    case .object(let record): .object(record.renumbered(number, fieldKey))
    case .list(let values): .list(values.map { $0.renumbered(number, fieldKey) })
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: self
    }
  }

  fileprivate func forEachReference(_ body: (Int32) -> Void) {
    switch self {
    case .reference(let number): body(number)
    case .references(let numbers): for number in numbers where number >= 0 { body(number) }
    case .object(let record): record.forEachReference(body)
    case .list(let values): for value in values { value.forEachReference(body) }
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: break
    }
  }

  fileprivate var keysWithArguments: [FieldKey] {
    switch self {
    case .object(let record): record.keysWithArguments
    case .list(let values): values.flatMap(\.keysWithArguments)
    case .null, .bool, .int, .double, .string, .json, .reference, .references, .error, .incoming: []
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
    case .null, .bool, .int, .double, .reference, .incoming: 0
    }
  }
}

extension RecordValue {
  /// Whether it is null, or has a null in it.
  fileprivate var hasNull: Bool {
    switch self {
    case .null: true
    case .references(let numbers): numbers.contains { $0 < 0 }
    case .list(let values): values.contains(where: \.hasNull)
    case .object(let object): object.fields.contains { $0.value.hasNull }
    case .bool, .int, .double, .string, .json, .reference, .error, .incoming: false
    }
  }
}
