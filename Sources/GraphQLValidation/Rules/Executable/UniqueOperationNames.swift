import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second operation with the same name.
  public static let duplicateOperation = Self("duplicate-operation")
}

extension Rule {
  /// No two operations have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Operation-Name-Uniqueness)
  public static let uniqueOperationNames = Rule(
    "UniqueOperationNames", section: "sec-Operation-Name-Uniqueness", reports: .duplicateOperation
  ) {
    UniqueOperationNamesVisitor()
  }
}

private final class UniqueOperationNamesVisitor: RuleVisitor {
  private var names = UniqueNames()

  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard let name = operation.name, let first = names.insert(name) else { return }
    context.report(
      .duplicateOperation, "There can be only one operation named \"\(name)\".", at: name.span, labels: [.first(first)])
  }
}
