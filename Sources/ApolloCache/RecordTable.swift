import ApolloAPI

/// The records of a store, and their keys.
///
/// The records are a value: a writer changes a copy, which becomes the store's when it is complete. The keys only grow,
/// so a number means the same record in every copy.
struct RecordTable {
  var records = RecordSnapshot()

  /// Merges a batch and returns the fields that changed.
  mutating func merge(_ batch: borrowing RecordBatch) -> ChangeSet {
    let records = batch.records
    var numbers: [Int32] = []
    numbers.reserveCapacity(records.count)
    let keyCount = self.records.keys.withLock { keys in
      for index in records.indices { numbers.append(keys.insert(batch.keys.keyBytes(Int32(index))).number) }
      return keys.count
    }
    grow(to: keyCount)
    var changes = ChangeSet()
    for (index, record) in records.enumerated() {
      let number = numbers[index]
      record.renumberReferences(numbers)
      if let old = self.records[number] {
        if let merged = old.merging(record, onChange: { changes.insert(number, $0) }) { set(number, merged) }
      } else if record.count > 0 {
        set(number, record)
        record.forEachKey { changes.insert(number, $0) }
      }
    }
    return changes
  }

  mutating func remove(_ number: Int32) -> ChangeSet {
    var changes = ChangeSet()
    guard records[number] != nil else { return changes }
    set(number, nil)
    changes.insertAll(of: number)
    return changes
  }

  mutating func removeAll() -> ChangeSet {
    var changes = ChangeSet()
    for number in 0..<Int32(records.count) where records[number] != nil { changes.insertAll(of: number) }
    records.chunks = []
    records.count = 0
    return changes
  }

  private mutating func grow(to count: Int) {
    while records.chunks.count * RecordSnapshot.chunkSize < count { records.chunks.append(RecordSnapshot.Chunk()) }
    records.count = max(records.count, count)
  }

  private mutating func set(_ number: Int32, _ record: ObjectRecord?) {
    let index = Int(number) / RecordSnapshot.chunkSize
    if !isKnownUniquelyReferenced(&records.chunks[index]) {
      records.chunks[index] = RecordSnapshot.Chunk(records: records.chunks[index].records)
    }
    records.chunks[index].records[Int(number) % RecordSnapshot.chunkSize] = record
  }
}

/// The fields that a write changed, record after record.
struct ChangeSet {
  private(set) var fields: [(record: Int32, key: FieldKey)] = []
  /// Records that are gone.
  private(set) var removedRecords: [Int32] = []

  var isEmpty: Bool { fields.isEmpty && removedRecords.isEmpty }

  @inline(__always) mutating func insert(_ record: Int32, _ key: FieldKey) { fields.append((record, key)) }

  mutating func insertAll(of record: Int32) { removedRecords.append(record) }

  mutating func formUnion(_ other: ChangeSet) {
    fields += other.fields
    removedRecords += other.removedRecords
  }
}
