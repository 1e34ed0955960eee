import GraphQLSyntax

/// A JSON value, whose inner values are `Value`s.
enum JSON<Value> {
  case null
  case boolean(Bool)
  /// The digits as they are written.
  case number(String)
  case string(String)
  case list([Value])
  case object([Member])

  struct Member {
    var name: String
    var nameSpan: SourceSpan
    var value: Value
  }
}

/// What ``JSONParser`` reads JSON into.
protocol JSONReadable {
  init(_ json: JSON<Self>, at span: SourceSpan)
}

/// A JSON value that knows where it stands, so that messages about it can point there.
struct JSONNode: JSONReadable {
  typealias Member = JSON<JSONNode>.Member

  var kind: JSON<JSONNode>
  var span: SourceSpan

  init(_ json: JSON<JSONNode>, at span: SourceSpan) {
    kind = json
    self.span = span
  }

  /// The value of a member of an object.
  func member(_ name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// What kind of value it is, for messages.
  var kindName: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
