import GraphQLJSON

/// An object with the keys `severity`, `code`, `message`, `help`, `file`, `line`, `column`, `endLine`, `endColumn`,
/// `offset`, `endOffset` and `labels`. Keys without a value are left out.
enum JSONStyle {
  static func render(_ diagnostic: Diagnostic, place: (SourceSpan) -> Place?) -> JSONNode {
    var members: JSONNode.Members = [
      "severity": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code.rawValue),
      "message": .string(diagnostic.message),
    ]
    members["help"] = diagnostic.help.map { .string($0) }
    add(place(diagnostic.span), to: &members)
    if !diagnostic.labels.isEmpty {
      members["labels"] = .array(
        diagnostic.labels.map { label in
          var members: JSONNode.Members = ["message": .string(label.message)]
          add(place(label.span), to: &members)
          return .object(members)
        })
    }
    return .object(members)
  }

  private static func add(_ place: Place?, to members: inout JSONNode.Members) {
    guard let place else { return }
    members["file"] = .string(place.source.name)
    members["line"] = .number(place.location.line)
    members["column"] = .number(place.location.column)
    members["endLine"] = .number(place.endLocation.line)
    members["endColumn"] = .number(place.endLocation.column)
    members["offset"] = .number(place.span.start)
    members["endOffset"] = .number(place.span.end)
  }
}
