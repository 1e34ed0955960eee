import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second fragment with the same name.
  public static let duplicateFragment = Self("duplicate-fragment")
}

extension Rule {
  /// No two fragments have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragment-Name-Uniqueness)
  public static let uniqueFragmentNames = Rule(
    "UniqueFragmentNames", section: "sec-Fragment-Name-Uniqueness", reports: .duplicateFragment
  ) {
    UniqueFragmentNamesVisitor()
  }
}

private final class UniqueFragmentNamesVisitor: RuleVisitor {
  private var names = UniqueNames()

  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext) {
    guard let first = names.insert(fragment.name) else { return }
    context.report(
      .duplicateFragment, "There can be only one fragment named \"\(fragment.name)\".", at: fragment.name.span,
      labels: [.first(first)])
  }
}
