public import ApolloIR
public import ApolloSwiftRenderer
public import GraphQLSchema
public import GraphQLSyntax
public import GraphQLValidation

/// The stages of the generator, from texts to texts. It reads and writes no files.
///
/// 1. ``schema(from:)``: sources → schema
/// 2. ``document(from:schema:configuration:)``: sources → valid document
/// 3. lowering: document → shapes
/// 4. ``render(_:sources:options:)``: shapes → Swift
///
/// Each stage reports what is wrong. If that makes the input of the next stage useless, the next stage does not run.
public enum Pipeline {
  /// Runs all stages. The value is nil if there are errors.
  public static func generate(
    schema schemaSources: [Source], operations operationSources: [Source], configuration: ApolloCodegenConfiguration
  ) -> Parsed<GeneratedCode?> {
    var clock = StageClock()
    return generate(schemaSources, operationSources, configuration, &clock)
  }

  /// Runs all stages. The value is nil if there are errors.
  ///
  /// - Parameters:
  ///   - schemaSources: The texts of the schema.
  ///   - operationSources: The texts with operations and fragments.
  ///   - paths: The paths of the sources; nil if their names are their paths.
  ///   - configuration: What to generate.
  ///   - clock: Measures the stages.
  /// - Returns: The code, and what is wrong.
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
        // Names depend on all types, so both parts must know all of them.
        includesAllTypes: configuration.output.part != .all)
    }
    let code = clock.measure("render") {
      render(program, sources: operationSources, paths: paths, options: configuration.effectiveRendering)
    }
    return Parsed(code, diagnostics: checked.diagnostics + code.diagnostics)
  }

  /// Runs the stages that check the schema and the operations. The value is nil if there are errors.
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

  /// Makes a schema of SDL or of introspection results. Defects that are common in real schemas are warnings.
  public static func schema(from sources: [Source]) -> Parsed<Validated<Schema>?> { SchemaLoader.load(sources) }

  /// Writes a schema in the schema definition language, without the definitions that the client adds.
  public static func schemaText(_ schema: Validated<Schema>, of sources: [Source], isSorted: Bool = false) -> String {
    let schema = SchemaLoader.withoutClientDefinitions(schema.value, sources)
    return SchemaPrinter.print(isSorted ? schema.sortedByName() : schema) + "\n"
  }

  /// Parses and validates operations and fragments. They are checked as one document, because a fragment in one file
  /// may be used in another.
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
    let plan = CodePlan(
      program, documents: program.parts(of: sources.map { ($0.id, $0.name.lastPathComponent) }), options: options)
    let rendered = SwiftRenderer.render(plan)
    let schema = rendered.schema, files = rendered.documents
    let names = DocumentFileNames.names(of: sources.map { paths?[$0.id] ?? $0.name })
    let documents = sources.indices.map { index in
      GeneratedCode.DocumentFile(
        source: sources[index].id, file: GeneratedFile(name: names[index], text: files[index].text))
    }
    return GeneratedCode(
      schema: GeneratedFile(name: DocumentFileNames.schema, text: schema.text), documents: documents,
      mocks: rendered.mocks.map { GeneratedFile(name: $0.name, text: $0.text) },
      editable: rendered.editable.map { GeneratedFile(name: $0.name, text: $0.text) },
      parts: [schema] + files, diagnostics: [Diagnostic](namesOfLibraries: plan.namesOfLibraries),
      manifest: OperationManifest(program), operationCount: program.operations.count,
      fragmentCount: program.fragments.count)
  }
}

/// The generated Swift files, which have not been written yet.
public struct GeneratedCode: Sendable {
  /// The Swift file for one `.graphql` file.
  public struct DocumentFile: Sendable {
    /// The `.graphql` file.
    public var source: Source.ID
    /// The Swift file.
    public var file: GeneratedFile
  }

  /// The file with the schema's types.
  public var schema: GeneratedFile
  /// The files for the documents, in the order of the sources.
  public var documents: [DocumentFile]
  /// Mocks of the schema's object types; empty if the configuration does not ask for them.
  public var mocks: [GeneratedFile]
  /// Files for people to change, which are written only if they do not exist.
  public var editable: [GeneratedFile]
  /// The schema's types, and the code of the documents.
  let parts: [SwiftFile]
  /// Notes about names in the code.
  let diagnostics: [Diagnostic]
  /// The manifest of all operations.
  public var manifest: OperationManifest
  /// The number of operations.
  public var operationCount: Int
  /// The number of fragments.
  public var fragmentCount: Int

  /// All code in one file.
  var joined: String { SwiftFile.joining(parts).text }
}

/// A file of generated code.
public struct GeneratedFile: Sendable {
  /// The name of the file, without folders.
  public var name: String
  /// The contents of the file.
  public var text: String
}

extension String {
  /// The name of a file, without its folders.
  var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }
}
