import ApolloAPI

/// The records that can be reached from some others, found a few values at a time.
///
/// Between two steps, records may change: their fields have to be given to ``insert(_:with:)``. When ``isComplete`` is
/// true, every record is marked to which a marked one refers.
struct Marks {
  /// Values that were not looked at, with the index of the first of them.
  private enum Part {
    case fields(ObjectRecord, Int)
    case values([RecordValue], Int)
    case numbers([Int32], Int)
  }

  private var marked = NumberBits()
  /// Marked records whose references were not looked at.
  private var waiting: [Int32] = []
  /// What is left of records and lists that a step did not look at to their ends.
  private var parts: [Part] = []

  var isComplete: Bool { waiting.isEmpty && parts.isEmpty }

  func contains(_ number: Int32) -> Bool { marked.contains(number) }

  mutating func insert(_ number: Int32) {
    if marked.insert(number) { waiting.append(number) }
  }

  /// Marks a record, and at once what a field of it refers to that has changed. All its other fields were looked at, or
  /// will be looked at.
  ///
  /// A long list is looked at to its end. If its rest had to wait for a step, the list could be written again before
  /// that, and so there could always be a rest.
  ///
  /// - Parameters:
  ///   - number: The record.
  ///   - value: The value of the field; nil if the record has lost the field.
  /// - Returns: How many values were looked at. The field counts as one.
  @discardableResult mutating func insert(_ number: Int32, with value: RecordValue?) -> Int {
    insert(number)
    let limit = Int.max / 2
    var left = limit
    if let value { look(at: value, &left) }
    return 1 + limit - left
  }

  /// Looks at some more references.
  ///
  /// - Parameters:
  ///   - table: The records.
  ///   - limit: How many values are looked at, at most. A record counts as one.
  ///   - recordLimit: How many records are returned, at most.
  /// - Returns: Marked records that are not in memory, whose references were not looked at.
  mutating func run(in table: RecordTable, limit: Int, recordLimit: Int) -> [Int32] {
    var left = limit, absent: [Int32] = []
    while left > 0 {
      if let number = waiting.last {
        guard absent.count < recordLimit else { break }
        waiting.removeLast()
        left -= 1
        if let record = table[number] { look(at: record, from: 0, &left) } else { absent.append(number) }
      } else if let part = parts.popLast() {
        switch part {
        case .fields(let record, let start): look(at: record, from: start, &left)
        case .values(let values, let start): look(at: values, from: start, &left)
        case .numbers(let numbers, let start): look(at: numbers, from: start, &left)
        }
      } else {
        break
      }
    }
    return absent
  }

  // MARK: References

  private mutating func look(at record: ObjectRecord, from start: Int, _ left: inout Int) {
    let count = record.count
    var index = start
    while index < count, left > 0 {
      let end = min(count, index + left), next = record.indexOfReferences(from: index, to: end)
      left -= (next ?? end - 1) + 1 - index
      index = (next ?? end - 1) + 1
      if let next { look(at: record.field(at: next).value, &left) }
    }
    if index < count { parts.append(.fields(record, index)) }
  }

  private mutating func look(at values: [RecordValue], from start: Int, _ left: inout Int) {
    var index = start
    while index < values.count, left > 0 {
      left -= 1
      look(at: values[index], &left)
      index += 1
    }
    if index < values.count { parts.append(.values(values, index)) }
  }

  private mutating func look(at numbers: [Int32], from start: Int, _ left: inout Int) {
    let end = min(numbers.count, start + left)
    for number in numbers[start..<end] { insert(number) }
    left -= end - start
    if end < numbers.count { parts.append(.numbers(numbers, end)) }
  }

  private mutating func look(at value: RecordValue, _ left: inout Int) {
    switch value {
    case .reference(let number): insert(number)
    case .references(let numbers): look(at: numbers, from: 0, &left)
    case .object(let record): look(at: record, from: 0, &left)
    case .list(let values): look(at: values, from: 0, &left)
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: break
    }
  }

  /// Marks what records of a backend refer to. The table has their numbers.
  mutating func insertReferences(of loaded: LoadedRecords, in table: RecordTable) {
    switch loaded {
    case .records(let records):
      for record in records {
        for value in record?.fields.values ?? [:].values { insertReferences(of: value, in: table) }
      }
    case .stored(let records): for case let stored? in records { parts.append(.fields(stored.record, 0)) }
    }
  }

  private mutating func insertReferences(of value: Record.Value, in table: RecordTable) {
    switch value {
    case .reference(let key): insert(table.number(for: key))
    case .object(let fields): for value in fields.values { insertReferences(of: value, in: table) }
    case .list(let values): for value in values { insertReferences(of: value, in: table) }
    case .null, .bool, .int, .double, .string, .json, .error: break
    }
  }
}
