import GraphQLSchema
import GraphQLSyntax

/// Walks a document once for all rules, and keeps track of the types along the way.
struct DocumentWalker {
  let context: ValidationContext
  let visitors: [any RuleVisitor]

  func walk() {
    let document = context.document
    for visitor in visitors { visitor.enter(document, context) }
    for definition in document.definitions {
      for visitor in visitors { visitor.enter(definition, context) }
      switch definition {
      case .operation(let operation): walk(operation)
      case .fragment(let fragment): walk(fragment)
      case .schema(let schema): walk(schema)
      case .type(let type): walk(type)
      case .directive(let directive): walk(directive)
      }
    }
    for visitor in visitors { visitor.leave(document, context) }
  }

  // MARK: - Executable definitions

  func walk(_ operation: OperationDefinition) {
    context.usage.begin()
    context.operation = operation
    for visitor in visitors { visitor.enter(operation, context) }
    for variable in operation.variableDefinitions { walk(variable, at: .variableDefinition) }
    walk(operation.directives, at: operation.operation.directiveLocation)
    let root = context.schema.rootType(for: operation.operation).map(NamedType.object)
    walk(operation.selectionSet, on: root)
    context.operation = nil
    context.usage.end(operation)
  }

  func walk(_ variable: VariableDefinition, at location: DirectiveLocation) {
    for visitor in visitors { visitor.enter(variable, context) }
    walk(variable.type)
    if let value = variable.defaultValue { walk(value, at: InputPosition(type: knownInputType(variable.type))) }
    walk(variable.directives, at: location)
  }

  func walk(_ fragment: FragmentDefinition) {
    context.usage.begin()
    for visitor in visitors { visitor.enter(fragment, context) }
    for variable in fragment.variableDefinitions { walk(variable, at: .fragmentVariableDefinition) }
    walk(typeName: fragment.typeCondition)
    walk(fragment.directives, at: .fragmentDefinition)
    walk(fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value))
    context.usage.end(fragment)
  }

  // MARK: - Selections
  //
  // Selections nest, so what recurses here is kept apart from what does the work: the frames of the latter, which are
  // large, are gone from the stack when the walk goes deeper.

  /// Walks selections on a type. A type that is not composite has been reported; nothing is known inside of it.
  @inline(never)
  func walk(_ selectionSet: SelectionSet, on type: NamedType?) {
    let enclosingType = context.parentType
    context.parentType = type?.isComposite == true ? type : nil
    visit(selectionSet)
    for selection in selectionSet.selections { walk(selection) }
    context.parentType = enclosingType
  }

  @inline(never)
  private func walk(_ selection: Selection) {
    switch selection {
    case .field(let field):
      let enclosingField = context.field
      visit(field)
      if let selectionSet = field.selectionSet {
        walk(selectionSet, on: context.field.flatMap { context.schema.type(of: $0.type) })
      }
      context.field = enclosingField
    case .fragmentSpread(let spread): visit(spread)
    case .inlineFragment(let fragment):
      visit(fragment)
      let type = fragment.typeCondition.map { context.schema.type(named: $0.value) } ?? context.parentType
      walk(fragment.selectionSet, on: type)
    }
  }

  @inline(never)
  private func visit(_ selectionSet: SelectionSet) {
    for visitor in visitors { visitor.enter(selectionSet, context) }
  }

  @inline(never)
  private func visit(_ field: Field) {
    let definition = context.parentType.flatMap { context.schema.field(named: field.name.value, on: $0) }
    context.field = definition
    for visitor in visitors { visitor.enter(field, context) }
    if let definition, let parent = context.parentType {
      let owner = ArgumentOwner(
        kind: .field(name: definition.name.value, type: parent.name), definitions: definition.arguments,
        span: field.span)
      walk(field.arguments, of: owner)
    } else {
      walk(field.arguments, of: nil)
    }
    walk(field.directives, at: .field)
  }

  @inline(never)
  private func visit(_ spread: FragmentSpread) {
    context.usage.insert(spread)
    for visitor in visitors { visitor.enter(spread, context) }
    let fragment = context.fragments[spread.name.value]
    if !spread.arguments.isEmpty || fragment?.variableDefinitions.isEmpty == false {
      walk(spread.arguments, of: fragment.map { ArgumentOwner(spread, $0) })
    }
    walk(spread.directives, at: .fragmentSpread)
  }

  @inline(never)
  private func visit(_ fragment: InlineFragment) {
    for visitor in visitors { visitor.enter(fragment, context) }
    if let condition = fragment.typeCondition { walk(typeName: condition) }
    walk(fragment.directives, at: .inlineFragment)
  }
}

extension OperationType {
  var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}
