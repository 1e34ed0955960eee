import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second variable with the same name.
  public static let duplicateVariable = Self("duplicate-variable")
}

extension Rule {
  /// No two variables of an operation have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Variable-Uniqueness)
  public static let uniqueVariableNames = Rule(
    "UniqueVariableNames", section: "sec-Variable-Uniqueness", reports: .duplicateVariable
  ) {
    UniqueVariableNamesVisitor()
  }
}

private final class UniqueVariableNamesVisitor: RuleVisitor {
  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    check(operation.variableDefinitions, context)
  }

  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext) {
    check(fragment.variableDefinitions, context)
  }

  private func check(_ variables: [VariableDefinition], _ context: ValidationContext) {
    for duplicate in duplicates(in: variables.map(\.name)) {
      context.report(
        .duplicateVariable, "There can be only one variable named \"$\(duplicate.name)\".",
        at: duplicate.span, labels: duplicate.labels)
    }
  }
}
