import ApolloAPI
import Foundation

/// The implementation of a store: the records, and all operations on them.
///
/// - **Reading** uses the table, which is a value. With memory alone it needs nothing else, and never suspends.
/// - **Writing** takes a turn, changes a copy of the table, and puts the copy in place when it is complete.
/// - **Telling** observers and subscribers is the work of another task. A write hands it the table and the changes, and
///   does not wait for it.
final class RecordEngine: Sendable {
  struct State {
    /// The base: the records of responses and transactions.
    var table: RecordTable
    var layers = OptimisticLayers()
    var uses = RecordUses()
    var unwrittenDates = UnwrittenDates()
    /// The ``RecordBackend/lossCount`` of the last loss after which the records in memory were written again.
    var lossCount = 0
    /// The epoch that the last clearing has begun.
    var cleared = StoreEpoch.first
    /// The epoch that the last call to clear has begun, which may still wait for its turn.
    var lastClearing = StoreEpoch.first
    var ageSettings = AgeSettings()
    /// The settings in the form for reads.
    var ages = AgeSettings().rules
    var counters = ApolloStore.Statistics.Counters()
    var deliveries = Deliveries()
    /// A write is calling the backend, so what is loaded from the backend may not fit the table.
    var isPersisting = false
    /// Changes each time the table may no longer fit what was loaded from the backend before.
    var generation: UInt64 = 0
    /// The fields that writes have changed since the last step of a collection; nil if none is under way.
    var changedFields: [(record: Int32, key: FieldKey)]?
    /// The number of calls that reads wait for, and that have not ended; see `whenTurnComesOnThread`.
    var openCalls = 0
    /// The number of these calls that clear the cache.
    var openClearings = 0
    /// The size in bytes above which records are dropped again. (It is above the limit if too few could be dropped.)
    var evictionThreshold = 0
    /// Changes that were put in place while a turn was held, with the version of the table that each made. The holder
    /// makes them again on the table that it puts in place.
    var changesBesideTurn: [(version: UInt64, change: TableChange)] = []
  }

  let state: Locked<State>
  let backend: BackendCalls?
  let sizeLimit: Int?
  /// After how many seconds without use a record is dropped from memory; nil: never.
  let unusedLimit: UInt32?
  let turns = Turns()
  /// One collection takes place at a time. It takes a turn of the store for each of its steps.
  let collections = Turns()
  let retentions = Locked(Retentions())
  let observers = Locked(Observers())
  let subscribers = Locked(Subscribers())
  let expiryTimer = ExpiryTimer()
  let schemas = KnownSchemas()
  let sendingOrder = Locked(SendingOrder())
  /// Called with the name of a layer that has thrown, and with its error.
  let onOptimisticFailure = Locked<(@Sendable (String, any Error) -> Void)?>(nil)
  /// Called with the name of an operation of which the cache did not have all of the data, and with what was missing.
  let onMiss = Locked<(@Sendable (String, ResponseDecodingError) -> Void)?>(nil)
  /// The queue on which the bodies of transactions run. They may block their thread.
  private let queue = DispatchQueue(label: "apollo.store")

  init(backend: (any NormalizedCache)?, sizeLimit: Int?, unusedLimit: UInt32? = nil) {
    self.backend = backend.map(BackendCalls.init)
    self.sizeLimit = sizeLimit
    self.unusedLimit = unusedLimit
    state = Locked(State(table: RecordTable(countsBytes: sizeLimit != nil, hasBackend: backend != nil)))
    let losses = self.backend?.records?.lossCount ?? 0
    state.withLock { $0.lossCount = losses }
    self.backend?.records?.onForeignChange { [weak self] in
      guard let self else { return }
      try await inTurn("readChangesOfOtherProcesses()") { try await self.readAgain() }
    }
    self.backend?.records?.onLoss { [weak self] in
      guard let self else { return }
      try await inTurn("flush()") { await self.writeAgain() }
    }
    self.backend?.records?.onSuspension { [weak self] in
      guard let self else { return }
      try await inTurn("flush()") { try await self.flush() }
    }
  }

  /// A time that an app has given for records that are not used, in whole seconds.
  static func unusedLimit(_ seconds: TimeInterval) -> UInt32 {
    seconds > 0 ? UInt32(min(seconds.rounded(.up), Double(UInt32.max))) : 0
  }

  var now: Date { Date(timeIntervalSince1970: ages.seconds) }

  var table: RecordTable { state.withLock { $0.table } }

  // MARK: Turns

  /// The error for a call that needs a turn which the caller holds already.
  ///
  /// - Parameter call: The name of the function that needs a turn.
  /// - Returns: The error; nil if the caller holds no turn of this store.
  func conflict(of call: String) -> ApolloStore.Error? {
    HeldTurn.call(holdingTurnOf: self).map { .isWithinTransaction(call: call, transaction: $0) }
  }

  /// Runs `body` in a turn, in the caller's task.
  ///
  /// - Parameters:
  ///   - call: The name of the function that the app has called, for the error if the caller already holds the turn.
  ///   - body: What to run.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or ``ApolloStore/Error/isWithinTransaction(call:transaction:)``.
  func inTurn<T>(_ call: String, _ body: () async throws -> T) async throws -> T {
    if !turns.takeIfFree() {
      if let conflict = conflict(of: call) { throw conflict }
      await turns.take()
    }
    defer { turns.release() }
    return try await body()
  }

  /// Runs code of the app in a turn, on a thread of the store.
  func inTurnOnThread<T: Sendable>(_ call: String, _ body: @escaping @Sendable () throws -> T) async throws -> T {
    if let conflict = conflict(of: call) { throw conflict }
    return try await withCheckedThrowingContinuation { continuation in
      whenTurnComesOnThread(call: call, body) { continuation.resume(with: $0) }
    }
  }

  /// Runs code of the app on a thread of the store, when its turn comes, and calls a completion.
  ///
  /// - Parameters:
  ///   - call: The name of the function that the app has called.
  ///   - readsWait: Whether reads that are asked for later see what it does. As in Apollo iOS 1, they do so behind a write
  ///     with a callback, because its caller cannot wait for it. The default is false.
  ///   - body: What to run.
  ///   - completion: Called with what `body` returns or throws.
  func whenTurnComesOnThread<T>(
    call: String, readsWait: Bool = false, _ body: @escaping @Sendable () throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    if readsWait { state.withLock { $0.openCalls += 1 } }
    turns.take {
      self.queue.async {
        let result = Result { try HeldTurn.with(self, call: call, body) }
        if readsWait { self.state.withLock { $0.openCalls -= 1 } }
        self.turns.release()
        completion(result)
      }
    }
  }

  /// Runs `body` in a task, when its turn comes, and calls a completion. The parameters are those of
  /// `whenTurnComesOnThread`.
  func whenTurnComes<T>(
    readsWait: Bool = false, _ body: @escaping @Sendable () async throws -> T,
    _ completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    if readsWait { state.withLock { $0.openCalls += 1 } }
    turns.take {
      Task.detached {
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        if readsWait { self.state.withLock { $0.openCalls -= 1 } }
        self.turns.release()
        completion(result)
      }
    }
  }

  /// Whether there are calls for which a read has to wait.
  var hasOpenCalls: Bool { state.withLock { $0.openCalls > 0 } }

  /// Waits for the calls that came before. In the body of a transaction it does not wait: the calls wait for the body.
  @inline(never) func waitForOpenCalls() async {
    guard conflict(of: "load(_:)") == nil else { return }
    await turns.take()
    turns.release()
  }

  /// A change of the table, which may be made more than once: on each table that another writer has put in place
  /// meanwhile.
  typealias TableChange = @Sendable (RecordEngine, inout RecordTable) -> ChangeSet

  /// Makes a change in memory, and never waits: neither for a turn nor for its holder.
  ///
  /// If another task holds the turn, every read except those of the holder sees the change at once. What the holder puts in
  /// place later has the change on top.
  ///
  /// - Parameters:
  ///   - call: The name of the function that the app has called, for the error if the caller already holds the turn.
  ///   - change: The change. It is kept until the next write.
  /// - Returns: The table that the change made, and how it differs from the one before. Its numbers may be others by now.
  /// - Throws: ``ApolloStore/Error/isWithinTransaction(call:transaction:)``.
  @discardableResult
  func changeAtOnce(_ call: String, _ change: @escaping TableChange) throws -> (RecordTable, ChangeSet) {
    if turns.takeIfFree() {
      defer { turns.release() }
      var next = table
      let changes = change(self, &next)
      commit(next, changes)
      return (next, changes)
    }
    if let conflict = conflict(of: call) { throw conflict }
    return changeBesideTurn(change)
  }

  /// Makes a change in memory, while another task may hold the turn.
  @discardableResult
  func changeBesideTurn(_ change: @escaping TableChange) -> (RecordTable, ChangeSet) {
    while true {
      var next = table
      let changes = change(self, &next), run = hasLayers ? run(layers.list, on: next) : nil
      if put(next, changes, layers: run, beside: change) { return (next, changes) }
    }
  }

  // MARK: Putting the next table in place, in a turn

  /// Writes changes to the backend. Until ``commit(_:_:origin:used:)`` or ``giveUp()``, no records are loaded from it.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - table: The records behind them.
  ///   - count: For records that are removed because nothing leads to them: how often the backend had been changed from
  ///     outside when that was found. nil, the default: they are removed for another reason.
  /// - Throws: What the backend throws.
  func persist(_ changes: ChangeSet, of table: RecordTable, unreachableSince count: Int? = nil) async throws {
    guard let backend else { return }
    state.withLock { $0.unwrittenDates.insert(changes.confirmedRecords) }
    guard !changes.isEmptyForBackend else { return }
    try await write(changes, of: table, to: backend, unreachableSince: count)
  }

  /// Writes what the backend does not have yet, and waits until it is written.
  func flush() async throws {
    guard let backend else { return }
    defer { giveUp() }
    try await writeRest()
    try await backend.flush()
  }

  /// Passes to the backend what it does not have yet.
  func writeRest() async throws {
    guard let backend else { return }
    defer { giveUp() }
    try await write(ChangeSet(), of: table, to: backend, allDates: true)
    state.withLock { $0.hideUnremoved() }
  }

  private func write(
    _ changes: ChangeSet, of table: RecordTable, to backend: BackendCalls, allDates: Bool = false,
    unreachableSince count: Int? = nil
  ) async throws {
    let now = ages.now
    let (dated, rewrites) = state.withLock { state in
      state.isPersisting = true
      return (state.unwrittenDates.take(at: now, takesAll: allDates), state.unwrittenDates.takeRewrites())
    }
    var changes = changes
    for record in rewrites.records { changes.insertRewriting(of: record) }
    for pattern in rewrites.patterns { changes.insertRemoval(matching: pattern) }
    var removed: [Int32] = []
    do {
      if let records = backend.records {
        try await records.take(RecordWrite(table.records, changes, dated: dated, unreachableSince: count))
      } else {
        let write = table.backendWrite(of: changes, dated: dated), keys = write.removed.compactMap(table.records.key)
        removed = write.removed
        try await backend.run { cache in
          for pattern in write.removedPatterns { try await cache.removeRecords(matching: pattern) }
          for key in keys { try await cache.removeRecord(for: key) }
          for records in write.records { try await cache.merge(records: records) }
        }
      }
    } catch {
      state.withLock { state in
        state.unwrittenDates.putBack(dated)
        // The backend may have removed what stays in memory. (Of a record that was not loaded, memory has a part only.)
        let lost = removed.filter { state.table[$0] != nil && state.table.isLoaded($0) }
        state.unwrittenDates.putBack(rewriting: rewrites.records + lost, removing: rewrites.patterns)
      }
      throw error
    }
    // There may be more to drop from memory now.
    if !dated.isEmpty { state.withLock { $0.evictionThreshold = 0 } }
  }

  /// Leaves the table as it is, after calls to the backend that may have failed half-way.
  func giveUp() {
    state.withLock { state in
      state.isPersisting = false
      state.generation += 1
    }
  }

  /// Puts the next table in place. Another task tells the observers and subscribers.
  ///
  /// - Parameters:
  ///   - next: The table.
  ///   - changes: How it differs from the table before.
  ///   - origin: Identifies the writer, which is not told.
  ///   - used: The records that were written, those that have not changed too. nil: those that have changed.
  ///   - run: What came of running the layers on the table. nil, the default: they run now, without the backend.
  ///   - isOfCollection: Whether a collection has made the changes. It is not told of these. The default is false.
  func commit(
    _ next: RecordTable, _ changes: ChangeSet, origin: UUID? = nil, used: [Int32]? = nil, layers run: LayerRun? = nil,
    isOfCollection: Bool = false
  ) {
    var next = next, changes = changes, run = run ?? (hasLayers ? self.run(layers.list, on: next) : nil)
    while !put(next, changes, origin: origin, used: used, layers: run, isOfCollection: isOfCollection) {
      let (later, version, layers) = state.withLock { state in
        (state.changesBesideTurn.filter { $0.version > next.version }, state.table.version, state.layers.list)
      }
      for (_, change) in later { changes.formUnion(change(self, &next)) }
      next.version = version
      let failures = run?.failures ?? [], told = Self.leftOut(of: layers)
      var list = run?.layers.list ?? layers
      // (A layer that was left out before tells nothing when it is left out again.)
      for index in list.indices where told.contains(list[index].token) { list[index].isLeftOut = true }
      run = run == nil && list.isEmpty ? nil : self.run(list, on: next)
      let untold = Self.leftOut(of: run?.layers.list ?? []).subtracting(told)
      run?.failures += failures.filter { untold.contains($0.layer.token) }
    }
    reclaim()
  }

  private static func leftOut(of layers: [OptimisticLayer]) -> Set<UUID> {
    Set(layers.lazy.filter(\.isLeftOut).map(\.token))
  }

  /// Puts a table in place, if none was put there since it was taken. Another task tells the observers and subscribers.
  ///
  /// - Parameters:
  ///   - next: The table, with the version of the one that it was made of.
  ///   - changes: How it differs from that one.
  ///   - origin: Identifies the writer, which is not told.
  ///   - used: The records that were written, those that have not changed too. nil: those that have changed.
  ///   - run: What came of running the layers on the table; nil if there are none.
  ///   - change: The change that made the table, if it was made without the turn. nil, the default: the caller holds the
  ///     turn.
  ///   - isOfCollection: Whether a collection has made the changes. The default is false.
  /// - Returns: Whether it is in place.
  private func put(
    _ next: RecordTable, _ changes: ChangeSet, origin: UUID? = nil, used: [Int32]? = nil, layers run: LayerRun?,
    beside change: TableChange? = nil, isOfCollection: Bool = false
  ) -> Bool {
    let time = useTime, told = told(of: changes, in: next, layers: run)
    // The table, if an observer has written only what was there already. Nothing is told of that.
    var equal: RecordTable?
    // The layers that were there. They hold code of the app, which is not released under the lock.
    var released: [OptimisticLayer] = []
    let isFirst: Bool? = state.withLock { state in
      guard state.table.version == next.version else { return nil }
      let isTold = !told.isEmpty || run != nil && state.deliveries.mayMissByLayers
      let previous = state.deliveries.listenerCount > 0 && isTold ? state.view : nil
      let version = next.version + 1
      state.table = next
      state.table.version = version
      if let run {
        released = state.layers.list
        state.layers = run.layers
        state.layers.view?.version = version
        // (Observers that lacked something because of layers are told, and read again.)
        if run.layers.list.isEmpty { state.deliveries.hasMissOfLayers = false }
      }
      if backend != nil { state.hideUnremoved() }
      if let change {
        state.changesBesideTurn.append((version, change))
      } else {
        state.changesBesideTurn.removeAll()
        state.isPersisting = false
      }
      state.generation += 1
      if notesUses { state.noteUses(of: used ?? changes.fields.map(\.record), at: time) }
      if !isOfCollection { state.changedFields?.append(contentsOf: changes.fields) }
      guard let previous else {
        if origin != nil, state.deliveries.listenerCount > 0 { equal = state.view }
        return false
      }
      return state.deliveries.append(
        .write(
          Write(
            table: state.view, base: state.base, previous: previous, changes: told, origin: origin,
            isOverLayers: run != nil)))
    }
    withExtendedLifetime(released) {}
    guard let isFirst else { return false }
    if isFirst { startDelivering() }
    if let origin, let equal { observers.withLock { $0.noteOwnWrite(by: origin, .equal(equal)) } }
    if let run { report(run.failures) }
    return true
  }
}
