import ApolloIR

/// The names of the types that generated code declares at the top level, by their names in GraphQL.
///
/// If two types would have one name, or one would have a name that generated code uses, the later one gets a suffix:
/// the schema's types come first, then fragments, then operations. Fragments and operations are in the order of their
/// names, so that no name changes with the order of the files.
struct TopLevelNames {
  private(set) var schemaTypes: [String: String] = [:]
  private(set) var fragments: [String: String] = [:]
  private(set) var operations: [String: String] = [:]
  /// Types of the schema that have a suffix because an Apple library has a type with their name.
  private(set) var namesOfLibraries: [String] = []
  /// Fragments and operations that have a suffix because another type has their name, or would have it, or because the
  /// namespace of the schema's types has it.
  private(set) var renamedDefinitions: [(name: String, isFragment: Bool, swift: String)] = []
  /// The members of `PossibleTypes`.
  private(set) var typeSets: [String: String] = [:]

  init(_ program: Program, _ options: RenderingOptions) {
    var taken = ReservedNames.types.union(ReservedNames.membersOfOperations)
    if options.naming == .standard { taken.formUnion(ReservedNames.suffixed) }
    if program.hasResults { taken.insert(ReservedNames.result) }
    // Mocks import what they are made of beside the types.
    if options.placement.mocks != nil { taken.formUnion(ReservedNames.mocks) }
    func claim(_ name: String, suffix: String) -> String {
      var candidate = taken.contains(name) ? name + suffix : name
      var number = 2
      while taken.contains(candidate) {
        candidate = name + suffix + String(number)
        number += 1
      }
      taken.insert(candidate)
      return candidate
    }
    var namesOfLibraries: [String] = []
    func claimType(_ name: String, suffix: String) -> String {
      if let name = options.customTypeNames[name]?.name { return claim(Identifier.type(name), suffix: suffix) }
      let candidate = Identifier.uppercasedFirst(name)
      guard options.placement.avoidsLibraryNames, LibraryNames.contains(candidate),
        !options.isDeclared(name, as: candidate)
      else {
        return claim(candidate, suffix: suffix)
      }
      namesOfLibraries.append(name)
      return claim(candidate + suffix, suffix: "")
    }
    // Generated code mentions these by their names, without a module.
    taken.formUnion(BuiltInScalar.allCases.compactMap { options.customScalars[$0.rawValue]?.type })
    let types = program.schemaTypes
    // The types of scalars are written with these names before them, which a type would hide.
    let modules = options.moduleNames(ofScalars: types.customScalars.map(\.name))
    taken.formUnion(modules)
    if options.placement.hasSchemaMetadata {
      taken.formUnion(ReservedNames.schemaMetadata)
    }
    for type in types.enums { schemaTypes[type.name] = claimType(type.name, suffix: "_Enum") }
    for type in types.inputObjects { schemaTypes[type.name] = claimType(type.name, suffix: "_InputObject") }
    for type in types.customScalars { schemaTypes[type.name] = claimType(type.name, suffix: "_Scalar") }
    self.namesOfLibraries = namesOfLibraries
    var takenSets: Set<String> = []
    for type in types.typeConditions {
      typeSets[type.name] = takenSets.claim(Identifier.lowercasedFirst(type.name))
    }
    var met = Set(schemaTypes.values).union(modules)
    // Code writes the namespace before types of the schema. A definition with this name outside of it would hide the
    // namespace.
    if let owner = options.placement.owner, options.placement.surroundings != .namespace(owner) {
      taken.insert(owner)
      met.insert(owner)
    }
    var renamedDefinitions: [(name: String, isFragment: Bool, swift: String)] = []
    func claimDefinition(_ definition: String, isFragment: Bool, as name: String) -> String {
      let swift = claim(name, suffix: isFragment ? "_Fragment" : "_Operation")
      if met.contains(name) { renamedDefinitions.append((definition, isFragment, swift)) }
      met.formUnion([name, swift])
      return swift
    }
    for fragment in program.fragments.sorted(by: { $0.name < $1.name }) {
      let name = options.naming == .legacy ? LegacyNames.pascalCased(fragment.name) : fragment.name
      fragments[fragment.name] = claimDefinition(
        fragment.name, isFragment: true, as: options.capitalization.type(name))
    }
    for operation in program.operations.sorted(by: { $0.name < $1.name }) {
      let suffix = operation.nameSuffix
      var name = Identifier.uppercasedFirst(operation.name)
      switch options.naming {
      case .standard: name = name.hasSuffix(suffix) ? name : name + suffix
      // The suffix is also added to a name such as `HeroQuery`.
      case .legacy: name = LegacyNames.pascalCased(operation.name) + suffix
      }
      operations[operation.name] = claimDefinition(
        operation.name, isFragment: false, as: options.capitalization.type(name))
    }
    self.renamedDefinitions = renamedDefinitions
  }
}

extension Operation {
  fileprivate var nameSuffix: String {
    if isLocalCacheMutation { return "LocalCacheMutation" }
    return Identifier.uppercasedFirst(kind.rawValue)
  }
}

extension RenderingOptions {
  /// The names with which the types of some custom scalars, and those of the specification's scalars, begin: their
  /// modules, or types of the app around them.
  fileprivate func moduleNames(ofScalars scalars: [String]) -> Set<String> {
    let types = (scalars + BuiltInScalar.allCases.map(\.rawValue)).compactMap { customScalars[$0]?.type }
    return Set(scalars.compactMap { customScalars[$0]?.module } + types.flatMap(TypeText.outermostNames))
  }

  /// Whether a custom scalar has a Swift type with this name that is declared elsewhere, so that its name hides no
  /// other type.
  fileprivate func isDeclared(_ scalar: String, as name: String) -> Bool {
    if let mapping = customScalars[scalar] {
      return mapping.type == name || mapping.importedModules.contains { mapping.type == "\($0).\(name)" }
    }
    return passthroughScalarPrefix == "" && scalar == name
  }
}
