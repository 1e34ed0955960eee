/// A whole GraphQL text: `Document : Definition+` — [spec](https://spec.graphql.org/September2025/#Document)
public struct Document: Sendable, Hashable {
  /// The definitions, in the order in which they are written.
  public var definitions: [Definition] { didSet { isParsed = false } }
  /// The text that the document was parsed from; nil if it was built in code or joined of several texts. Equality does
  /// not compare it.
  @Uncompared public var source: Source?
  /// Whether all definitions are as the parser has made them, so that each name is one. Equality does not compare it.
  @Uncompared package private(set) var isParsed = false

  /// Builds a document in code.
  ///
  /// - Parameters:
  ///   - definitions: The definitions.
  ///   - source: The text that they come from. nil, the default: none.
  public init(definitions: [Definition], source: Source? = nil) {
    self.definitions = definitions
    self.source = source
  }

  /// A document of definitions that the parser has made, if they were not changed since.
  package init(definitions: [Definition], source: Source? = nil, isParsed: Bool) {
    self.init(definitions: definitions, source: source)
    self.isParsed = isParsed
  }

  /// The operations of the document, in order.
  public var operations: some Sequence<OperationDefinition> {
    definitions.lazy.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
  }

  /// The fragments of the document, in order.
  public var fragments: some Sequence<FragmentDefinition> {
    definitions.lazy.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
  }
}

/// One definition of a document: `Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension` —
/// [spec](https://spec.graphql.org/September2025/#Definition)
///
/// An extension is a definition whose `isExtension` is true.
public enum Definition: Sendable, Hashable {
  /// An operation.
  case operation(OperationDefinition)
  /// A named fragment.
  case fragment(FragmentDefinition)
  /// A schema definition or extension.
  case schema(SchemaDefinition)
  /// A type definition or extension.
  case type(TypeDefinition)
  /// A directive definition.
  case directive(DirectiveDefinition)

  /// The range of the definition's text; ``SourceSpan/none`` if it was built in code.
  public var span: SourceSpan {
    switch self {
    case .operation(let definition): definition.span
    case .fragment(let definition): definition.span
    case .schema(let definition): definition.span
    case .type(let definition): definition.span
    case .directive(let definition): definition.span
    }
  }

  /// Whether a server can execute it: true for operations and fragments.
  public var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .type, .directive: false
    }
  }
}
