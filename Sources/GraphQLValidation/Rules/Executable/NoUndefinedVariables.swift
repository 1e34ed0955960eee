import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A variable that the operation does not define.
  public static let undefinedVariable = Self("undefined-variable")
}

extension Rule {
  /// Every variable that an operation uses, also through its fragments, is one of its own.
  /// — [spec](https://spec.graphql.org/September2025/#sec-All-Variable-Uses-Defined)
  public static let noUndefinedVariables = Rule(
    "NoUndefinedVariables", section: "sec-All-Variable-Uses-Defined", reports: .undefinedVariable
  ) {
    NoUndefinedVariablesVisitor()
  }
}

private final class NoUndefinedVariablesVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    for (operation, usage) in context.usage.operations {
      let defined = Set(operation.variableDefinitions.map(\.name.value))
      let suffix = operation.name.map { " by operation \"\($0)\"" } ?? ""
      for variable in context.usage.variables(of: usage) where !defined.contains(variable.name) {
        context.report(
          .undefinedVariable, "Variable \"$\(variable.name)\" is not defined\(suffix).", at: variable.span,
          labels: [.init("in this operation", at: operation.span)],
          help: Suggestions.didYouMean(
            context.similar(to: variable.name, among: defined).map { "$" + $0 }))
      }
    }
  }
}
