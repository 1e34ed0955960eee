import Apollo
import Foundation
internal import GRDB

/// Finds the mutations in a file that cannot be used as it is. It works on a copy.
///
/// What it can do: the first page of a file holds its header and the list of its tables. If it is damaged, that of a new
/// file takes its place, because the tables of both begin at the same pages. Then each row is read by itself, and each page
/// with rows if those that lead to it are damaged, so a damaged page costs only what is on it.
struct OutboxRecovery {
  /// A mutation as it is in the file. Its blob is whole, and is not opened.
  struct Found {
    let number: Int64
    let id: String
    let scope: String
    let operation: String
    let state: String
    let date: Int64
    let contents: Data
    let owner: String?
  }

  /// An id that a server has given.
  struct FoundID {
    let server: String?
    let owner: String?
  }

  private(set) var rows: [Found] = []
  private(set) var serverIDs: [String: FoundID] = [:]
  /// How many mutations are known to have been there and cannot be read.
  private(set) var lostCount = 0

  /// Reads a file.
  ///
  /// - Parameter file: The file. No process may have it open.
  /// - Throws: What copying the file throws, and what says that the device has no room for reading it. Then nothing is known
  ///   of it.
  init(from file: URL) throws {
    let manager = FileManager.default
    let folder = Self.folder(of: file)
    Self.removeCopies(of: file)
    try PrivateFile.makeFolder(at: folder.path)
    defer { Self.removeCopies(of: file) }
    var best: OutboxRecovery?
    for replacesFirstPage in [false, true] {
      let copy = folder.appendingPathComponent("copy-\(replacesFirstPage).sqlite")
      for suffix in ["", "-wal"] where manager.fileExists(atPath: file.path + suffix) {
        try PrivateFile.copy(
          URL(fileURLWithPath: file.path + suffix), to: URL(fileURLWithPath: copy.path + suffix))
      }
      if replacesFirstPage { try Self.replaceFirstPage(of: copy, in: folder) }
      guard let found = try Self.readable({ try OutboxRecovery(reading: copy) }) else { continue }
      if found.rows.count > best?.rows.count ?? -1 { best = found }
      if found.lostCount == 0, !found.rows.isEmpty { break }
      if replacesFirstPage { try best?.addRowsOfLeaves(of: copy) }
    }
    if let best { self = best }
  }

  /// Reads a file that is open and no longer at its place.
  ///
  /// - Parameter open: The file.
  /// - Throws: What reading throws.
  init(of open: OutboxDatabase) throws {
    try open.queue.writeWithoutTransaction { database in
      // SQLite would take its log for that of the file which is at its place now.
      _ = try? Erasing.emptyLog(database)
      try read(database, limit: Pages(of: database).fileSize / 8)
    }
  }

  /// What a body reads; nil if the file is damaged there.
  ///
  /// - Parameter body: Reads.
  /// - Returns: What it has read.
  /// - Throws: What says nothing of the file, such as that the process has too many files open.
  private static func readable<T>(_ body: () throws -> T?) throws -> T? {
    do { return try body() } catch {
      if (error as? DatabaseError)?.isOfDevice == true { throw error }
      return nil
    }
  }

  private static func folder(of file: URL) -> URL {
    URL(fileURLWithPath: file.path + ".recovery", isDirectory: true)
  }

  /// Removes the copies of a file that were made for reading it, which a process leaves if it is stopped meanwhile.
  static func removeCopies(of file: URL) { try? FileManager.default.removeItem(at: folder(of: file)) }

  /// Reads the pages with rows one by one, because those that lead to them are damaged.
  ///
  /// Each takes the place of the page at which the table begins, and is read as the whole table. What is removed from a
  /// table is overwritten with zeros, so nothing is found that was sent already. A file with a log is left alone: the log
  /// may have removed what is still in the file.
  private mutating func addRowsOfLeaves(of copy: URL) throws {
    let known = Set(rows.map(\.number)), log = try? FileManager.default.attributesOfItem(atPath: copy.path + "-wal")
    guard log?[.size] as? Int64 ?? 0 == 0 else { return }
    let bytes = try Data(contentsOf: copy)
    guard bytes.count >= 100 else { return }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17]), root = pageSize
    guard pageSize >= 512 else { return }
    let handle = try FileHandle(forWritingTo: copy)
    defer { try? handle.close() }
    var found: [Int64: Found] = [:]
    for page in stride(from: pageSize, to: bytes.count - pageSize + 1, by: pageSize) where bytes[page] == 0x0d {
      try handle.seek(toOffset: UInt64(root))
      try handle.write(contentsOf: bytes[page..<page + pageSize])
      guard let leaf = try Self.readable({ try OutboxRecovery(reading: copy) }) else { continue }
      for row in leaf.rows where !known.contains(row.number) { found[row.number] = row }
    }
    rows += found.values
    rows.sort { $0.number < $1.number }
    lostCount = max(0, lostCount - found.count)
  }

  private init(reading copy: URL) throws {
    let database = try OutboxDatabase(readingFrom: copy)
    defer { try? database.queue.close() }
    // Each row takes more than that. There are more only if pages of the file lead in circles.
    let limit = Self.size(of: copy.path) / 8 + Self.size(of: copy.path + "-wal") / 8
    try database.queue.writeWithoutTransaction { try read($0, limit: limit) }
  }

  /// Reads each row by itself.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - limit: More rows than there can be.
  /// - Throws: ``FileProblem`` if no table can be read, and what says nothing of the file.
  private mutating func read(_ database: Database, limit: Int64) throws {
    guard try OutboxSchema.hasOwnTables(database) else { throw FileProblem.damaged("its tables are not ours") }
    // A file of version 1 has no owners.
    let isOwned = try Self.readable { try database.columns(in: "mutations").contains { $0.name == "owner" } } ?? false
    let owner = isOwned ? "owner" : "NULL"
    for number in try Self.numbers(database, limit: limit) {
      let row = try Self.readable {
        try Row.fetchOne(
          database,
          sql: "SELECT number, id, scope, operation, state, date, contents, \(owner) FROM mutations WHERE number = ?",
          arguments: [number])
      }
      if let row, let found = Found(row), found.number == number { rows.append(found) } else { lostCount += 1 }
    }
    let ids = try Self.readable {
      try Row.fetchCursor(database, sql: "SELECT local, server, \(owner) FROM ids LIMIT ?", arguments: [limit])
    }
    while let row = try Self.readable({ try ids?.next() }) {
      guard let local = String.fromDatabaseValue(row[0]) else { continue }
      serverIDs[local] = FoundID(server: String.fromDatabaseValue(row[1]), owner: String.fromDatabaseValue(row[2]))
    }
  }

  /// The numbers of the mutations: of the table, as far as it can be read, and of its index.
  private static func numbers(_ database: Database, limit: Int64) throws -> [Int64] {
    var numbers: Set<Int64> = [], isReadable = false
    for query in [
      "SELECT number FROM mutations NOT INDEXED ORDER BY number",
      "SELECT number FROM mutations NOT INDEXED ORDER BY number DESC",
      "SELECT number FROM mutations ORDER BY id",
    ] {
      let cursor = try readable { try Row.fetchCursor(database, sql: query + " LIMIT ?", arguments: [limit]) }
      guard let cursor else { continue }
      isReadable = true
      while let row = try readable({ try cursor.next() }) {
        // (A row without a number is one that cannot be read.)
        guard let number = Int64.fromDatabaseValue(row[0]) else { break }
        numbers.insert(number)
      }
    }
    guard isReadable else { throw FileProblem.damaged("no table can be read") }
    return numbers.sorted()
  }

  private static func size(of path: String) -> Int64 {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
  }

  /// Puts the first page of a new file in the place of a damaged one.
  private static func replaceFirstPage(of file: URL, in folder: URL) throws {
    let model = folder.appendingPathComponent("model.sqlite")
    try OutboxDatabase(model, .none).close()
    var page = try Data(contentsOf: model)
    let pageSize = Int64(page[16]) << 8 | Int64(page[17])
    page = page.prefix(Int(pageSize))
    let size = size(of: file.path)
    let pageCount = UInt32(clamping: (size + pageSize - 1) / pageSize)
    for (offset, shift) in zip(28..<32, [24, 16, 8, 0]) { page[offset] = UInt8(truncatingIfNeeded: pageCount >> shift) }
    // The number of pages counts only if these two are equal.
    page.replaceSubrange(92..<96, with: page[24..<28])
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.write(contentsOf: page)
    if size % pageSize != 0 { try handle.truncate(atOffset: UInt64(pageCount) * UInt64(pageSize)) }
  }
}

extension DatabaseError {
  /// Whether it is about the device or the process, and says nothing of the file: a full disk, too many files that are open,
  /// too little memory.
  var isOfDevice: Bool {
    switch resultCode.primaryResultCode {
    case .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_CANTOPEN: true
    case .SQLITE_IOERR: extendedResultCode != .SQLITE_IOERR_SHORT_READ
    default: false
    }
  }
}

extension OutboxRecovery.Found {
  init?(_ row: Row) {
    guard let number = Int64.fromDatabaseValue(row[0]), let id = String.fromDatabaseValue(row[1]),
      let contents = Data.fromDatabaseValue(row[6]), OutboxBlob.isWhole(contents, id: id)
    else { return nil }
    self.number = number
    self.id = id
    self.contents = contents
    owner = String.fromDatabaseValue(row[7])
    // What only people read.
    scope = String.fromDatabaseValue(row[2]) ?? ""
    operation = String.fromDatabaseValue(row[3]) ?? ""
    state = String.fromDatabaseValue(row[4]) ?? ""
    date = Int64.fromDatabaseValue(row[5]) ?? 0
  }
}
