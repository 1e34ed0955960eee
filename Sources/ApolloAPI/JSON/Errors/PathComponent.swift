/// One component of a path in a response (GraphQL specification, section 7.1.5).
public enum PathComponent: Hashable, Sendable, CustomStringConvertible {
  /// The response key of a field: its alias, or its name.
  case field(String)
  /// An index in a list, from 0.
  case index(Int)

  /// The response key, or the index in decimal digits.
  public var description: String {
    switch self {
    case .field(let name): name
    case .index(let index): String(index)
    }
  }
}

extension PathComponent: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// The response key of a field.
  public init(stringLiteral value: String) { self = .field(value) }
  /// An index in a list.
  public init(integerLiteral value: Int) { self = .index(value) }
}

extension PathComponent {
  /// A name, or an index from 0. nil for any other value.
  package init?(jsonValue: JSONValue) {
    if let name = jsonValue as? String {
      self = .field(name)
    } else if let index = wholeNumber(jsonValue).flatMap(Int.init(exactly:)), index >= 0 {
      self = .index(index)
    } else {
      return nil
    }
  }
}
