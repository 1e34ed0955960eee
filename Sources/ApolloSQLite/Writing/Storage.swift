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
    var isScheduled = false
    /// How often writing has failed since it last succeeded.
    var failureCount = 0
    /// Whether another process has written to the file.
    var isShared = false
    /// Whether the log may have what was removed, with `secureDelete`.
    var hasOldLog = false
    /// Whether pages may have what was removed, with `secureDelete`: SQLite overwrites what it removes, and not what it
    /// has moved from page to page before.
    var hasRemnants = false
    /// Changes when another process writes.
    var dataVersion = 0
    var recoveries: [SQLiteNormalizedCacheError.Recovery] = []
    var onForeignChange: (@Sendable () -> Void)?
    var isClosed = false

    init(excluded names: Set<String>) { exclusions = Exclusions(names) }
  }

  /// How long writes are collected, in milliseconds.
  static let delay = 50
  /// For how long at most it is not tried again to write, in milliseconds.
  static let longestDelay = 60_000

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
      state.withLock { $0.dataVersion = version }
      if let recovery { configuration.onRecovery?(.putAside(recovery)) }
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
  }

  // MARK: The file

  /// Puts the file aside, if it is still the one that has failed, and makes a new one. It works on the queue.
  func replace(_ failed: DatabaseFile, because problem: FileProblem) throws {
    guard failed === file else { return }
    failed.close()
    let recovery = try FileOpening.putAside(url, problem)
    let (new, second) = try FileOpening.open(url, configuration)
    current.withLock { $0 = new }
    let version = try new.dataVersion()
    state.withLock { state in
      state.usedRows = []
      state.dataVersion = version
      state.recoveries += [recovery] + (second.map { [$0] } ?? [])
    }
    configuration.onRecovery?(.putAside(recovery))
  }

  /// Runs a body with the file. If the file turns out to be damaged, with a new one.
  private func withFile<T>(_ body: (DatabaseFile) throws -> T) throws -> T {
    if state.withLock({ $0.isClosed }) { throw Self.closed(url) }
    let file = file
    if !file.isInPlace { try replace(file, because: .removed) }
    let used = self.file
    do {
      return try body(used)
    } catch let error as DatabaseError {
      guard let problem = error.fileProblem else { throw error }
      try replace(used, because: problem)
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
      guard let problem = used.isInPlace ? error.fileProblem : .removed, !state.withLock({ $0.isClosed }) else {
        throw SQLiteError(error)
      }
      try onQueueBlocking { try replace(used, because: problem) }
      do { return try body(loader(of: file)) } catch let error as DatabaseError { throw SQLiteError(error) }
    }
  }

  private func loader(of file: DatabaseFile) -> RecordLoader {
    RecordLoader(file: file, exclusions: exclusions, codec: configuration.codec)
  }

  /// Notes rows that were used today for the first time. That is written with the next write.
  func noteUse(of rows: [Int64]) {
    if !rows.isEmpty { state.withLock { $0.usedRows.formUnion(rows) } }
  }

  // MARK: Writing

  /// Adds a write to those that wait, and has them written soon.
  func append(_ write: RecordWrite) {
    state.withLock { $0.pending.append(write) }
    schedule(after: Self.delay)
  }

  private func schedule(after milliseconds: Int) {
    let isFirst = state.withLock { state in
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    let clock = clock.withLock { $0 }, end = clock.instant(after: .milliseconds(milliseconds))
    Task(priority: .utility) { [weak self] in
      try? await clock.sleep(until: end)
      self?.onQueueLater { storage in
        storage.state.withLock { $0.isScheduled = false }
        try storage.writePending()
      }
    }
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
    do {
      let codecFailure = try withFile { try write(batches, used: rows, to: $0) }
      state.withLock { state in
        state.pending.endWriting(succeeded: true)
        state.usedRows.subtract(rows)
        state.failureCount = 0
      }
      if let codecFailure {
        configuration.onWriteFailure?(codecFailure)
        throw codecFailure
      }
    } catch let error as SQLiteNormalizedCacheError {
      if case .codecFailed = error { throw error }
      failed(error)
      throw error
    } catch {
      let failure = SQLiteNormalizedCacheError.cannotWrite(path: url.path, reason: Self.reason(of: error))
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
    let day = day, loader = loader(of: file)
    var names: Names?, codecFailure: SQLiteNormalizedCacheError?, isForeign = false
    try file.write { database in
      try database.inTransaction(.immediate) {
        isForeign = try noteDataVersion(database)
        var writer = try BatchWriter(database, loader, isShared: state.withLock { $0.isShared }, day: day)
        for batch in batches { try writer.write(batch) }
        let statement = try database.cachedStatement(sql: "UPDATE records SET used = ? WHERE id = ?")
        for row in rows { try statement.execute(arguments: [day, row]) }
        names = writer.names
        codecFailure = writer.codecFailure
        return .commit
      }
      if let names { file.names.withLock { $0 = names } }
      // A file that is too large for now, or a log that another process reads, is no reason to fail.
      if let limit = configuration.sizeLimit { try Self.ifPossible { _ = try Trimming.trim(database, to: limit) } }
      if configuration.secureDelete {
        let isEmptied = try Self.ifPossible { try Erasing.emptyLog(database) }
        state.withLock { state in
          state.hasOldLog = !isEmptied
          state.hasRemnants = state.hasRemnants || !batches.isEmpty
        }
      }
    }
    if isForeign { state.withLock { $0.onForeignChange }?() }
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
      state.withLock { $0.hasRemnants = !isRewritten }
    }
  }

  /// Does something that can be done later as well.
  ///
  /// - Returns: Whether it was done.
  /// - Throws: What says that the file is damaged.
  @discardableResult private static func ifPossible(_ body: () throws -> Void) throws -> Bool {
    do { try body() } catch let error as DatabaseError where error.fileProblem == nil { return false }
    return true
  }

  /// Looks whether another process has written since this was last asked. It works in a transaction.
  private func noteDataVersion(_ database: Database) throws -> Bool {
    let version = try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    return state.withLock { state in
      guard version != state.dataVersion else { return false }
      state.dataVersion = version
      state.isShared = true
      return true
    }
  }

  /// Has the store read its records again if another process has written. It works on the queue.
  func lookForOtherProcesses() throws {
    let isForeign = try withFile { file in
      try file.write { database in
        // It reads something, because SQLite notices changes when it reads.
        _ = try Int.fetchOne(database, sql: "SELECT 1 FROM meta LIMIT 1")
        return try noteDataVersion(database)
      }
    }
    if isForeign { state.withLock { $0.onForeignChange }?() }
  }

  // MARK: Removing

  /// Removes all records, and what waits, from the file, its log and the files that were put aside. It works on the
  /// queue.
  func clear() throws {
    try change { database in
      try Erasing.check(database)
      try database.inTransaction(.immediate) {
        _ = try noteDataVersion(database)
        try database.execute(sql: "DELETE FROM records")
        return .commit
      }
      state.withLock { state in
        state.pending.removeAll()
        state.usedRows = []
      }
      try Erasing.rewrite(database)
    }
    try removePutAsideFiles(takesForeign: false)
  }

  /// Removes files that were put aside.
  func removePutAsideFiles(takesForeign: Bool) throws {
    do { try PutAside.remove(of: url, takesForeign: takesForeign) } catch {
      throw SQLiteNormalizedCacheError.cannotWrite(
        path: url.path, reason: "a file that was put aside cannot be removed: \(error.localizedDescription)")
    }
  }

  /// Gives free room back to the system. It works on the queue.
  func vacuum() throws { try change { try shrink($0) } }

  private func shrink(_ database: Database) throws {
    try Trimming.vacuum(database)
    try Erasing.emptyLog(database)
  }

  private func change(_ body: (Database) throws -> Void) throws {
    do { try withFile { try $0.write(body) } } catch let error as DatabaseError {
      throw SQLiteNormalizedCacheError.cannotWrite(path: url.path, reason: Self.reason(of: error))
    }
  }
}

extension DatabaseFile {
  /// What changes when another process writes.
  func dataVersion() throws -> Int {
    try write { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }
}
