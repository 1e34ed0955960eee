extension ApolloStore.ReadTransaction {
  /// The records as a transaction sees them, with its own writes.
  public class Records: ReadOnlyNormalizedCache {
    fileprivate let transaction: ApolloStore.ReadTransaction

    init(_ transaction: ApolloStore.ReadTransaction) { self.transaction = transaction }

    /// The records that are there, of those that are asked for.
    ///
    /// - Throws: What a backend throws, and ``ApolloStore/Error/notWithinReadTransaction`` after the end of the
    ///   transaction.
    public func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
      try transaction.complete { transaction.records(for: keys) }
    }
  }
}

extension ApolloStore.ReadWriteTransaction {
  /// The records as a transaction sees them. What is written becomes part of the transaction.
  public final class Cache: ApolloStore.ReadTransaction.Records, NormalizedCache {
    private let writer: ApolloStore.ReadWriteTransaction

    init(_ transaction: ApolloStore.ReadWriteTransaction) {
      writer = transaction
      super.init(transaction)
    }

    /// Merges records field by field: fields that come in replace those that are there, all others stay.
    ///
    /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
    /// - Throws: What a backend throws, and ``ApolloStore/Error/notWithinReadTransaction`` after the end of the
    ///   transaction.
    @discardableResult public func merge(records: RecordSet) throws -> Set<CacheKey> {
      try writer.complete { writer.attemptMerging(records) }
    }

    /// Removes a record, if it is there. References to it stay.
    ///
    /// - Throws: What a backend throws, and ``ApolloStore/Error/notWithinReadTransaction`` after the end of the
    ///   transaction.
    public func removeRecord(for key: CacheKey) throws { try writer.removeObject(for: key) }

    /// Removes all records whose keys match.
    ///
    /// - Parameter pattern: See ``CacheKeyPattern``.
    /// - Throws: ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func removeRecords(matching pattern: CacheKey) throws { try writer.removeObjects(matching: pattern) }

    /// Removes everything.
    ///
    /// - Throws: ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func clear() throws { try writer.removeObjects(matching: "*") }
  }
}

extension ApolloStore.ReadTransaction {
  /// The records as this transaction sees them. The name is that of Apollo iOS 1.x and 2.x.
  public var readOnlyCache: ApolloStore.ReadTransaction.Records { ApolloStore.ReadTransaction.Records(self) }

  fileprivate func records(for keys: Set<CacheKey>) -> Attempt<[CacheKey: Record]> {
    let missing = backend == nil ? [] : Set(keys.map { table.number(for: $0) }.filter { !table.isLoaded($0) })
    for key in keys {
      guard let number = table.records.number(of: key) else { continue }
      noteReading(at: key) { $0.insert(.unresolved, of: number) }
    }
    return missing.isEmpty ? .done(table.exported(keys)) : .missing(missing)
  }
}

extension ApolloStore.ReadWriteTransaction {
  /// The records as this transaction sees them; what is written to them is written by the transaction. The name is that
  /// of Apollo iOS 1.x and 2.x.
  public var cache: ApolloStore.ReadWriteTransaction.Cache { ApolloStore.ReadWriteTransaction.Cache(self) }

  fileprivate func attemptMerging(_ records: RecordSet) -> Attempt<Set<CacheKey>> {
    let missing = backend == nil ? [] : table.missing(for: records)
    guard missing.isEmpty else { return .missing(missing) }
    let merged = table.merge(records)
    changes.formUnion(merged)
    if written != nil { for (record, key) in table.places(of: records) { written?.insert(record, key) } }
    return .done(Set(merged.names(in: table.records)))
  }
}
