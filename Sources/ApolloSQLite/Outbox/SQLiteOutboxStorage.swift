import ApolloAPI
public import Apollo
public import Foundation
internal import GRDB

/// Keeps the mutations of an outbox in a file of SQLite, so that they survive the end of the app.
///
///     configuration.outbox = Outbox.Configuration(
///       storage: try SQLiteOutboxStorage(fileURL: SQLiteOutboxStorage.defaultURL()))
///
/// The file is another one than that of the cache: nothing that happens to the cache touches it. What was written is on the
/// disk when the write returns. Files that are sent with mutations are copied to a folder beside the file.
public final class SQLiteOutboxStorage: Outbox.Storage, ClockUsing {
  /// What an app sets about the file of its outbox.
  public struct Configuration: Sendable {
    /// Changes the variables, the data, the answers and the files of mutations on their way to the disk and back, such as
    /// by encryption. Names of operations and scopes can always be read. If it throws ``SQLiteCodecUnavailable`` for a
    /// mutation, nothing is loaded, and it is tried again later. After any other error this mutation alone cannot be read:
    /// ``onUnreadable`` is told. nil, the default: nothing is changed.
    public var codec: (any SQLiteCodec)?
    /// When the file can be read while a device is locked. It holds for what SQLite keeps beside it as well.
    public var fileProtection = SQLiteNormalizedCache.Configuration.FileProtection.completeUntilFirstUserAuthentication
    /// For how many days the ids are kept that servers have given in place of temporary ones. The default is 90.
    public var serverIDLifetime = 90
    /// After how many days a file is removed that could not be used and was put aside. The default is 90. Those of other
    /// programs stay.
    public var putAsideLifetime = 90
    /// Called once for each file that could not be used, on any thread. nil, the default: nothing is called;
    /// ``SQLiteOutboxStorage/recoveries`` has them as well.
    public var onRecovery: (@Sendable (Recovery) -> Void)?
    /// Called for each mutation that cannot be read although its bytes are whole, with ``StorageError/unreadable(id:)``: a
    /// later release has written it, or other settings. It stays in the file, and is not sent. nil, the default: nothing is
    /// called.
    public var onUnreadable: (@Sendable (StorageError) -> Void)?

    /// Makes a configuration with the defaults.
    public init() {}
  }

  /// The file.
  public let fileURL: URL
  let configuration: Configuration
  let blob: OutboxBlob
  let files: OutboxFiles
  private let work = DispatchQueue(label: "apollo.outbox.file")
  private let state: Locked<State>
  let clock = Locked<any ClientClock>(.system)

  private struct State {
    var database: OutboxDatabase?
    /// The name by which the file is known to be open; nil if it is closed.
    var registration: String?
    /// Keeps other processes away; nil if the file is closed, or if there can be no lock at its place.
    var lock: OutboxLock?
    var recoveries: [Recovery] = []
    var onLoss: (@Sendable () -> Void)?
    /// Whether a file was lost of which that was not told yet.
    var hasUntoldLoss = false
  }

  /// A place for an outbox: in the folder for files that an app needs. The file is left out of backups, because a mutation
  /// must not be sent again from an old one.
  ///
  /// On tvOS it is in the folder for caches, because apps have no other storage there. The system may empty that folder
  /// while the app is not running: mutations that wait in the outbox are then lost.
  ///
  /// - Parameter name: The name of the file, without its extension. The default is `outbox`.
  /// - Returns: The file, which need not exist.
  /// - Throws: ``StorageError/cannotOpen(path:reason:)`` if the account of the process has no such folder, as that of a
  ///   service may have none. No other folder takes its place: the one for temporary files is shared by all.
  public static func defaultURL(name: String = "outbox") throws -> URL {
    #if os(tvOS)
      let directory = FileManager.SearchPathDirectory.cachesDirectory
    #else
      let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
    #endif
    guard let file = DefaultPlace.file(name, in: directory) else {
      throw StorageError.cannotOpen(path: name + ".sqlite", reason: DefaultPlace.problem)
    }
    return file
  }

  /// Opens a file, or makes one.
  ///
  /// A file that cannot be used is renamed, never deleted, and a new one is made. The mutations that can be read in it are
  /// taken over.
  ///
  /// - Parameters:
  ///   - fileURL: The file. Its folder is made if there is none.
  ///   - configuration: What else the app sets. The defaults are those of ``Configuration``.
  /// - Throws: ``StorageError``.
  public init(fileURL: URL, configuration: Configuration = Configuration()) throws {
    let fileURL = FileOpening.file(fileURL)
    self.fileURL = fileURL
    self.configuration = configuration
    blob = OutboxBlob(codec: configuration.codec)
    files = OutboxFiles(beside: fileURL, configuration)
    state = Locked(State())
    try open()
  }

  deinit { closeFile() }

  /// The files that could not be used. There is at most one, unless the file was damaged while it was open.
  public var recoveries: [Recovery] { state.withLock { $0.recoveries } }

  // MARK: The file

  private func open() throws {
    try makeFolder()
    do {
      // (It is still there if the file could not be replaced.)
      if state.withLock({ $0.registration == nil }) {
        let registration = try OpenFiles.insert(fileURL)
        state.withLock { $0.registration = registration }
      }
    } catch SQLiteNormalizedCacheError.fileInUse(let path) {
      throw StorageError.fileInUse(path: path)
    }
    do {
      // First: what another process leaves on its way is not to be tidied up.
      try takeLock()
      OutboxRecovery.removeCopies(of: fileURL)
      PutAside.removeOld(of: fileURL, days: configuration.putAsideLifetime)
      files.protect()
      try finishReplacing()
      do {
        let database = try OutboxDatabase(fileURL, configuration.fileProtection)
        state.withLock { $0.database = database }
      } catch let problem as FileProblem {
        try replace(because: problem)
      }
    } catch {
      closeFile()
      throw error
    }
  }

  private func makeFolder() throws {
    do { try FileOpening.makeFolder(for: fileURL) } catch SQLiteNormalizedCacheError.cannotOpen(let path, let reason) {
      throw StorageError.cannotOpen(path: path, reason: reason)
    }
  }

  /// Takes the lock, unless it is taken. One whose file is gone keeps nothing away.
  private func takeLock() throws {
    if state.withLock({ $0.lock })?.isInPlace == true { return }
    let lock = try OutboxLock.take(beside: fileURL)
    let old = state.withLock { state in
      defer { state.lock = lock }
      return state.lock
    }
    old?.end()
  }

  /// Where a new file is made before it takes the place of one that cannot be used.
  private var newURL: URL { URL(fileURLWithPath: fileURL.path + ".new") }

  /// Puts the new file in its place, if the process ended just before that, or removes it if it ended earlier.
  private func finishReplacing() throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: newURL.path) else { return }
    if manager.fileExists(atPath: fileURL.path) {
      for suffix in [""] + PutAside.companions { try? manager.removeItem(atPath: newURL.path + suffix) }
    } else {
      try moveNewFile()
    }
  }

  private func moveNewFile() throws {
    do {
      // The new file has what could be read of them.
      try PutAside.removeCompanions(of: fileURL)
      try FileManager.default.moveItem(at: newURL, to: fileURL)
    } catch {
      throw StorageError.cannotOpen(path: fileURL.path, reason: error.localizedDescription)
    }
  }

  private func closeFile() {
    let (database, registration, lock) = state.withLock { state in
      defer { (state.database, state.registration, state.lock) = (nil, nil, nil) }
      return (state.database, state.registration, state.lock)
    }
    database?.close()
    // (Another storage of this process would wait for it.)
    lock?.end()
    if let registration { OpenFiles.remove(registration) }
  }

  /// Changes which file is open, and closes the one that was.
  private func setDatabase(_ database: OutboxDatabase?) {
    state.withLock { state in
      defer { state.database = database }
      return state.database
    }?.close()
  }

  /// Makes a new file of what can be read in the one that is there, and puts that one aside. If the file is gone that was
  /// open, the new one is made of what that has, which can be read until it is closed: what is at its place now is of
  /// another time, so that it may have mutations that were done since.
  ///
  /// If the process ends at any moment of it, the next launch goes on with the old file or with the whole new one.
  private func replace(because problem: FileProblem) throws {
    let isGone = problem.word == FileProblem.removed.word
    if !isGone { setDatabase(nil) }
    try makeFolder()
    try takeLock()
    let isThere = FileManager.default.fileExists(atPath: fileURL.path)
    do {
      var found: OutboxRecovery?
      if isGone {
        found = state.withLock { $0.database }.flatMap { try? OutboxRecovery(of: $0) }
      } else if isThere, !PrivateFile.isFolder(fileURL.path) {
        found = try OutboxRecovery(from: fileURL)
      }
      try makeNewFile(of: found)
      let place = isThere ? try PutAside.move(fileURL, reason: problem.word) : nil
      try moveNewFile()
      let database = try OutboxDatabase(fileURL, configuration.fileProtection)
      let recovery = Recovery(
        reason: problem.reason, fileURL: fileURL, putAsideURL: place, recoveredCount: found?.rows.count ?? 0,
        lostCount: found?.lostCount ?? 0)
      setDatabase(database)
      state.withLock { $0.recoveries.append(recovery) }
      configuration.onRecovery?(recovery)
    } catch let error as StorageError {
      throw error
    } catch let second as FileProblem {
      throw StorageError.cannotOpen(
        path: fileURL.path, reason: SQLiteNormalizedCacheError.Recovery.describe(second.reason))
    } catch {
      let reason = (error as? DatabaseError).map { Storage.reason(of: $0) } ?? error.localizedDescription
      throw StorageError.cannotOpen(
        path: fileURL.path,
        reason: SQLiteNormalizedCacheError.Recovery.describe(problem.reason) + ", and it cannot be replaced: \(reason)")
    }
  }

  private func makeNewFile(of found: OutboxRecovery?) throws {
    for suffix in [""] + PutAside.companions { try? FileManager.default.removeItem(atPath: newURL.path + suffix) }
    let database = try OutboxDatabase(newURL, configuration.fileProtection)
    defer { database.close() }
    try database.queue.writeWithoutTransaction { database in
      if let found {
        try database.inTransaction(.immediate) {
          for row in found.rows { try save(row, in: database) }
          for (local, id) in found.serverIDs { try save(id.server, for: local, of: id.owner, in: database) }
          return .commit
        }
      }
      // The file is moved without its log, so it has to have everything.
      try Erasing.emptyLog(database)
    }
  }

  /// Runs a body on the thread of the storage.
  ///
  /// The thread has let the storage go when the caller goes on: a caller that releases the storage then can open the file
  /// again at once.
  func onThread<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteOutboxStorage) throws -> T
  ) async throws -> T {
    let problem = StorageError.cannotOpen(path: fileURL.path, reason: "it was closed")
    return try await withCheckedThrowingContinuation { continuation in
      // The block has the storage until it takes it out, and does not keep it while the continuation is resumed.
      let held = Locked<SQLiteOutboxStorage?>(self)
      work.async {
        let result = Result {
          guard let storage = held.withLock({ $0.take() }) else { throw problem }
          return try body(storage)
        }
        continuation.resume(with: result)
      }
    }
  }

  /// Runs a body with the file, on the thread of the storage. If the file turns out to be damaged, with a new one.
  func withDatabase<T: Sendable>(
    _ body: @escaping @Sendable (SQLiteOutboxStorage, Database) throws -> T
  ) async throws -> T {
    try await onThread { storage in try storage.run { try body(storage, $0) } }
  }

  private func run<T>(_ body: (Database) throws -> T) throws -> T {
    do {
      if state.withLock({ $0.database == nil }) { try open() }
      if state.withLock({ $0.database })?.isInPlace == false { try replaceLost(because: .removed) }
      tellLoss()
      do { return try attempt(body) } catch let error as DatabaseError {
        guard let problem = error.fileProblem else { throw error }
        try replaceLost(because: problem)
      } catch let problem as FileProblem {
        try replaceLost(because: problem)
      }
      tellLoss()
      return try attempt(body)
    } catch let error as DatabaseError {
      throw StorageError.cannotWrite(path: fileURL.path, reason: Storage.reason(of: error))
    }
  }

  /// Replaces a file of whose contents memory may have more. If that fails, the loss is told when it succeeds later.
  private func replaceLost(because problem: FileProblem) throws {
    state.withLock { $0.hasUntoldLoss = true }
    try replace(because: problem)
  }

  private func tellLoss() {
    let onLoss = state.withLock { state in
      defer { state.hasUntoldLoss = false }
      return state.hasUntoldLoss ? state.onLoss : nil
    }
    onLoss?()
  }

  private func attempt<T>(_ body: (Database) throws -> T) throws -> T {
    guard let database = state.withLock({ $0.database }) else {
      throw StorageError.cannotOpen(path: fileURL.path, reason: "it was closed")
    }
    return try database.queue.writeWithoutTransaction(body)
  }

  // MARK: Outbox.Storage

  /// Copies files to the folder beside the file, and returns when they are on the disk.
  public func keep(_ files: [GraphQLFile], of id: UUID) async throws -> [GraphQLFile] {
    try await onThread { try $0.files.keep(files, of: id) }
  }

  /// Makes a change in one transaction, and returns when it is on the disk.
  ///
  /// - Throws: ``StorageError``, or what the codec throws.
  public func write(_ change: Outbox.Change) async throws {
    try await withDatabase { storage, database in
      try database.inTransaction(.immediate) {
        for row in change.saved.values.sorted(by: { $0.number < $1.number }) { try storage.save(row, in: database) }
        for id in change.removed {
          try database.execute(sql: "DELETE FROM mutations WHERE id = ?", arguments: [id.uuidString])
        }
        for (local, server) in change.serverIDs {
          try storage.save(server, for: local, of: change.owner, in: database)
        }
        return .commit
      }
      // What was removed is overwritten in the file, and would still be in its log.
      if !change.removed.isEmpty { _ = try? Erasing.emptyLog(database) }
    }
    for id in change.removed { files.remove(id) }
  }

  /// Calls a body when the file was replaced while it was open.
  public func onLoss(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLoss = body } }

  /// Closes the file. The next call opens it again.
  public func close() async { try? await onThread { $0.closeFile() } }

  package func use(_ clock: any ClientClock) { self.clock.withLock { $0 = clock } }
}
