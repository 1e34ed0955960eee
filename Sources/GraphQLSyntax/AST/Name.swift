/// A name in a GraphQL text, with its place: `Name` — [spec](https://spec.graphql.org/September2025/#Name)
public struct Name: Sendable, Hashable, CustomStringConvertible {
  /// The characters of the name.
  public var value: String
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(_ value: String, span: SourceSpan = .none) {
    self.value = value
    self.span = span
  }

  /// The characters of the name.
  public var description: String { value }
}

extension Name: ExpressibleByStringLiteral {
  /// Builds a name of a string literal.
  public init(stringLiteral value: String) { self.init(value) }
}
