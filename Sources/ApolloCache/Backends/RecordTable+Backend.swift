import ApolloAPI

extension RecordTable {
  /// Loads records from a backend. This is not a change, so observers are not told of it.
  ///
  /// - Parameters:
  ///   - numbers: The records.
  ///   - backend: The backend.
  ///   - heedsCancelling: Whether it ends when the caller is cancelled. The default is true.
  /// - Throws: What the backend throws.
  mutating func fill(_ numbers: Set<Int32>, from backend: BackendCalls, heedsCancelling: Bool = true) async throws {
    let unloaded = unloaded(of: numbers)
    guard !unloaded.isEmpty else { return }
    let loaded = try await backend.load(
      unloaded.keys, numberedBy: records.keys, heedsCancelling: heedsCancelling)
    fill(unloaded, with: loaded)
  }

  /// The calls of a backend that changes of this table make necessary.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - dated: Records whose dates are written, whether or not they have changed.
  /// - Returns: What has to be removed, and after that the records to merge, one set after the other.
  func backendWrite(
    of changes: ChangeSet, dated: [Int32]
  ) -> (removedPatterns: [String], removed: [Int32], records: [RecordSet]) {
    var rewritten = Set(changes.removedRecords + changes.reducedRecords + changes.rewrittenRecords)
    var fields: [Int32: Set<FieldKey>] = [:]
    let hasExpiries = records.hasExpiries
    for (record, key) in changes.fields {
      fields[record, default: []].insert(key)
      // The backend may have an earlier value of what must not be in it.
      if hasExpiries, !records.date(of: key, of: record).isForBackend { rewritten.insert(record) }
    }
    let whole = rewritten.union(dated)
    var written: [Record] = []
    for number in whole.union(fields.keys) {
      // The type of an object is not a field of its record, but must be written as well.
      let wanted = whole.contains(number) ? nil : fields[number]
      if let record = exported(number, only: wanted, forBackend: true) { written.append(record) }
    }
    return (changes.removedPatterns, rewritten.sorted(), Self.sets(of: written))
  }

  /// Records as sets. Two keys that differ only in how Unicode composes their characters are one in a set, so such records
  /// are in several sets.
  private static func sets(of records: [Record]) -> [RecordSet] {
    let all = RecordSet(records: records)
    if all.storage.count == records.count { return records.isEmpty ? [] : [all] }
    var sets: [RecordSet] = []
    for record in records {
      if let index = sets.firstIndex(where: { $0[record.key] == nil }) {
        sets[index].insert(record)
      } else {
        sets.append(RecordSet(records: [record]))
      }
    }
    return sets
  }

  /// Whether a backend may keep all fields of a record.
  func isForBackend(_ number: Int32) -> Bool {
    records.dates(of: number).areForBackend
  }
}
