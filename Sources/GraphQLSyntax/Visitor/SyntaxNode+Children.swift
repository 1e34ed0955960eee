extension SyntaxNode {
  /// The nodes directly inside, in the order in which they are written.
  public var children: [SyntaxNode] {
    switch self {
    case .document(let node): node.definitions.map { SyntaxNode($0) }
    case .operation, .fragment, .variableDefinition, .selectionSet, .field, .fragmentSpread, .inlineFragment:
      executableChildren
    case .argument(let node): [.name(node.name), .value(node.value)]
    case .directive(let node): [.name(node.name)] + node.arguments.map { .argument($0) }
    case .value(let node): node.children
    case .objectField(let node): [.name(node.name), .value(node.value)]
    case .type(let node):
      switch node.kind {
      case .named(let name): [.name(name)]
      case .list(let element): [.type(element)]
      }
    case .namedType(let name): [.name(name)]
    case .name, .string: []
    case .schema, .rootOperationType, .typeDefinition, .fieldDefinition, .inputValueDefinition, .enumValueDefinition,
      .directiveDefinition:
      typeSystemChildren
    }
  }

  private var executableChildren: [SyntaxNode] {
    switch self {
    case .operation(let node):
      optional(node.description) + (node.name.map { [.name($0)] } ?? [])
        + node.variableDefinitions.map { .variableDefinition($0) } + each(node.directives)
        + [.selectionSet(node.selectionSet)]
    case .fragment(let node):
      optional(node.description) + [.name(node.name)] + node.variableDefinitions.map { .variableDefinition($0) }
        + [.namedType(node.typeCondition)] + each(node.directives) + [.selectionSet(node.selectionSet)]
    case .variableDefinition(let node):
      optional(node.description) + [.value(node.variable), .type(node.type)]
        + (node.defaultValue.map { [.value($0)] } ?? []) + each(node.directives)
    case .selectionSet(let node): node.selections.map { SyntaxNode($0) }
    case .field(let node):
      (node.alias.map { [.name($0)] } ?? []) + [.name(node.name)] + node.arguments.map { .argument($0) }
        + each(node.directives) + (node.selectionSet.map { [.selectionSet($0)] } ?? [])
    case .fragmentSpread(let node):
      [.name(node.name)] + node.arguments.map { .argument($0) } + each(node.directives)
    case .inlineFragment(let node):
      (node.typeCondition.map { [.namedType($0)] } ?? []) + each(node.directives) + [.selectionSet(node.selectionSet)]
    default: []
    }
  }

  private var typeSystemChildren: [SyntaxNode] {
    switch self {
    case .schema(let node):
      optional(node.description) + each(node.directives) + node.operationTypes.map { .rootOperationType($0) }
    case .rootOperationType(let node): [.namedType(node.type)]
    case .typeDefinition(let node):
      optional(node.description) + [.name(node.name)] + node.body.interfaces.map { .namedType($0) }
        + each(node.directives) + node.body.members
    case .fieldDefinition(let node):
      optional(node.description) + [.name(node.name)] + node.arguments.map { .inputValueDefinition($0) }
        + [.type(node.type)] + each(node.directives)
    case .inputValueDefinition(let node):
      optional(node.description) + [.name(node.name), .type(node.type)]
        + (node.defaultValue.map { [.value($0)] } ?? []) + each(node.directives)
    case .enumValueDefinition(let node):
      optional(node.description) + [.name(node.name)] + each(node.directives)
    case .directiveDefinition(let node):
      optional(node.description) + [.name(node.name)] + node.arguments.map { .inputValueDefinition($0) }
        + each(node.directives)
    default: []
    }
  }

  private func optional(_ description: StringValue?) -> [SyntaxNode] { description.map { [.string($0)] } ?? [] }

  private func each(_ directives: [Directive]) -> [SyntaxNode] { directives.map { .directive($0) } }
}

extension Value {
  fileprivate var children: [SyntaxNode] {
    switch kind {
    case .variable(let name): [.name(name)]
    case .list(let values): values.map { .value($0) }
    case .object(let fields): fields.map { .objectField($0) }
    case .int, .float, .string, .boolean, .null, .enum: []
    }
  }
}

extension VariableDefinition {
  /// The variable with its `$`, as a value.
  fileprivate var variable: Value {
    var span = name.span
    if span.start > 0 { span.start -= 1 }
    return Value(.variable(name), span: span)
  }
}

extension TypeDefinition.Body {
  fileprivate var members: [SyntaxNode] {
    switch self {
    case .scalar: []
    case .object(_, let fields), .interface(_, let fields): fields.map { .fieldDefinition($0) }
    case .union(let members): members.map { .namedType($0) }
    case .enum(let values): values.map { .enumValueDefinition($0) }
    case .inputObject(let fields): fields.map { .inputValueDefinition($0) }
    }
  }
}
