import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second argument with the same name.
  public static let duplicateArgument = Self("duplicate-argument")
}

extension Rule {
  /// No two arguments of a field or directive have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Argument-Uniqueness)
  public static let uniqueArgumentNames = Rule(
    "UniqueArgumentNames", section: "sec-Argument-Uniqueness", reports: .duplicateArgument
  ) {
    UniqueArgumentNamesVisitor()
  }
}

private final class UniqueArgumentNamesVisitor: RuleVisitor {
  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext) {
    guard arguments.count > 1 else { return }
    for duplicate in duplicates(in: arguments.map(\.name)) {
      context.report(
        .duplicateArgument, "There can be only one argument named \"\(duplicate.name)\".", at: duplicate.span,
        labels: duplicate.labels)
    }
  }
}
