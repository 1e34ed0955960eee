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
    let checked = check(schema: schemaSources, operations: operationSources, configuration: configuration)
    guard let (schema, document) = checked.value else { return Parsed(nil, diagnostics: checked.diagnostics) }
    let program = Program(lowering: document, schema: schema)
    let code = render(program, sources: operationSources, options: configuration.effectiveRendering)
    return Parsed(code, diagnostics: checked.diagnostics)
  }

  /// The stages that look for mistakes.
  public static func check(
    schema schemaSources: [Source], operations operationSources: [Source], configuration: ApolloCodegenConfiguration
  ) -> Parsed<(schema: Schema, document: Validated<Document>)?> {
    let schema = schema(from: schemaSources)
    guard let validSchema = schema.value else { return Parsed(nil, diagnostics: schema.diagnostics) }
    let document = document(from: operationSources, schema: validSchema, configuration: configuration)
    let diagnostics = schema.diagnostics + document.diagnostics
    guard let validDocument = document.value else { return Parsed(nil, diagnostics: diagnostics) }
    return Parsed((validSchema.value, validDocument), diagnostics: diagnostics)
  }

  /// Makes a schema of SDL or introspection results. Defects that real schemas have are warnings.
  public static func schema(from sources: [Source]) -> Parsed<Validated<Schema>?> { SchemaLoader.load(sources) }

  /// Parses and validates operations and fragments, which are checked as one document: a fragment of one file may be
  /// used in another.
  public static func document(
    from sources: [Source], schema: Validated<Schema>, configuration: ApolloCodegenConfiguration
  ) -> Parsed<Validated<Document>?> {
    let documents = sources.map { Parser.parse($0) }
    var diagnostics = documents.flatMap(\.diagnostics)
    if diagnostics.hasErrors { return Parsed(nil, diagnostics: diagnostics) }
    let document = Document(definitions: documents.flatMap(\.value.definitions))
    let context = ClientRule.Context(document: document, sources: sources, schema: schema.value)
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
    let renderer = SwiftRenderer(program, options: options)
    let operations = Dictionary(grouping: program.operations, by: \.source)
    let fragments = Dictionary(grouping: program.fragments, by: \.source)
    let documents = sources.map { source in
      let name = source.name.lastPathComponent
      let text = renderer.file(
        operations: operations[source.id] ?? [], fragments: fragments[source.id] ?? [], from: name)
      return GeneratedCode.DocumentFile(
        source: source.id, file: GeneratedFile(name: name.swiftFileName, text: text))
    }
    return GeneratedCode(
      schema: GeneratedFile(name: "Schema.graphql.swift", text: renderer.schemaFile()), documents: documents,
      operationCount: program.operations.count, fragmentCount: program.fragments.count)
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
  public var operationCount: Int
  public var fragmentCount: Int
}

public struct GeneratedFile: Sendable {
  public var name: String
  public var text: String
}

extension String {
  /// The name of a file, without its folders.
  var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? self }

  /// `Hero.graphql.swift` for `Hero.graphql`.
  var swiftFileName: String { (hasSuffix(".graphql") ? self : self + ".graphql") + ".swift" }
}
