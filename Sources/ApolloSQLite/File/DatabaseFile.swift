import ApolloAPI
import ForeignText
import Foundation
internal import GRDB

/// An open file: one connection that writes, and others that read beside it.
final class DatabaseFile: Sendable {
  let url: URL
  private let pool: DatabasePool
  /// The uses of the connections that are under way.
  private let uses = DispatchGroup()
  private let hasClosed = Locked(false)
  let names: Locked<Names>
  /// What identifies the file on its disk.
  private let identity: FileIdentity?

  private init(_ url: URL, _ pool: DatabasePool, _ names: Names) {
    self.url = url
    self.pool = pool
    self.names = Locked(names)
    identity = FileIdentity(url)
  }

  /// Opens a file that is there, or makes it.
  ///
  /// - Parameters:
  ///   - url: The file. Its folder has to exist.
  ///   - configuration: What the app has set.
  ///   - isReadOnly: Whether nothing is written to the file. The default is false.
  /// - Returns: The file.
  /// - Throws: ``FileProblem`` if what is there cannot be used, and ``SQLiteNormalizedCacheError`` if nothing can be
  ///   done about it.
  static func open(
    _ url: URL, _ configuration: SQLiteNormalizedCache.Configuration, isReadOnly: Bool = false
  ) throws -> DatabaseFile {
    if !isReadOnly { try FileOpening.protect(url) }
    do {
      if let problem = try FileHeader.problem(of: url, as: Schema.kind) { throw problem }
    } catch let problem as FileProblem {
      throw problem
    } catch {
      if isLocked(error) {
        throw SQLiteNormalizedCacheError.cannotOpen(
          path: url.path, reason: "it is protected while the device is locked")
      }
      if isOfProcess(error) {
        throw SQLiteNormalizedCacheError.cannotOpen(path: url.path, reason: error.localizedDescription)
      }
      throw FileProblem.unreadable(error.localizedDescription)
    }
    // While another process makes the file, SQLite does not wait.
    let deadline = Date(timeIntervalSinceNow: configuration.busyTimeout)
    while true {
      do {
        return try openDatabase(url, configuration, isReadOnly: isReadOnly)
      } catch let error as DatabaseError {
        if error.resultCode.primaryResultCode == .SQLITE_BUSY, Date() < deadline {
          Thread.sleep(forTimeInterval: 0.02)
          continue
        }
        throw error.fileProblem
          ?? SQLiteNormalizedCacheError.cannotOpen(path: url.path, reason: error.message ?? "\(error.resultCode)")
      }
    }
  }

  private static func openDatabase(
    _ url: URL, _ configuration: SQLiteNormalizedCache.Configuration, isReadOnly: Bool
  ) throws -> DatabaseFile {
    var settings = settings(configuration)
    settings.readonly = isReadOnly
    let pool = try DatabasePool(path: url.path, configuration: settings)
    let names = try pool.writeWithoutTransaction { database in
      if !isReadOnly {
        // GRDB says `NORMAL` when it sets up the write-ahead log.
        if configuration.durability == .immediate {
          try database.execute(sql: "PRAGMA synchronous = FULL")
          // On Apple's systems, the disk has a memory of its own.
          try database.execute(sql: "PRAGMA fullfsync = ON")
        }
      }
      try Schema.kind.check(database)
      if !isReadOnly {
        let isNew = try Int.fetchOne(database, sql: "PRAGMA user_version") == 0
        try Schema.kind.migrate(database)
        // Another process may have the file open. Then it is left to the next opening.
        if !isNew {
          do { try Erasing.finish(database, url) } catch let error as DatabaseError where error.fileProblem == nil {}
        }
      }
      // (A damaged file can still be put aside here. So each table is read that a cache reads as it begins.)
      _ = try Meta.has(.incomplete, in: database)
      return try Names(of: database)
    }
    if !isReadOnly { FileAttributes.set(on: url, configuration.fileProtection) }
    return DatabaseFile(url, pool, names)
  }

  /// Whether a file cannot be read because the device is locked. It is whole, and stays.
  static func isLocked(_ error: any Error) -> Bool {
    #if canImport(Darwin)
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      return cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(POSIXErrorCode.EPERM.rawValue)
    #else
      return false
    #endif
  }

  /// Whether an error says nothing of the file: the process has too many files open, or too little memory.
  static func isOfProcess(_ error: any Error) -> Bool {
    let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    guard let cause, cause.domain == NSPOSIXErrorDomain else { return false }
    return [EMFILE, ENFILE, ENOMEM].contains(Int32(truncatingIfNeeded: cause.code))
  }

  /// How connections are opened.
  private static func settings(_ configuration: SQLiteNormalizedCache.Configuration) -> GRDB.Configuration {
    var settings = GRDB.Configuration()
    settings.label = "apollo.sqlite"
    settings.foreignKeysEnabled = false
    settings.maximumReaderCount = 2
    settings.busyMode = .timeout(max(0, configuration.busyTimeout))
    settings.observesSuspensionNotifications = configuration.isInSharedContainer
    let secureDelete = configuration.secureDelete ? "ON" : "OFF"
    settings.prepareDatabase { database in
      // It counts only before the first table is made.
      if !database.configuration.readonly { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
      try database.distrustFile()
      try database.execute(sql: "PRAGMA secure_delete = \(secureDelete)")
      try database.execute(sql: "PRAGMA journal_size_limit = 4194304")
    }
    return settings
  }

  /// Whether the file is still at its place.
  var isInPlace: Bool { FileIdentity(url) == identity }

  /// Reads the names again, to which another process may have added some.
  func readNames(_ database: Database) throws {
    let new = try Names(of: database)
    names.withLock { $0 = new }
  }

  // MARK: The connections

  /// Whether the file was closed. Another one may have taken its place.
  var isClosed: Bool { hasClosed.withLock { $0 } }

  /// Runs a body with a connection that reads.
  ///
  /// - Throws: What the body throws, and a `DatabaseError` with `SQLITE_MISUSE` if the file was closed.
  func read<T>(_ body: (Database) throws -> T) throws -> T { try whileOpen { try pool.read(body) } }

  /// Runs a body with the connection that writes.
  ///
  /// - Throws: What the body throws, and a `DatabaseError` with `SQLITE_MISUSE` if the file was closed.
  func write<T>(_ body: (Database) throws -> T) throws -> T { try whileOpen { try pool.writeWithoutTransaction(body) } }

  /// Runs a body for which closing waits. (A pool of GRDB gives out a connection that is being closed, whose use ends the
  /// process.)
  private func whileOpen<T>(_ body: () throws -> T) throws -> T {
    try hasClosed.withLock { hasClosed in
      if hasClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the file was closed") }
      uses.enter()
    }
    defer { uses.leave() }
    return try body()
  }

  /// Closes the file, when what reads it now has ended. Its log is written to it before: otherwise the next launch would
  /// read the whole log first. One that was closed before stays so.
  func close() {
    let isFirst = hasClosed.withLock { hasClosed in
      defer { hasClosed = true }
      return !hasClosed
    }
    // (GRDB gives SQLite no connection to write the log of a closed file with, which ends the process.)
    guard isFirst else { return }
    uses.wait()
    _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try? pool.close()
  }
}

extension Names {
  init(of database: Database) throws {
    let rows = try Row.fetchCursor(database, sql: "SELECT id, name FROM names ORDER BY id")
    var last: Int64 = 0
    while let row = try rows.next() {
      // (The numbers rise, so there are not more rows than numbers, even if pages of the file lead in circles.)
      guard let id = Int64.fromDatabaseValue(row[0]), id > last, id <= Self.limit else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a name has a number that is not possible")
      }
      last = id
      // What has another type than it must have comes of damage.
      if let name = String.fromDatabaseValue(row[1]) { insert(name, id) }
    }
    for row in try Row.fetchAll(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'names' LIMIT 2") {
      guard let number = Int64.fromDatabaseValue(row[0]), (0...Self.limit).contains(number) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the last number of a name is not possible")
      }
    }
  }
}

extension DatabaseError {
  /// Rows do not come in the order in which they were asked for: pages of the file lead back to others, without an end.
  static var circle: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its rows are not in their order")
  }

  /// What has happened to the file, if something has that a new file ends.
  var fileProblem: FileProblem? {
    let what = (message ?? "\(resultCode)").shownOnOneLine
    switch resultCode.primaryResultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(what)
    // A table or a column that is not there.
    case .SQLITE_ERROR where sql != nil: return .damaged(what)
    case .SQLITE_MISMATCH, .SQLITE_CONSTRAINT, .SQLITE_FORMAT: return .damaged(what)
    case .SQLITE_IOERR where extendedResultCode == .SQLITE_IOERR_SHORT_READ: return .damaged(what)
    case .SQLITE_READONLY where extendedResultCode == .SQLITE_READONLY_DBMOVED: return .removed
    default: return nil
    }
  }
}
