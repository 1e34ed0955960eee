import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A variable whose type cannot be given by a client.
  public static let variableOfOutputType = Self("variable-of-output-type")
}

extension Rule {
  /// Variables have types that a client can give values of.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types)
  public static let variablesAreInputTypes = Rule(
    "VariablesAreInputTypes", section: "sec-Variables-Are-Input-Types", reports: .variableOfOutputType
  ) {
    VariablesAreInputTypesVisitor()
  }
}

private final class VariablesAreInputTypesVisitor: RuleVisitor {
  func enter(_ variable: VariableDefinition, _ context: ValidationContext) {
    guard let type = context.schema.type(of: variable.type), !type.isInput else { return }
    context.report(
      .variableOfOutputType, "Variable \"$\(variable.name)\" cannot be non-input type \"\(variable.type)\".",
      at: variable.type.span)
  }
}
