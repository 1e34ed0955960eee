import ApolloAPI

/// A set of numbers of records: one bit for each number.
struct NumberBits {
  private var words: [UInt64] = []

  func contains(_ number: Int32) -> Bool {
    let word = Int(number) >> 6
    return number >= 0 && word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  /// - Returns: Whether it is new.
  @discardableResult mutating func insert(_ number: Int32) -> Bool {
    guard number >= 0 else { return false }
    let word = Int(number) >> 6, bit: UInt64 = 1 << UInt64(number & 63)
    while words.count <= word { words.append(0) }
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }
}

/// The records that can be reached from some others, found a few at a time.
///
/// Between two steps, records may change: their fields have to be given to ``revisit(_:_:)``. When ``isComplete`` is true, every
/// record is marked to which a marked one refers.
struct Marks {
  private var marked = NumberBits()
  /// Marked records whose references were not looked at.
  private var waiting: [Int32] = []
  /// Long lists of references that were not looked at from an index on.
  private var lists: [(numbers: [Int32], next: Int)] = []
  private static let longList = 256

  var isComplete: Bool { waiting.isEmpty && lists.isEmpty }

  func contains(_ number: Int32) -> Bool { marked.contains(number) }

  mutating func insert(_ number: Int32) {
    if marked.insert(number) { waiting.append(number) }
  }

  /// Marks a record, and what a field of it refers to that has changed. All other fields were looked at, or will be.
  mutating func revisit(_ number: Int32, _ value: RecordValue?) {
    insert(number)
    if let value { insertReferences(of: value) }
  }

  /// Takes marked records whose references have to be looked at.
  ///
  /// - Parameter limit: How many records are taken, and references of long lists are looked at, at most.
  /// - Returns: The records.
  mutating func take(_ limit: Int) -> [Int32] {
    var left = limit
    while waiting.count < limit, left > 0, let (numbers, next) = lists.popLast() {
      let end = min(numbers.count, next + left)
      for number in numbers[next..<end] { insert(number) }
      left -= end - next
      if end < numbers.count { lists.append((numbers, end)) }
    }
    let taken = Array(waiting.suffix(limit))
    waiting.removeLast(taken.count)
    return taken
  }

  // MARK: References

  mutating func insertReferences(of record: ObjectRecord) {
    record.forEachField { insertReferences(of: $0.value) }
  }

  private mutating func insertReferences(of value: RecordValue) {
    switch value {
    case .reference(let number): insert(number)
    case .references(let numbers):
      if numbers.count > Self.longList { lists.append((numbers, 0)) } else { for number in numbers { insert(number) } }
    case .object(let record): insertReferences(of: record)
    case .list(let values): for value in values { insertReferences(of: value) }
    case .null, .bool, .int, .double, .string, .json, .error: break
    }
  }

  /// Marks what a record of a backend refers to.
  mutating func insertReferences(of record: Record, in table: RecordTable) {
    for value in record.fields.values { insertReferences(of: value, in: table) }
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
