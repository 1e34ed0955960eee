public import ApolloAPI
public import Foundation

/// The normalized cache: one record for each object that any operation read, shared by all operations.
///
/// - A read sees one consistent state, as some write left it. It never waits for other reads or for writes.
/// - Writes happen one after the other, in the order in which they were asked for.
/// - A watcher is told of each write once, in the order of the writes, with the state that the write left. The write
///   does not wait for the watcher.
/// - No lock is held while code of the app runs.
///
/// With a backend other than ``InMemoryNormalizedCache``, a read may wait for the backend, and transactions wait for
/// each other.
public final class ApolloStore: Sendable {
  private let backend: Handoff<any NormalizedCache>
  let engine: RecordEngine
  private let settings = Locked(Settings())

  private struct Settings {
    var cacheKeyForObject: ObjectIdentity.KeyForObject?
    var rules = RecordTable.MergeRules()
  }

  /// Makes a store.
  ///
  /// - Parameter cache: The backend that keeps the records. By default they are kept in memory, until the process ends.
  public init(cache: any NormalizedCache = InMemoryNormalizedCache()) {
    backend = Handoff(cache)
    engine = (cache as? InMemoryNormalizedCache)?.engine ?? RecordEngine(backend: cache, sizeLimit: nil)
  }

  /// The backend that keeps the records.
  public var cache: any NormalizedCache { backend.value }

  // MARK: Settings

  /// Makes the key of an object as the server sent it, in place of key fields and the schema configuration. Objects of
  /// different types must have different keys. An object for which it returns nil belongs to the field it was read
  /// from. nil, the default: key fields and schema configuration are used.
  ///
  ///     store.cacheKeyForObject = { $0["id"] }
  @preconcurrency public var cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? {
    get { settings.withLock { $0.cacheKeyForObject } }
    set { settings.withLock { $0.cacheKeyForObject = newValue } }
  }

  /// Whether an error that a server reports for a field replaces the value in the cache. The default is false: the
  /// value stays, and the error is kept only if there is no value.
  public var errorsReplaceCachedValues: Bool {
    get { settings.withLock { $0.rules.replacesValuesByErrors } }
    set { settings.withLock { $0.rules.replacesValuesByErrors = newValue } }
  }

  /// Tells the time: when a response is written, its fields get this date. The default is the time of the system. Tests
  /// replace it.
  ///
  ///     store.clock = { Date(timeIntervalSince1970: 1_800_000_000) }
  public var clock: @Sendable () -> Date {
    get { engine.clock.withLock { $0 }.now }
    set { engine.clock.withLock { $0.now = newValue } }
  }

  /// The rules by which the objects of a response are identified.
  package var identity: ObjectIdentity { ObjectIdentity(cacheKeyForObject: cacheKeyForObject) }

  // MARK: Reading

  /// Reads a query from the cache. With memory alone it does not suspend.
  ///
  /// A field for which the server reported an error is nil. To get the errors as well, fetch with
  /// `returnCacheDataDontFetch`.
  ///
  /// - Parameter query: The query to read, with its variables.
  /// - Returns: The data of the query.
  /// - Throws: `ResponseDecodingError`, which names the first field that the cache does not have, or what a backend
  ///   threw.
  public func load<Query: GraphQLQuery>(_ query: Query) async throws -> Query.Data {
    let reading = await read(query)
    if case .failure = reading.data, let error = reading.backendError { throw error }
    return try reading.data.get()
  }

  /// Reads an operation from the cache. With memory alone it does not suspend.
  package func read<Operation: GraphQLOperation>(_ operation: Operation) async -> ReadResult<Operation.Data> {
    await engine.read(ReadRequest(operation))
  }

  // MARK: Writing

  /// Reads a whole response and merges its objects, as if the server had sent it: for data that ships with an app.
  ///
  /// - Parameters:
  ///   - response: The response, with `data` and `errors`.
  ///   - query: The query that it answers, with its variables.
  /// - Returns: The data of the response; nil if it has none.
  /// - Throws: `ResponseDecodingError`, which names the first field of the response that does not fit. Then nothing
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
  /// - Parameters:
  ///   - batch: The records.
  ///   - origin: Identifies the writer: observers with this identifier are not told. nil, the default: all observers
  ///     are.
  /// - Returns: The error that the backend threw; nil if it threw none. The records are in memory even if it did. In
  ///   the body of a transaction, the error of a call that is not possible there; then nothing has happened.
  @discardableResult
  package func publish(_ batch: RecordBatchTransfer, origin: UUID? = nil) async -> (any Swift.Error)? {
    let rules = settings.withLock { $0.rules }
    do {
      return try await engine.inTurn("publish") { await engine.publish(batch, origin: origin, rules: rules) }
    } catch {
      return error
    }
  }

  /// Merges records that an app has made of a response.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - origin: Identifies the writer: observers with this identifier are not told. nil: all observers are.
  /// - Returns: The error that the backend threw; nil if it threw none.
  package func publish(_ records: RecordSet, origin: UUID?) async -> (any Swift.Error)? {
    do {
      try await publish(records: records, identifier: origin)
      return nil
    } catch {
      return error
    }
  }

  /// Merges records, and tells the watchers that depend on them.
  ///
  /// - Parameters:
  ///   - records: The records. Their fields replace the fields in the cache; all other fields stay.
  ///   - identifier: Identifies the writer: a watcher with an equal identifier is not told. nil, the default: every
  ///     watcher is.
  /// - Throws: What a backend throws; then nothing has changed. ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of a transaction.
  public func publish(records: RecordSet, identifier: UUID? = nil) async throws {
    try await engine.inTurn("publish(records:)") { try await engine.publish(records, origin: identifier) }
  }

  // MARK: Removing

  /// Removes all records, and tells all watchers.
  ///
  /// - Throws: What a backend throws; then nothing has changed. ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of a transaction.
  public func clearCache() async throws {
    try await engine.inTurn("clearCache()") { try await engine.clear() }
  }

  /// Removes the records that no field leads to any more, from the roots or from what is being watched.
  ///
  /// With a backend, only those records are considered that were used since the app started.
  ///
  /// - Returns: How many records were removed.
  /// - Throws: What a backend throws; then nothing has changed. ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of a transaction.
  @discardableResult
  public func removeUnreachable() async throws -> Int {
    try await engine.inTurn("removeUnreachable()") { try await engine.removeUnreachable() }
  }

  // MARK: Observing

  /// Calls `onChange` after each write that changes what the observer depends on, until ``removeObserver(_:)``. The
  /// calls are one after the other, in the order of the writes, with the state that the write left.
  /// after the other, in the order of the writes, with the state that the write left.
  ///
  /// - Parameters:
  ///   - origin: Identifies the observer's own writes, of which it is not told.
  ///   - onChange: Called with the state that a write left.
  /// - Returns: Identifies the observer.
  package func addObserver(
    ignoring origin: UUID, _ onChange: @escaping @Sendable (WrittenState) async -> Void
  ) -> ObserverID {
    engine.addObserver(ignoring: origin, onChange)
  }

  package func removeObserver(_ observer: ObserverID) { engine.removeObserver(observer) }

  /// Reads a query for an observer. From then on, the observer is told of every write that concerns it.
  ///
  /// - Parameters:
  ///   - operation: The query to read.
  ///   - observer: The observer.
  ///   - body: Called after all earlier writes have been told, and before later ones are.
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID,
    _ body: @escaping @Sendable (ReadResult<Operation.Data>) -> Void
  ) {
    engine.observe(ReadRequest(operation), for: observer, body)
  }

  /// Reads one object for an observer. From then on, the observer is told of every write that concerns it.
  ///
  /// - Parameters:
  ///   - type: The type of the object.
  ///   - key: The key of the object's record, or a path to the object.
  ///   - variables: The values of variables for fields with arguments.
  ///   - observer: The observer.
  ///   - body: Called after all earlier writes have been told, and before later ones are.
  package func observe<Object: SelectionSet>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables, for observer: ObserverID,
    _ body: @escaping @Sendable (ReadResult<Object>) -> Void
  ) {
    engine.observe(ReadRequest(key: key, variables: variables), for: observer, body)
  }

  /// Returns when all writes that are over have been told to their observers.
  package func waitUntilTold() async {
    await withCheckedContinuation { done in engine.deliver { _ in done.resume() } }
  }
}
