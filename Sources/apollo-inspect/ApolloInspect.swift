import ApolloCache
import ApolloSQLite
import ArgumentParser
import ForeignText
import Foundation

/// Looks into the files of a cache and of an outbox.
@main
struct ApolloInspect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apollo-inspect",
    abstract: "Looks into the files in which SQLiteNormalizedCache keeps records, and SQLiteOutboxStorage mutations.",
    discussion: """
      No command but "collect" changes the file, and none renames it. An app may have it open; from a device or a \
      simulator, copy the file together with the -wal file beside it.
      """,
    subcommands: [Statistics.self, Dump.self, Search.self, Check.self, Collect.self, Mutations.self])
}

/// The file that a command looks at.
struct FileArgument: ParsableArguments {
  @Argument(help: .init("The file, such as apollo.sqlite.", valueName: "file"), completion: .file())
  var path: String

  var url: URL { URL(fileURLWithPath: path) }

  func open() throws -> FileInspector { try FileInspector(path: path) }
}

/// A row, with the record if it is one.
struct Row {
  let key: CacheKey
  /// How many bytes the record takes.
  let size: Int
  /// When it was last used, in days since 1970.
  let dayOfUse: Int
  /// nil if the bytes are not a record.
  let record: Record?

  /// The type of the object.
  var type: String? {
    if case .string(let name)? = record?["__typename"] { name } else { nil }
  }

  /// Whether a text in lower case occurs in the key, in the name of a field or in a value, as it is or as it is shown.
  func contains(_ text: String) -> Bool {
    let fields = record?.fields ?? [:]
    return ([key] + fields.keys + fields.values.map { "\($0)" }).contains { part in
      part.lowercased().contains(text) || part.shownOnOneLine.lowercased().contains(text)
    }
  }
}

extension FileInspector {
  /// Calls a body with all rows.
  func forEachRow(_ body: (Row) throws -> Void) throws {
    try forEachRow { try body(Row(key: $0, size: $1, dayOfUse: $2, record: $3)) }
  }
}

/// What a user is told.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// How records are shown.
struct RecordText {
  /// As JSON, one record a line. What is not a record is null.
  static func json(_ row: Row) -> String {
    "{\"key\":\(text(row.key)),\"record\":\(row.record?.json ?? "null")}"
  }

  /// The key on a line of its own, and a line for each field.
  static func readable(_ row: Row) -> String {
    guard let record = row.record else {
      return "\(row.key.shownOnOneLine)\n  (\(row.size) bytes that are not a record)"
    }
    var lines = [row.key + (row.type.map { "  \($0)" } ?? "") + (record.receivedAt.map { "  \(date($0))" } ?? "")]
    let names = record.fields.keys.filter { $0 != "__typename" }.sorted()
    let width = min(32, names.map(\.count).max() ?? 0)
    for name in names {
      guard let value = record[name] else { continue }
      let padding = String(repeating: " ", count: max(0, width - name.count))
      let note = record.expirations[name].map { "  (until \(date($0)))" } ?? ""
      lines.append("  \(name)\(padding)  \(value)\(note)")
    }
    return lines.map(\.shownOnOneLine).joined(separator: "\n")
  }

  /// A date, as far as it is one: a file that another program has changed may have any number in its place.
  static func date(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    return (0...253_402_300_799).contains(seconds) ? date.formatted(.iso8601) : "(\(seconds) seconds after 1970)"
  }

  private static func text(_ key: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [key], options: .withoutEscapingSlashes)
    return data.map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) } ?? "\"\""
  }
}

/// 1234567 as 1.2 MB.
func bytes(_ count: Int) -> String {
  let units = ["bytes", "kB", "MB", "GB"]
  var value = Double(count), unit = 0
  while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
  return unit == 0 ? "\(count) bytes" : String(format: "%.1f %@", value, units[unit] as NSString)
}
