import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A default value that its type does not have.
  public static let invalidDefaultValue = Self("invalid-default-value")
}

extension TypeSystemRule {
  /// Default values have the type they are the default for.
  static let defaultValues = TypeSystemRule(
    "DefaultValues", section: "sec-Input-Objects.Type-Validation", reports: .invalidDefaultValue
  ) { schema in
    (schema.definedArguments + schema.definedInputFields).flatMap { input -> [Diagnostic] in
      guard let value = input.definition.defaultValue else { return [] }
      let context = ValidationContext(schema: schema, document: Document(definitions: []))
      let walker = DocumentWalker(context: context, visitors: [Rule.valuesOfCorrectType.makeVisitor()])
      walker.walk(value, at: InputPosition(type: walker.knownInputType(input.definition.type)))
      return context.diagnostics.map { problem in
        Diagnostic(
          .invalidDefaultValue, "\(input.text) has invalid default value: \(problem.message)", at: problem.span,
          help: problem.help)
      }
    }
  }
}
