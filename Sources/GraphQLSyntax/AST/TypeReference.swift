/// `Type : NamedType | ListType | NonNullType` — [spec](https://spec.graphql.org/September2025/#Type)
public struct TypeReference: Sendable, Hashable {
  /// What may be null or not.
  public enum Kind: Sendable, Hashable {
    case named(Name)
    indirect case list(TypeReference)
  }

  public var kind: Kind
  /// Whether a `!` follows.
  public var isNonNull: Bool
  @Uncompared public var span: SourceSpan

  public init(_ kind: Kind, isNonNull: Bool = false, span: SourceSpan = .none) {
    self.kind = kind
    self.isNonNull = isNonNull
    self.span = span
  }

  /// The name inside all lists.
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
  /// The type as it is written, such as `[Episode!]!`.
  public var description: String {
    let text =
      switch kind {
      case .named(let name): name.value
      case .list(let element): "[\(element.description)]"
      }
    return isNonNull ? text + "!" : text
  }
}
