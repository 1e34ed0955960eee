/// A directive with its arguments, such as `@include(if: $a)`: `Directive : @ Name Arguments?` —
/// [spec](https://spec.graphql.org/September2025/#Directive)
public struct Directive: Sendable, Hashable {
  /// The name of the directive without its `@`.
  public var name: Name
  /// The arguments, in the order in which they are written.
  public var arguments: [Argument]
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(name: Name, arguments: [Argument] = [], span: SourceSpan = .none) {
    self.name = name
    self.arguments = arguments
    self.span = span
  }

  /// The value of the argument with a name; nil if it is not given.
  public func argument(_ name: String) -> Value? { arguments.first { $0.name.value == name }?.value }
}

/// An argument of a field or directive: `Argument : Name : Value` —
/// [spec](https://spec.graphql.org/September2025/#Argument)
public struct Argument: Sendable, Hashable {
  /// The name of the argument.
  public var name: Name
  /// The value of the argument.
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

extension Sequence<Directive> {
  /// The first directive with a name, which is given without its `@`; nil if there is none.
  public func first(named name: String) -> Directive? { first { $0.name.value == name } }
}
