import GraphQLSyntax

/// Leaves out of prepared selections what is meant for the generator, so that what is sent remains.
struct SentSelections {
  /// The names of the directives on fields that say how old they may be, or what their nulls mean.
  let unsentDirectives: Set<String>

  func sent(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    operation.variableDefinitions = operation.variableDefinitions.withoutBlockStrings
    operation.directives = operation.directives.withoutBlockStrings
    operation.selectionSet = sent(operation.selectionSet)
    // A server refuses an operation that asks for nothing.
    if operation.selectionSet.selections.isEmpty {
      operation.selectionSet.selections = [.field(Field(name: "__typename"))]
    }
    return operation
  }

  func sent(_ fragment: FragmentDefinition) -> FragmentDefinition {
    var fragment = fragment
    fragment.variableDefinitions = fragment.variableDefinitions.withoutBlockStrings
    fragment.directives = fragment.directives.withoutBlockStrings
    fragment.selectionSet = sent(fragment.selectionSet)
    return fragment
  }

  private func sent(_ selectionSet: SelectionSet) -> SelectionSet {
    SelectionSet(selectionSet.selections.compactMap(sent), span: selectionSet.span)
  }

  private func sent(_ selection: Selection) -> Selection? {
    switch selection {
    case .field(var field):
      if field.isLocal { return nil }
      if !field.arguments.isEmpty { field.arguments = field.arguments.withoutBlockStrings }
      if !field.directives.isEmpty { field.directives = sent(field.directives) }
      field.selectionSet = field.selectionSet.map(sent)
      return .field(field)
    case .inlineFragment(var fragment):
      if fragment.directives.first(named: KeyMark.keys) != nil { return nil }
      if !fragment.directives.isEmpty { fragment.directives = sent(fragment.directives) }
      fragment.selectionSet = sent(fragment.selectionSet)
      return fragment.selectionSet.selections.isEmpty ? nil : .inlineFragment(fragment)
    case .fragmentSpread(var spread):
      if !spread.arguments.isEmpty { spread.arguments = spread.arguments.withoutBlockStrings }
      if !spread.directives.isEmpty { spread.directives = sent(spread.directives) }
      return .fragmentSpread(spread)
    }
  }

  private func sent(_ directives: [Directive]) -> [Directive] {
    directives.filter { !isUnsent($0) }.withoutBlockStrings
  }

  private func isUnsent(_ directive: Directive) -> Bool {
    directive.name.value == KeyMark.added || unsentDirectives.contains(directive.name.value)
      || ListDirectives.names.contains(directive.name.value)
  }
}
