import ApolloAPI
public import ApolloCache
public import Foundation

/// Keeps records in a file of SQLite.
///
///     let cache = try SQLiteNormalizedCache(fileURL: SQLiteNormalizedCache.defaultURL())
///     let store = ApolloStore(cache: cache)
///
/// The store keeps in memory what it has used, and asks the file for the rest. What it writes is collected, and written
/// shortly after: a result never waits for the disk. ``flush()`` waits until everything is on disk. It happens by itself
/// when the app goes into the background and when the cache is released.
///
/// A file can be open in one cache of a process. Several processes may share a file. A file that cannot be used, because
/// it is damaged or a later release has written it, is renamed, and a new one is made: see ``recoveries``.
public final class SQLiteNormalizedCache: Sendable {
  /// The file.
  public let fileURL: URL
  let storage: Storage
  private let lifecycle: AppLifecycle
  package let sharedEngine = SharedEngine()

  /// Opens a file, or makes one.
  ///
  /// - Parameters:
  ///   - fileURL: The file. Its folder is made if there is none.
  ///   - shouldVacuumOnClear: Of Apollo iOS. ``clear()`` makes the file small in any case, and leaves nothing of what
  ///     was in it.
  ///   - configuration: What else the app sets. The defaults are those of ``Configuration``.
  /// - Throws: ``SQLiteNormalizedCacheError``. A file that cannot be used is not an error if it can be renamed.
  public init(
    fileURL: URL, shouldVacuumOnClear: Bool = false, configuration: Configuration = Configuration()
  ) throws {
    self.fileURL = FileOpening.file(fileURL)
    storage = try Storage(self.fileURL, configuration)
    lifecycle = AppLifecycle(storage)
  }

  deinit { storage.close() }

  /// Writes what waits, and closes the file, so that another cache can open it. It happens by itself when the cache is
  /// released, which a store with work to do may delay. A closed cache cannot be used any more.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError`` if something could not be written. The file is closed nevertheless.
  public func close() async throws {
    try await storage.onQueue { storage in
      defer { storage.close() }
      try storage.settle()
    }
  }

  /// The files that could not be used, and where they are now. There is at most one, unless the file was damaged or
  /// removed while it was open.
  public var recoveries: [SQLiteNormalizedCacheError.Recovery] { storage.state.withLock { $0.recoveries } }

  /// Writes everything that waits to be written. For a store, call the store's `flush()`, which writes its dates as well.
  /// With ``Configuration/secureDelete``, the file is written anew after changes, so that nothing of what was removed is left.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError/cannotWrite(path:reason:)``, or
  ///   ``SQLiteNormalizedCacheError/codecFailed(key:reason:)``.
  public func flush() async throws { try await storage.onQueue { try $0.settle() } }

  /// Has the store read its records again if another process has written to the file since it was last looked, and waits
  /// for it. It happens by itself before each write and each collection, and when an app comes into the foreground.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite. In the body of a transaction, an error of the store.
  public func readChangesOfOtherProcesses() async throws { try await storage.readForeignChanges() }
}

extension SQLiteNormalizedCache {
  /// The files that stood in the place of this one, and could not be used, with those that SQLite keeps beside them.
  /// Those of earlier launches are among them.
  public var putAsideFiles: [URL] { PutAside.files(of: fileURL).map(\.url) }

  /// Removes the ``putAsideFiles``. All but those of other programs go by themselves: with ``clear()``, and after
  /// ``Configuration/putAsideLifetime``.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError/cannotWrite(path:reason:)`` if one of them cannot be removed. All others are
  ///   gone.
  public func removePutAsideFiles() async throws {
    try await storage.onQueue { try $0.removePutAsideFiles(takesForeign: true) }
  }

  /// Gives the room of removed records back to the system. It happens by itself where there is a limit of the size.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``.
  public func vacuum() async throws { try await storage.onQueue { try $0.vacuum() } }
}

// MARK: - For callers without a store

extension SQLiteNormalizedCache: EnumerableNormalizedCache {
  /// The records that are there, of those that are asked for.
  ///
  /// - Throws: An error of SQLite, and ``SQLiteNormalizedCacheError/cannotWrite(path:reason:)`` if what waits for these
  ///   records cannot be written.
  public func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] { try records(forKeys: keys) }

  /// Merges records field by field, and returns when they are written.
  ///
  /// - Returns: The keys of the fields that are new or have another value, as `record.field`.
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite.
  @discardableResult public func merge(records: RecordSet) async throws -> Set<CacheKey> {
    try await mergeAtOnce(records)
  }

  /// Removes a record, if it is there, and returns when that is written. References to it stay.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite.
  public func removeRecord(for key: CacheKey) async throws { try await removeAtOnce(key) }

  /// Removes all records whose keys match, and returns when that is written.
  ///
  /// - Parameter pattern: See `CacheKeyPattern`.
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite.
  public func removeRecords(matching pattern: CacheKey) async throws { try await removeAtOnce(matching: pattern) }

  /// Removes all records, and returns when nothing of them is left on disk: in the file, in its log, and in the files that
  /// were put aside. Those of other programs stay, which ``removePutAsideFiles()`` removes.
  ///
  /// Names of fields and types stay. What a file system or a storage device keeps of old bytes is not in its power.
  ///
  /// - Throws: ``SQLiteNormalizedCacheError``. The records may be gone then, and their bytes still be there: clear again.
  public func clear() async throws { try await storage.onQueue { try $0.clear() } }

  /// The keys of some records, in the order of their bytes in UTF-8.
  ///
  /// - Parameters:
  ///   - key: The keys after this one are meant; nil: all are.
  ///   - limit: How many keys are given at most.
  /// - Returns: The first of these keys.
  /// - Throws: ``SQLiteNormalizedCacheError``, or an error of SQLite.
  public func keys(after key: CacheKey?, limit: Int) async throws -> [CacheKey] {
    try sortedKeys(after: key, limit: limit)
  }

  func sortedKeys(after key: CacheKey?, limit: Int) throws -> [CacheKey] {
    try storage.read({ !$0.isEmpty }) { try $0.keys(after: key, limit: limit) }
  }
}

// MARK: - For stores

extension SQLiteNormalizedCache: RecordBackend {
  package func load(_ keys: [CacheKey], numberedBy numbers: Locked<StoreKeys>) throws -> [StoredRecord?] {
    let day = storage.day
    let loaded = try storage.read({ $0.concerns(keys) }) { try $0.load(keys, numberedBy: numbers, on: day) }
    storage.noteUse(of: loaded.unused)
    return loaded.records
  }

  package func take(_ write: RecordWrite) async throws {
    guard !write.isEmpty else { return }
    guard storage.configuration.durability == .immediate else { return try storage.append(write) }
    try await storage.onQueue { storage in
      storage.state.withLock { $0.pending.append(write) }
      do { try storage.writePending() } catch {
        storage.state.withLock { $0.pending.removeLast() }
        throw error
      }
    }
  }

  package func writeAtOnce(_ write: RecordWrite) async throws {
    guard !write.isEmpty else { return }
    if storage.configuration.durability == .immediate { try await take(write) }
    // (In one piece of work: what writes later by itself could come between, and fail with nothing told to the caller.)
    try await storage.onQueue { storage in
      if storage.configuration.durability != .immediate { try storage.append(write) }
      try storage.settle()
    }
  }

  package func waitingRecords(numberedBy numbers: Locked<StoreKeys>) -> Set<Int32> {
    storage.state.withLock { $0.pending }.numbers(in: numbers)
  }

  package func keepsRecords(of type: TypeSymbol) -> Bool { !storage.exclusions.excludes(type) }

  package func onForeignChange(_ body: @escaping @Sendable () async throws -> Void) {
    storage.state.withLock { $0.onForeignChange = body }
  }

  package func onLoss(_ body: @escaping @Sendable () async throws -> Void) {
    storage.state.withLock { $0.onLoss = body }
  }

  package func onSuspension(_ body: @escaping @Sendable () async throws -> Void) {
    storage.state.withLock { $0.onSuspension = body }
  }

  package var foreignChangeCount: Int { storage.state.withLock { $0.foreignChangeCount } }

  package var lossCount: Int { storage.state.withLock { $0.lossCount } }

  package func readForeignChanges() async throws -> Int {
    try await storage.readForeignChanges()
    return foreignChangeCount
  }

  package func forgetRemovals() async throws { try await storage.onQueue { try $0.forgetRemovals() } }
}

extension SQLiteNormalizedCache: EngineSharing {}

extension SQLiteNormalizedCache: ClockUsing {
  package func use(_ clock: any ClientClock) { storage.clock.withLock { $0 = clock } }
}
