import Apollo
import Foundation
internal import GRDB

/// The open file of an outbox.
struct OutboxDatabase {
  let queue: DatabaseQueue
  private let url: URL
  /// What identifies the file on its disk.
  private let identity: FileIdentity?

  /// Whether the file is still at its place. What is written to one that is not is lost when it is closed.
  var isInPlace: Bool { FileIdentity(url) == identity }

  /// Opens a file that is there, or makes it.
  ///
  /// - Throws: ``FileProblem`` if what is there cannot be used, and ``SQLiteOutboxStorage/StorageError`` if nothing can be
  ///   done about it.
  init(_ url: URL, _ protection: SQLiteNormalizedCache.Configuration.FileProtection) throws {
    do { try FileOpening.protect(url) } catch SQLiteNormalizedCacheError.cannotOpen(let path, let reason) {
      throw SQLiteOutboxStorage.StorageError.cannotOpen(path: path, reason: reason)
    }
    do {
      if let problem = try FileHeader.problem(of: url, as: OutboxSchema.kind) { throw problem }
    } catch let problem as FileProblem {
      throw problem
    } catch {
      if DatabaseFile.isLocked(error) {
        throw SQLiteOutboxStorage.StorageError.cannotOpen(
          path: url.path, reason: "it is protected while the device is locked")
      }
      // Nothing says that it is damaged.
      throw SQLiteOutboxStorage.StorageError.cannotOpen(path: url.path, reason: error.localizedDescription)
    }
    do {
      queue = try DatabaseQueue(path: url.path, configuration: Self.settings)
      try queue.writeWithoutTransaction { database in
        // GRDB says something else when it sets up the write-ahead log.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try OutboxSchema.kind.check(database)
        try OutboxSchema.kind.migrate(database)
      }
      FileAttributes.set(on: url, protection)
      self.url = url
      identity = FileIdentity(url)
    } catch let error as DatabaseError {
      if error.resultCode.primaryResultCode == .SQLITE_BUSY {
        throw SQLiteOutboxStorage.StorageError.cannotOpen(path: url.path, reason: "another process has it open")
      }
      throw error.fileProblem
        ?? SQLiteOutboxStorage.StorageError.cannotOpen(path: url.path, reason: Storage.reason(of: error))
    }
  }

  /// A file as it is, for reading what can be read.
  init(readingFrom url: URL) throws {
    var settings = GRDB.Configuration()
    settings.label = "apollo.outbox.recovery"
    settings.prepareDatabase { try $0.distrustFile() }
    queue = try DatabaseQueue(path: url.path, configuration: settings)
    self.url = url
    identity = FileIdentity(url)
  }

  /// A commit is on the disk when it returns.
  private static var settings: GRDB.Configuration {
    var settings = GRDB.Configuration()
    settings.label = "apollo.outbox"
    settings.journalMode = .wal
    settings.busyMode = .timeout(1)
    settings.prepareDatabase { database in
      // Two processes that have one outbox open would each send what is in it.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // On Apple's systems, the disk has a memory of its own.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      try database.execute(sql: "PRAGMA secure_delete = ON")
      try database.distrustFile()
    }
    return settings
  }

  func close() {
    _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try? queue.close()
  }
}

/// A mutation as a blob: the JSON of the mutation and of the names of its files, changed by the codec, and a checksum.
struct OutboxBlob {
  let codec: (any SQLiteCodec)?

  /// The name and the type of a file, whose contents are in the folder of the mutation.
  struct File: Codable {
    let fieldName: String
    let originalName: String
    let mimeType: String
  }

  private struct Contents: Codable {
    let row: Outbox.Row
    let files: [File]
  }

  /// Why a blob cannot be read.
  enum Problem: Error {
    /// Its bytes are others than those that were written.
    case damaged
    /// The codec can decode nothing now.
    case codec(SQLiteCodecUnavailable)
    /// It is whole, and this release or these settings cannot read it.
    case unreadable
  }

  /// Whether a blob is as it was written.
  static func isWhole(_ blob: Data, id: String) -> Bool { (try? BlobReader(Array(blob), for: id)) != nil }

  func bytes(of row: Outbox.Row) throws -> Data {
    let files = row.files.map {
      File(fieldName: $0.fieldName, originalName: $0.originalName, mimeType: $0.mimeType)
    }
    var data = try JSONEncoder().encode(Contents(row: row, files: files))
    let key = row.id.uuidString
    if let codec { data = try codec.encode(data, for: key) }
    var writer = BlobWriter()
    for byte in data { writer.write(byte) }
    writer.writeChecksum(for: key)
    return Data(writer.bytes)
  }

  func row(_ blob: Data, id: String) throws(Problem) -> (row: Outbox.Row, files: [File]) {
    guard Self.isWhole(blob, id: id) else { throw .damaged }
    var data = blob.dropLast(Checksum.length)
    if let codec {
      do { data = try codec.decode(Data(data), for: id) } catch {
        // What a codec will not read later either, such as with another key, must not keep the others back.
        if let error = error as? SQLiteCodecUnavailable { throw .codec(error) }
        throw .unreadable
      }
    }
    guard let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.row.id.uuidString == id,
      contents.row.problem == nil
    else { throw .unreadable }
    return (contents.row, contents.files)
  }
}
