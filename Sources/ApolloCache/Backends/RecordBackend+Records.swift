package import ApolloAPI

// The functions of a backend for those who call it without a store, by means of those for the store.

extension RecordBackend {
  /// The records that are there, of those that are asked for.
  package func records(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
    var table = RecordTable(hasBackend: true)
    try fill(&table, with: Array(keys))
    return table.exported(keys)
  }

  /// Merges records field by field, and returns when they are written.
  ///
  /// - Parameter records: The records.
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  /// - Throws: What the backend throws.
  package func mergeAtOnce(_ records: RecordSet) async throws -> Set<CacheKey> {
    var table = RecordTable(hasBackend: true)
    try fill(&table, with: Array(records.keys))
    var changes = ChangeSet()
    for record in records.storage.values {
      let number = table.number(for: record.key), type = table[number]?.type ?? .unknown
      table.merge(
        table.imported(record.fields, type: type), into: number, dates: table.imported(datesOf: record), &changes)
    }
    try await writeAtOnce(RecordWrite(table.records, changes, dated: changes.confirmedRecords))
    return Set(changes.names(in: table.records))
  }

  /// Removes a record, and returns when that is written.
  package func removeAtOnce(_ key: CacheKey) async throws {
    let table = RecordTable(hasBackend: true)
    var write = RecordWrite(table.records)
    write.removed = [table.number(for: key)]
    try await writeAtOnce(write)
  }

  /// Removes all records whose keys match, and returns when that is written.
  package func removeAtOnce(matching pattern: CacheKey) async throws {
    var write = RecordWrite(RecordSnapshot(hasBackend: true))
    write.removedPatterns = [pattern]
    try await writeAtOnce(write)
  }

  package func writeAtOnce(_ write: RecordWrite) async throws {
    guard !write.isEmpty else { return }
    try await take(write)
    try await flush()
  }

  private func fill(_ table: inout RecordTable, with keys: [CacheKey]) throws {
    let stored = try load(keys, numberedBy: table.records.keys)
    table.fill(table.unloaded(of: keys.map { table.number(for: $0) }), with: .stored(stored))
  }
}

extension StoredRecord {
  /// The record as backends and apps see it.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - snapshot: Knows the keys that the record refers to.
  /// - Returns: The record.
  package func exported(_ key: CacheKey, by snapshot: RecordSnapshot) -> Record {
    var table = RecordTable(records: snapshot)
    let number = table.number(for: key)
    table.fill(table.unloaded(of: [number]), with: .stored([self]))
    return table.exported(number) ?? Record(key: key)
  }
}
