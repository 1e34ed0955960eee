import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A variable that nothing uses.
  public static let unusedVariable = Self("unused-variable")
}

extension Rule {
  /// Every variable of an operation is used, by itself or by its fragments.
  /// — [spec](https://spec.graphql.org/September2025/#sec-All-Variables-Used)
  public static let noUnusedVariables = Rule(
    "NoUnusedVariables", section: "sec-All-Variables-Used", reports: .unusedVariable
  ) {
    NoUnusedVariablesVisitor()
  }
}

private final class NoUnusedVariablesVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    for (operation, usage) in context.usage.operations where !operation.variableDefinitions.isEmpty {
      let used = Set(context.usage.variables(of: usage).map(\.name))
      let suffix = operation.name.map { " in operation \"\($0)\"" } ?? ""
      for variable in operation.variableDefinitions where !used.contains(variable.name.value) {
        context.report(
          .unusedVariable, "Variable \"$\(variable.name)\" is never used\(suffix).", at: variable.span)
      }
    }
    for fragment in context.document.fragments where !fragment.variableDefinitions.isEmpty {
      let used = Set(context.usage.fragments[fragment.name.value]?.ownVariables.map(\.name) ?? [])
      for variable in fragment.variableDefinitions where !used.contains(variable.name.value) {
        context.report(
          .unusedVariable, "Variable \"$\(variable.name)\" is never used in fragment \"\(fragment.name)\".",
          at: variable.span)
      }
    }
  }
}
