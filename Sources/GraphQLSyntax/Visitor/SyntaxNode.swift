/// A node of a syntax tree of any kind, for code that treats all kinds alike.
public enum SyntaxNode: Sendable, Hashable {
  case document(Document)
  case operation(OperationDefinition)
  case fragment(FragmentDefinition)
  case variableDefinition(VariableDefinition)
  case selectionSet(SelectionSet)
  case field(Field)
  case fragmentSpread(FragmentSpread)
  case inlineFragment(InlineFragment)
  case argument(Argument)
  case directive(Directive)
  case value(Value)
  case objectField(ObjectField)
  case type(TypeReference)
  /// The name of a type at a place where a list or `!` is not possible: a type condition, an interface, a member of a
  /// union, or a root type.
  case namedType(Name)
  case name(Name)
  /// A description.
  case string(StringValue)
  case schema(SchemaDefinition)
  case rootOperationType(RootOperationTypeDefinition)
  case typeDefinition(TypeDefinition)
  case fieldDefinition(FieldDefinition)
  case inputValueDefinition(InputValueDefinition)
  case enumValueDefinition(EnumValueDefinition)
  case directiveDefinition(DirectiveDefinition)

  /// Makes a node of a definition.
  public init(_ definition: Definition) {
    switch definition {
    case .operation(let operation): self = .operation(operation)
    case .fragment(let fragment): self = .fragment(fragment)
    case .schema(let schema): self = .schema(schema)
    case .type(let type): self = .typeDefinition(type)
    case .directive(let directive): self = .directiveDefinition(directive)
    }
  }

  /// Makes a node of a selection.
  public init(_ selection: Selection) {
    switch selection {
    case .field(let field): self = .field(field)
    case .fragmentSpread(let spread): self = .fragmentSpread(spread)
    case .inlineFragment(let fragment): self = .inlineFragment(fragment)
    }
  }

  /// The range of the node's text; ``SourceSpan/none`` if it was built in code. It is also `none` for a document, whose
  /// definitions have spans.
  public var span: SourceSpan {
    switch self {
    case .document: .none
    case .operation(let node): node.span
    case .fragment(let node): node.span
    case .variableDefinition(let node): node.span
    case .selectionSet(let node): node.span
    case .field(let node): node.span
    case .fragmentSpread(let node): node.span
    case .inlineFragment(let node): node.span
    case .argument(let node): node.span
    case .directive(let node): node.span
    case .value(let node): node.span
    case .objectField(let node): node.span
    case .type(let node): node.span
    case .namedType(let node): node.span
    case .name(let node): node.span
    case .string(let node): node.span
    case .schema(let node): node.span
    case .rootOperationType(let node): node.span
    case .typeDefinition(let node): node.span
    case .fieldDefinition(let node): node.span
    case .inputValueDefinition(let node): node.span
    case .enumValueDefinition(let node): node.span
    case .directiveDefinition(let node): node.span
    }
  }
}
