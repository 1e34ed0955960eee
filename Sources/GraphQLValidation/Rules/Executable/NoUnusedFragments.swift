import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A fragment that no operation uses.
  public static let unusedFragment = Self("unused-fragment")
}

extension Rule {
  /// Every fragment is used by an operation.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used)
  public static let noUnusedFragments = Rule(
    "NoUnusedFragments", section: "sec-Fragments-Must-Be-Used", reports: .unusedFragment
  ) {
    NoUnusedFragmentsVisitor()
  }
}

private final class NoUnusedFragmentsVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    let spreads = context.usage.operations.flatMap(\.usage.spreads)
    let used = Set(context.usage.reachableFragments(from: spreads))
    for fragment in document.fragments where !used.contains(fragment.name.value) {
      context.report(.unusedFragment, "Fragment \"\(fragment.name)\" is never used.", at: fragment.span)
    }
  }
}
