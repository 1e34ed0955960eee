public import ApolloAPI
public import Dispatch
package import Foundation

/// The normalized cache: one record for each object that any operation read, shared by all of them.
///
/// - A read sees one consistent state, as some write left it, and never waits for other reads or for writes.
/// - Writes come one after the other, in the order in which they were asked for.
/// - Whoever watches is told of each write once, in the order of the writes, with the state that the write left.
/// - No lock is held while code of the caller runs.
///
/// With a backend other than ``InMemoryNormalizedCache``, a read may wait for the backend, and transactions wait for each
/// other.
public final class ApolloStore: Sendable {
  private let backend: Handoff<any NormalizedCache>
  let engine: RecordEngine
  private let settings = Locked(Settings())

  private struct Settings {
    var cacheKeyForObject: ObjectIdentity.KeyForObject?
    var rules = RecordTable.MergeRules()
  }

  public init(cache: any NormalizedCache = InMemoryNormalizedCache()) {
    backend = Handoff(cache)
    engine = (cache as? InMemoryNormalizedCache)?.engine ?? RecordEngine(backend: cache, sizeLimit: nil)
  }

  /// Where the records are kept.
  public var cache: any NormalizedCache { backend.value }

  // MARK: Settings

  /// Makes the key of an object as the server sent it, instead of key fields and schema configuration: the objects of all
  /// types have to get different keys. An object for which it returns nil belongs to the field it was read from.
  ///
  ///     store.cacheKeyForObject = { $0["id"] }
  @preconcurrency public var cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? {
    get { settings.withLock { $0.cacheKeyForObject } }
    set { settings.withLock { $0.cacheKeyForObject = newValue } }
  }

  /// An error that a server reports for a field takes the place of the value that the cache has. By default the value
  /// stays, and the error is kept only where there is none.
  public var errorsReplaceCachedValues: Bool {
    get { settings.withLock { $0.rules.replacesValuesByErrors } }
    set { settings.withLock { $0.rules.replacesValuesByErrors = newValue } }
  }

  /// How the objects of a response get their keys.
  package var identity: ObjectIdentity { ObjectIdentity(cacheKeyForObject: cacheKeyForObject) }

  // MARK: Reading

  /// Reads a query from the cache.
  ///
  /// A field for which the server reported an error is nil; whoever needs the errors as well fetches with
  /// `returnCacheDataDontFetch`.
  ///
  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have.
  public func load<Query: GraphQLQuery>(_ query: Query) throws(ResponseDecodingError) -> Query.Data {
    try read(query).data.get()
  }

  package func read<Operation: GraphQLOperation>(_ operation: Operation) -> RecordReading<Operation.Data> {
    engine.read(RecordRead(operation))
  }

  /// Runs a transaction that reads one consistent state.
  ///
  /// - Parameter body: Runs on a thread of the store, and so must not belong to an actor.
  @preconcurrency public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> T
  ) async throws -> T {
    guard engine.backend != nil else { return try readTransaction(body) }
    return try await engine.enqueue { try self.readTransaction(body) }
  }

  /// Runs a transaction that reads one consistent state, and calls back.
  ///
  /// - Parameters:
  ///   - body: Runs on a thread of the store, and so must not belong to an actor.
  ///   - callbackQueue: Where `completion` is called; nil for a queue of the store. A completion that is made on the main
  ///     actor needs `.main`.
  @preconcurrency public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Error>) -> Void)? = nil
  ) {
    let handler = Handoff(completion)
    let run: @Sendable () -> Void = {
      let result = Result { try self.readTransaction(body) }
      guard handler.value != nil else { return }
      (callbackQueue ?? .global()).async { handler.value?(result) }
    }
    if engine.backend == nil { DispatchQueue.global().async(execute: run) } else { engine.enqueue(run) }
  }

  private func readTransaction<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
    try body(ReadTransaction(table: engine.table, backend: engine.backend, identity: identity))
  }

  // MARK: Writing

  /// Runs a transaction that may read and write; nothing of it happens if `body` throws.
  ///
  /// It sees its own writes. Other writers wait until it is over, so it should be short.
  ///
  /// - Parameter body: Runs on a thread of the store, and so must not belong to an actor.
  @preconcurrency public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> T
  ) async throws -> T {
    try await engine.enqueue { try self.engine.runTransaction(identity: self.identity, body) }
  }

  /// Runs a transaction that may read and write, and calls back; nothing of it happens if `body` throws.
  ///
  /// - Parameters:
  ///   - body: Runs on a thread of the store, and so must not belong to an actor.
  ///   - callbackQueue: Where `completion` is called; nil for a queue of the store. A completion that is made on the main
  ///     actor needs `.main`.
  @preconcurrency public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ReadWriteTransaction) throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Error>) -> Void)? = nil
  ) {
    let handler = Handoff(completion)
    engine.enqueue {
      let result = Result { try self.engine.runTransaction(identity: self.identity, body) }
      guard handler.value != nil else { return }
      (callbackQueue ?? .global()).async { handler.value?(result) }
    }
  }

  /// Reads a whole response and merges its objects, as if the server had just answered: for data that ships with an app.
  ///
  /// - Returns: The data of the response.
  @discardableResult
  public func write<Query: GraphQLQuery>(
    response: ResponseBytes, for query: Query
  ) async throws(ResponseDecodingError) -> Query.Data? {
    let contents = try ResponseReader.read(
      Query.Data.self, from: response, variables: query.variables, rootKey: Query.operationType.rootKey,
      identity: identity)
    if let records = contents.records { await publish(records) }
    return contents.data
  }

  /// Merges the records of a response.
  ///
  /// - Parameter origin: Whoever wrote them; observers of the same origin are not told.
  /// - Returns: What the backend threw, if it did: the records are in memory all the same.
  @discardableResult
  package func publish(_ batch: RecordBatchTransfer, origin: UUID? = nil) async -> (any Error)? {
    let rules = settings.withLock { $0.rules }
    // (A backend may take its time, which is not the thread's of the caller.)
    if engine.backend == nil,
      let failure = engine.runAtOnce({ engine.publish(batch, origin: origin, rules: rules) })
    {
      return failure
    }
    return await withCheckedContinuation { continuation in
      engine.enqueue {
        continuation.resume(returning: self.engine.publish(batch, origin: origin, rules: rules))
      }
    }
  }

  /// Merges records that an app made of a response.
  ///
  /// - Parameter origin: Whoever wrote them; observers of the same origin are not told.
  /// - Returns: What the backend threw, if it did.
  package func publish(_ records: RecordSet, origin: UUID?) async -> (any Error)? {
    do {
      try await engine.enqueue { _ = try self.engine.publish(records, origin: origin) }
      return nil
    } catch {
      return error
    }
  }

  /// Merges records.
  public func publish(records: RecordSet) async throws {
    try await engine.enqueue { _ = try self.engine.publish(records) }
  }

  // MARK: Removing

  /// Removes everything. Whoever watches is told.
  ///
  /// - Throws: What the backend throws; then everything is as it was.
  public func clearCache() async throws {
    try await engine.enqueue { try self.engine.clear() }
  }

  /// The same, with a callback.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Error>) -> Void)? = nil
  ) {
    let handler = Handoff(completion)
    engine.enqueue {
      let result = Result { try self.engine.clear() }
      guard handler.value != nil else { return }
      callbackQueue.async { handler.value?(result) }
    }
  }

  /// Removes the records that no field leads to any more: from the roots, and from what somebody watches.
  ///
  /// Of a backend, these are the records that were used since the start; others are not looked at.
  ///
  /// - Returns: How many.
  @discardableResult
  public func removeUnreachable() async throws -> Int {
    try await engine.enqueue { try self.engine.removeUnreachable() }
  }

  // MARK: Observing

  /// Calls `onChange` after each write that changes what the observer depends on, until ``removeObserver(_:)``.
  ///
  /// It is called where the store writes, before the next write.
  ///
  /// - Parameter origin: The observer's own writes, of which it is not told.
  package func addObserver(ignoring origin: UUID, _ onChange: @escaping @Sendable () -> Void) -> ObserverID {
    engine.addObserver(ignoring: origin, onChange)
  }

  package func removeObserver(_ observer: ObserverID) { engine.removeObserver(observer) }

  /// Reads a query for an observer, which from then on is told of every write that concerns it.
  ///
  /// - Parameter body: Called where the store writes: what was read is what the last write left.
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID,
    _ body: @escaping @Sendable (RecordReading<Operation.Data>) -> Void
  ) {
    engine.enqueueOrCall { body(self.engine.observe(RecordRead(operation), for: observer)) }
  }

  /// The same for one object.
  package func observe<Object: SelectionSet>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables, for observer: ObserverID,
    _ body: @escaping @Sendable (RecordReading<Object>) -> Void
  ) {
    engine.enqueueOrCall {
      body(self.engine.observe(RecordRead(key: key, variables: variables), for: observer))
    }
  }
}
