public import ApolloAPI
public import Foundation

/// The normalized cache: one record for each object that any operation read, shared by all of them.
///
/// - A read sees one consistent state, as some write left it, and never waits for other reads or for writes.
/// - Writes come one after the other, in the order in which they were asked for.
/// - Who watches is told of each write once, in the order of the writes, with the state that the write left. The writer does
///   not wait for that.
/// - No lock is held while code of the caller runs.
///
/// With a backend other than ``InMemoryNormalizedCache``, a read may wait for the backend, and transactions wait for each
/// other.
public final class ApolloStore: Sendable {
  /// A transaction that reads, under the name of Apollo iOS 1.x and 2.x.
  public typealias ReadTransaction = ApolloCache.ReadTransaction
  /// A transaction that reads and writes, under the name of Apollo iOS 1.x and 2.x.
  public typealias ReadWriteTransaction = ApolloCache.ReadWriteTransaction

  private let backend: Handoff<any NormalizedCache>
  let engine: RecordEngine
  private let settings = Locked(Settings())

  private struct Settings {
    var cacheKeyForObject: ObjectIdentity.KeyForObject?
    var rules = RecordTable.MergeRules()
  }

  /// - Parameter cache: Where the records are kept; by default in memory, for as long as the process lives.
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

  /// Reads a query from the cache. With memory alone it does not suspend.
  ///
  /// A field for which the server reported an error is nil; to get the errors as well, fetch with `returnCacheDataDontFetch`.
  ///
  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have, or what a backend threw when it
  ///   was asked for it.
  public func load<Query: GraphQLQuery>(_ query: Query) async throws -> Query.Data {
    let reading = await read(query)
    if case .failure = reading.data, let error = reading.backendError { throw error }
    return try reading.data.get()
  }

  /// Reads an operation from the cache. With memory alone it does not suspend.
  package func read<Operation: GraphQLOperation>(_ operation: Operation) async -> RecordReading<Operation.Data> {
    await engine.read(RecordRead(operation))
  }

  // MARK: Writing

  /// Reads a whole response and merges its objects, as if the server had just answered: for data that ships with an app.
  ///
  /// - Returns: The data of the response.
  /// - Throws: ``ResponseDecodingError`` that names the first field of the response that does not fit; then nothing of it
  ///   is merged.
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
  /// - Parameter origin: Who wrote them: observers of the same origin are not told.
  /// - Returns: What the backend threw, if it did: the records are in memory all the same. Or the error of a call inside
  ///   of a transaction's body; then nothing has happened.
  @discardableResult
  package func publish(_ batch: RecordBatchTransfer, origin: UUID? = nil) async -> (any Swift.Error)? {
    let rules = settings.withLock { $0.rules }
    do {
      return try await engine.inTurn("publish") { await engine.publish(batch, origin: origin, rules: rules) }
    } catch {
      return error
    }
  }

  /// Merges records that an app made of a response.
  ///
  /// - Parameter origin: Who wrote them: observers of the same origin are not told.
  /// - Returns: What the backend threw, if it did.
  package func publish(_ records: RecordSet, origin: UUID?) async -> (any Swift.Error)? {
    do {
      try await publish(records: records, identifier: origin)
      return nil
    } catch {
      return error
    }
  }

  /// Merges records. Those who watch them are told.
  ///
  /// - Parameters:
  ///   - records: The fields that they have replace those that are there; all others stay.
  ///   - identifier: Whose records they are: a watcher with the same one is not told. nil for those of none.
  /// - Throws: What a backend throws; then everything is as it was. ``Error/isWithinTransaction(call:transaction:)`` in
  ///   the body of a transaction.
  public func publish(records: RecordSet, identifier: UUID? = nil) async throws {
    try await engine.inTurn("publish(records:)") { try await engine.publish(records, origin: identifier) }
  }

  // MARK: Removing

  /// Removes everything. Those who watch are told.
  ///
  /// - Throws: What the backend throws; then everything is as it was. ``Error/isWithinTransaction(call:transaction:)`` in
  ///   the body of a transaction.
  public func clearCache() async throws {
    try await engine.inTurn("clearCache()") { try await engine.clear() }
  }

  /// Removes the records that no field leads to any more: from the roots, and from what somebody watches.
  ///
  /// Of a backend, these are the records that were used since the start; others are not looked at.
  ///
  /// - Returns: How many.
  /// - Throws: What the backend throws; then everything is as it was. ``Error/isWithinTransaction(call:transaction:)`` in
  ///   the body of a transaction.
  @discardableResult
  public func removeUnreachable() async throws -> Int {
    try await engine.inTurn("removeUnreachable()") { try await engine.removeUnreachable() }
  }

  // MARK: Observing

  /// Calls `onChange` after each write that changes what the observer depends on, until ``removeObserver(_:)``: one call
  /// after the other, in the order of the writes, with the state that the write left.
  ///
  /// - Parameter origin: The observer's own writes, of which it is not told.
  package func addObserver(
    ignoring origin: UUID, _ onChange: @escaping @Sendable (WrittenState) async -> Void
  ) -> ObserverID {
    engine.addObserver(ignoring: origin, onChange)
  }

  package func removeObserver(_ observer: ObserverID) { engine.removeObserver(observer) }

  /// Reads a query for an observer, which from then on is told of every write that concerns it.
  ///
  /// - Parameter body: Called when all earlier writes have been told, and before later ones are.
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID,
    _ body: @escaping @Sendable (RecordReading<Operation.Data>) -> Void
  ) {
    engine.observe(RecordRead(operation), for: observer, body)
  }

  /// Reads one object for an observer, which from then on is told of every write that concerns it.
  ///
  /// - Parameters:
  ///   - key: The key of the object's record, or a path to the object.
  ///   - body: Called when all earlier writes have been told, and before later ones are.
  package func observe<Object: SelectionSet>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables, for observer: ObserverID,
    _ body: @escaping @Sendable (RecordReading<Object>) -> Void
  ) {
    engine.observe(RecordRead(key: key, variables: variables), for: observer, body)
  }

  /// Returns when all writes that are over have been told.
  package func waitUntilTold() async {
    await withCheckedContinuation { done in engine.deliver { _ in done.resume() } }
  }
}
