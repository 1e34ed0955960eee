import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A fragment on a type that the enclosing type never is.
  public static let impossibleFragment = Self("impossible-fragment")
}

extension Rule {
  /// Fragments apply to some object that the enclosing type can be.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragment-Spread-Is-Possible)
  public static let possibleFragmentSpreads = Rule(
    "PossibleFragmentSpreads", section: "sec-Fragment-Spread-Is-Possible", reports: .impossibleFragment
  ) {
    PossibleFragmentSpreadsVisitor()
  }
}

private final class PossibleFragmentSpreadsVisitor: RuleVisitor {
  func enter(_ spread: FragmentSpread, _ context: ValidationContext) {
    guard let fragment = context.fragments[spread.name.value] else { return }
    check(fragment.typeCondition, of: "Fragment \"\(spread.name)\"", at: spread.span, context)
  }

  func enter(_ fragment: InlineFragment, _ context: ValidationContext) {
    guard let condition = fragment.typeCondition else { return }
    check(condition, of: "Fragment", at: fragment.span, context)
  }

  private func check(_ condition: Name, of fragment: String, at span: SourceSpan, _ context: ValidationContext) {
    guard let parent = context.parentType, let type = context.schema.type(named: condition.value), type.isComposite,
      !context.schema.haveCommonPossibleType(type, parent)
    else { return }
    context.report(
      .impossibleFragment,
      "\(fragment) cannot be spread here as objects of type \"\(parent.name)\" can never be of type \"\(type.name)\".",
      at: span)
  }
}
