@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB

/// Makes hostile files in which SQLite finds nothing wrong: odd types and numbers in
/// columns, blobs with a right checksum and any contents, and things in the schema that run when a table is used.
struct HostileFiles {
  var dice: Dice

  static let keys = ["QUERY_ROOT", "T:0", "T:1", "T:2", "T:3", "Ключ", "", "a\0b", "MUTATION_ROOT"]
  static let names = ["things", "id", "text", "__typename", "Thing", "next", "", "a(b", "\u{202E}x"]

  private mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &dice) == 0 }

  private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &dice)] }

  // MARK: Blobs

  /// Any blob, with the checksum for its key.
  mutating func blob(for key: String) -> Data {
    var writer = BlobWriter()
    writer.write(chance(12) ? UInt8.random(in: .min ... .max, using: &dice) : RecordEncoder.version)
    writeNumber(&writer, 0...UInt64(Self.names.count))
    for _ in 0..<2 { writeNumber(&writer, 0...2_000_000_000) }
    let dates = chance(3) ? Int.random(in: 1...4, using: &dice) : 0
    writer.write(count: dates)
    for _ in 0..<dates {
      writeNumber(&writer, 0...5)
      writer.write(signed: pick([0, -5, 1 << 33, .max, .min]))
      writeNumber(&writer, 0...2_000_000_000)
    }
    writeObject(&writer, depth: 0)
    if chance(15) { writer.write(UInt8(7)) }
    writer.writeChecksum(for: key)
    return Data(writer.bytes)
  }

  /// A number of a range, and sometimes one that has no place there.
  private mutating func writeNumber(_ writer: inout BlobWriter, _ range: ClosedRange<UInt64>) {
    writer.write(chance(20) ? pick([.max, 1 << 63, 1 << 32, 1 << 31, 1_000_001]) : .random(in: range, using: &dice))
  }

  private mutating func writeObject(_ writer: inout BlobWriter, depth: Int) {
    let count = Int.random(in: 0...5, using: &dice)
    writeCount(&writer, count)
    for _ in 0..<count {
      let hasArguments = chance(4)
      let name = UInt64.random(in: chance(20) ? 0...99 : 1...UInt64(Self.names.count), using: &dice)
      writer.write(chance(30) ? UInt64.max : name << 1 | (hasArguments ? 1 : 0))
      if hasArguments { writer.write(pick(["(a:1)", "", "(", String(repeating: "(", count: 50)])) }
      writeValue(&writer, depth: depth)
    }
  }

  private mutating func writeCount(_ writer: inout BlobWriter, _ count: Int) {
    writer.write(chance(25) ? pick([UInt64.max, 1 << 40, 60, 0]) : UInt64(count))
  }

  private mutating func writeValue(_ writer: inout BlobWriter, depth: Int) {
    let tags = [
      RecordEncoder.Tag.null, RecordEncoder.Tag.true, RecordEncoder.Tag.int, RecordEncoder.Tag.double,
      RecordEncoder.Tag.string, RecordEncoder.Tag.json, RecordEncoder.Tag.reference, RecordEncoder.Tag.error,
      RecordEncoder.Tag.list, RecordEncoder.Tag.object,
    ]
    let tag = depth > 5 ? tags[0] : chance(40) ? UInt8.random(in: .min ... .max, using: &dice) : pick(tags)
    writer.write(tag)
    switch tag {
    case RecordEncoder.Tag.int: writer.write(signed: pick([0, 1, .min, .max, 1 << 53]))
    case RecordEncoder.Tag.double: writer.write(pick([0, -0.0, .infinity, .nan, 1e300, .leastNonzeroMagnitude]))
    case RecordEncoder.Tag.string:
      writer.write(pick(["", "text", "a\0", "\u{1b}[2J", String(repeating: "é", count: 3000)]))
    case RecordEncoder.Tag.json:
      writer.write(pick(["{}", "", "nul", "[1,", String(repeating: "[", count: 3000), #"{"a":1e999}"#, "\"\\ud800\""]))
    case RecordEncoder.Tag.reference: writer.write(pick(Self.keys))
    case RecordEncoder.Tag.error:
      writer.write(
        pick(["{}", "", #"{"message":1}"#, #"{"message":"no","path":[1e300]}"#, String(repeating: "[", count: 900)]))
    case RecordEncoder.Tag.list:
      let count = Int.random(in: 0...4, using: &dice)
      writeCount(&writer, count)
      for _ in 0..<count { writeValue(&writer, depth: depth + 1) }
    case RecordEncoder.Tag.object:
      writeNumber(&writer, 0...UInt64(Self.names.count))
      writeObject(&writer, depth: depth + 1)
    default: break
    }
  }

  // MARK: Files

  /// What a column may have, whatever its type is.
  private mutating func value() -> DatabaseValue {
    switch Int.random(in: 0..<7, using: &dice) {
    case 0: pick([Int64.max, .min, 0, -1, 1 << 53]).databaseValue
    case 1: pick([1e300, -0.5, .infinity]).databaseValue
    case 2: pick(["", "text", "\u{0}", "9223372036854775808"]).databaseValue
    case 3: Data([0xff, 0, 0xfe]).databaseValue
    case 4: Data().databaseValue
    case 5: .null
    default: Data("T:1".utf8).databaseValue
    }
  }

  /// Fills a file of this package with records that can be anything.
  mutating func fill(_ database: Database) throws {
    for (number, name) in Self.names.enumerated() {
      try database.execute(sql: "INSERT OR REPLACE INTO names VALUES(?, ?)", arguments: [number + 1, name])
    }
    for key in Self.keys {
      let blob = blob(for: key), day = pick([0, 1, Int64.max, .min])
      try database.execute(
        sql: "INSERT OR REPLACE INTO records(key, fields, written, used) VALUES(?, ?, 1, ?)",
        arguments: [Data(key.utf8), blob, day])
    }
    for _ in 0..<Int.random(in: 0...6, using: &dice) { try? odd(database) }
  }

  private mutating func odd(_ database: Database) throws {
    switch Int.random(in: 0..<8, using: &dice) {
    case 0:
      let arguments: StatementArguments = [value(), value(), value(), value()]
      try database.execute(
        sql: "INSERT OR IGNORE INTO records(key, fields, written, used) VALUES(?, ?, ?, ?)", arguments: arguments)
    case 1:
      let column = pick(["key", "fields", "written", "used"])
      try database.execute(
        sql: "UPDATE OR IGNORE records SET \(column) = ? WHERE key = ?",
        arguments: [value(), Data(pick(Self.keys).utf8)])
    case 2:
      try database.execute(
        sql: "UPDATE OR IGNORE records SET id = ? WHERE key = ?",
        arguments: [pick([Int64.max, .min, 0, -7]), Data(pick(Self.keys).utf8)])
    case 3:
      try database.execute(
        sql: "UPDATE OR IGNORE names SET id = ? WHERE id = ?",
        arguments: [pick([Int64.max, .min, 0, -5, 1_000_001, 1_000_000]), Int.random(in: 1...9, using: &dice)])
    case 4: try database.execute(sql: "INSERT OR IGNORE INTO names VALUES(?, ?)", arguments: [value(), value()])
    case 5:
      try database.execute(
        sql: pick([
          "UPDATE sqlite_sequence SET seq = ?", "INSERT INTO sqlite_sequence VALUES('names', ?)",
          "DELETE FROM sqlite_sequence WHERE ? IS NOT 7",
        ]), arguments: [pick([Int64.max.databaseValue, "x".databaseValue, .null, (-1).databaseValue])])
    case 6: try database.execute(sql: "INSERT INTO meta VALUES(?, ?)", arguments: [value(), value()])
    default:
      try database.execute(
        sql: "UPDATE OR IGNORE names SET name = ? WHERE id = ?",
        arguments: [value(), Int.random(in: 1...9, using: &dice)])
    }
  }

  /// Things in a schema that run, or stand for a table, when it is used. Each would have no end.
  static let schemas: [String] = {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    return [
      "CREATE TRIGGER t AFTER INSERT ON records BEGIN \(endless); END",
      "CREATE TRIGGER t BEFORE UPDATE ON records BEGIN \(endless); END",
      "CREATE TRIGGER t AFTER DELETE ON records BEGIN \(endless); END",
      "CREATE TRIGGER t BEFORE INSERT ON names BEGIN SELECT RAISE(IGNORE); END",
      "ALTER TABLE records RENAME TO old; CREATE VIEW records AS SELECT id, key, fields, written, (\(endless)) AS used FROM old",
      "CREATE VIEW v AS \(endless)",
      "CREATE INDEX more ON records(written)",
      "CREATE UNIQUE INDEX more ON records(used)",
      "CREATE INDEX more ON records(length(fields)) WHERE length(key) > 3",
      "CREATE TABLE other(a)",
      "ALTER TABLE records ADD COLUMN more",
      "ALTER TABLE records ADD COLUMN more GENERATED ALWAYS AS (length(hex(zeroblob(100000000)))) VIRTUAL",
      "ALTER TABLE names RENAME COLUMN name TO title",
      "DROP INDEX records_used",
      "DROP TABLE meta",
      "DROP TABLE names",
      "ANALYZE",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'fields BLOB NOT NULL', 'fields BLOB CHECK(length(randomblob(1000000000)))') WHERE name = 'records'",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'meta') WHERE name = 'names'",
      "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING fts5(a)')",
    ]
  }()
}
