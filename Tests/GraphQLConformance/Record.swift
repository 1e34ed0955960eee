import Foundation
import GraphQLExecution
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// One recorded call: a JSON object.
struct Record {
  let fields: [String: Any]
  /// The record as values of requests and responses, in which `1` is not a Boolean.
  let value: GraphQLValue
  /// The record as it is written in the file.
  let node: JSONNode

  subscript(key: String) -> Any? {
    guard let value = fields[key], !(value is NSNull) else { return nil }
    return value
  }

  func string(_ key: String) -> String? { self[key] as? String }
  func bool(_ key: String) -> Bool { self[key] as? Bool ?? false }

  /// The options of the call, with names in camel case.
  var options: [String: Any] {
    let recorded = self["options"] as? [String: Any] ?? [:]
    return Dictionary(recorded.map { (Self.camelCase($0), $1) }) { first, _ in first }
  }

  private static func camelCase(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
  }

  /// What makes the record known to people.
  var name: String { "\(string("file") ?? ""): \(string("test") ?? "")" }
}

/// How one record went.
enum Outcome {
  case passed
  /// As recorded, apart from the words of messages.
  case reworded(String)
  case failed(String)

  /// Compares texts, and says where they differ first.
  static func expect(_ actual: String, _ expected: String) -> Outcome {
    if actual == expected { return .passed }
    let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(actualLines, expectedLines).enumerated().first { $1.0 != $1.1 }?.offset
    let first = line ?? min(actualLines.count, expectedLines.count)
    let excerpt = { (lines: [Substring]) in lines[min(first, lines.count)...].prefix(3).joined(separator: "\n") }
    return .failed("line \(first + 1) expected:\n\(excerpt(expectedLines))\nactual:\n\(excerpt(actualLines))")
  }
}

/// Recorded errors, as far as an implementation with words of its own can be compared: where they are.
struct RecordedErrors {
  /// Places of each error, sorted.
  var locations: [[String]]
  var messages: [String]
  private var isPlaced: Bool

  init(_ errors: [[String: Any]]) {
    locations = errors.map { error in
      let places = error["locations"] as? [[String: Any]] ?? []
      return places.map { "\($0["line"] as? Int ?? 0):\($0["column"] as? Int ?? 0)" }.sorted()
    }
    messages = errors.map { $0["message"] as? String ?? "" }
    isPlaced = errors.allSatisfy { $0["locations"] is [[String: Any]] }
  }

  /// Whether as many errors were found, in the same places. Where no places are recorded, the messages must be the
  /// same.
  func compare(_ diagnostics: [Diagnostic], in source: Source, _ corpus: Corpus) -> Outcome {
    let index = LineIndex(source)
    let errors = diagnostics.filter { $0.severity == .error }
    let actual = errors.map { diagnostic in
      // Older releases do not name the spreads that lead to a directive.
      let isAlone = diagnostic.code == .misplacedIncrementalDirective && corpus.edition != .draft
      let spans = [diagnostic.span] + (isAlone ? [] : diagnostic.labels.map(\.span))
      return spans.filter { $0.source == source.id }.map { corpus.place(of: $0.start, in: source, index) }.sorted()
    }
    let sortedActual = actual.sorted { $0.lexicographicallyPrecedes($1) }
    let sortedExpected = locations.sorted { $0.lexicographicallyPrecedes($1) }
    let words = errors.map(\.fullMessage).sorted()
    // In Python, names stand between other quotation marks.
    let unquoted = { (messages: [String]) in messages.map { $0.replacing("\"", with: "'") }.sorted() }
    if isPlaced ? sortedActual == sortedExpected : unquoted(words) == unquoted(messages) {
      return words == messages.sorted()
        ? .passed : .reworded("expected \(messages.sorted())\nactual   \(words)")
    }
    return .failed(
      "expected \(zip(messages, locations).map { "\($0) \($1)" })\nactual   \(zip(diagnostics.map(\.fullMessage), actual).map { "\($0) \($1)" })"
    )
  }
}
