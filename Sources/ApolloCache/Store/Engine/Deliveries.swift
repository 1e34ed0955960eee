package import ApolloAPI
import Foundation

/// A completed write, for the observers and subscribers that are told of it.
struct Write: Sendable {
  /// What reads see after the write.
  let table: RecordTable
  /// The records without the changes of layers; nil if there are no layers.
  let base: RecordTable?
  /// What reads saw before the write.
  let previous: RecordTable
  let changes: ChangeSet
  /// Identifies the writer: observers with this identifier are not told. nil: all observers are.
  let origin: UUID?
  /// Whether layers have run on what was written, or are gone. Then something may be missing for another reason, though
  /// nothing is seen differently.
  let isOverLayers: Bool
}

/// What has not been told yet, in the order in which it happened. Items are appended where the table is changed, under
/// one lock, so their order is that of the writes.
struct Deliveries {
  enum Item: Sendable {
    case write(Write)
    /// The records have been given new numbers.
    case renumber(from: RecordSnapshot, to: RecordSnapshot)
    /// Work to do between two writes.
    case work(RecordTable, base: RecordTable?, after: WriteNotice?, @Sendable (WrittenState) async -> Void)
  }

  private var items = FirstInFirstOut<Item>()
  private var isDelivering = false
  /// How many observers and subscribers there are.
  var listenerCount = 0
  /// Whether an observer may lack something because of layers only.
  var hasMissOfLayers = false
  /// How many of the items go on with a read for which records had to be loaded.
  var unfinishedReads = 0

  /// - Returns: True if a task has to be started that delivers the items.
  mutating func append(_ item: Item) -> Bool {
    items.append(item)
    defer { isDelivering = true }
    return !isDelivering
  }

  /// Whether a write over layers may concern an observer though nothing is seen differently: one lacks something
  /// because of layers, or is reading.
  var mayMissByLayers: Bool { hasMissOfLayers || isDelivering }

  mutating func next() -> Item? {
    let item = items.popFirst()
    isDelivering = item != nil
    return item
  }
}

/// What an observer that is told of a write may ask about it.
struct WriteNotice: Sendable {
  let changes: ChangeSet
  let cause: ChangeCause
}

/// The state of the store after a write, for the observers and subscribers that are told of it.
package struct WrittenState: Sendable {
  let table: RecordTable
  /// The records without the changes of layers; nil if there are no layers.
  let base: RecordTable?
  let engine: RecordEngine
  /// The write because of which it is told, if it is. Then an observer that has read a later state since need not read.
  let notice: WriteNotice?

  /// Why an observer is told.
  package var cause: ChangeCause { notice?.cause ?? .outside }

  /// Whether the write because of which it is told has changed something that an observer had read.
  package func concerns(_ observer: ObserverID) -> Bool {
    guard let notice else { return true }
    return engine.observers.withLock { $0.isConcerned(observer, by: notice.changes) }
  }

  /// The first field that has changed of those that an observer had read, as `record.field`.
  package func changedField(of observer: ObserverID) -> String? {
    guard let notice, let field = engine.observers.withLock({ $0.field(in: notice.changes, of: observer) }) else {
      return nil
    }
    return table.records.name(of: field)
  }

  /// Whether a warning of two observers, by their names, is the first one for this store.
  package func isFirstFeud(_ a: String, _ b: String) -> Bool { engine.observers.withLock { $0.isFirstFeud(a, b) } }

  /// Reads a query for an observer. From then on, the observer is told of every later write that concerns it.
  ///
  /// - Parameters:
  ///   - operation: The query to read.
  ///   - observer: The observer.
  ///   - returnsPartialData: Whether data is read of which the cache has a part only. The default is false.
  ///   - body: Called with the data in this state. (If a backend has to be asked, it is called later, with the data in
  ///     a later state; the observer is not told of the writes in between.)
  package func observe<Operation: GraphQLOperation>(
    _ operation: Operation, for observer: ObserverID, returnsPartialData: Bool = false,
    _ body: @escaping @Sendable (ReadResult<Operation.Data>) -> Void
  ) async {
    await engine.observe(
      ReadRequest(operation, .permissive, returnsPartialData: returnsPartialData), for: observer, in: self, body)
  }

  /// Reads an object for an observer. From then on, the observer is told of every later write that concerns it.
  ///
  /// - Parameters:
  ///   - type: The type of the object.
  ///   - key: The key of the object's record, or a path to the object.
  ///   - variables: The values of variables for fields with arguments.
  ///   - observer: The observer.
  ///   - body: Called with the object in this state, or in a later one if a backend has to be asked.
  package func observe<Object: SelectionSet>(
    _ type: Object.Type, withKey key: CacheKey, variables: Variables, for observer: ObserverID,
    _ body: @escaping @Sendable (ReadResult<Object>) -> Void
  ) async {
    await engine.observe(
      ReadRequest(key: key, variables: variables, staleLimit: .permissive), for: observer, in: self, body)
  }

  /// Reads some objects for an observer. From then on, the observer is told of every later write that concerns one of
  /// them.
  ///
  /// - Parameters:
  ///   - type: The type of the objects.
  ///   - keys: The keys of the objects' records, or paths to the objects.
  ///   - variables: The values of variables for fields with arguments.
  ///   - observer: The observer.
  ///   - body: Called with the objects in this state, or in a later one if a backend has to be asked.
  package func observe<Object: SelectionSet>(
    _ type: Object.Type, withKeys keys: [CacheKey], variables: Variables, for observer: ObserverID,
    _ body: @escaping @Sendable ([ReadResult<Object>]) -> Void
  ) async {
    await engine.observe(
      keys.map { ReadRequest(key: $0, variables: variables, staleLimit: .permissive) }, for: observer, in: self, body)
  }
}

extension RecordEngine {
  /// Runs `work` after everything that has happened so far was told, and before anything later is.
  ///
  /// - Parameters:
  ///   - notice: The write of which the work is to tell an observer. nil, the default: none.
  ///   - work: The work, which is given the state.
  func deliver(after notice: WriteNotice? = nil, _ work: @escaping @Sendable (WrittenState) async -> Void) {
    let isFirst = state.withLock { state in
      state.deliveries.append(.work(state.view, base: state.base, after: notice, work))
    }
    if isFirst { startDelivering() }
  }

  /// (The task is detached, because it does not belong to the task whose write started it.)
  func startDelivering() {
    Task.detached {
      while let item = self.state.withLock({ $0.deliveries.next() }) { await self.deliver(item) }
    }
  }

  private func deliver(_ item: Deliveries.Item) async {
    switch item {
    case .write(let write):
      let concerned = observers.withLock { $0.affected(by: write) }
      let cause = concerned.isEmpty ? .outside : observers.withLock { $0.cause(of: write.origin) }
      let state = WrittenState(
        table: write.table, base: write.base, engine: self, notice: WriteNotice(changes: write.changes, cause: cause))
      for observer in concerned { await observer(state) }
      let subscribers = subscribers.withLock { $0.concerned(at: write.table.version) }
      guard !subscribers.isEmpty, !write.changes.isEmpty else { return }
      let change = ApolloStore.Change(write)
      for tell in subscribers { tell(change) }
    case .renumber(let old, let new):
      let numbers = observers.withLock { Array($0.records) }.compactMap { number in
        old.key(of: number).map { key in (number, new.insert(key)) }
      }
      let fieldKeys = observers.withLock { $0.keysWithArguments }.map { key in
        let text = old.text(of: key)
        return (key, new.keys.withLock { $0.fieldKey(text) })
      }
      observers.withLock {
        $0.renumber(
          Dictionary(numbers) { first, _ in first }, Dictionary(fieldKeys) { first, _ in first }, keys: new.keys)
      }
    case .work(let table, let base, let notice, let body):
      await body(WrittenState(table: table, base: base, engine: self, notice: notice))
    }
  }

  // MARK: Observers

  func addObserver(
    ignoring writes: ObserverWrites, onExpiry: (@Sendable () -> Void)?,
    _ onChange: @escaping @Sendable (WrittenState) async -> Void
  ) -> ObserverID {
    state.withLock { $0.deliveries.listenerCount += 1 }
    return observers.withLock { $0.add(ignoring: writes, onExpiry: onExpiry, onChange) }
  }

  func removeObserver(_ observer: ObserverID) {
    guard observers.withLock({ $0.remove(observer) }) else { return }
    state.withLock { $0.deliveries.listenerCount -= 1 }
    expiryTimer.remove(observer)
  }

  func setWrites(_ writes: ObserverWrites, of observer: ObserverID) {
    let notice = WriteNotice(changes: ChangeSet(), cause: .observer(name: writes.name))
    deliver(after: notice) { written in
      if let tell = written.engine.observers.withLock({ $0.setWrites(writes, of: observer) }) { await tell(written) }
    }
  }

  /// Reads for an observer. From then on, the observer is told once of every later write that concerns it.
  ///
  /// - Parameters:
  ///   - read: What to read: one object, or several of one state.
  ///   - observer: The observer.
  ///   - written: The state to read from.
  ///   - isAgain: Whether records were loaded for it before, and some have left the memory since. The default is false.
  ///   - body: Called with the data.
  func observe<Read: ObserverRead>(
    _ read: Read, for observer: ObserverID, in written: WrittenState, isAgain: Bool = false,
    _ body: @escaping @Sendable (Read.Reading) -> Void
  ) async {
    let table = written.table
    if written.notice != nil, observers.withLock({ $0.version(of: observer) ?? 0 }) >= table.version { return }
    var reading = read.run(in: table, ages)
    let isComplete = backend == nil || !reading.needsBackend(after: table)
    if written.notice == nil, isComplete, reading.isIncomplete { compareWithOwn(&reading, read, for: observer, table) }
    observers.withLock { $0.update(observer, reading.dependencies, in: table, isComplete: isComplete) }
    guard !isComplete else {
      if let base = written.base { compare(&reading, read, for: observer, withBase: base) }
      waitForExpiry(of: reading, read, for: observer)
      reading.note(in: self, table)
      return body(reading)
    }
    // Nothing is loaded for an observer that is gone.
    guard observers.withLock({ $0.version(of: observer) != nil }) else { return body(reading) }
    if isAgain {
      guard let error = await loadBesideMemory(read, for: observer, after: written.notice, body) else { return }
      reading.note(error)
      return body(reading)
    }
    guard await read.load(into: self, &reading, of: table) else { return body(reading) }
    // The missing records are in memory, but a later state than this one may be in place. Or some are not there: they take
    // more than the limit of the memory.
    goOn(after: written.notice) { await $0.engine.observe(read, for: observer, in: $0, isAgain: true, body) }
  }

  /// Goes on with a read, after everything that has happened so far was told.
  private func goOn(after notice: WriteNotice?, _ read: @escaping @Sendable (WrittenState) async -> Void) {
    state.withLock { $0.deliveries.unfinishedReads += 1 }
    deliver(after: notice) { written in
      await read(written)
      written.engine.state.withLock { $0.deliveries.unfinishedReads -= 1 }
    }
  }

  /// Returns when all writes that are over have been told, also to observers for which records had to be loaded.
  func waitUntilTold() async {
    // An item that is told appends what goes on with it before it ends. There are three at most for a write, whatever
    // is written later: the read, the read of what was loaded, and that of what was loaded beside the memory.
    for _ in 0..<3 {
      await withCheckedContinuation { done in deliver { _ in done.resume() } }
      if state.withLock({ $0.deliveries.unfinishedReads == 0 }) { return }
    }
  }

  /// Loads what an observer lacks into a copy of the records, which is there for this read only, and has the observer read
  /// from it. So the observer can read more than the memory may keep.
  ///
  /// - Returns: What the backend has thrown; nil if it has not.
  private func loadBesideMemory<Read: ObserverRead>(
    _ read: Read, for observer: ObserverID, after notice: WriteNotice?,
    _ body: @escaping @Sendable (Read.Reading) -> Void
  ) async -> (any Error)? {
    guard let backend else { return nil }
    // In a turn, what is loaded fits the table, and the table is that of the last item that is told.
    await turns.take()
    defer { turns.release() }
    var (base, view) = state.withLock { ($0.table, $0.layers.view) }
    while true {
      let table = view ?? base, missing = read.run(in: table, ages).missing(in: table)
      guard !missing.isEmpty else { break }
      do { try await base.fill(missing, from: backend) } catch { return error }
      view?.takeLoaded(missing, from: base)
    }
    let loaded = WrittenState(table: view ?? base, base: view == nil ? nil : base, engine: self, notice: notice)
    goOn(after: notice) { state in
      // A change may have been made beside the turn.
      let fits = state.table.version == loaded.table.version && state.table.records.keys === loaded.table.records.keys
      await state.engine.observe(read, for: observer, in: fits ? loaded : state, isAgain: true, body)
    }
    return nil
  }

  /// Finds out whether a write that came after the observer's own has taken something away.
  @inline(never) private func compareWithOwn<Read: ObserverRead>(
    _ reading: inout Read.Reading, _ read: Read, for observer: ObserverID, _ table: RecordTable
  ) {
    switch observers.withLock({ $0.ownState(of: observer, before: table) }) {
    case nil: break
    case .whole(let own)?, .equal(let own)?: reading.compare(withOwn: read.run(in: own, ages))
    case .part?: reading.compare(withOwn: nil)
    }
  }

  /// Finds out whether something is missing only because of layers.
  @inline(never) private func compare<Read: ObserverRead>(
    _ reading: inout Read.Reading, _ read: Read, for observer: ObserverID, withBase base: RecordTable
  ) {
    reading.compare(with: read.run(in: base, ages))
    guard reading.isMissOfLayers, observers.withLock({ $0.noteMissOfLayers(of: observer) }) else { return }
    state.withLock { $0.deliveries.hasMissOfLayers = true }
  }

  /// Waits until the first of the fields that an observer has read is older than it may be.
  private func waitForExpiry<Read: ObserverRead>(of reading: Read.Reading, _ read: Read, for observer: ObserverID) {
    guard let onExpiry = observers.withLock({ $0.onExpiry(of: observer) }) else { return }
    let wait = reading.earliestExpirySeconds.map { expiry in
      ExpiryTimer.Wait(
        expiry: expiry,
        read: { [weak self] in
          self.flatMap { engine -> UInt32? in
            let view = engine.view, reading = read.run(in: view, engine.ages)
            // The record with the field may have left the memory.
            if reading.needsBackend(after: view) { return expiry }
            return reading.earliestExpirySeconds ?? (reading.isIncomplete ? expiry : nil)
          }
        },
        onExpiry: onExpiry)
    }
    expiryTimer.set(observer, wait) { [weak self] in self?.ages.now ?? 0 }
  }

  /// The keys of fields with arguments that observers depend on, by their numbers in a table.
  func observedFields(in table: RecordTable) -> Set<FieldKey> {
    let (fields, keys) = observers.withLock { ($0.keysWithArguments, $0.keys) }
    guard let keys, !(keys === table.records.keys) else { return fields }
    return Set(fields.compactMap { field in table.records.fieldKey(of: keys.withLock { $0.text(of: field) }) })
  }

  /// The records that observers depend on, by their numbers in a table.
  func observedNumbers(in table: RecordTable) -> Set<Int32> {
    let (numbers, keys) = observers.withLock { (Array($0.records), $0.keys) }
    guard let keys, !(keys === table.records.keys) else { return Set(numbers) }
    // The records have been given new numbers, and the observers do not know these yet.
    let texts = numbers.compactMap { number in
      keys.withLock { $0.key(of: number) }
    }
    return Set(texts.compactMap { table.records.number(of: $0) })
  }
}
