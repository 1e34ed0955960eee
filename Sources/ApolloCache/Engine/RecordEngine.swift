import ApolloAPI
import Foundation

/// What stands behind a store: the records, and all that happens to them.
///
/// - **Reading** takes the table, which is a value. With memory alone it needs nothing else, and never suspends.
/// - **Writing** takes a turn, works on a copy of the table, and puts it in place when it is complete.
/// - **Telling** is another task's work. A write hands it the table and what has changed, and is over.
final class RecordEngine: Sendable {
  struct State {
    var table: RecordTable
    var uses = RecordUses()
    var counters = StoreStatistics.Counters()
    var deliveries = Deliveries()
    /// A write makes calls to the backend: what comes from there may not fit the table.
    var isPersisting = false
    /// Changes whenever the table may no longer fit what a backend has told before.
    var generation: UInt64 = 0
  }

  let state: Locked<State>
  let backend: BackendCalls?
  let sizeLimit: Int?
  let turns = Turns()
  let observers = Locked(Observers())
  let subscribers = Locked(Subscribers())
  /// Where the bodies of transactions run, which may block their thread.
  private let queue = DispatchQueue(label: "apollo.store")

  init(backend: (any NormalizedCache)?, sizeLimit: Int?) {
    self.backend = backend.map(BackendCalls.init)
    self.sizeLimit = sizeLimit
    state = Locked(State(table: RecordTable(countsBytes: sizeLimit != nil)))
  }

  var table: RecordTable { state.withLock { $0.table } }

  // MARK: Turns

  /// Runs `body` in a turn, in the task of the caller.
  ///
  /// - Parameter call: What the caller calls, for the error of one who holds the turn already.
  func inTurn<T>(_ call: String, _ body: () async throws -> T) async throws -> T {
    if !turns.takeIfFree() {
      if let conflict = HeldTurn.conflict(of: call, in: self) { throw conflict }
      await turns.take()
    }
    defer { turns.release() }
    return try await body()
  }

  /// Runs code of the app in a turn, on a thread of the store.
  func inTurnOnThread<T: Sendable>(_ call: String, _ body: @escaping @Sendable () throws -> T) async throws -> T {
    if let conflict = HeldTurn.conflict(of: call, in: self) { throw conflict }
    return try await withCheckedThrowingContinuation { continuation in
      whenTurnComesOnThread(call, body) { continuation.resume(with: $0) }
    }
  }

  /// Runs code of the app on a thread of the store, when its turn comes.
  func whenTurnComesOnThread<T>(
    _ call: String, _ body: @escaping @Sendable () throws -> T,
    _ completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    turns.take {
      self.queue.async {
        let result = Result { try HeldTurn.with(self, call, body) }
        self.turns.release()
        completion(result)
      }
    }
  }

  /// Runs `body` in a task, when its turn comes.
  func whenTurnComes<T>(
    _ body: @escaping @Sendable () async throws -> T, _ completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    turns.take {
      Task.detached {
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        self.turns.release()
        completion(result)
      }
    }
  }

  /// Runs `body` in a turn, for which it blocks the thread of the caller.
  func inTurnBlocking<T>(_ call: String, _ body: () throws -> T) throws -> T {
    if !turns.takeIfFree() {
      if let conflict = HeldTurn.conflict(of: call, in: self) { throw conflict }
      let isTaken = DispatchSemaphore(value: 0)
      turns.take { isTaken.signal() }
      isTaken.wait()
    }
    defer { turns.release() }
    return try body()
  }

  // MARK: Putting the next table in place, in a turn

  /// Hands what changed to the backend. Until ``commit(_:_:origin:)`` or ``giveUp()``, nobody takes records from there.
  func persist(_ changes: ChangeSet, of table: RecordTable) async throws {
    guard let backend, !changes.isEmpty else { return }
    state.withLock { $0.isPersisting = true }
    let write = table.backendWrite(of: changes)
    try await backend.run { cache in
      for pattern in write.removedPatterns { try await cache.removeRecords(matching: pattern) }
      for key in write.removedKeys { try await cache.removeRecord(for: key) }
      if !write.records.isEmpty { try await cache.merge(records: write.records) }
    }
  }

  /// Leaves everything as it was, after calls to the backend that may have failed half-way.
  func giveUp() {
    state.withLock { state in
      state.isPersisting = false
      state.generation += 1
    }
  }

  /// Puts the next table in place. Those who want to know of changes are told by another task.
  func commit(_ next: RecordTable, _ changes: ChangeSet, origin: UUID? = nil) {
    let isFirst = state.withLock { state in
      let previous = state.table
      state.table = next
      state.table.version = previous.version + 1
      state.isPersisting = false
      state.generation += 1
      if sizeLimit != nil { state.uses.note(changes.fields.lazy.map(\.record)) }
      guard state.deliveries.listenerCount > 0, !changes.isEmpty else { return false }
      return state.deliveries.append(
        .write(Write(table: state.table, previous: previous, changes: changes, origin: origin)))
    }
    if isFirst { startDelivering() }
    reclaim()
  }
}
