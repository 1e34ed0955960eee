import ApolloDirectives
import ApolloIR
import ApolloSwiftRenderer
public import GraphQLSchema
public import GraphQLSyntax
public import GraphQLValidation

/// The stages of the generator, from texts to texts. It reads and writes no files.
///
/// | stage | from | to | entry |
/// |---|---|---|---|
/// | schema | sources | valid schema | `SchemaLoader` |
/// | validate | sources, schema | valid document | `DocumentLoader` |
/// | lower | document, schema | IR | `Program` |
/// | plan | IR | names and types in Swift | `CodePlan` |
/// | render | plan | Swift | `SwiftRenderer` |
///
/// Each stage is given what the one before it has made, and reports what is wrong. If that makes the input of the next
/// stage useless, the next stage does not run. ``ApolloCodegen`` reads the sources before, and writes files after.
public enum Pipeline {
  /// Runs all stages. The value is nil if there are errors.
  ///
  /// - Parameters:
  ///   - schemaSources: The texts of the schema.
  ///   - operationSources: The texts with operations and fragments.
  ///   - paths: The paths of sources whose names are not their paths. The default is none.
  ///   - configuration: What to generate.
  ///   - clock: Measures the stages.
  /// - Returns: The code and the diagnostics.
  public static func generate(
    schema schemaSources: [Source], operations operationSources: [Source], paths: [Source.ID: String] = [:],
    configuration: ApolloCodegenConfiguration, clock: StageClock = StageClock()
  ) -> Parsed<GeneratedCode?> {
    let checked = check(
      schema: schemaSources, operations: operationSources, configuration: configuration, clock: clock)
    guard let (schema, document) = checked.value else { return Parsed(nil, diagnostics: checked.diagnostics) }
    let program = clock.measure("lower") {
      LargeStack.run {
        Program(
          lowering: document, schema: schema,
          isCompatibleWithLegacySafelists: configuration.isCompatibleWithLegacySafelists,
          // Names depend on all types, so each module must know all of them.
          includesAllTypes: configuration.output.isOneOfSeveralModules)
      }
    }
    var options = configuration.completed(by: schema).rendering
    options.placement = CodePlacement(configuration)
    let plan = clock.measure("plan") {
      LargeStack.run {
        CodePlan(
          program, documents: program.parts(of: operationSources.map { ($0.id, $0.name.lastPathComponent) }),
          options: options)
      }
    }
    let code = clock.measure("render") {
      LargeStack.run {
        GeneratedCode(
          SwiftRenderer.render(plan), of: program, from: operationSources.map { ($0.id, paths[$0.id] ?? $0.name) },
          diagnostics: [Diagnostic](namesOfLibraries: plan.namesOfLibraries)
            + [Diagnostic](renamed: plan.renamedDefinitions, in: document.value))
      }
    }
    return Parsed(code, diagnostics: checked.diagnostics + code.diagnostics)
  }

  /// Runs the stages that check the schema and the operations. The value is nil if there are errors.
  ///
  /// - Parameters:
  ///   - schemaSources: The texts of the schema.
  ///   - operationSources: The texts with operations and fragments.
  ///   - configuration: What is to be generated.
  ///   - clock: Measures the stages.
  /// - Returns: The schema and the document, and the diagnostics.
  public static func check(
    schema schemaSources: [Source], operations operationSources: [Source], configuration: ApolloCodegenConfiguration,
    clock: StageClock = StageClock()
  ) -> Parsed<(schema: Schema, document: Validated<Document>)?> {
    let schema = clock.measure("schema") { Self.schema(from: schemaSources) }
    guard let validSchema = schema.value else { return Parsed(nil, diagnostics: schema.diagnostics) }
    let document = clock.measure("validate") {
      LargeStack.run {
        Self.document(from: operationSources, schema: validSchema, configuration: configuration)
      }
    }
    let diagnostics = schema.diagnostics + document.diagnostics
    guard let validDocument = document.value else { return Parsed(nil, diagnostics: diagnostics) }
    let conflicts = [Diagnostic](namespaceConflictsIn: validDocument, validSchema.value, configuration)
    guard conflicts.isEmpty else { return Parsed(nil, diagnostics: diagnostics + conflicts) }
    return Parsed((validSchema.value, validDocument), diagnostics: diagnostics)
  }

  /// Makes a schema of SDL or of introspection results. Defects that are common in real schemas are warnings.
  public static func schema(from sources: [Source]) -> Parsed<Validated<Schema>?> { SchemaLoader.load(sources) }

  /// Parses and validates operations and fragments. They are checked as one document, because a fragment in one file
  /// may be used in another.
  public static func document(
    from sources: [Source], schema: Validated<Schema>, configuration: ApolloCodegenConfiguration
  ) -> Parsed<Validated<Document>?> {
    DocumentLoader.load(sources, schema: schema, configuration: configuration)
  }

  /// Writes a schema in the schema definition language, without the definitions that the client adds.
  public static func schemaText(_ schema: Validated<Schema>, of sources: [Source], isSorted: Bool = false) -> String {
    let schema = withoutClientDefinitions(schema, of: sources)
    return SchemaPrinter.print(isSorted ? schema.sortedByName() : schema) + "\n"
  }

  /// The schema as its sources define it, without the definitions that the client adds.
  package static func withoutClientDefinitions(_ schema: Validated<Schema>, of sources: [Source]) -> Schema {
    ClientDefinitions.removed(from: schema.value, of: sources)
  }
}
