import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Makes one valid document of all files with operations and fragments.
enum DocumentLoader {
  static func load(
    _ sources: [Source], schema: Validated<Schema>, configuration: ApolloCodegenConfiguration
  ) -> Parsed<Validated<Document>?> {
    let blank = BlankSources(sources)
    var parserOptions = Parser.Options()
    parserOptions.maximumDepth = configuration.input.maximumDepth
    let documents = blank.others.map { Parser.parse($0, options: parserOptions) }
    var diagnostics = blank.notes + documents.flatMap(\.diagnostics)
    if documents.isEmpty, !sources.isEmpty {
      diagnostics.append(
        Diagnostic(
          .missingOperations, severity: .warning, "The operation files have no operations and no fragments.", at: .none,
          help: "Only the types of the schema are generated."))
    }
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    let document = Document(
      definitions: documents.flatMap(\.value.definitions), isParsed: documents.allSatisfy(\.value.isParsed))
    if let error = document.nestingError(deeperThan: configuration.input.maximumDepth) {
      var error = error
      error.help = "If that is right, raise \"maximumDepth\" of the configuration's \"input\"."
      return Parsed(nil, diagnostics: diagnostics + [error])
    }
    let directives = SchemaDirectives(schema.value)
    let context = ClientRule.Context(
      document: document, schema: schema.value, directives: directives,
      configuration: configuration.completed(by: schema.value))
    diagnostics += ClientRule.all.flatMap { $0.check(context) }
    var options = Validator.Options()
    options.maximumDepth = configuration.input.maximumDepth
    options.remove(.noUnusedFragments)
    options.remove(.loneAnonymousOperation)
    if configuration.warnsOfDeprecatedUsage { options.rules.append(.noDeprecated) }
    let validated = Validator.validate(
      document, against: ClientDefinitions.schemaForOperations(schema.value), options: options)
    diagnostics += directives.explaining(validated.diagnostics, in: document)
    if !diagnostics.hasErrors {
      diagnostics += directives.diagnostics(
        ofValid: document, notesMissingKeyFields: configuration.notesMissingKeyFields)
    }
    return Parsed(diagnostics.hasErrors ? nil : validated.value, diagnostics: diagnostics)
  }
}
