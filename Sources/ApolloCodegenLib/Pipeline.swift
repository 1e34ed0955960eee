public import ApolloIR
public import ApolloSwiftRenderer
public import GraphQLSchema
public import GraphQLSyntax
public import GraphQLValidation

/// The stages of the generator, from texts to texts. Nothing here touches a file.
///
/// 1. ``schema(from:)``: sources → schema
/// 2. ``document(from:schema:configuration:)``: sources → valid document
/// 3. ``Program/init(lowering:schema:)``: document → shapes
/// 4. ``render(_:sources:options:)``: shapes → Swift
///
/// Each stage reports what is wrong, and the next is not reached if that makes its input useless.
public enum Pipeline {
  /// All stages.
  public static func generate(
    schema schemaSources: [Source], operations operationSources: [Source], configuration: ApolloCodegenConfiguration
  ) -> Parsed<GeneratedCode?> {
    var clock = StageClock()
    return generate(schemaSources, operationSources, configuration, &clock)
  }

  /// - Parameter paths: Where the sources stand; nil if their names say it.
  static func generate(
    _ schemaSources: [Source], _ operationSources: [Source], paths: [Source.ID: String]? = nil,
    _ configuration: ApolloCodegenConfiguration, _ clock: inout StageClock
  ) -> Parsed<GeneratedCode?> {
    let checked = check(schemaSources, operationSources, configuration, &clock)
    guard let (schema, document) = checked.value else { return Parsed(nil, diagnostics: checked.diagnostics) }
    let program = clock.measure("lower") {
      Program(
        lowering: document, schema: schema,
        isCompatibleWithLegacySafelists: configuration.isCompatibleWithLegacySafelists,
        // Names depend on all types, so that both parts have to know them.
        includesAllTypes: configuration.output.part != .all)
    }
    let code = clock.measure("render") {
      render(program, sources: operationSources, paths: paths, options: configuration.effectiveRendering)
    }
    return Parsed(code, diagnostics: checked.diagnostics + code.diagnostics)
  }

  /// The stages that look for mistakes.
  public static func check(
    schema schemaSources: [Source], operations operationSources: [Source], configuration: ApolloCodegenConfiguration
  ) -> Parsed<(schema: Schema, document: Validated<Document>)?> {
    var clock = StageClock()
    return check(schemaSources, operationSources, configuration, &clock)
  }

  static func check(
    _ schemaSources: [Source], _ operationSources: [Source], _ configuration: ApolloCodegenConfiguration,
    _ clock: inout StageClock
  ) -> Parsed<(schema: Schema, document: Validated<Document>)?> {
    let schema = clock.measure("schema") { Self.schema(from: schemaSources) }
    guard let validSchema = schema.value else { return Parsed(nil, diagnostics: schema.diagnostics) }
    let document = clock.measure("validate") {
      Self.document(from: operationSources, schema: validSchema, configuration: configuration)
    }
    let diagnostics = schema.diagnostics + document.diagnostics
    guard let validDocument = document.value else { return Parsed(nil, diagnostics: diagnostics) }
    return Parsed((validSchema.value, validDocument), diagnostics: diagnostics)
  }

  /// Makes a schema of SDL or introspection results. Defects that real schemas have are warnings.
  public static func schema(from sources: [Source]) -> Parsed<Validated<Schema>?> { SchemaLoader.load(sources) }

  /// A schema as a document in the schema definition language, without what the client adds to it.
  public static func schemaText(_ schema: Validated<Schema>, of sources: [Source], isSorted: Bool = false) -> String {
    let schema = SchemaLoader.withoutClientDefinitions(schema.value, sources)
    return SchemaPrinter.print(isSorted ? schema.sortedByName() : schema) + "\n"
  }

  /// Parses and validates operations and fragments, which are checked as one document: a fragment of one file may be
  /// used in another.
  public static func document(
    from sources: [Source], schema: Validated<Schema>, configuration: ApolloCodegenConfiguration
  ) -> Parsed<Validated<Document>?> {
    let documents = sources.map { Parser.parse($0) }
    var diagnostics = documents.flatMap(\.diagnostics)
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    let document = Document(definitions: documents.flatMap(\.value.definitions))
    let context = ClientRule.Context(
      document: document, sources: sources, schema: schema.value, configuration: configuration)
    diagnostics += ClientRule.all.flatMap { $0.check(context) }
    diagnostics += SendableInputs(schema: schema.value, scalars: configuration.rendering.customScalars).check(document)
    var options = Validator.Options()
    options.remove(.noUnusedFragments)
    options.remove(.loneAnonymousOperation)
    options.clientDefinitions = ClientDefinitions.forOperations
    if configuration.warnsOfDeprecatedUsage { options.rules.append(.noDeprecated) }
    let validated = Validator.validate(document, against: schema.value, options: options)
    diagnostics += validated.diagnostics
    return Parsed(diagnostics.hasErrors ? nil : validated.value, diagnostics: diagnostics)
  }

  /// Writes one Swift file for each source, and one for the schema's types.
  public static func render(_ program: Program, sources: [Source], options: RenderingOptions) -> GeneratedCode {
    render(program, sources: sources, paths: nil, options: options)
  }

  static func render(
    _ program: Program, sources: [Source], paths: [Source.ID: String]?, options: RenderingOptions
  ) -> GeneratedCode {
    let renderer = SwiftRenderer(program, options: options)
    let operations = Dictionary(grouping: program.operations, by: \.source)
    let fragments = Dictionary(grouping: program.fragments, by: \.source)
    let schema = renderer.schemaFile()
    let files = sources.map { source in
      renderer.file(
        operations: operations[source.id] ?? [], fragments: fragments[source.id] ?? [],
        from: source.name.lastPathComponent)
    }
    let names = DocumentFileNames.names(of: sources.map { paths?[$0.id] ?? $0.name })
    let documents = sources.indices.map { index in
      GeneratedCode.DocumentFile(
        source: sources[index].id, file: GeneratedFile(name: names[index], text: files[index].text))
    }
    return GeneratedCode(
      schema: GeneratedFile(name: DocumentFileNames.schema, text: schema.text), documents: documents,
      mocks: renderer.mockFiles().map { GeneratedFile(name: $0.name, text: $0.text) },
      editable: renderer.editableFiles().map { GeneratedFile(name: $0.name, text: $0.text) },
      parts: [schema] + files, diagnostics: [Diagnostic](namesOfLibraries: renderer.namesOfLibraries),
      manifest: OperationManifest(program), operationCount: program.operations.count,
      fragmentCount: program.fragments.count)
  }
}

/// Swift files, not yet written.
public struct GeneratedCode: Sendable {
  public struct DocumentFile: Sendable {
    /// The `.graphql` file.
    public var source: Source.ID
    public var file: GeneratedFile
  }

  public var schema: GeneratedFile
  public var documents: [DocumentFile]
  /// Mocks of the schema's object types, if they were asked for.
  public var mocks: [GeneratedFile]
  /// Files that people change, written once.
  public var editable: [GeneratedFile]
  /// The schema's types, and what stands in the documents.
  let parts: [SwiftFile]
  /// What is to be known about names in the code.
  let diagnostics: [Diagnostic]
  public var manifest: OperationManifest
  public var operationCount: Int
  public var fragmentCount: Int

  /// All in one file.
  var joined: String { SwiftFile.joining(parts).text }
}

public struct GeneratedFile: Sendable {
  public var name: String
  public var text: String
}

extension String {
  /// The name of a file, without its folders.
  var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
