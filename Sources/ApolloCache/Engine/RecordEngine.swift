import ApolloAPI
import Dispatch
import Foundation

/// What stands behind a store: the records, whoever observes them, and the one queue on which they change.
///
/// A read takes the table, which is a value, and needs nothing else. A write works on a copy of the table on the queue
/// and puts it in place when it is complete. Observers are called on the queue, after the lock is released and before
/// the next write: what they read is what that write left, and the order in which they are told is the order of writes.
///
/// A response of the server that finds the queue empty is merged where it came in, in place of the queue.
final class RecordEngine: Sendable {
  struct State {
    var table: RecordTable
    var observers = Observers()
    var uses = RecordUses()
    var counters = StoreStatistics.Counters()
    /// What runs or waits on the queue, or in its place.
    var jobs = 0
    /// The thread that stands in for the queue, while one does.
    var substitute: ObjectIdentifier?
  }

  let state: Locked<State>
  private let handedBackend: Handoff<any NormalizedCache>?
  let sizeLimit: Int?
  private let queue: DispatchQueue
  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  init(backend: (any NormalizedCache)?, sizeLimit: Int?) {
    handedBackend = backend.map(Handoff.init)
    self.sizeLimit = sizeLimit
    state = Locked(State(table: RecordTable(countsBytes: sizeLimit != nil)))
    queue = DispatchQueue(label: "apollo.store", target: .global())
    queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
  }

  var backend: (any NormalizedCache)? { handedBackend?.value }
  var table: RecordTable { state.withLock { $0.table } }

  // MARK: The queue

  private var isOnQueue: Bool {
    if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self) { return true }
    guard let substitute = state.withLock({ $0.substitute }) else { return false }
    return substitute == ObjectIdentifier(Thread.current)
  }

  /// Waits for its turn on the queue; code that runs there already is called at once.
  func onQueue<T>(_ body: () throws -> T) rethrows -> T {
    if isOnQueue { return try body() }
    state.withLock { $0.jobs += 1 }
    defer { state.withLock { $0.jobs -= 1 } }
    return try queue.sync(execute: body)
  }

  func enqueue(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs += 1 }
    queue.async {
      body()
      self.state.withLock { $0.jobs -= 1 }
    }
  }

  /// Calls `body` at once on the queue, and otherwise when its turn comes.
  func enqueueOrCall(_ body: @escaping @Sendable () -> Void) {
    if isOnQueue { body() } else { enqueue(body) }
  }

  func enqueue<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      enqueue { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Runs `body` in place of the queue if nothing runs or waits there: two changes of threads less. What comes in the
  /// meantime waits on the queue.
  ///
  /// - Returns: nil if its turn has not come.
  func runAtOnce<T>(_ body: () -> T) -> T? {
    let thread = ObjectIdentifier(Thread.current)
    let isItsTurn = state.withLock { state in
      guard state.jobs == 0 else { return false }
      state.jobs = 1
      state.substitute = thread
      // Under the lock: a job that is counted after this one finds the queue suspended.
      queue.suspend()
      return true
    }
    guard isItsTurn else { return nil }
    defer {
      state.withLock { state in
        state.jobs -= 1
        state.substitute = nil
      }
      queue.resume()
    }
    return body()
  }

  // MARK: Reading

  /// Reads an object from the table, with what it needs from the backend.
  func read<Data: SelectionSet>(_ read: RecordRead<Data>) -> RecordReading<Data> {
    guard let backend else {
      let table = table
      let reading = read.run(in: table)
      note(reading, in: table)
      return reading
    }
    while true {
      let table = table
      var reading = read.run(in: table)
      let missing = reading.missing(in: table)
      if missing.isEmpty {
        note(reading, in: table)
        return reading
      }
      do {
        try onQueue {
          var table = self.table
          try table.fill(missing, from: backend)
          state.withLock { $0.table = table }
        }
      } catch {
        reading.backendError = error
        return reading
      }
    }
  }

  /// Counts, and notes what was used, where the size is limited.
  private func note<Data>(_ reading: RecordReading<Data>, in table: RecordTable) {
    state.withLock { state in
      if case .success = reading.data { state.counters.hits += 1 } else { state.counters.misses += 1 }
      if sizeLimit != nil, state.table.records.keys === table.records.keys {
        state.uses.note(reading.dependencies.reads.lazy.map(\.record))
      }
    }
  }

  /// Reads for an observer, which from then on is told of every write that concerns it. To be called on the queue.
  func observe<Data: SelectionSet>(_ read: RecordRead<Data>, for observer: ObserverID) -> RecordReading<Data> {
    let reading = self.read(read)
    state.withLock { $0.observers.update(observer, reading.dependencies) }
    return reading
  }

  // MARK: Writing, on the queue

  /// Merges the records of a response.
  ///
  /// - Returns: What the backend threw, if it did: the records are in memory all the same.
  func publish(_ transfer: RecordBatchTransfer, origin: UUID?, rules: RecordTable.MergeRules) -> (any Error)? {
    guard let batch = transfer.take() else { return nil }
    var table = table
    var failure: (any Error)?
    let date = RecordTable.seconds(Date())
    do {
      if let backend { try table.fill(Set(table.numbers(of: batch)), from: backend) }
    } catch { failure = error }
    let changes = table.merge(batch, date: date, rules: rules)
    do { try persist(changes, of: table) } catch { failure = failure ?? error }
    commit(table, changes, origin: origin)
    return failure
  }

  func publish(_ records: RecordSet, origin: UUID? = nil) throws -> ChangeSet {
    var table = table
    let sorted = records.storage.values.sorted { $0.key < $1.key }
    if let backend { try table.fill(Set(sorted.map { table.number(for: $0.key) }), from: backend) }
    var changes = ChangeSet()
    for record in sorted {
      if let backend { try table.load(record.key, from: backend) }
      // The key may be the path that leads to an object.
      let location = table.location(of: record.key) ?? RecordLocation(record: table.number(for: record.key))
      let type = table.object(at: location)?.type ?? .unknown
      table.merge(
        table.imported(record.fields, type: type), at: location, date: RecordTable.seconds(record.receivedAt), &changes)
    }
    try persist(changes, of: table)
    commit(table, changes, origin: origin)
    return changes
  }

  func clear() throws {
    try backend?.clear()
    var table = table
    let changes = table.removeAll()
    commit(table, changes)
  }

  /// Runs a transaction; nothing of it happens if it throws, or if the backend does.
  func runTransaction<T>(
    identity: ObjectIdentity = ObjectIdentity(), _ body: (ReadWriteTransaction) throws -> T
  ) throws -> T {
    let transaction = ReadWriteTransaction(table: table, backend: backend, identity: identity)
    defer { transaction.end() }
    let result = try body(transaction)
    try persist(transaction.changes, of: transaction.table)
    commit(transaction.table, transaction.changes)
    return result
  }

  /// Hands what changed to the backend.
  private func persist(_ changes: ChangeSet, of table: RecordTable) throws {
    guard let backend, !changes.isEmpty else { return }
    for pattern in changes.removedPatterns { try backend.removeRecords(matching: pattern) }
    let rewritten = Set(changes.removedRecords + changes.reducedRecords)
    for number in rewritten.sorted() { try backend.removeRecord(for: table.records.key(of: number) ?? "") }
    var fields: [Int32: Set<FieldKey>] = [:]
    for (record, key) in changes.fields { fields[record, default: []].insert(key) }
    var records = RecordSet()
    for number in rewritten.union(fields.keys) {
      // The type is no field, but has to go along.
      let wanted = rewritten.contains(number) ? nil : fields[number]
      if let record = table.exported(number, only: wanted) { records.insert(record) }
    }
    if !records.isEmpty { try backend.merge(records: records) }
  }

  /// Puts the next table in place and tells the observers of what changed, after the lock is released.
  func commit(_ next: RecordTable, _ changes: ChangeSet, origin: UUID? = nil) {
    let affected = state.withLock { state in
      state.table = next
      if sizeLimit != nil { state.uses.note(changes.fields.lazy.map(\.record)) }
      return state.observers.affected(by: changes, except: origin)
    }
    for observer in affected { observer() }
    reclaim()
  }

  // MARK: Observing

  func addObserver(ignoring origin: UUID, _ onChange: @escaping @Sendable () -> Void) -> ObserverID {
    state.withLock { $0.observers.add(ignoring: origin, onChange) }
  }

  func removeObserver(_ observer: ObserverID) {
    state.withLock { $0.observers.remove(observer) }
  }
}
