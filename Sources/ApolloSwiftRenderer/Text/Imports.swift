import ApolloIR

/// The imports of a generated file.
///
/// None is there without need, and none is more public than it has to be: the compiler warns of both.
struct Imports {
  private var accessLevels: [(module: String, accessLevel: RenderingOptions.AccessLevel)] = []

  var lines: [String] { accessLevels.map { ($0.accessLevel == .public ? "public " : "") + "import " + $0.module } }

  /// Those of a file with operations and fragments.
  init(_ operations: [Operation], _ fragments: [Fragment], types: SwiftTypes, globalNames: GlobalNames) {
    let options = types.options
    add("ApolloAPI", options.accessLevel)
    let shapes = operations.map(\.shape) + fragments.map(\.shape)
    var mentioned = shapes.reduce(into: Set<String>()) {
      $0.formUnion(globalNames.names(in: $1))
    }
    for variable in operations.flatMap(\.variables) {
      mentioned.formUnion(StructNames.identifiers(in: types.input(variable.type)))
    }
    if case .otherModule(let name) = options.surroundings {
      if !mentioned.isDisjoint(with: types.names.schemaTypes.values) {
        add(name, options.accessLevel)
      } else if options.hasSchemaMetadata || shapes.contains(where: Self.hasTypeCondition) {
        // The sets of possible types are used in the bodies of initializers.
        add(name, .internal)
      }
    }
    // A typealias does not hide the module that its type is from.
    for (scalar, mapping) in options.customScalars.sorted(by: { $0.key < $1.key }) {
      guard let module = mapping.module, let name = types.names.schemaTypes[scalar], mentioned.contains(name) else {
        continue
      }
      add(module, options.accessLevel)
    }
    // What the user asks for may be used in ways that are not known here.
    for module in operations.flatMap(\.importedModules) + fragments.flatMap(\.importedModules) {
      add(module, .internal)
    }
  }

  /// Those of the file with the schema's types.
  init(_ schema: SchemaTypes, _ options: RenderingOptions, _ accessLevel: RenderingOptions.AccessLevel) {
    if options.hasSchemaMetadata || !schema.enums.isEmpty || !schema.inputObjects.isEmpty
      || !schema.typeConditions.isEmpty
    {
      add("ApolloAPI", accessLevel)
    }
    let modules = Set(schema.customScalars.compactMap { options.customScalars[$0.name]?.module })
    // Foundation's types are scalars by what that module says of them.
    if modules.contains("Foundation") { add("ApolloFoundation", .internal) }
    for module in modules.sorted() { add(module, accessLevel) }
  }

  private mutating func add(_ module: String, _ accessLevel: RenderingOptions.AccessLevel) {
    if !accessLevels.contains(where: { $0.module == module }) { accessLevels.append((module, accessLevel)) }
  }

  private static func hasTypeCondition(_ shape: Shape) -> Bool {
    shape.members.contains { member in
      switch member {
      case .field(let field): field.shape.map(hasTypeCondition) ?? false
      case .fragment(let fragment): fragment.typeCondition != nil
      case .inlineFragment: true
      case .deferred(let fragment): fragment.typeCondition != nil || fragment.shape.map(hasTypeCondition) ?? false
      }
    }
  }
}
