import ApolloAPI

/// Goes through the references in a record, a few values at a time. Between two calls it keeps its place inside of the
/// record, its objects and its lists. It holds the record as it was, so nothing is copied.
struct ReferenceCursor {
  private enum Part {
    case fields(ObjectRecord)
    case values([RecordValue])
    case numbers([Int32])
  }

  /// What it is inside of, from the record on, each with the index of what comes next.
  private var parts: [(part: Part, next: Int)] = []

  var isAtEnd: Bool { parts.isEmpty }

  /// The place of the reference that was found last: for each object the index of a field, for each list the index of an
  /// element.
  var place: [Int] { parts.map { $0.next - 1 } }

  /// Whether the reference that was found last is one of a list of references.
  var isInReferences: Bool {
    if case .numbers? = parts.last?.part { true } else { false }
  }

  mutating func begin(_ record: ObjectRecord) {
    parts.removeAll(keepingCapacity: true)
    parts.append((.fields(record), 0))
  }

  /// Finds the next reference that is wanted.
  ///
  /// - Parameters:
  ///   - limit: How many values are looked at, at most. It becomes less by those that were.
  ///   - isWanted: Whether a reference is wanted.
  /// - Returns: The reference. nil if there is no other one, or none within the limit.
  mutating func next(_ limit: inout Int, where isWanted: (Int32) -> Bool) -> Int32? {
    while limit > 0, let (part, start) = parts.last {
      let last = parts.count - 1
      switch part {
      case .fields(let record):
        let end = min(record.count, start + limit)
        let index = record.indexOfReferences(from: start, to: end)
        let next = index.map { $0 + 1 } ?? end
        limit -= next - start
        parts[last].next = next
        if let index {
          if let number = enter(record.field(at: index).value), isWanted(number) { return number }
        } else if next == record.count {
          parts.removeLast()
        }
      case .values(let values):
        guard start < values.count else {
          parts.removeLast()
          continue
        }
        limit -= 1
        parts[last].next = start + 1
        if let number = enter(values[start]), isWanted(number) { return number }
      case .numbers(let numbers):
        let end = min(numbers.count, start + limit)
        for index in start..<end where numbers[index] >= 0 && isWanted(numbers[index]) {
          limit -= index + 1 - start
          parts[last].next = index + 1
          return numbers[index]
        }
        limit -= end - start
        parts[last].next = end
        if end == numbers.count { parts.removeLast() }
      }
    }
    return nil
  }

  /// Goes into a value that holds others.
  ///
  /// - Returns: The reference, if the value is one.
  private mutating func enter(_ value: RecordValue) -> Int32? {
    switch value {
    case .reference(let number): return number
    case .references(let numbers): parts.append((.numbers(numbers), 0))
    case .object(let record): parts.append((.fields(record), 0))
    case .list(let values): parts.append((.values(values), 0))
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: break
    }
    return nil
  }
}
