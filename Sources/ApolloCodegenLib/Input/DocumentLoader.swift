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
    options.remove(.deferStreamDirectiveLabel)
    if configuration.warnsOfDeprecatedUsage { options.rules.append(.noDeprecated) }
    let schemaForOperations = ClientDefinitions.schemaForOperations(schema.value)
    let validated = Validator.validate(document, against: schemaForOperations, options: options)
    options.rules = [.deferStreamDirectiveLabel]
    // Most of what is found in all documents together may not be wrong in any operation.
    options.maximumDiagnostics = .max
    diagnostics += directives.explaining(validated.diagnostics, in: document)
    diagnostics += wrongLabels(in: document, schemaForOperations, options)
    if !diagnostics.hasErrors {
      diagnostics += directives.diagnostics(
        ofValid: document, notesMissingKeyFields: configuration.notesMissingKeyFields)
    }
    return Parsed(diagnostics.hasErrors ? nil : validated.value, diagnostics: diagnostics)
  }

  /// Labels of deferred fragments that are not fixed names, or that are in one request twice. Operations in one project
  /// may have equal labels: each is sent by itself, with its fragments.
  private static func wrongLabels(
    in document: Document, _ schema: Schema, _ options: Validator.Options
  ) -> [Diagnostic] {
    func check(_ document: Document) -> [Diagnostic] {
      Validator.validate(document, against: schema, options: options).diagnostics
    }
    let found = check(document)
    guard found.contains(where: \.isRepeatedLabel) else { return found }
    var places: Set<SourceSpan> = []
    let repeated = document.separatedByOperation().flatMap { check($0.document).filter(\.isRepeatedLabel) }
    return found.filter { !$0.isRepeatedLabel } + repeated.filter { places.insert($0.span).inserted }
  }
}

extension Diagnostic {
  /// Whether it is of a label that another one equals, which it points to.
  fileprivate var isRepeatedLabel: Bool { code == .invalidIncrementalLabel && !labels.isEmpty }
}
