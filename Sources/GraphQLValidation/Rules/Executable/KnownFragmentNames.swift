import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A spread of a fragment that is not defined.
  public static let unknownFragment = Self("unknown-fragment")
}

extension Rule {
  /// Fragments that are spread are defined.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragment-Spread-Target-Defined)
  public static let knownFragmentNames = Rule(
    "KnownFragmentNames", section: "sec-Fragment-Spread-Target-Defined", reports: .unknownFragment
  ) {
    KnownFragmentNamesVisitor()
  }
}

private final class KnownFragmentNamesVisitor: RuleVisitor {
  func enter(_ spread: FragmentSpread, _ context: ValidationContext) {
    guard context.fragments[spread.name.value] == nil else { return }
    let similar = context.similar(to: spread.name.value, among: context.fragments.keys)
    context.report(
      .unknownFragment, "Unknown fragment \"\(spread.name)\".", at: spread.name.span,
      help: Suggestions.didYouMean(similar))
  }
}
