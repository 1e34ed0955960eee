import ApolloAPI
import ApolloCache

/// What the store has written and the file does not have yet.
///
/// It costs little to keep: the records are a value, and a write notes only the numbers of those that it changed.
struct PendingWrites: Sendable {
  /// Writes that one look at the records covers: the records of the last of them.
  struct Batch: Sendable {
    private(set) var records: RecordSnapshot
    let removedPatterns: [String]
    private(set) var writes: [RecordWrite]
    /// Whether its records stay what they are.
    fileprivate var isSealed = false

    init(_ write: RecordWrite) {
      records = write.records
      removedPatterns = write.removedPatterns
      writes = [write]
    }

    /// Adds a write. False if it needs a batch of its own.
    mutating func append(_ write: RecordWrite) -> Bool {
      guard !isSealed, write.records.keys === records.keys, write.removedPatterns.isEmpty else { return false }
      records = write.records
      writes.append(write)
      return true
    }

    /// Adds the writes of the batch behind this one. False if they need a batch of their own.
    mutating func append(_ next: Batch) -> Bool {
      guard !isSealed, !next.isSealed, next.records.keys === records.keys, next.removedPatterns.isEmpty else {
        return false
      }
      records = next.records
      writes += next.writes
      return true
    }

    /// The numbers of all records that wait.
    var numbers: Set<Int32> {
      var numbers: Set<Int32> = []
      for write in writes {
        // The fields of one record follow each other.
        var last: Int32 = -1
        for (number, _) in write.fields where number != last {
          numbers.insert(number)
          last = number
        }
        for others in [write.removed, write.rewritten, write.dated] { numbers.formUnion(others) }
        numbers.formUnion(write.unreachable.lazy.map(\.record))
      }
      return numbers
    }

    /// Joins the writes, so that those that wait for long take no more room than what they have changed.
    mutating func join() {
      guard writes.count > 1 else { return }
      var joined = RecordWrite(records)
      for (number, change) in changes {
        if change.isReplaced { joined.removed.append(number) }
        if let count = change.unreachableSince { joined.unreachable.append((number, count)) }
        if change.isRewritten { joined.rewritten.append(number) }
        if change.isDated { joined.dated.append(number) }
        joined.fields += Set(change.fields).map { (number, $0) }
      }
      writes = [joined]
    }
  }

  /// In the order in which they have to be written.
  private(set) var batches: [Batch] = []
  /// How many of the batches are being written. Nothing is added to these.
  private(set) var writingCount = 0

  var isEmpty: Bool { batches.isEmpty }

  mutating func append(_ write: RecordWrite) {
    if batches.count > writingCount, batches[batches.count - 1].append(write) { return }
    batches.append(Batch(write))
  }

  /// Removes the batch that was added last, which could not be written.
  mutating func removeLast() { if !batches.isEmpty { batches.removeLast() } }

  /// Keeps what waits as it is, because what the store writes next may not have it in memory any more.
  mutating func seal() { if !batches.isEmpty { batches[batches.count - 1].isSealed = true } }

  mutating func removeAll() {
    batches = []
    writingCount = 0
  }

  /// The batches to write now. They wait until ``endWriting(succeeded:)``.
  mutating func beginWriting() -> [Batch] {
    writingCount = batches.count
    return batches
  }

  mutating func endWriting(succeeded: Bool) {
    if succeeded {
      batches.removeFirst(min(writingCount, batches.count))
    } else {
      // What came meanwhile has a batch of its own.
      let waiting = batches
      batches = []
      for batch in waiting where batches.isEmpty || !batches[batches.count - 1].append(batch) { batches.append(batch) }
      for index in batches.indices { batches[index].join() }
    }
    writingCount = 0
  }

  /// Whether what waits may say something of one of the records.
  func concerns(_ keys: [CacheKey]) -> Bool {
    batches.contains { batch in
      if !batch.removedPatterns.isEmpty { return true }
      let numbers = batch.numbers
      return keys.contains { batch.records.number(of: $0).map(numbers.contains) ?? false }
    }
  }

  /// The records of a store that wait.
  func numbers(in keys: Locked<StoreKeys>) -> Set<Int32> {
    batches.reduce(into: []) { found, batch in
      if batch.records.keys === keys { found.formUnion(batch.numbers) }
    }
  }
}

/// What has happened to one record.
struct RecordChange {
  /// It was removed. What is there again is new.
  var isReplaced = false
  /// All of its fields are written.
  var isRewritten = false
  /// Nothing led to it, when another process had written so many times. What is there again is new, if that holds still.
  var unreachableSince: Int?
  /// Its dates are newer, and fields may have failed to be written before.
  var isDated = false
  /// The fields that were changed, some of them perhaps several times.
  var fields: [FieldKey] = []
}

extension PendingWrites.Batch {
  /// What has happened to each record.
  var changes: [Int32: RecordChange] {
    var changes: [Int32: RecordChange] = [:]
    for write in writes {
      for number in write.removed { changes[number] = RecordChange(isReplaced: true) }
      for (number, count) in write.unreachable where changes[number]?.isReplaced != true {
        changes[number] = RecordChange(unreachableSince: count)
      }
      for number in write.rewritten { changes[number, default: RecordChange()].isRewritten = true }
      for number in write.dated { changes[number, default: RecordChange()].isDated = true }
      // The fields of one record follow each other.
      var start = 0
      while start < write.fields.count {
        let number = write.fields[start].record
        var end = start + 1
        while end < write.fields.count, write.fields[end].record == number { end += 1 }
        changes[number, default: RecordChange()].fields.append(contentsOf: write.fields[start..<end].lazy.map(\.key))
        start = end
      }
    }
    return changes
  }
}
