/// A value in a GraphQL text: an argument, a default value, or a part of one —
/// [spec](https://spec.graphql.org/September2025/#Value)
public struct Value: Sendable, Hashable {
  /// The kinds of value, with their contents.
  public enum Kind: Sendable, Hashable {
    /// A variable, by its name without `$`.
    case variable(Name)
    /// An integer, as it is written. GraphQL does not limit the number of digits.
    case int(String)
    /// A number with a fraction or exponent, as it is written.
    case float(String)
    /// A string or block string.
    case string(StringValue)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null
    /// A value of an enum, by its name.
    case `enum`(String)
    /// A list.
    case list([Value])
    /// An input object.
    case object([ObjectField])
  }

  /// The kind of the value, with its contents.
  public var kind: Kind
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(_ kind: Kind, span: SourceSpan = .none) {
    self.kind = kind
    self.span = span
  }

  /// Whether the value is `null`.
  public var isNull: Bool {
    if case .null = kind { true } else { false }
  }
}

/// A field of an input object value: `ObjectField : Name : Value` —
/// [spec](https://spec.graphql.org/September2025/#ObjectField)
public struct ObjectField: Sendable, Hashable {
  /// The name of the input field.
  public var name: Name
  /// The value of the input field.
  public var value: Value
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(name: Name, value: Value, span: SourceSpan = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}
