import ApolloAPI
public import Foundation

/// Keeps records in memory, for as long as the process lives.
///
/// It is the store's own form of records, so nothing is copied between the two. Its functions are synchronous, as in
/// Apollo iOS 1.x, and never wait. What they change while a transaction of the store is under way is seen by every read
/// but those of the transaction, and stays on top of what the transaction writes. In the body of such a transaction, use
/// the transaction.
public final class InMemoryNormalizedCache: EnumerableNormalizedCache, Sendable {
  let engine: RecordEngine

  /// Makes a cache in memory.
  ///
  /// - Parameters:
  ///   - records: The first records of the cache. The default is none.
  ///   - sizeLimit: How many bytes the records may take, estimated. Above the limit, records that were not used for the
  ///     longest time are removed; those that a watcher needs are removed last. nil, the default: no limit.
  ///   - unusedLimit: For how many seconds a record stays that no operation reads or writes. After that it is removed with
  ///     one of the next writes, unless it is a root or a watcher needs it. nil, the default: for ever.
  public init(records: RecordSet = RecordSet(), sizeLimit: Int? = nil, expiresAfter unusedLimit: TimeInterval? = nil) {
    engine = RecordEngine(
      backend: nil, sizeLimit: sizeLimit, unusedLimit: unusedLimit.map(RecordEngine.unusedLimit))
    if !records.isEmpty { engine.changeBesideTurn { _, table in table.merge(records) } }
  }

  /// The records that are there, of those that are asked for.
  public func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { engine.table.exported(keys) }

  /// The keys of some records, in the order of their bytes in UTF-8. Each call looks at all keys.
  ///
  /// - Parameters:
  ///   - key: The keys after this one are meant; nil: all are.
  ///   - limit: How many keys are given at most.
  /// - Returns: The first of these keys.
  public func keys(after key: CacheKey?, limit: Int) -> [CacheKey] {
    let table = engine.table
    let keys = table.numbers.compactMap(table.records.key).filter { other in
      key.map { $0.utf8.lexicographicallyPrecedes(other.utf8) } ?? true
    }
    return Array(keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(max(0, limit)))
  }

  /// Merges records field by field: fields that come in replace those that are there, all others stay.
  ///
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  /// - Throws: ``ApolloStore/Error/isWithinTransaction(call:transaction:)`` in the body of a transaction of the store.
  @discardableResult public func merge(records: RecordSet) throws -> Set<CacheKey> {
    let (table, changes) = try engine.changeAtOnce("merge(records:)") { _, table in table.merge(records) }
    return Set(changes.names(in: table.records))
  }

  /// Removes a record, if it is there. References to it stay.
  ///
  /// - Throws: ``ApolloStore/Error/isWithinTransaction(call:transaction:)`` in the body of a transaction of the store.
  public func removeRecord(for key: CacheKey) throws {
    try remove("removeRecord(for:)") { try $0.removeObject(for: key) }
  }

  /// Removes all records whose keys match.
  ///
  /// - Parameter pattern: See ``CacheKeyPattern``.
  /// - Throws: ``ApolloStore/Error/isWithinTransaction(call:transaction:)`` in the body of a transaction of the store.
  public func removeRecords(matching pattern: CacheKey) throws {
    try remove("removeRecords(matching:)") { try $0.removeObjects(matching: pattern) }
  }

  private func remove(
    _ call: String, _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void
  ) throws {
    try engine.changeAtOnce(call) { engine, table in
      let transaction = ApolloStore.ReadWriteTransaction(of: engine, on: table, identity: ObjectIdentity())
      defer { transaction.end() }
      // Without a backend, nothing can go wrong in it.
      try? body(transaction)
      table = transaction.table
      return transaction.changes
    }
  }

  /// Removes everything. In the body of a transaction of the store, it removes what that writes as well.
  public func clear() {
    let change: RecordEngine.TableChange = { _, table in table.removeAll() }
    engine.begin(engine.beginClearing())
    do { try engine.changeAtOnce("clear()", change) } catch { engine.changeBesideTurn(change) }
  }
}
