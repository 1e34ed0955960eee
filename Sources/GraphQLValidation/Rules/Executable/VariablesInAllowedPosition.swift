import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A variable whose type does not fit where it is used.
  public static let variableTypeMismatch = Self("variable-type-mismatch")
}

extension Rule {
  /// Variables are used where values of their type may stand.
  /// — [spec](https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed)
  public static let variablesInAllowedPosition = Rule(
    "VariablesInAllowedPosition", section: "sec-All-Variable-Usages-Are-Allowed", reports: .variableTypeMismatch
  ) {
    VariablesInAllowedPositionVisitor()
  }
}

private final class VariablesInAllowedPositionVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    for (operation, usage) in context.usage.operations {
      check(context.usage.variables(of: usage), against: operation.variableDefinitions, context)
    }
    for fragment in context.document.fragments where !fragment.variableDefinitions.isEmpty {
      let usage = context.usage.fragments[fragment.name.value]
      check(usage?.ownVariables ?? [], against: fragment.variableDefinitions, context)
    }
  }

  private func check(
    _ usages: [VariableUsage], against definitions: [VariableDefinition], _ context: ValidationContext
  ) {
    let definitions = Dictionary(definitions.map { ($0.name.value, $0) }) { _, last in last }
    for variable in usages {
      guard let definition = definitions[variable.name] else { continue }
      check(variable, against: definition, context)
    }
  }

  private func check(_ variable: VariableUsage, against definition: VariableDefinition, _ context: ValidationContext) {
    guard let expected = variable.position.type, context.schema.type(of: definition.type) != nil else { return }
    let label = Diagnostic.Label("defined here", at: definition.span)
    if !isAllowed(definition, at: expected, hasDefault: variable.position.hasDefault, context.schema) {
      context.report(
        .variableTypeMismatch,
        "Variable \"$\(variable.name)\" of type \"\(definition.type)\" used in position expecting type \"\(expected)\".",
        at: variable.span, labels: [label])
    }
    if let object = variable.position.oneOf, !definition.type.isNonNull {
      context.report(
        .variableTypeMismatch,
        "Variable \"$\(variable.name)\" is of type \"\(definition.type)\" but must be non-nullable to be used for OneOf Input Object \"\(object.name)\".",
        at: variable.span, labels: [label])
    }
  }

  /// [IsVariableUsageAllowed](https://spec.graphql.org/September2025/#IsVariableUsageAllowed())
  private func isAllowed(
    _ variable: VariableDefinition, at expected: TypeReference, hasDefault: Bool, _ schema: Schema
  ) -> Bool {
    guard expected.isNonNull, !variable.type.isNonNull else { return schema.isSubtype(variable.type, of: expected) }
    let hasNonNullDefault = variable.defaultValue.map { !$0.isNull } ?? false
    guard hasNonNullDefault || hasDefault else { return false }
    var nullable = expected
    nullable.isNonNull = false
    return schema.isSubtype(variable.type, of: nullable)
  }
}
