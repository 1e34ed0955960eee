import ForeignText

/// Comments and attributes for the descriptions and deprecations in the schema.
enum Documentation {
  /// The lines of a `///` comment; empty for nil.
  static func comment(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    return text.shownLines.map { line in line.isEmpty ? "///" : "/// " + line }
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
