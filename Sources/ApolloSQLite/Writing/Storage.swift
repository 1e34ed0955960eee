import ApolloAPI
import ApolloCache
import ForeignText
import Foundation
internal import GRDB

/// The file of a cache, what waits to be written to it, and the queue on which that is written.
///
/// Writing is the work of one queue. Reading happens beside it, on the threads of those who read.
final class Storage: Sendable {
  struct State {
    /// What is kept in memory only.
    var exclusions: Exclusions
    var pending = PendingWrites()
    /// Rows that were used today for the first time.
    var usedRows: Set<Int64> = []
    /// When what waits is written; nil: that is not planned.
    var nextWriting: ContinuousClock.Instant?
    /// Waits for that time.
    var waking: Task<Void, Never>?
    /// How often writing has failed since it last succeeded.
    var failureCount = 0
    /// How often another process has written to the file, as far as it is known.
    var foreignChangeCount = 0
    /// How often the file was lost with all that it had.
    var lossCount = 0
    /// Whether the file has every record that was not removed. After a limit of the size has removed some, it has not.
    var isComplete = true
    /// Whether the file says that more is excluded than is by now. It goes on saying that until something is written: what is
    /// excluded no more may be so again before that.
    var owesSettings = false
    /// What the store has to be told.
    var news: News = []
    /// What it is being told.
    var toldNow: News = []
    /// Whether the log may have what was removed, with `secureDelete`.
    var hasOldLog = false
    /// Whether pages may have what was removed, with `secureDelete`: SQLite overwrites what it removes, and not what it
    /// has moved from page to page before.
    var hasRemnants = false
    /// Changes when another process writes.
    var dataVersion = 0
    var recoveries: [SQLiteNormalizedCacheError.Recovery] = []
    /// Why the file has failed, and whether it was put aside and noted; nil once there is a new one.
    var failure: (problem: FileProblem, isNoted: Bool)?
    var onForeignChange: (@Sendable () async throws -> Void)?
    /// Writes again what the store has in memory.
    var onLoss: (@Sendable () async throws -> Void)?
    /// Writes the dates that the store has and the file does not have yet.
    var onSuspension: (@Sendable () async throws -> Void)?
    /// Whether the app is in the background, as far as the system has said it.
    var isInBackground = false
    var isClosed = false

    init(excluded names: Set<String>) { exclusions = Exclusions(names) }
  }

  let url: URL
  let configuration: SQLiteNormalizedCache.Configuration
  let state: Locked<State>
  private let queue = DispatchQueue(label: "apollo.sqlite.write", qos: .utility)
  /// Says whether code runs on the queue.
  private static let isOnQueue = DispatchSpecificKey<ObjectIdentifier>()
  private let current: Locked<DatabaseFile>
  private let registration: String

  init(_ url: URL, _ configuration: SQLiteNormalizedCache.Configuration) throws {
    self.url = url
    self.configuration = configuration
    queue.setSpecific(key: Self.isOnQueue, value: ObjectIdentifier(queue))
    state = Locked(State(excluded: configuration.excluded))
    try FileOpening.makeFolder(for: url)
    let registration = try OpenFiles.insert(url)
    self.registration = registration
    do {
      let (file, recovery) = try FileOpening.open(url, configuration)
      current = Locked(file)
      if let recovery { state.withLock { $0.recoveries.append(recovery) } }
      let version = try file.dataVersion()
      let (hasRemnants, isComplete) = try file.write {
        (try Meta.has(.remnants, in: $0), try !Meta.has(.incomplete, in: $0))
      }
      state.withLock { state in
        state.dataVersion = version
        state.isComplete = isComplete
        state.hasRemnants = hasRemnants
        state.hasOldLog = hasRemnants
      }
      if let recovery { configuration.onRecovery?(.putAside(recovery)) }
      onQueueLater { try $0.applySettings() }
    } catch {
      OpenFiles.remove(registration)
      throw error
    }
  }

  deinit { close() }

  /// Writes what waits, and closes the file. Another cache can open it then.
  func close() {
    onQueueBlocking {
      guard !state.withLock({ $0.isClosed }) else { return }
      try? writePending()
      state.withLock { $0.isClosed = true }
      state.withLock { $0.waking }?.cancel()
      file.close()
      OpenFiles.remove(registration)
    }
  }

  var file: DatabaseFile { current.withLock { $0 } }

  /// The clock of the client.
  let clock = Locked<any ClientClock>(.system)

  var day: Int { Day.of(clock.withLock { $0 }.date) }

  /// What is kept in memory only.
  var exclusions: Exclusions { state.withLock { $0.exclusions } }

  /// Keeps more in memory only.
  func exclude(_ names: Set<String>) {
    state.withLock { $0.exclusions = Exclusions($0.exclusions.names.union(names)) }
    onQueueLater { try $0.applySettings() }
  }

  // MARK: The file

  /// Puts the file aside, if it is still the one that has failed, and makes a new one. It works on the queue.
  func replace(_ failed: DatabaseFile, because problem: FileProblem) throws {
    guard failed === file else { return }
    failed.close()
    // (When it is tried again, the first problem counts: all that is seen then is that the file is closed.)
    let failure = state.withLock { state in
      let failure = state.failure ?? (problem: problem, isNoted: false)
      state.failure = failure
      return failure
    }
    if !failure.isNoted {
      let recovery = try FileOpening.putAside(url, failure.problem)
      state.withLock { $0.failure = (problem: failure.problem, isNoted: true) }
      note(recovery)
    }
    let (new, second) = try FileOpening.open(url, configuration)
    if let second { note(second) }
    let version: Int, isEmpty: Bool
    do {
      version = try new.dataVersion()
      isEmpty = try new.write { database in
        // What is in memory leads to records that only the old file had.
        try Meta.set(.incomplete, in: database)
        return try Int.fetchOne(database, sql: "SELECT 1 FROM records LIMIT 1") == nil
      }
    } catch {
      // It is not used without the mark, and is opened again later.
      new.close()
      throw error
    }
    current.withLock { $0 = new }
    state.withLock { state in
      state.failure = nil
      state.usedRows = []
      state.dataVersion = version
      state.isComplete = false
      // The new file has what another process has put into it, or nothing.
      if isEmpty { state.noteLoss() } else { state.noteForeignChange() }
    }
    try applySettings()
    tellNews()
  }

  private func note(_ recovery: SQLiteNormalizedCacheError.Recovery) {
    state.withLock { $0.recoveries.append(recovery) }
    configuration.onRecovery?(.putAside(recovery))
  }

  /// Runs a body with the file. If the file turns out to be damaged, with a new one.
  func withFile<T>(_ body: (DatabaseFile) throws -> T) throws -> T {
    if state.withLock({ $0.isClosed }) { throw Self.closed(url) }
    let file = file
    // (One that is closed could not be replaced before.)
    if file.isClosed || !file.isInPlace { try replace(file, because: .removed) }
    let used = self.file
    do {
      return try body(used)
    } catch let error as DatabaseError {
      guard let problem = error.fileProblem else { throw error }
      // (Another process may have put it aside meanwhile. What is at its place then is not damaged.)
      try replace(used, because: used.isInPlace ? problem : .removed)
      return try body(self.file)
    }
  }

  // MARK: Reading

  /// Runs a body that reads. What waits and may say something of what is read is written before.
  func read<T>(_ isConcerned: (PendingWrites) -> Bool, _ body: (RecordLoader) throws -> T) throws -> T {
    let (pending, isClosed) = state.withLock { ($0.pending, $0.isClosed) }
    if isClosed { throw Self.closed(url) }
    if isConcerned(pending) { try onQueueBlocking { try writePending() } }
    let used = file
    do {
      return try body(loader(of: used))
    } catch let error as DatabaseError {
      // Another thread has found it damaged, and a new file takes its place, or has closed the cache.
      if used.isClosed {
        onQueueBlocking {}
        if used !== file || state.withLock({ $0.isClosed }) { return try read(isConcerned, body) }
      }
      // (One that is closed could not be replaced before.)
      let isUsable = used.isInPlace && !used.isClosed
      guard let problem = isUsable ? error.fileProblem : .removed, !state.withLock({ $0.isClosed }) else {
        throw SQLiteError(error)
      }
      try onQueueBlocking { try replace(used, because: problem) }
      do { return try body(loader(of: file)) } catch let error as DatabaseError { throw SQLiteError(error) }
    }
  }

  func loader(of file: DatabaseFile) -> RecordLoader {
    let (exclusions, isComplete) = state.withLock { ($0.exclusions, $0.isComplete) }
    return RecordLoader(
      file: file, exclusions: exclusions, codec: configuration.codec,
      isComplete: isComplete && exclusions.names.isEmpty)
  }

  /// Notes rows that were used today for the first time. That is written with the next write.
  func noteUse(of rows: [Int64]) {
    if !rows.isEmpty { state.withLock { $0.usedRows.formUnion(rows) } }
  }

  // MARK: Writing

  /// Adds a write to those that wait, and has them written soon.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError/cannotOpen(path:reason:)`` if the file was closed.
  func append(_ write: RecordWrite) throws {
    try state.withLock { state in
      if state.isClosed { throw Self.closed(url) }
      state.pending.append(write)
    }
    schedule(after: Self.delay)
  }

  /// Runs a body on the queue, and blocks the caller's thread for it.
  func onQueueBlocking<T>(_ body: () throws -> T) rethrows -> T {
    if DispatchQueue.getSpecific(key: Self.isOnQueue) == ObjectIdentifier(queue) { return try body() }
    return try queue.sync(execute: body)
  }

  /// Runs a body on the queue.
  func onQueue<T: Sendable>(_ body: @escaping @Sendable (Storage) throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body(self) }) }
    }
  }

  /// Runs a body on the queue, later, where an error changes nothing: what could not be written waits.
  func onQueueLater(_ body: @escaping @Sendable (Storage) throws -> Void) {
    queue.async { try? body(self) }
  }

  /// Writes all that waits, in one transaction. It works on the queue.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``. Then everything waits as before, and is tried again.
  func writePending() throws {
    if state.withLock({ $0.isClosed }) { throw Self.closed(url) }
    let (batches, rows, hasOldLog) = state.withLock { ($0.pending.beginWriting(), $0.usedRows, $0.hasOldLog) }
    guard !batches.isEmpty || !rows.isEmpty || hasOldLog else { return }
    // Also if it fails: what the other process has written is there.
    defer { tellNews() }
    do {
      let codecFailure = try withFile { try write(batches, used: rows, to: $0) }
      let isEmpty = state.withLock { state in
        state.pending.endWriting(succeeded: true)
        state.usedRows.subtract(rows)
        state.failureCount = 0
        return state.pending.isEmpty
      }
      // What came meanwhile may wait for the next try after a failure.
      if !isEmpty { schedule(after: Self.delay) }
      if let codecFailure {
        configuration.onWriteFailure?(codecFailure)
        throw codecFailure
      }
    } catch let error as SQLiteNormalizedCacheError {
      if case .codecFailed = error, configuration.durability == .batched { throw error }
      failed(error)
      throw error
    } catch {
      let isTriedAgain = configuration.durability == .batched
      let rest = isTriedAgain ? "; what was not written stays in memory, and is tried again" : ""
      let failure = SQLiteNormalizedCacheError.cannotWrite(path: url.path, reason: Self.reason(of: error) + rest)
      failed(failure)
      throw failure
    }
  }

  private func failed(_ error: SQLiteNormalizedCacheError) {
    let count = state.withLock { state in
      state.pending.endWriting(succeeded: false)
      state.failureCount += 1
      return state.failureCount
    }
    if count == 1 { configuration.onWriteFailure?(error) }
    if configuration.durability == .batched {
      schedule(after: min(Self.longestDelay, 1000 << min(count, 6)))
    }
  }

  private static func closed(_ url: URL) -> SQLiteNormalizedCacheError {
    .cannotOpen(path: url.path, reason: "it was closed")
  }

  static func reason(of error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return "\((error.message ?? "an error of SQLite").shownOnOneLine) (\(error.extendedResultCode.rawValue))"
  }

  /// Writes batches, and which rows were used.
  ///
  /// - Returns: The first failure of the codec; nil if there was none.
  private func write(
    _ batches: [PendingWrites.Batch], used rows: Set<Int64>, to file: DatabaseFile
  ) throws -> SQLiteNormalizedCacheError? {
    let day = day, oldNames = file.names.withLock { $0 }
    var names: Names?, codecFailure: SQLiteNormalizedCacheError?, isComplete = true
    try file.write { database in
      // A transaction that fails takes back the names that were read in it.
      defer { file.names.withLock { $0 = names ?? oldNames } }
      try database.inTransaction(.immediate) {
        try noteDataVersion(database)
        if state.withLock({ $0.owesSettings }), !batches.isEmpty {
          try StoredSettings(exclusions, configuration.codec).save(to: database)
        }
        let count = state.withLock { $0.foreignChangeCount }
        // (Not before: another process may have removed records that count as missing.)
        var writer = try BatchWriter(database, loader(of: file), foreignChangeCount: count, day: day)
        for batch in batches { try writer.write(batch) }
        if configuration.secureDelete, !batches.isEmpty, !state.withLock({ $0.hasRemnants }) {
          try Meta.set(.remnants, in: database)
        }
        let statement = try database.cachedStatement(sql: "UPDATE records SET used = ? WHERE id = ?")
        for row in rows { try statement.execute(arguments: [day, row]) }
        codecFailure = writer.codecFailure
        // The caller is told that nothing has changed.
        if let codecFailure, configuration.durability == .immediate { throw codecFailure }
        names = writer.names
        isComplete = writer.isComplete
        return .commit
      }
      state.withLock { state in
        state.isComplete = isComplete
        if !batches.isEmpty { state.owesSettings = false }
      }
      // A file that is too large for now, or a log that another process reads, is no reason to fail.
      if let limit = configuration.sizeLimit {
        try Self.ifPossible {
          try Trimming.trim(database, to: limit, on: day, readingWith: loader(of: file)) {
            state.withLock { $0.isComplete = false }
          }
        }
      }
      if configuration.secureDelete {
        let isEmptied = try Self.ifPossible { try Erasing.emptyLog(database) }
        state.withLock { state in
          state.hasOldLog = !isEmptied
          state.hasRemnants = state.hasRemnants || !batches.isEmpty
        }
      }
    }
    return codecFailure
  }

  /// Writes what waits. With `secureDelete`, nothing of what was removed is left in the file then. It works on the queue.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``. Then it is tried again.
  func settle() throws {
    try writePending()
    guard state.withLock({ $0.hasRemnants }) else { return }
    try change { database in
      // (A reader of another process is no reason to fail.)
      let isRewritten = try Self.ifPossible { try Erasing.rewrite(database) }
      if isRewritten {
        try Meta.remove(.remnants, in: database)
        try Self.ifPossible { try Erasing.emptyLog(database) }
      }
      state.withLock { $0.hasRemnants = !isRewritten }
    }
  }

  /// Does something that can be done later as well.
  ///
  /// - Returns: Whether it was done.
  /// - Throws: What says that the file is damaged.
  @discardableResult static func ifPossible(_ body: () throws -> Void) throws -> Bool {
    do { try body() } catch let error as DatabaseError where error.fileProblem == nil { return false }
    return true
  }
}
