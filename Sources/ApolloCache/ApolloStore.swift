public import ApolloAPI
public import Dispatch
package import Foundation

/// The normalized cache: one record for each object that any operation read, shared by all of them.
///
/// - Reads see one consistent state and never wait for writers.
/// - Writes come one after the other, in the order in which they were asked for.
/// - No lock is held while code of the caller runs.
public final class ApolloStore: Sendable {
  private struct State {
    var table = RecordTable()
    /// Counts the writes.
    var version = 0
    var observers = Observers()
  }

  private let state = Locked(State())
  private let writers = DispatchQueue(label: "apollo.store.writers", target: .global())

  public init() {}

  // MARK: Reading

  /// Reads a query from the cache.
  ///
  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have.
  public func load<Query: GraphQLQuery>(_ query: Query) throws(ResponseDecodingError) -> Query.Data {
    try loadWithDependencies(query).data.get()
  }

  package func loadWithDependencies<Operation: GraphQLOperation>(
    _ operation: Operation
  ) -> (data: Result<Operation.Data, ResponseDecodingError>, dependencies: Dependencies) {
    let root = Operation.operationType.rootNumber
    return ResponseReader.load(
      Operation.Data.self, root: root, from: state.withLock { $0.table.records }, variables: operation.variables)
  }

  /// Reads a query for an observer, which from then on is told of every write that concerns it.
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID
  ) -> Result<Operation.Data, ResponseDecodingError> {
    let root = Operation.operationType.rootNumber
    let variables = operation.variables
    while true {
      let (records, version) = state.withLock { ($0.table.records, $0.version) }
      let (data, dependencies) = ResponseReader.load(
        Operation.Data.self, root: root, from: records, variables: variables)
      let isCurrent = state.withLock { state in
        state.observers.update(observer, dependencies)
        return state.version == version
      }
      // A write that came in between did not know the dependencies yet.
      if isCurrent { return data }
    }
  }

  /// The number of a key, which is given one if it is new.
  func number(for key: String) -> Int32 { state.withLock { $0.table.records.keys }.withLock { $0.insert(key) } }

  func number(ofKnown key: String) -> Int32? { state.withLock { $0.table.records }.number(of: key) }

  /// The key of a record, such as `Droid:2001`.
  package func key(of number: Int32) -> CacheKey? {
    state.withLock { $0.table.records }.key(of: number)
  }

  /// The keys of all records, sorted.
  package var keys: [CacheKey] {
    let records = state.withLock { $0.table.records }
    return (0..<Int32(records.count)).filter { records[$0] != nil }.compactMap(records.key).sorted()
  }

  // MARK: Writing

  /// Merges the records of a response.
  ///
  /// - Parameter origin: Whoever wrote them; observers of the same origin are not told.
  package func publish(_ batch: RecordBatchTransfer, origin: UUID? = nil) async {
    await withCheckedContinuation { continuation in
      writers.async {
        self.commit(origin: origin) { self.merge(batch, into: &$0) }
        continuation.resume()
      }
    }
  }

  /// Removes everything. Observers are told.
  public func clearCache() async {
    await withCheckedContinuation { continuation in
      writers.async {
        self.commit { $0.removeAll() }
        continuation.resume()
      }
    }
  }

  /// Runs a transaction that may read and write; nothing of it happens if `body` throws.
  ///
  /// It sees its own writes. Other writers wait until it is over, so it should be short.
  public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      writers.async {
        continuation.resume(with: Result { try self.runTransaction(body) })
      }
    }
  }

  /// Runs a transaction that reads one consistent state.
  public func withinReadTransaction<T: Sendable>(_ body: (ReadTransaction) throws -> T) async throws -> T {
    try body(ReadTransaction(store: self, table: state.withLock { $0.table }))
  }

  /// The same, with a callback.
  ///
  /// - Parameter callbackQueue: Where `completion` is called; nil for a queue of the store.
  public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: (@Sendable (Result<T, any Error>) -> Void)? = nil
  ) {
    writers.async {
      let result = Result { try self.runTransaction(body) }
      guard let completion else { return }
      (callbackQueue ?? DispatchQueue.global()).async { completion(result) }
    }
  }

  private func runTransaction<T>(_ body: (ReadWriteTransaction) throws -> T) throws -> T {
    let transaction = ReadWriteTransaction(store: self, table: state.withLock { $0.table })
    let result = try body(transaction)
    let (table, changes) = (transaction.table, transaction.changes)
    transaction.end()
    commit { committed in
      committed = table
      return changes
    }
    return result
  }

  /// Takes the next state and tells the observers of what changed, after the lock is released.
  ///
  /// It runs on the writers' queue only, so nobody else changes the table meanwhile.
  private func commit(origin: UUID? = nil, _ change: (inout RecordTable) -> ChangeSet) {
    var table = state.withLock { $0.table }
    let changes = change(&table)
    let next = table
    let affected = state.withLock { state in
      state.table = next
      state.version += 1
      return state.observers.affected(by: changes, except: origin)
    }
    for observer in affected { observer() }
  }

  func merge(_ batch: RecordBatchTransfer, into table: inout RecordTable) -> ChangeSet {
    guard let batch = batch.take() else { return ChangeSet() }
    return table.merge(batch)
  }

  // MARK: Observing

  /// Calls `onChange` after each write that changes what the observer depends on, until ``removeObserver(_:)``.
  ///
  /// - Parameter origin: The observer's own writes, of which it is not told.
  package func addObserver(ignoring origin: UUID, _ onChange: @escaping @Sendable () -> Void) -> ObserverID {
    state.withLock { $0.observers.add(ignoring: origin, onChange) }
  }

  package func removeObserver(_ observer: ObserverID) {
    state.withLock { $0.observers.remove(observer) }
  }
}

/// The key of a record, such as `Droid:2001` or `QUERY_ROOT`.
public typealias CacheKey = String

/// A value that is handed from one thread to another and used by one at a time.
package struct Handoff<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}

extension ApolloStore {
  /// Reads a whole response and merges its objects, as if the server had just answered: for data that ships with an app.
  ///
  /// - Returns: The data of the response.
  public func write<Query: GraphQLQuery>(
    response: ResponseBytes, for query: Query
  ) async throws(ResponseDecodingError) -> Query.Data? {
    let contents = try ResponseReader.read(
      Query.Data.self, from: response, variables: query.variables, rootKey: Query.operationType.rootKey)
    if let records = contents.records { await publish(records) }
    return contents.data
  }
}
