import GraphQLSyntax

extension Selection {
  /// The selections inside of it, other than those of a named fragment.
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
