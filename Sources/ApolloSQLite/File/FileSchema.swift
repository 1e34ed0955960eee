import ForeignText
internal import GRDB

/// The tables, indexes, triggers and views of a file, as SQLite's list of them has them.
struct FileSchema: Sendable {
  struct Entry: Hashable, Sendable {
    let kind: String
    let name: String
    let table: String
    /// The statement that made it, with single spaces. Empty for an index that comes with its table.
    let statement: String
  }

  private let entries: Set<Entry>
  /// Whether each table and index begins at a page of its own.
  private let hasOwnPages: Bool

  /// More than any version has.
  private static let limit = 100

  init(of database: Database) throws {
    var entries: Set<Entry> = [], pages: [Int64] = []
    let rows = try Row.fetchCursor(
      database, sql: "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master LIMIT ?", arguments: [Self.limit])
    while let row = try rows.next() {
      let texts = (0..<4).map { String.fromDatabaseValue(row[$0]) ?? "" }
      let words = texts[3].split { $0 == " " || $0 == "\n" }
      entries.insert(
        Entry(kind: texts[0], name: texts[1], table: texts[2], statement: words.joined(separator: " ")))
      if let page = Int64.fromDatabaseValue(row[4]), page != 0 { pages.append(page) }
    }
    self.entries = entries
    hasOwnPages = Set(pages).count == pages.count
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Whether it is that of a cache of Apollo iOS.
  var isOfApolloIOS: Bool { FileHeader.isOfApolloIOS(entries.map(\.statement).joined(separator: "\n").utf8) }

  /// Whether an entry is there, and as it is here.
  func has(_ name: String, asIn other: FileSchema) -> Bool {
    let own = entries.filter { $0.name == name }
    return !own.isEmpty && own == other.entries.filter { $0.name == name }
  }

  /// Why a file with this schema cannot be used.
  ///
  /// - Parameters:
  ///   - wanted: What a file of its version has.
  ///   - id: The application id of both.
  /// - Returns: The problem; nil if there is none.
  func problem(comparedWith wanted: FileSchema, applicationID id: Int) -> FileProblem? {
    if let other = entries.subtracting(wanted.entries).min(by: { $0.name < $1.name }) {
      let isKnown = wanted.entries.contains { $0.kind == other.kind && $0.name == other.name }
      let thing = "the \(other.kind) '\(other.name)'".shownOnOneLine
      return .foreignSchema(applicationID: id, isKnown ? "\(thing) is another one" : "it has \(thing)")
    }
    if let missing = wanted.entries.subtracting(entries).min(by: { $0.name < $1.name }) {
      return .damaged("it does not have the \(missing.kind) '\(missing.name)'")
    }
    return hasOwnPages ? nil : .damaged("two of its tables begin at one page")
  }
}

extension Database {
  /// Does what SQLite advises for files that another program may have written: no functions and virtual tables that are not
  /// safe in its schema, cells that are checked when a page is read, and no part of the file as memory
  /// (<https://sqlite.org/security.html>).
  func distrustFile() throws {
    for setting in ["trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"] {
      try execute(sql: "PRAGMA \(setting)")
    }
  }
}
