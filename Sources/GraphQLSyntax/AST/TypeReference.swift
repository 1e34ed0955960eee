/// A type that a field, argument or variable refers to: `Type : NamedType | ListType | NonNullType` —
/// [spec](https://spec.graphql.org/September2025/#Type)
public struct TypeReference: Sendable, Hashable {
  /// A named type or a list, without the `!` after it.
  public enum Kind: Sendable, Hashable {
    /// A named type, such as `Episode`.
    case named(Name)
    /// A list of a type, such as `[Episode]`.
    indirect case list(TypeReference)
  }

  /// The named type or the list.
  public var kind: Kind
  /// Whether a `!` follows, so that the value must not be null.
  public var isNonNull: Bool
  /// The range of the text; ``SourceSpan/none`` if the node was built in code. Equality does not compare it.
  @Uncompared public var span: SourceSpan

  /// Builds a node in code.
  public init(_ kind: Kind, isNonNull: Bool = false, span: SourceSpan = .none) {
    self.kind = kind
    self.isNonNull = isNonNull
    self.span = span
  }

  /// The named type inside of all lists.
  public var namedType: Name {
    var type = self
    while true {
      switch type.kind {
      case .named(let name): return name
      case .list(let element): type = element
      }
    }
  }
}

extension TypeReference: CustomStringConvertible {
  /// The type as it is written in GraphQL, such as `[Episode!]!`.
  public var description: String {
    let text =
      switch kind {
      case .named(let name): name.value
      case .list(let element): "[\(element.description)]"
      }
    return isNonNull ? text + "!" : text
  }
}
