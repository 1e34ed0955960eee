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
    /// by encryption. Names of operations and scopes can always be read. nil, the default: nothing is changed.
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
  private let configuration: Configuration
  let blob: OutboxBlob
  let files: OutboxFiles
  private let work = DispatchQueue(label: "apollo.outbox.file")
  private let state: Locked<State>
  let clock = Locked<any ClientClock>(.system)

  private struct State {
    var database: OutboxDatabase?
    /// The name by which the file is known to be open; nil if it is closed.
    var registration: String?
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
    OutboxRecovery.removeCopies(of: fileURL)
    PutAside.removeOld(of: fileURL, days: configuration.putAsideLifetime)
    files.protect()
    do {
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
    let (database, registration) = state.withLock { state in
      defer { (state.database, state.registration) = (nil, nil) }
      return (state.database, state.registration)
    }
    database?.close()
    if let registration { OpenFiles.remove(registration) }
  }

  /// Makes a new file of what can be read in the one that is there, and puts that one aside.
  ///
  /// If the process ends at any moment of it, the next launch goes on with the old file or with the whole new one.
  private func replace(because problem: FileProblem) throws {
    state.withLock { state in
      defer { state.database = nil }
      return state.database
    }?.close()
    try makeFolder()
    let isThere = FileManager.default.fileExists(atPath: fileURL.path)
    do {
      let found = isThere ? try OutboxRecovery(from: fileURL) : nil
      try makeNewFile(of: found)
      let place = isThere ? try PutAside.move(fileURL, reason: problem.word) : nil
      try moveNewFile()
      let database = try OutboxDatabase(fileURL, configuration.fileProtection)
      let recovery = Recovery(
        reason: problem.reason, fileURL: fileURL, putAsideURL: place, recoveredCount: found?.rows.count ?? 0,
        lostCount: found?.lostCount ?? 0)
      state.withLock { state in
        state.database = database
        state.recoveries.append(recovery)
      }
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
      if !FileManager.default.fileExists(atPath: fileURL.path) { try replaceLost(because: .removed) }
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

  /// Gives everything that is there. A mutation that this release, or these settings, cannot read stays in the file:
  /// ``Configuration/onUnreadable`` is told.
  ///
  /// - Throws: ``StorageError``.
  public func load() async throws -> Outbox.Contents { try await load { _ in true } }

  /// Gives what an owner has. Mutations of others are not decoded, and stay in the file.
  ///
  /// - Throws: ``StorageError``.
  public func load(ownedBy owner: String?) async throws -> Outbox.Contents { try await load { $0 == owner } }

  private func load(where isWanted: @escaping @Sendable (String?) -> Bool) async throws -> Outbox.Contents {
    let days = min(max(0, configuration.serverIDLifetime), 36_500)
    let oldest = wholeSeconds(clock.withLock { $0 }.date.timeIntervalSince1970) - Int64(days) * 86_400
    return try await withDatabase { [blob, files, configuration] _, database in
      var contents = Outbox.Contents(), ids: Set<UUID> = []
      let found = try Row.fetchCursor(
        database, sql: "SELECT id, contents, number, owner FROM mutations ORDER BY number")
      var last: Int64?
      while let row = try found.next() {
        guard let number = Int64.fromDatabaseValue(row[2]), last.map({ $0 < number }) ?? true else {
          throw DatabaseError.circle
        }
        last = number
        guard let id = String.fromDatabaseValue(row[0]), let bytes = Data.fromDatabaseValue(row[1]) else { continue }
        if let uuid = UUID(uuidString: id) { ids.insert(uuid) }
        guard isWanted(String.fromDatabaseValue(row[3])) else {
          contents.lastUnreadNumber = max(contents.lastUnreadNumber, number)
          continue
        }
        do {
          let read = try blob.row(bytes, id: id)
          guard read.row.number == number else { throw OutboxBlob.Problem.unknownForm }
          contents.rows.append(try files.complete(read.row, with: read.files))
        } catch OutboxBlob.Problem.codec(let error) {
          throw StorageError.codecFailed(id: id, reason: "\(error)")
        } catch OutboxBlob.Problem.damaged {
          // SQLite does not see such damage.
          throw FileProblem.damaged("what it has of the mutation \(id) was changed")
        } catch OutboxBlob.Problem.unknownForm {
          contents.lastUnreadNumber = max(contents.lastUnreadNumber, number)
          configuration.onUnreadable?(.unreadable(id: id))
        }
      }
      contents.serverIDs = try Self.loadIDs(
        database, of: isWanted, namedBy: contents.rows, removingThoseBefore: oldest)
      files.removeAll(except: ids)
      return contents
    }
  }

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
