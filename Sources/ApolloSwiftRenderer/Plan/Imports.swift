import ApolloIR

/// The imports of a generated file.
///
/// The compiler warns of imports that are not needed or are more public than needed, so there are none.
struct Imports: Sendable {
  private struct Import: Sendable {
    var module: String
    var accessLevel: RenderingOptions.AccessLevel
    var isTestable = false
    /// Whether the module is exported: to all files of the module with the generated code, and to files that import that one.
    var isExported = false

    var line: String {
      (isTestable ? "@testable " : isExported ? "@_exported " : "") + (accessLevel == .public ? "public " : "")
        + "import " + module
    }
  }

  private var imports: [Import] = []

  init() {}

  var lines: [String] { imports.map(\.line) }

  /// The imports of a file with operations and fragments.
  init(_ operations: [Operation], _ fragments: [Fragment], types: SwiftTypes) {
    let options = types.options
    addRuntime(options.placement.accessLevel, isExported: true)
    let shapes = operations.map(\.shape) + fragments.map(\.shape)
    var mentioned = shapes.reduce(into: Set<String>()) {
      $0.formUnion(types.names.mentionedTypes(in: $1, types: types))
    }
    for variable in operations.flatMap(\.variables) {
      mentioned.formUnion(types.input(variable.type).names)
    }
    if let name = options.placement.importedModule {
      let own = BuiltInScalar.allCases.filter { types.isOfApp($0, isInput: true) }
        .flatMap { types.leaf(.scalar($0), isInput: true).names }
      if !mentioned.isDisjoint(with: types.names.schemaTypes) || !mentioned.isDisjoint(with: own) {
        add(name, options.placement.accessLevel)
      } else if options.placement.hasSchemaMetadata || shapes.contains(where: Self.hasTypeCondition) {
        // The sets of possible types are used in the bodies of initializers.
        add(name, .internal)
      }
    }
    // A typealias does not hide the module that its type is from.
    for (scalar, mapping) in options.customScalars.sorted(by: { $0.key < $1.key }) {
      // A scalar of the specification has no typealias.
      let isBuiltIn = BuiltInScalar(rawValue: scalar) != nil
      guard mentioned.contains(isBuiltIn ? mapping.type : types.names.schemaType(scalar)) else { continue }
      for module in mapping.importedModules {
        // The file with the schema's types imports them for the typealiases.
        if isBuiltIn { addConformances(to: module) }
        add(module, options.placement.accessLevel)
      }
    }
    // How these modules are used is not known, so they are imported in any case.
    for module in operations.flatMap(\.importedModules) + fragments.flatMap(\.importedModules) {
      add(module, .internal)
    }
  }

  /// The imports of the file with the schema's types.
  ///
  /// - Parameters:
  ///   - schema: The types.
  ///   - options: How the code is written.
  ///   - hasID: Whether the file has a typealias for the scalar `ID`.
  init(_ schema: SchemaTypes, _ options: RenderingOptions, hasID: Bool) {
    let accessLevel = options.placement.schemaAccessLevel
    if options.placement.hasSchemaMetadata || !schema.enums.isEmpty || !schema.inputObjects.isEmpty
      || !schema.typeConditions.isEmpty
    {
      addRuntime(accessLevel, isExported: accessLevel == .public)
    }
    let inputs = schema.inputObjects.flatMap(\.fields).compactMap { field -> String? in
      if case .scalar(let scalar) = field.type.leaf { scalar.rawValue } else { nil }
    }
    let scalars = schema.customScalars.map(\.name) + inputs + (hasID ? [BuiltInScalar.id.rawValue] : [])
    let modules = Set(scalars.flatMap { options.customScalars[$0]?.importedModules ?? [] })
    for module in modules { addConformances(to: module) }
    for module in modules.sorted() { add(module, accessLevel) }
  }

  /// Imports what makes the types of a module scalars, if the module does not do that itself. The code uses it in bodies
  /// of functions only.
  private mutating func addConformances(to module: String) {
    if module == "Foundation" { add("ApolloFoundation", .internal) }
  }

  mutating func add(_ module: String, _ accessLevel: RenderingOptions.AccessLevel) {
    add(Import(module: module, accessLevel: accessLevel))
  }

  /// Imports the runtime. Where operations are, it is exported whatever their access level, as in Apollo iOS. So every
  /// file of their module can use `GraphQLNullable` and the like, and so can a file that imports a public one.
  private mutating func addRuntime(_ accessLevel: RenderingOptions.AccessLevel, isExported: Bool) {
    // Only public imports can be exported.
    add(Import(module: "ApolloAPI", accessLevel: isExported ? .public : accessLevel, isExported: isExported))
  }

  /// Adds a module whose internal declarations are used as well.
  mutating func addTestable(_ module: String) {
    add(Import(module: module, accessLevel: .internal, isTestable: true))
  }

  mutating func formUnion(_ other: Imports) {
    for module in other.imports { add(module) }
  }

  /// Adds an import. A module is imported once, and is public and exported if one of its uses needs that.
  private mutating func add(_ new: Import) {
    guard let known = imports.firstIndex(where: { $0.module == new.module }) else { return imports.append(new) }
    if new.accessLevel == .public { imports[known].accessLevel = .public }
    if new.isExported { imports[known].isExported = true }
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
