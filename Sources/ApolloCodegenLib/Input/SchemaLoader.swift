import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Makes one schema of all schema files.
enum SchemaLoader {
  static func load(_ sources: [Source]) -> Parsed<Validated<Schema>?> {
    guard !sources.isEmpty else {
      return Parsed(nil, diagnostics: [Diagnostic(.missingSchema, "There is no schema file.", at: .none)])
    }
    let documents = sources.map { Parser.parse($0) }
    let diagnostics = documents.flatMap(\.diagnostics)
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    var options = SchemaValidator.Options()
    options.isLenient = true
    let checked = SchemaValidator.validate(
      documents.map(\.value) + [undeclaredDirectives(in: documents.map(\.value))], options: options)
    return Parsed(checked.value, diagnostics: diagnostics + checked.diagnostics)
  }

  /// The client's directives that the schema does not declare itself.
  private static func undeclaredDirectives(in documents: [Document]) -> Document {
    let declared = Set(
      documents.flatMap(\.definitions).compactMap { definition -> String? in
        if case .directive(let directive) = definition { directive.name.value } else { nil }
      })
    return Document(
      definitions: ClientDefinitions.forSchemas.definitions.filter { definition in
        if case .directive(let directive) = definition { !declared.contains(directive.name.value) } else { true }
      })
  }
}
