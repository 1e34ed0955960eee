/// `Directive : @ Name Arguments?` — [spec](https://spec.graphql.org/September2025/#Directive)
public struct Directive: Sendable, Hashable {
  public var name: Name
  public var arguments: [Argument]
  @Uncompared public var span: SourceSpan

  public init(name: Name, arguments: [Argument] = [], span: SourceSpan = .none) {
    self.name = name
    self.arguments = arguments
    self.span = span
  }

  /// The value of the argument with this name, or `nil` when it is not given.
  public func argument(_ name: String) -> Value? { arguments.first { $0.name.value == name }?.value }
}

/// `Argument : Name : Value` — [spec](https://spec.graphql.org/September2025/#Argument)
public struct Argument: Sendable, Hashable {
  public var name: Name
  public var value: Value
  @Uncompared public var span: SourceSpan

  public init(name: Name, value: Value, span: SourceSpan = .none) {
    self.name = name
    self.value = value
    self.span = span
  }
}

extension Sequence<Directive> {
  /// The first directive with this name, without its `@`.
  public func first(named name: String) -> Directive? { first { $0.name.value == name } }
}
