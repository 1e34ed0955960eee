import GraphQLSyntax

extension Selection {
  /// The selection set of a field or an inline fragment; nil for a fragment spread.
  var selectionSet: SelectionSet? {
    switch self {
    case .field(let field): field.selectionSet
    case .inlineFragment(let fragment): fragment.selectionSet
    case .fragmentSpread: nil
    }
  }
}

extension SelectionSet {
  /// Whether a selection, or one inside of it, satisfies a condition. Named fragments are not entered.
  func contains(where condition: (Selection) -> Bool) -> Bool {
    selections.contains { condition($0) || $0.selectionSet?.contains(where: condition) == true }
  }
}
