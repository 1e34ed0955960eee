import GraphQLSyntax

/// Leaves out of prepared selections what is meant for the generator, so that what is sent remains.
struct SentSelections {
  /// Directives that say how old fields may be.
  let ageDirectives: Set<String>
  /// Directives that change lists of the cache.
  let listDirectives: ListDirectives

  func sent(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    let local = listDirectives.localVariables(of: operation)
    operation.variableDefinitions.removeAll { local.contains($0.name.value) }
    operation.selectionSet = sent(operation.selectionSet)
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
      if !field.directives.isEmpty { field.directives.removeAll { isUnsent($0) } }
      field.selectionSet = field.selectionSet.map(sent)
      return .field(field)
    case .inlineFragment(var fragment):
      if fragment.directives.first(named: KeyMark.keys) != nil { return nil }
      if !fragment.directives.isEmpty { fragment.directives.removeAll { $0.name.value == KeyMark.added } }
      fragment.selectionSet = sent(fragment.selectionSet)
      return .inlineFragment(fragment)
    case .fragmentSpread: return selection
    }
  }

  private func isUnsent(_ directive: Directive) -> Bool {
    directive.name.value == KeyMark.added || ageDirectives.contains(directive.name.value)
      || ListDirectives.names.contains(directive.name.value)
  }
}
