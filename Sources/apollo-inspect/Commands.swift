import Apollo
import ApolloCache
import ApolloSQLite
import ArgumentParser
import ForeignText
import Foundation

struct Statistics: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How many records there are of each type, and what takes the room.")

  @OptionGroup var file: FileArgument

  /// The records of one type.
  private struct Group {
    var count = 0, size = 0, largest = 0

    mutating func add(_ row: Row) {
      count += 1
      size += row.size
      largest = max(largest, row.size)
    }
  }

  func run() throws {
    let inspector = try file.open(), summary = try inspector.summary()
    var groups: [String: Group] = [:]
    var total = Group(), lastUse = 0, newest: Date?
    try inspector.forEachRow { row in
      let name = row.record == nil ? "(not readable)" : row.type?.shownOnOneLine ?? "(no type)"
      groups[name, default: Group()].add(row)
      total.add(row)
      lastUse = max(lastUse, row.dayOfUse)
      if let date = row.record?.receivedAt { newest = max(newest ?? date, date) }
    }
    let log = (try? FileManager.default.attributesOfItem(atPath: file.path + "-wal"))?[.size] as? Int ?? 0
    print(
      "file          \(bytes(summary.pageCount * summary.pageSize)), of which "
        + "\(bytes(summary.freePageCount * summary.pageSize)) are free; write-ahead log \(bytes(log))")
    print("format        version \(summary.version), \(summary.nameCount) names of fields and types")
    print("last received \(newest.map(RecordText.date) ?? "not known")")
    print(
      "last used     "
        + (lastUse == 0
          ? "not known"
          : RecordText.date(Date(timeIntervalSince1970: Double(lastUse) * 86_400)).replacingOccurrences(
            of: "T00:00:00Z", with: "")))
    print("")
    let width = max(4, groups.keys.map(\.count).max() ?? 0)
    func line(_ cells: [String]) {
      let numbers = cells.dropFirst().map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
      print(cells[0].padding(toLength: width, withPad: " ", startingAt: 0) + numbers.joined())
    }
    line(["type", "records", "size", "largest", "share"])
    for (name, group) in groups.sorted(by: { ($1.value.size, $0.key) < ($0.value.size, $1.key) }) {
      let share = String(format: "%.1f %%", 100 * Double(group.size) / Double(max(1, total.size)))
      line([name, "\(group.count)", bytes(group.size), bytes(group.largest), share])
    }
    line(["all", "\(total.count)", bytes(total.size), bytes(total.largest), ""])
  }
}

struct Dump: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Prints records.")

  @OptionGroup var file: FileArgument

  @Argument(help: .init("Keys, or patterns with *, such as 'Human:*'. By default all records.", valueName: "key"))
  var keys: [String] = []

  @Flag(help: "Print JSON, one record a line, in place of text.")
  var json = false

  func run() throws {
    let patterns = keys.filter { $0.contains("*") }.map { CacheKeyPattern($0) }, wanted = Set(keys)
    try printRows(of: file, asJSON: json) { row in
      wanted.isEmpty || wanted.contains(row.key) || patterns.contains { $0.matches(row.key) }
    }
  }
}

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the records in which a text occurs, in a key, a field's name or a value.")

  @OptionGroup var file: FileArgument

  @Argument(help: .init("The text, in any case.", valueName: "text"))
  var text: String

  @Option(help: .init("Only records of this type.", valueName: "name"))
  var type: String?

  @Flag(help: "Print JSON, one record a line, in place of text.")
  var json = false

  func run() throws {
    let wanted = text.lowercased()
    try printRows(of: file, asJSON: json) { row in
      (type == nil || row.type == type) && row.contains(wanted)
    }
  }
}

/// Prints some of the rows of a file, and says where there are none.
private func printRows(of file: FileArgument, asJSON: Bool, _ isWanted: (Row) -> Bool) throws {
  var count = 0
  try file.open().forEachRow { row in
    guard isWanted(row) else { return }
    count += 1
    print(asJSON ? RecordText.json(row) : RecordText.readable(row))
  }
  if count == 0 { throw Failure(description: "No record of \(file.path) is meant. 'statistics' says what is there.") }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks for damage: in the file, and in each record. The exit status is 1 if there is some.")

  @OptionGroup var file: FileArgument

  func run() throws {
    let inspector = try file.open()
    var problems = try inspector.integrityProblems(), count = 0
    try inspector.forEachRow { row in
      count += 1
      if row.record == nil {
        problems.append("\(row.key): its \(row.size) bytes are not a record. A codec may have changed them.")
      }
    }
    for problem in problems { print(problem.shownOnOneLine) }
    print("\(count) records, \(problems.isEmpty ? "no problems" : "\(problems.count) problems")")
    if !problems.isEmpty { throw ExitCode(1) }
  }
}

struct Collect: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes what an app can no longer reach or use, and makes the file small.",
    discussion: "This changes the file. An app that has it open should be ended first.")

  @OptionGroup var file: FileArgument

  func run() async throws {
    // It says why if this is no such file, and the cache would rename it.
    let inspector = try file.open()
    var unreadable = 0
    try inspector.forEachRow { if $3 == nil { unreadable += 1 } }
    guard unreadable == 0 else {
      throw Failure(
        description:
          "\(file.path): \(unreadable) records cannot be read; a codec may have changed them. It is not known "
          + "what they lead to, so nothing was removed. Collect in the app: store.collectGarbage()")
    }
    let cache: SQLiteNormalizedCache
    do { cache = try SQLiteNormalizedCache(fileURL: file.url) } catch { throw Failure(description: "\(error)") }
    let store = ApolloStore(cache: cache)
    let garbage = try await store.collectGarbage()
    try await store.flush()
    try await cache.vacuum()
    for key in garbage.removedRecords.sorted() { print("removed \(key.shownOnOneLine)") }
    print("\(garbage.removedRecords.count) records and \(garbage.removedFields.count) fields were removed.")
  }
}

struct Mutations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The mutations in the file of an outbox (SQLiteOutboxStorage), in their order.")

  @OptionGroup var file: FileArgument

  func run() throws {
    let rows = try OutboxInspector(path: file.path).mutations()
    for row in rows {
      print(
        "\(row.number)  \(row.operation)  \(row.state)  scope \(row.scope)  \(RecordText.date(row.date))".shownOnOneLine
      )
      guard let (mutation, fileNames) = row.contents else {
        print("  (not readable: a codec has changed it, or it is damaged)")
        continue
      }
      print("  variables  \(String(decoding: mutation.variables, as: UTF8.self).shownOnOneLine)")
      if !fileNames.isEmpty { print("  files      \(fileNames.joined(separator: ", ").shownOnOneLine)") }
      if mutation.attempts > 0 {
        let next = mutation.notBefore.map { ", not before \(RecordText.date($0))" } ?? ""
        print("  tries      \(mutation.attempts)\(next)")
      }
      if let failure = mutation.failure?.message { print("  failure    \(failure.shownOnOneLine)") }
    }
    print("\(rows.count) mutations")
  }
}
