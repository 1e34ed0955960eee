import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A deprecated argument or input field that clients cannot do without.
  public static let requiredDeprecated = Self("required-deprecated")
}

extension TypeSystemRule {
  /// What is required is not deprecated.
  static let requiredDeprecations = TypeSystemRule(
    "RequiredDeprecations", section: "sec--deprecated", reports: .requiredDeprecated
  ) { schema in
    let arguments = schema.definedArguments.map { ("argument", $0) }
    let fields = schema.definedInputFields.map { ("input field", $0) }
    return (arguments + fields).compactMap { kind, input in
      guard input.definition.isRequired, let directive = input.definition.directives.first(named: "deprecated")
      else { return nil }
      return Diagnostic(
        .requiredDeprecated, "Required \(kind) \(input.text) cannot be deprecated.", at: directive.span,
        labels: [.init("required by this type", at: input.definition.type.span)])
    }
  }
}
