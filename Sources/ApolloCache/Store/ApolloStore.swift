import ApolloConcurrency
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
    var cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)?
    var rules = RecordTable.MergeRules()
    var serverCacheControl: ServerCacheControl = []
  }

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - cache: The backend that keeps the records. By default they are kept in memory, until the process ends. Stores
  ///     over one ``InMemoryNormalizedCache``, or over one `SQLiteNormalizedCache`, are as one. Each has what the others
  ///     write. The clock, the ages and ``onOptimisticFailure`` are those that were set last on any of them. The limits
  ///     are those of the first. A transaction of one is a transaction of all: its body cannot write to another one.
  ///     A backend of your own is for one store, which takes what it has in memory for what the backend has.
  ///   - memoryLimit: How many bytes the records may take that the store keeps in memory in front of the backend,
  ///     estimated. Above the limit, records are dropped from memory that the backend has just as they are: those first
  ///     that were not used for the longest time, and those last that a watcher needs. nil, the default: no limit. It has
  ///     no effect on ``InMemoryNormalizedCache``, which has a limit of its own.
  ///   - memoryExpiresAfter: For how many seconds a record stays in memory in front of the backend that no operation reads
  ///     or writes. After that it is dropped from memory with one of the next writes, as above the limit. nil, the default:
  ///     as long as the store. It has no effect on ``InMemoryNormalizedCache``, which has such a limit of its own.
  public init(
    cache: any NormalizedCache = InMemoryNormalizedCache(), memoryLimit: Int? = nil,
    memoryExpiresAfter: TimeInterval? = nil
  ) {
    backend = Handoff(cache)
    engine = .forStore(over: cache, memoryLimit: memoryLimit, memoryExpiresAfter: memoryExpiresAfter)
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
    set { settings.replace(\.cacheKeyForObject, with: newValue) }
  }

  /// Whether an error that a server reports for a field replaces the value in the cache. The default is false: the
  /// value stays, and the error is kept only if there is no value.
  public var errorsReplaceCachedValues: Bool {
    get { settings.withLock { $0.rules.replacesValuesByErrors } }
    set { settings.withLock { $0.rules.replacesValuesByErrors = newValue } }
  }

  /// Which statements of a server the cache follows about how long an answer may be kept. The default is none.
  ///
  ///     store.serverCacheControl = [.maxAge, .noStore]
  ///
  /// What a server says is kept beside the values. A value is too old as soon as one of them says so: what a server has
  /// said, or the age that the schema, the operation and the app allow.
  public var serverCacheControl: ServerCacheControl {
    get {
      settings.withLock { settings in
        settings.rules.isShared
          ? settings.serverCacheControl.union([.noStore, .fieldHints, .privateIsNotStored])
          : settings.serverCacheControl
      }
    }
    set { settings.withLock { $0.serverCacheControl = newValue } }
  }

  /// Whether several users share this store, as on a server. The default is false.
  ///
  /// Then nothing is written that is for one user, also if it would be there for one read only: what a server says is so, by
  /// `Cache-Control: private`, `no-store` or a hint with the scope `PRIVATE`, and what the schema says is so, by
  /// `@cacheControl(scope: PRIVATE)` on a type, or on a field for all that it leads to. ``serverCacheControl`` has the
  /// members for it, whatever it is set to.
  public var isShared: Bool {
    get { settings.withLock { $0.rules.isShared } }
    set { settings.withLock { $0.rules.isShared = newValue } }
  }

  /// The rules by which the objects of a response are identified.
  package var identity: ObjectIdentity { ObjectIdentity(cacheKeyForObject: cacheKeyForObject) }

  /// The time, by the clock.
  package var now: Date { engine.now }

  // MARK: Reading

  /// Reads a query from the cache. With memory alone it does not suspend.
  ///
  /// A field for which the server reported an error is nil. To get the errors as well, fetch with
  /// `returnCacheDataDontFetch`.
  ///
  /// - Parameters:
  ///   - query: The query to read, with its variables.
  ///   - ttlEnforcement: What happens to values that are older than they may be. By default they are as good as missing.
  ///   - returnsPartialData: Whether a part is returned if the cache does not have all of the data. What is missing is nil,
  ///     or makes the nearest object or list nil that may be. The default is false. The form with a `resultHandler` names
  ///     what is missing.
  /// - Returns: The data of the query.
  /// - Throws: `ResponseDecodingError`, which names the first field that the cache does not have or that is too old, or
  ///   what a backend threw.
  public func load<Query: GraphQLQuery>(
    _ query: Query, ttlEnforcement: TTLEnforcement = .strict, returnsPartialData: Bool = false
  ) async throws -> Query.Data {
    let reading = await read(query, StaleLimit(ttlEnforcement), returnsPartialData: returnsPartialData)
    if case .failure = reading.data, let error = reading.backendError { throw error }
    return try reading.data.get()
  }

  /// Calls a body for each read of an operation for which the cache does not have all of the data.
  ///
  /// - Parameter body: Called once for each such read, with the name of the operation and the first value that was
  ///   missing, in the task that reads. nil: nothing is called.
  package func onMiss(_ body: (@Sendable (String, ResponseDecodingError) -> Void)?) {
    engine.onMiss.replace(\.self, with: body)
  }

  /// Reads an operation from the cache. With memory alone it does not suspend.
  package func read<Operation: GraphQLOperation>(
    _ operation: Operation, _ staleLimit: StaleLimit = .strict, returnsPartialData: Bool = false
  ) async -> ReadResult<Operation.Data> {
    await engine.read(ReadRequest(operation, staleLimit, returnsPartialData: returnsPartialData))
  }

  /// Reads an operation from memory. nil: the backend may have what is missing.
  package func readIfInMemory<Operation: GraphQLOperation>(
    _ operation: Operation, _ staleLimit: StaleLimit, returnsPartialData: Bool
  ) -> ReadResult<Operation.Data>? {
    engine.readIfInMemory(ReadRequest(operation, staleLimit, returnsPartialData: returnsPartialData))
  }

  /// Reads a fragment of one object from memory, at once: a row that is about to be shown has its data before the first
  /// frame.
  ///
  /// It does not wait: neither for a backend nor for a write. Values of any age are read.
  ///
  /// - Parameters:
  ///   - type: The type of the fragment.
  ///   - key: The key of the object, such as `Human:1000`, or a path to it, such as `QUERY_ROOT.hero`.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  /// - Returns: The fragment; nil if memory does not have all of it, and while a `clearCache()` with a callback is under
  ///   way.
  public func readIfInMemory<Object: SelectionSet>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables = .none
  ) -> Object? {
    try? engine.readIfInMemory(ReadRequest<Object>(key: key, variables: variables))?.data.get()
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
      identity: identity, lifetimes: lifetimeRules)
    register(Query.Data.schema)
    if let records = contents.records { await publish(records) }
    return contents.data
  }

  /// Merges the records of a response.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - origin: Identifies the writer: observers with this identifier are not told. nil, the default: all observers
  ///     are.
  ///   - leavesOutNulls: Whether nulls are not merged. The default is false.
  ///   - lifetime: How long the values may be kept of which the batch does not say it. nil, the default: for ever.
  ///   - completion: The end of a mutation's guess, which happens in the same commit. nil, the default: there was none.
  ///   - ticket: The place of the operation in the order of sending. nil, the default: it has none.
  /// - Returns: The error that the backend threw; nil if it threw none. The records are in memory even if it did. In
  ///   the body of a transaction, the error of a call that is not possible there; then nothing has happened.
  @discardableResult
  func publish(
    _ batch: RecordBatchTransfer, origin: UUID? = nil, leavesOutNulls: Bool = false, lifetime: Lifetime? = nil,
    completing completion: OptimisticUpdate.Completion? = nil, sent ticket: SendingTicket? = nil
  ) async -> (any Swift.Error)? {
    let rules = rules(leavesOutNulls)
    do {
      return try await engine.inTurn("publish") {
        await engine.publish(
          batch, origin: origin, rules: rules, lifetime: lifetime, completing: completion, sent: ticket)
      }
    } catch {
      return error
    }
  }

  /// The rules for merging values.
  func rules(_ leavesOutNulls: Bool = false) -> RecordTable.MergeRules {
    var rules = settings.withLock { $0.rules }
    rules.leavesOutNulls = leavesOutNulls
    return rules
  }

  /// Merges the records of a response after the writes that were asked for before, and does not wait for that.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - leavesOutNulls: Whether nulls are not merged. The default is false.
  ///   - lifetime: How long the values may be kept of which the batch does not say it. nil: for ever.
  ///   - ticket: The place of the operation in the order of sending. nil: it has none.
  func publishLater(
    _ batch: RecordBatchTransfer, leavesOutNulls: Bool = false, lifetime: Lifetime?, sent ticket: SendingTicket?
  ) {
    let rules = rules(leavesOutNulls)
    engine.whenTurnComes(
      { [engine] in
        await engine.publish(batch, origin: nil, rules: rules, lifetime: lifetime, sent: ticket)
      }, { _ in })
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
    let rules = rules()
    try await engine.inTurn("publish(records:)") {
      try await engine.publish(records, origin: identifier, rules: rules)
    }
  }

  /// Has the backend write what it does not have yet.
  ///
  /// For any backend these are the dates of values that responses have confirmed without changing them. They are written
  /// with the next change anyway, at most once in a minute for a record. A backend on disk may write later than the store,
  /// such as `SQLiteNormalizedCache`: when this returns, everything is on disk.
  ///
  /// - Throws: What a backend throws. ``Error/isWithinTransaction(call:transaction:)`` in the body of a transaction.
  public func flush() async throws {
    try await engine.inTurn("flush()") { try await engine.flush() }
  }

  // MARK: Removing

  /// Tells the store of a schema. What its `@onDelete` says counts from then on when objects are removed, and what its
  /// `@cacheControl` says when garbage is collected.
  ///
  /// The schema of an operation, or of a fragment, counts from the first time that the store reads or writes it. So this
  /// is for an app that removes an object, or collects, before that, from a backend of an earlier launch.
  ///
  ///     store.register(SchemaMetadata.self)
  ///
  /// - Parameter schema: The generated type with the description of the schema. nil has no effect.
  public func register(_ schema: (any SchemaMetadata.Type)?) { engine.schemas.insert(schema) }

  /// Removes all records, and tells all watchers.
  ///
  /// It begins an epoch: the answer to an operation that was asked for before is given to its caller and not written any
  /// more, and the changes of optimistic updates that were made before are no longer shown, but for those of mutations in
  /// an outbox.
  ///
  /// - Throws: What a backend throws; then nothing has changed. If `SQLiteNormalizedCache` throws, the memory is empty all
  ///   the same, and a part of the file may be. What the file still has is read again, so clear it once more.
  ///   ``Error/isWithinTransaction(call:transaction:)`` in the body of a transaction.
  public func clearCache() async throws {
    let epoch = engine.beginClearing()
    try await engine.inTurn("clearCache()") { try await engine.clear(beginning: epoch) }
  }

  /// Removes an object in a transaction of its own, and tells the watchers that depend on it. After that, the cache lacks
  /// the data of every field that has the object by itself. Lists are read without it, or with nil in its place.
  ///
  /// - Parameters:
  ///   - key: The key of the object's record, or a path to the object. If the object has no record, the field that holds
  ///     it is removed.
  ///   - cascade: Whether all objects are removed as well that it refers to, those that they refer to, and so on, whatever
  ///     else refers to them. false, the default: only those to which fields with `@onDelete(cascade: true)` lead; see
  ///     ``register(_:)``. Root objects stay.
  /// - Throws: What a backend throws; then nothing has changed. ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of a transaction.
  public func remove(_ key: CacheKey, cascade: Bool = false) async throws {
    try await engine.inTurn("remove(_:cascade:)") {
      try await engine.runTransaction(identity: identity) { transaction in
        try await transaction.removeObject(for: key, cascade: cascade)
      }
    }
  }

  // MARK: Observing

  /// Calls `onChange` after each write that changes what the observer depends on, until ``removeObserver(_:)``. The
  /// calls are one after the other, in the order of the writes, with the state that the write left.
  ///
  /// - Parameters:
  ///   - writes: The observer's own writes, of which it is not told.
  ///   - onExpiry: Called when the first of the fields that it has read is older than it may be. nil, the default: it
  ///     does not wait for that.
  ///   - onChange: Called with the state that a write left.
  /// - Returns: Identifies the observer.
  package func addObserver(
    ignoring writes: ObserverWrites, onExpiry: (@Sendable () -> Void)? = nil,
    _ onChange: @escaping @Sendable (WrittenState) async -> Void
  ) -> ObserverID {
    engine.addObserver(ignoring: writes, onExpiry: onExpiry, onChange)
  }

  /// Calls `onChange` for an observer whose own writes have one identifier, if it makes any.
  func addObserver(
    ignoring origin: UUID, onExpiry: (@Sendable () -> Void)? = nil,
    _ onChange: @escaping @Sendable (WrittenState) async -> Void
  ) -> ObserverID {
    addObserver(ignoring: ObserverWrites(asked: origin), onExpiry: onExpiry, onChange)
  }

  /// Ends ``addObserver(ignoring:onExpiry:_:)``.
  package func removeObserver(_ observer: ObserverID) { engine.removeObserver(observer) }

  /// Has an observer write under other identifiers. It is told of what it has written under the former ones and not read, and
  /// of what is still written under them.
  package func setWrites(_ writes: ObserverWrites, of observer: ObserverID) { engine.setWrites(writes, of: observer) }

  /// Whether an observer depends on a record.
  package func isObserved(_ key: CacheKey, by observer: ObserverID) -> Bool {
    engine.observers.withLock { observers in
      guard let number = observers.keys?.withLock({ $0.number(of: key) }) else { return false }
      return observers.depends(observer, on: number)
    }
  }

  /// Reads a query for an observer. From then on, the observer is told of every write that concerns it.
  ///
  /// - Parameters:
  ///   - operation: The query to read.
  ///   - observer: The observer.
  ///   - returnsPartialData: Whether data is read of which the cache has a part only. The default is false.
  ///   - body: Called after all earlier writes have been told, and before later ones are.
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID, returnsPartialData: Bool = false,
    _ body: @escaping @Sendable (ReadResult<Operation.Data>) -> Void
  ) {
    engine.deliver { await $0.observe(operation, for: observer, returnsPartialData: returnsPartialData, body) }
  }

  /// Runs a body with the state of the store, after all earlier writes have been told, and before later ones are.
  ///
  /// - Parameter body: What to run, such as ``WrittenState/observe(_:withKey:variables:for:_:)``.
  package func whenTold(_ body: @escaping @Sendable (WrittenState) async -> Void) { engine.deliver(body) }

  /// Returns when all writes that are over have been told to their observers.
  package func waitUntilTold() async { await engine.waitUntilTold() }
}
