/// `Name` — [spec](https://spec.graphql.org/September2025/#Name)
public struct Name: Sendable, Hashable, CustomStringConvertible {
  public var value: String
  @Uncompared public var span: SourceSpan

  public init(_ value: String, span: SourceSpan = .none) {
    self.value = value
    self.span = span
  }

  public var description: String { value }
}

extension Name: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}
