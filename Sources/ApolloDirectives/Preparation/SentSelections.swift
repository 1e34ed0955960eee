import GraphQLSyntax

/// Leaves out of prepared selections what is meant for the generator, so that what is sent remains.
struct SentSelections {
  /// The names of the directives on fields that say how old they may be, or what their nulls mean.
  let unsentDirectives: Set<String>
  /// The variables of an operation that only the client uses.
  let localVariables: LocalVariables

  func sent(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    let local = localVariables.of(operation)
    operation.variableDefinitions.removeAll { local.contains($0.name.value) }
    operation.selectionSet = sent(operation.selectionSet)
    // A server refuses an operation that asks for nothing.
    if operation.selectionSet.selections.isEmpty {
      operation.selectionSet.selections = [.field(Field(name: "__typename"))]
    }
    return operation
  }

  func sent(_ fragment: FragmentDefinition) -> FragmentDefinition {
    var fragment = fragment
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
      if !field.directives.isEmpty { field.directives.removeAll { isUnsent($0) } }
      field.selectionSet = field.selectionSet.map(sent)
      return .field(field)
    case .inlineFragment(var fragment):
      if fragment.directives.first(named: KeyMark.keys) != nil { return nil }
      if !fragment.directives.isEmpty { fragment.directives.removeAll { isUnsent($0) } }
      fragment.selectionSet = sent(fragment.selectionSet)
      return fragment.selectionSet.selections.isEmpty ? nil : .inlineFragment(fragment)
    case .fragmentSpread(var spread):
      if spread.directives.isEmpty { return selection }
      spread.directives.removeAll { isUnsent($0) }
      return .fragmentSpread(spread)
    }
  }

  private func isUnsent(_ directive: Directive) -> Bool {
    directive.name.value == KeyMark.added || unsentDirectives.contains(directive.name.value)
      || ListDirectives.names.contains(directive.name.value)
  }
}
