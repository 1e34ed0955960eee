public import ApolloIR

/// Writes operations, fragments and schema types as Swift.
public struct SwiftRenderer {
  private let program: Program
  private let options: RenderingOptions
  private let types: SwiftTypes
  private let planner: Planner
  private let defaults: DefaultValues

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - program: The operations, fragments and schema types.
  ///   - options: How the code is written.
  public init(_ program: Program, options: RenderingOptions) {
    self.program = program
    self.options = options
    types = SwiftTypes(names: NameResolver(program, options: options))
    planner = Planner(types: types, typeConditions: program.schemaTypes.typeConditions)
    defaults = DefaultValues(program, types: types)
  }

  /// The schema types that have a suffix because of ``CodePlacement/avoidsLibraryNames``, with their names in Swift.
  public var namesOfLibraries: [(schema: String, swift: String)] { types.names.namesOfLibraries }

  /// Writes the file for the operations and fragments of one document.
  ///
  /// - Parameters:
  ///   - operations: The operations.
  ///   - fragments: The fragments.
  ///   - name: The name of the document.
  /// - Returns: The file.
  public func file(operations: [Operation], fragments: [Fragment], from name: String) -> SwiftFile {
    guard !operations.isEmpty || !fragments.isEmpty else { return SwiftFile("from \(name)") }
    let style = DeclarationStyle(options.placement.accessLevel, options)
    let imports = Imports(operations, fragments, types: types)
    let operations = operations.map { operation in
      OperationRenderer(
        operation: operation, types: types, defaults: defaults, style: style, plan: planner.plan(operation))
    }
    return SwiftFile("from \(name)", imports: imports) { writer in
      Namespace(options).wrap(&writer, declares: false, style: style) { writer in
        for operation in operations { operation.render(to: &writer) }
        for fragment in fragments {
          StructRenderer(plan: planner.plan(fragment), style: style).render(to: &writer)
        }
      }
      writer.blankLine()
      writer.line("// MARK: - How it is read and written")
      for operation in operations { operation.renderMachinery(to: &writer) }
      for fragment in fragments {
        let plan = planner.plan(fragment)
        let hasDefinition = options.operationDocumentFormat.includesDefinition
        MachineryRenderer(
          plan: plan, enclosing: [], type: types.outside(plan.name), style: style, types: types,
          schemaMetadata: types.seen(from: .outside).schemaMetadata
        ).render(to: &writer) { writer in
          guard hasDefinition else { return }
          writer.literal(
            "\(style.access)static let fragmentDefinition: StaticString = ",
            Literal.lines(fragment.definition, format: options.documentLiteralFormat))
        }
      }
    }
  }

  /// Writes the file with the schema's types.
  public func schemaFile() -> SwiftFile {
    let accessLevel = options.placement.schemaAccessLevel
    return SwiftFile("from the schema", imports: Imports(program.schemaTypes, options, accessLevel)) { writer in
      SchemaFileRenderer(
        program: program, types: types.seen(from: .schema), style: DeclarationStyle(accessLevel, options)
      ).render(to: &writer)
    }
  }

  /// Writes the files for people to change. A file is to be written only if it does not exist.
  public func editableFiles() -> [(name: String, text: String)] {
    EditableFiles(
      schema: program.schemaTypes, types: types,
      style: DeclarationStyle(options.placement.schemaAccessLevel, options)
    ).files
  }

  /// Writes mocks of the object types on which operations select fields, each in a file.
  public func mockFiles() -> [(name: String, text: String)] {
    guard let mocks = options.placement.mocks else { return [] }
    let renderer = MockRenderer(program, types: types, mocks: mocks)
    return program.schemaTypes.objects.filter { !$0.fields.isEmpty }.map { object in
      let file = SwiftFile("from the schema", imports: renderer.imports(of: object)) { writer in
        renderer.render(object, to: &writer)
      }
      return ("\(renderer.name(of: object))+Mock.graphql.swift", file.text)
    }
  }
}
