/// `Document : Definition+` — [spec](https://spec.graphql.org/September2025/#Document)
public struct Document: Sendable, Hashable {
  public var definitions: [Definition]
  /// The text that this was parsed from; `nil` when it was built in code or put together from several texts.
  @Uncompared public var source: Source?

  public init(definitions: [Definition], source: Source? = nil) {
    self.definitions = definitions
    self.source = source
  }

  /// The operations, in order.
  public var operations: some Sequence<OperationDefinition> {
    definitions.lazy.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
  }

  /// The fragments, in order.
  public var fragments: some Sequence<FragmentDefinition> {
    definitions.lazy.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
  }
}

/// `Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension`
/// — [spec](https://spec.graphql.org/September2025/#Definition)
///
/// An extension is the definition it extends with with `isExtension` set.
public enum Definition: Sendable, Hashable {
  case operation(OperationDefinition)
  case fragment(FragmentDefinition)
  case schema(SchemaDefinition)
  case type(TypeDefinition)
  case directive(DirectiveDefinition)

  public var span: SourceSpan {
    switch self {
    case .operation(let definition): definition.span
    case .fragment(let definition): definition.span
    case .schema(let definition): definition.span
    case .type(let definition): definition.span
    case .directive(let definition): definition.span
    }
  }

  /// Whether a client can execute it: operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
