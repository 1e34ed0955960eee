import GraphQLSyntax

extension ClientRule {
  /// A deferred fragment has a name for its property: the fragment's name, its type, or its label.
  static let nameableDeferredFragments = ClientRule { context in
    var diagnostics: [Diagnostic] = []
    func check(_ selectionSet: SelectionSet) {
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field): field.selectionSet.map(check)
        case .fragmentSpread: break
        case .inlineFragment(let fragment):
          check(fragment.selectionSet)
          guard fragment.typeCondition == nil, let directive = fragment.directives.first(named: "defer") else {
            continue
          }
          if case .string(let label)? = directive.argument("label")?.kind, !label.value.isEmpty { continue }
          diagnostics.append(
            Diagnostic(
              .unnamedDeferredFragment, "This deferred fragment has no name by which code could refer to it.",
              at: directive.span, help: #"Give it a label: @defer(label: "details")."#))
        }
      }
    }
    for operation in context.document.operations { check(operation.selectionSet) }
    for fragment in context.document.fragments { check(fragment.selectionSet) }
    return diagnostics
  }
}
