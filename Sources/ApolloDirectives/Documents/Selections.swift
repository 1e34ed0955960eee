package import GraphQLSyntax

extension Selection {
  /// The selection set of a field or an inline fragment; nil for a fragment spread.
  package var selectionSet: SelectionSet? {
    switch self {
    case .field(let field): field.selectionSet
    case .inlineFragment(let fragment): fragment.selectionSet
    case .fragmentSpread: nil
    }
  }
}

extension SelectionSet {
  /// The selections with all fields changed, also those of objects. Named fragments are not entered.
  func mapFields(_ change: (inout Field) -> Void) -> SelectionSet {
    SelectionSet(
      selections.map { selection in
        switch selection {
        case .field(var field):
          field.selectionSet = field.selectionSet?.mapFields(change)
          change(&field)
          return .field(field)
        case .inlineFragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.mapFields(change)
          return .inlineFragment(fragment)
        case .fragmentSpread: return selection
        }
      }, span: span)
  }

  /// Whether a selection, or one inside of it, satisfies a condition. Named fragments are not entered.
  func contains(where condition: (Selection) -> Bool) -> Bool {
    selections.contains { condition($0) || $0.selectionSet?.contains(where: condition) == true }
  }
}

extension Document {
  /// The directives of operations and fragments, and those of their selections.
  var executableDirectives: [Directive] {
    func directives(in selectionSet: SelectionSet) -> [Directive] {
      selectionSet.selections.flatMap { selection in
        selection.directives + (selection.selectionSet.map { directives(in: $0) } ?? [])
      }
    }
    let ofOperations = operations.flatMap { $0.directives + directives(in: $0.selectionSet) }
    return ofOperations + fragments.flatMap { $0.directives + directives(in: $0.selectionSet) }
  }
}
