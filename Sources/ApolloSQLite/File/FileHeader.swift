import Foundation

/// What the first page of a file says, read as bytes: SQLite would already change a file that it opens.
struct FileHeader {
  private let bytes: [UInt8]
  // What a file says of itself, or has, may not fit in an `Int` of 32 bits.
  private let fileSize: Int64
  private let hasLog: Bool
  private let kind: FileKind

  /// What speaks against a file. A file that is too short may just grow, because another process writes its log to it: so it
  /// is looked at again before that is believed.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kind: What it should be.
  /// - Returns: Why the file cannot be used; nil if nothing speaks against it, or if there is none.
  /// - Throws: What reading throws.
  static func problem(of file: URL, as kind: FileKind) throws -> FileProblem? {
    for _ in 0..<5 {
      guard let header = try FileHeader(of: file, as: kind), let problem = header.problem else { return nil }
      guard header.isTooShort else { return problem }
      Thread.sleep(forTimeInterval: 0.04)
    }
    return try FileHeader(of: file, as: kind)?.problem
  }

  /// Reads the header; nil if there is no file, or an empty one.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kind: What it should be.
  /// - Throws: What reading throws.
  init?(of file: URL, as kind: FileKind) throws {
    self.kind = kind
    // SQLite follows a link as well, and keeps its log beside the file.
    let file = file.resolvingSymlinksInPath()
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
    if attributes[.type] as? FileAttributeType == .typeDirectory { throw FileProblem.unreadable("it is a folder") }
    guard let size = attributes[.size] as? Int64, size > 0 else { return nil }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    bytes = Array(try handle.read(upToCount: 65_536) ?? Data())
    fileSize = size
    let log = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
    hasLog = (log?[.size] as? Int64 ?? 0) > 0
  }

  /// Whether a file is one of SQLite with a mark in its header.
  static func hasMark(_ applicationID: Int, _ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: 72), data.count == 72 else { return false }
    return data.dropFirst(68).reduce(0) { $0 << 8 | Int64($1) } == Int64(applicationID)
  }

  private var pageSize: Int64 {
    bytes[16] == 0 && bytes[17] == 1 ? 65_536 : Int64(bytes[16]) << 8 | Int64(bytes[17])
  }

  /// Whether the file has fewer pages than it says, and no log that may have them.
  private var isTooShort: Bool { bytes.count < 100 || !hasLog && number(at: 28) * pageSize > fileSize }

  /// Why the file cannot be used; nil if nothing speaks against it.
  var problem: FileProblem? {
    guard bytes.count >= 100 else { return .damaged("it has \(bytes.count) bytes, which is less than a header") }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return .damaged("it does not begin as a file of SQLite does, or it is encrypted")
    }
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, (1...2).contains(bytes[18]), (1...2).contains(bytes[19]),
      Array(bytes[21...23]) == [64, 32, 32], number(at: 56) <= 3
    else { return .damaged("its header is not possible") }
    // Everything may still be in the write-ahead log.
    if bytes.count > 105, fileSize <= pageSize, bytes[103] == 0, bytes[104] == 0 { return nil }
    guard number(at: 68) == Int64(kind.applicationID) else {
      return isOfApolloIOS ? .apolloIOS : .foreign(applicationID: signed(at: 68))
    }
    guard number(at: 60) <= Int64(kind.version) else { return .newer(version: signed(at: 60)) }
    if isTooShort { return .damaged("it ends after \(fileSize) of \(number(at: 28) * pageSize) bytes") }
    return nil
  }

  /// Whether a file is a cache of Apollo iOS.
  static func isOfApolloIOS(_ file: URL) -> Bool {
    guard let header = try? FileHeader(of: file, as: Schema.kind) else { return false }
    return header.bytes.count >= 100 && header.isOfApolloIOS
  }

  /// Whether it is so by the first page, where the list of tables is.
  private var isOfApolloIOS: Bool { Self.isOfApolloIOS(bytes.prefix(Int(pageSize))) }

  /// Whether there are only tables that Apollo iOS 0.x to 2.x makes, with their index, and the table of records is one
  /// of them. If there is another table, the file is that of a program, whose data have to stay.
  ///
  /// - Parameter text: What has the statements that have made the tables. Names in them may be quoted, and there may be
  ///   several spaces, or ends of lines, between words.
  /// - Returns: True if there is nothing else.
  static func isOfApolloIOS(_ text: some Sequence<UInt8>) -> Bool {
    let quotes = Set("\"`[]".utf8)
    let words = text.filter { !quotes.contains($0) }.split { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
    let joined = String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    let made = joined.components(separatedBy: "CREATE ").dropFirst()
    func isTable(_ statement: String, _ name: String) -> Bool {
      statement.hasPrefix("TABLE \(name)(") || statement.hasPrefix("TABLE \(name) (")
    }
    // Some releases have other columns, and a table with the version of the format.
    let hasOtherColumns = joined.contains("schema_metadata") && joined.contains("cache_key")
    guard hasOtherColumns || joined.contains("_id") && joined.contains("record TEXT") else { return false }
    return made.contains { isTable($0, "records") }
      && made.allSatisfy { statement in
        ["records", "schema_metadata", "sqlite_sequence"].contains { isTable(statement, $0) }
          || statement.hasPrefix("UNIQUE INDEX index_records_on_") && statement.contains(" ON records (")
      }
  }

  /// The number as SQLite shows it.
  private func signed(at offset: Int) -> Int { Int(Int32(truncatingIfNeeded: number(at: offset))) }

  private func number(at offset: Int) -> Int64 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
  }
}

/// Why a file is put aside and a new one is made.
enum FileProblem: Error {
  case newer(version: Int)
  case apolloIOS
  case foreign(applicationID: Int)
  /// It has the mark of this package, and something that this package does not make.
  case foreignSchema(applicationID: Int, String)
  case damaged(String)
  case unreadable(String)
  case removed
}
