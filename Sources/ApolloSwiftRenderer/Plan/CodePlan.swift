package import ApolloIR

/// All generated code as values: every name is chosen, and every type is decided. ``SwiftRenderer`` writes it down.
package struct CodePlan {
  let options: RenderingOptions
  /// What each document becomes, in order.
  let documents: [DocumentPlan]
  let schema: SchemaPlan
  let mocks: [MockPlan]
  let editableFiles: [EditableFilePlan]
  /// How types are written outside of the namespace.
  let scope: TopLevelScope
  /// The type that describes the schema for the cache; nil if there is none.
  let schemaMetadata: SwiftType?
  /// The schema types that have a suffix because of ``CodePlacement/avoidsLibraryNames``, with their names in Swift.
  package let namesOfLibraries: [(schema: String, swift: String)]
  /// The fragments and operations that have a suffix because of another type, with their names in Swift.
  package let renamedDefinitions: [(name: String, isFragment: Bool, swift: String)]

  /// Plans the code of a program.
  ///
  /// - Parameters:
  ///   - program: The operations, fragments and schema types.
  ///   - documents: The operations and fragments of each document. Each document becomes a file.
  ///   - options: How the code is written.
  package init(_ program: Program, documents: [Program.DocumentPart], options: RenderingOptions) {
    var options = options
    // Only the description of the schema tells the cache what to delete with an object, and what a collection removes.
    if program.schemaTypes.objects.contains(where: { $0.isReceived && $0.hasCacheRules }) {
      options.placement.hasSchemaMetadata = true
    }
    let types = SwiftTypes(names: NameResolver(program, options: options))
    let planner = Planner(types: types, program: program)
    if let mocks = options.placement.mocks, mocks.followsSchema, options.placement.schemaAccessLevel == .internal,
      MockPlanner(program, types: types, mocks: mocks).mentionsSchema
    {
      options.placement.mocks?.accessLevel = .internal
    }
    self.options = options
    self.documents = documents.map(planner.plan)
    schema = planner.plan(program.schemaTypes)
    mocks = options.placement.mocks.map { MockPlanner(program, types: types, mocks: $0).plans } ?? []
    editableFiles = planner.editableFiles(program.schemaTypes)
    scope = types.names.topLevelScope
    schemaMetadata = types.seen(from: .outside).schemaMetadata
    namesOfLibraries = types.names.namesOfLibraries
    renamedDefinitions = types.names.renamedDefinitions
  }
}

/// The file for one document.
struct DocumentPlan {
  /// The name of the document.
  var name: String
  var imports: Imports
  var operations: [OperationPlan]
  var fragments: [FragmentPlan]
}

/// An editable file. It is written only if it does not exist.
struct EditableFilePlan {
  enum Content {
    case schemaConfiguration
    /// A custom scalar, with its name in Swift.
    case scalar(name: String, documentation: [String])
  }

  /// The name of the file, perhaps in a folder.
  var name: String
  var content: Content
}
