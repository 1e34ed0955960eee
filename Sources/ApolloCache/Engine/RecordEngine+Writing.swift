import ApolloAPI
import Foundation

// All of these work in a turn.

extension RecordEngine {
  /// Merges the records of a response. With memory alone it does not suspend.
  ///
  /// - Returns: What the backend threw, if it did: the records are in memory all the same.
  func publish(_ transfer: RecordBatchTransfer, origin: UUID?, rules: RecordTable.MergeRules) async -> (any Error)? {
    guard let batch = transfer.take() else { return nil }
    var table = table
    let date = RecordTable.seconds(Date())
    guard let backend else {
      let changes = table.merge(batch, date: date, rules: rules)
      commit(table, changes, origin: origin)
      return nil
    }
    var failure: (any Error)?
    do { try await table.fill(Set(table.numbers(of: batch)), from: backend) } catch { failure = error }
    let changes = table.merge(batch, date: date, rules: rules)
    do { try await persist(changes, of: table) } catch { failure = failure ?? error }
    commit(table, changes, origin: origin)
    return failure
  }

  /// Merges records that an app made. With memory alone it does not suspend.
  func publish(_ records: RecordSet, origin: UUID?) async throws {
    var table = table
    if let backend {
      while case let missing = table.missing(for: records), !missing.isEmpty {
        try await table.fill(missing, from: backend)
      }
    }
    let changes = table.merge(records)
    try await finish(table, changes, origin: origin)
  }

  func clear() async throws {
    if let backend {
      state.withLock { $0.isPersisting = true }
      do { try await backend.run { try await $0.clear() } } catch {
        giveUp()
        throw error
      }
    }
    removeAll()
  }

  /// Removes everything that is in memory.
  func removeAll() {
    var table = table
    let changes = table.removeAll()
    commit(table, changes)
  }

  /// Hands a write to the backend and puts it in place; nothing of it happens if the backend throws.
  func finish(_ table: RecordTable, _ changes: ChangeSet, origin: UUID? = nil) async throws {
    do { try await persist(changes, of: table) } catch {
      giveUp()
      throw error
    }
    commit(table, changes, origin: origin)
  }

  // MARK: Transactions

  /// Runs a transaction on a thread of the store; nothing of it happens if it throws, or if the backend does.
  func runTransaction<T>(identity: ObjectIdentity, _ body: (ReadWriteTransaction) throws -> T) throws -> T {
    let transaction = ReadWriteTransaction(table: table, backend: backend, identity: identity)
    defer { transaction.end() }
    let result = try body(transaction)
    transaction.end()
    let (table, changes) = (transaction.table, transaction.changes)
    if let backend, !changes.isEmpty {
      try backend.wait { try await self.finish(table, changes) }
    } else {
      commit(table, changes)
    }
    return result
  }

  /// Runs a transaction in the task of the caller; nothing of it happens if it throws, or if the backend does.
  func runTransaction<T>(
    identity: ObjectIdentity, _ body: (ReadWriteTransaction) async throws -> T
  ) async throws -> T {
    let transaction = ReadWriteTransaction(table: table, backend: backend, identity: identity)
    defer { transaction.end() }
    let result = try await body(transaction)
    transaction.end()
    try await finish(transaction.table, transaction.changes)
    return result
  }
}

extension RecordTable {
  /// The records that a backend has to be asked for before records of an app are merged.
  func missing(for records: RecordSet) -> Set<Int32> {
    var missing: Set<Int32> = []
    for key in records.storage.keys {
      missing.formUnion(unloaded(on: key))
      let number = number(for: key)
      if !isLoaded(number) { missing.insert(number) }
    }
    return missing
  }

  /// Merges records that an app made.
  mutating func merge(_ records: RecordSet) -> ChangeSet {
    var changes = ChangeSet()
    for record in records.storage.values.sorted(by: { $0.key < $1.key }) {
      // The key may be the path that leads to an object.
      let location = location(of: record.key) ?? RecordLocation(record: number(for: record.key))
      let type = object(at: location)?.type ?? .unknown
      merge(imported(record.fields, type: type), at: location, date: Self.seconds(record.receivedAt), &changes)
    }
    return changes
  }

  /// What a backend has to do for changes of this table.
  func backendWrite(
    of changes: ChangeSet
  ) -> (removedPatterns: [String], removedKeys: [CacheKey], records: RecordSet) {
    let rewritten = Set(changes.removedRecords + changes.reducedRecords)
    var fields: [Int32: Set<FieldKey>] = [:]
    for (record, key) in changes.fields { fields[record, default: []].insert(key) }
    var written = RecordSet()
    for number in rewritten.union(fields.keys) {
      // The type is no field, but has to go along.
      let wanted = rewritten.contains(number) ? nil : fields[number]
      if let record = exported(number, only: wanted) { written.insert(record) }
    }
    return (changes.removedPatterns, rewritten.sorted().compactMap { records.key(of: $0) }, written)
  }
}
