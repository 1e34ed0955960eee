/// `Value` — [spec](https://spec.graphql.org/September2025/#Value)
public struct Value: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case variable(Name)
    /// Digits as they are written: GraphQL does not limit their number.
    case int(String)
    /// Digits as they are written.
    case float(String)
    case string(StringValue)
    case boolean(Bool)
    case null
    case `enum`(String)
    case list([Value])
    case object([ObjectField])
  }

  public var kind: Kind
  @Uncompared public var span: SourceSpan

  public init(_ kind: Kind, span: SourceSpan = .none) {
    self.kind = kind
    self.span = span
  }

  public var isNull: Bool {
    if case .null = kind { true } else { false }
  }
}

/// `ObjectField : Name : Value` — [spec](https://spec.graphql.org/September2025/#ObjectField)
public struct ObjectField: Sendable, Hashable {
  public var name: Name
  public var value: Value
  @Uncompared public var span: SourceSpan

  public init(name: Name, value: Value, span: SourceSpan = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}
