import ApolloAPI

extension Collector {
  /// Removes references to records that do not exist.
  ///
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  func removeDanglingReferences() async throws -> ApolloStore.CollectedGarbage {
    var garbage = ApolloStore.CollectedGarbage(), stored = NumberBits()
    try await forEachPageOfBackend { step, numbers in
      for number in numbers + step.changed.map(\.record) { stored.insert(number) }
      return true
    }
    try await forEachPage { step, numbers in
      for (number, _) in step.changed { stored.insert(number) }
      try await step.load(numbers)
      garbage.add(try await self.removeDanglingReferences(of: numbers, &step, stored))
      return true
    }
    return garbage
  }

  /// - Parameters:
  ///   - numbers: The records whose references are looked at. They are in memory.
  ///   - step: The step.
  ///   - stored: Records that the backend has.
  /// - Returns: What was removed.
  /// - Throws: What a backend throws.
  private func removeDanglingReferences(
    of numbers: [Int32], _ step: inout Step, _ stored: NumberBits
  ) async throws -> ApolloStore.CollectedGarbage {
    let table = step.table
    var absent: Set<Int32> = []
    for number in numbers {
      table[number]?.forEachReference { reference in
        if table[reference] == nil, !table.isRoot(reference) { absent.insert(reference) }
      }
    }
    if let backend = engine.backend {
      let unknown = table.unloadedKeys(of: absent.filter { !stored.contains($0) })
      absent = absent.filter { table.isLoaded($0) }
      if backend.isEnumerable {
        absent.formUnion(unknown.values)
      } else {
        for start in stride(from: 0, to: unknown.count, by: Self.stepSize) {
          let keys = Set(unknown.keys.dropFirst(start).prefix(Self.stepSize)), found = try await backend.load(keys)
          absent.formUnion(keys.lazy.filter { found[$0] == nil }.compactMap { unknown[$0] })
        }
      }
    } else {
      absent = absent.filter { table.records.isGone($0) }
    }
    var garbage = ApolloStore.CollectedGarbage()
    guard !absent.isEmpty else { return garbage }
    for number in numbers {
      guard let record = table[number] else { continue }
      var cut = DanglingCut(absent: absent, table: table)
      let kept = cut.record(record, "\(table.records.key(of: number) ?? "")")
      guard !cut.names.isEmpty else { continue }
      step.table.set(number, kept)
      for key in cut.keys { step.changes.insertRemoval(of: key, from: number) }
      garbage.removedFields += cut.names
    }
    return garbage
  }
}

/// Takes references to absent records out of a record.
private struct DanglingCut {
  let absent: Set<Int32>
  let table: RecordTable
  /// The paths of what was taken out.
  var names: [String] = []
  /// The fields of the record that have changed.
  var keys: [FieldKey] = []

  mutating func record(_ record: ObjectRecord, _ path: String, isInside: Bool = false) -> ObjectRecord {
    let fields = record.fields, result = ObjectRecord.make(type: record.type, capacity: fields.count)
    for field in fields {
      let count = names.count
      let name = { [table] in "\(path).\(table.records.text(of: field.key))" }
      if let value = value(field.value, name) { result.append(ObjectRecord.Field(field.key, value)) }
      if !isInside, names.count > count { keys.append(field.key) }
    }
    return result
  }

  /// - Returns: The value without such references; nil if it is one.
  private mutating func value(_ value: RecordValue, _ path: () -> String) -> RecordValue? {
    switch value {
    case .reference(let number):
      guard absent.contains(number) else { return value }
      names.append(path())
      return nil
    case .references(var numbers):
      for index in numbers.indices where absent.contains(numbers[index]) {
        names.append("\(path()).\(index)")
        numbers[index] = -1
      }
      return .references(numbers)
    case .object(let inner): return .object(record(inner, path(), isInside: true))
    case .list(let values):
      return .list(values.enumerated().map { index, element in self.value(element) { "\(path()).\(index)" } ?? .null })
    case .null, .bool, .int, .double, .string, .json, .error: return value
    }
  }
}
