import ForeignText

/// Comments and attributes for the descriptions and deprecations in the schema.
enum Documentation {
  /// The lines of a `///` comment; empty for nil.
  static func comment(_ text: String?) -> [String] {
    comment(lines(text))
  }

  static func comment(_ lines: [String]) -> [String] {
    lines.map { line in line.isEmpty ? "///" : "/// " + line }
  }

  /// The lines of a description; empty for nil.
  static func lines(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    return text.shownLines
  }

  /// The lines about a parameter.
  static func parameter(_ name: String, _ lines: [String]) -> [String] {
    zip(lines, 0...).map { line, index in
      index == 0 ? "- Parameter \(name): \(line)" : line.isEmpty ? "" : "  \(line)"
    }
  }

  static func deprecation(_ reason: String?) -> [String] {
    guard let reason else { return [] }
    return ["@available(*, deprecated, message: \(Literal.string(reason)))"]
  }

  /// A comment that names the deprecation, for declarations that cannot have the attribute.
  static func comment(_ text: String?, deprecated reason: String?) -> [String] {
    let note = reason.map { "**Deprecated**: " + $0 }
    return comment([text, note].compactMap { $0 }.joined(separator: "\n\n"))
  }
}
