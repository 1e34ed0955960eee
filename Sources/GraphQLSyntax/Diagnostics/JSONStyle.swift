/// One JSON object a line, with the keys `severity`, `code`, `message`, `help`, `file`, `line`, `column`, `endLine`,
/// `endColumn`, `offset`, `endOffset` and `labels`. Keys without a value are left out.
enum JSONStyle {
  static func render(_ diagnostic: Diagnostic, place: (SourceSpan) -> Place?) -> String {
    var members = [
      member("severity", diagnostic.severity.rawValue), member("code", diagnostic.code.rawValue),
      member("message", diagnostic.message),
    ]
    if let help = diagnostic.help { members.append(member("help", help)) }
    members += placeMembers(place(diagnostic.span))
    if !diagnostic.labels.isEmpty {
      let labels = diagnostic.labels.map { label in
        object([member("message", label.message)] + placeMembers(place(label.span)))
      }
      members.append("\"labels\":[\(labels.joined(separator: ","))]")
    }
    return object(members) + "\n"
  }

  private static func placeMembers(_ place: Place?) -> [String] {
    guard let place else { return [] }
    return [
      member("file", place.source.name), "\"line\":\(place.location.line)", "\"column\":\(place.location.column)",
      "\"endLine\":\(place.endLocation.line)", "\"endColumn\":\(place.endLocation.column)",
      "\"offset\":\(place.span.start)", "\"endOffset\":\(place.span.end)",
    ]
  }

  private static func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }

  /// GraphQL and JSON escape strings alike.
  private static func member(_ key: String, _ value: String) -> String { "\"\(key)\":\(QuotedString.print(value))" }
}
