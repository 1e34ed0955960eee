/// A JSON value, for schemas that come as the answer to an introspection query. Who reads or writes JSON converts.
public enum IntrospectionValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case string(String)
  case list([IntrospectionValue])
  case object([String: IntrospectionValue])

  subscript(key: String) -> IntrospectionValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
    return value
  }

  var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  var list: [IntrospectionValue]? {
    if case .list(let list) = self { list } else { nil }
  }

  var isTrue: Bool { self == .boolean(true) }
}
