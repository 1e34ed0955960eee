import ApolloAPI

/// Looks for references to absent records in a page of records, a few values at a time.
///
/// A record is looked at as it was when its turn came. Fields that are written before its end is reached are
/// searched once more, as they are then. If they are written again meanwhile, they are left to the next collection: so writes
/// cannot keep this one from its end.
struct DanglingSearch {
  /// A reference to a record that is not in memory.
  struct Candidate {
    fileprivate let record: Int32
    fileprivate let place: [Int]
    fileprivate let isInReferences: Bool
    let target: Int32
  }

  private struct Waiting {
    let number: Int32
    /// The record, if it may be in memory for this step only.
    var loaded: ObjectRecord?
    /// The fields that are searched once more; nil: all fields are searched.
    var changed: Set<FieldKey>?
  }

  /// The records that were not looked at, the last one first.
  private var waiting: [Waiting] = []
  private var cursor = ReferenceCursor()
  /// The record that is looked at.
  private var current: DanglingReferences?
  /// The records whose end was reached in this step, if there is more to do about them.
  private var finished: [DanglingReferences] = []
  private var absent = NumberBits()

  /// Whether there is nothing left to look at.
  var isAtEnd: Bool { current == nil && waiting.isEmpty }

  /// Begins with other records, which are in memory.
  mutating func begin(_ numbers: [Int32], in table: RecordTable) {
    let hasBackend = table.records.hasBackend
    waiting = numbers.reversed().map { Waiting(number: $0, loaded: hasBackend ? table[$0] : nil) }
  }

  /// Notes what other writes have changed since the step before.
  mutating func note(_ changes: [(record: Int32, key: FieldKey)]) {
    guard let number = current?.number else { return }
    for (record, key) in changes {
      if record == number { current?.changed.insert(key) }
      if absent.contains(record) { current?.restored.insert(record) }
    }
  }

  /// Looks at some more values.
  ///
  /// - Parameters:
  ///   - table: The records.
  ///   - limit: How many values are looked at, at most. A record counts as one.
  /// - Returns: References to records that are not in memory.
  mutating func run(in table: RecordTable, limit: Int) -> [Candidate] {
    var left = limit, candidates: [Candidate] = []
    while left > 0 {
      if current == nil {
        guard let next = waiting.popLast() else { break }
        left -= 1
        guard let record = Self.record(next, in: table) else { continue }
        current = DanglingReferences(next.number, record, isRescan: next.changed != nil)
        cursor.begin(record)
      }
      guard let number = current?.number else { break }
      while let target = cursor.next(&left, where: { table[$0] == nil && !table.isRoot($0) }) {
        candidates.append(
          Candidate(record: number, place: cursor.place, isInReferences: cursor.isInReferences, target: target))
      }
      guard cursor.isAtEnd, let ended = current else { continue }
      if !ended.isEmpty || candidates.last?.record == number { finished.append(ended) }
      current = nil
    }
    return candidates
  }

  /// Takes the records whose end was reached, and notes which references were found.
  ///
  /// - Parameters:
  ///   - found: Those of the candidates of this step that refer to absent records.
  ///   - table: The records.
  /// - Returns: The records, with all that was found in them.
  mutating func take(_ found: [Candidate], in table: RecordTable) -> [DanglingReferences] {
    let places = Dictionary(finished.enumerated().map { ($1.number, $0) }) { first, _ in first }
    for candidate in found {
      absent.insert(candidate.target)
      if let place = places[candidate.record] {
        finished[place].insert(
          candidate.target, at: candidate.place, isInReferences: candidate.isInReferences, in: table)
      } else {
        current?.insert(
          candidate.target, at: candidate.place, isInReferences: candidate.isInReferences, in: table)
      }
    }
    current?.endSlice()
    defer { finished = [] }
    for record in finished where !record.changed.isEmpty && !record.isRescan {
      waiting.append(Waiting(number: record.number, changed: record.changed))
    }
    return finished
  }

  private static func record(_ next: Waiting, in table: RecordTable) -> ObjectRecord? {
    guard let record = table[next.number] ?? next.loaded, let changed = next.changed else {
      return table[next.number] ?? next.loaded
    }
    let result = ObjectRecord.make(type: record.type, capacity: changed.count)
    record.forEachField { if changed.contains($0.key) { result.append($0) } }
    return result
  }
}
