import ApolloIR

/// The names of the types that generated code declares outside of any other, by their names in GraphQL.
///
/// Where two want the same name, or one wants the name of something that generated code uses, it gets a suffix: the
/// schema's types choose first, then fragments, then operations.
struct TopLevelNames {
  private(set) var schemaTypes: [String: String] = [:]
  private(set) var fragments: [String: String] = [:]
  private(set) var operations: [String: String] = [:]
  /// Types of the schema, by their names there, that have a suffix as an Apple library has a type of their name.
  private(set) var namesOfLibraries: [String] = []
  /// The members of `PossibleTypes`.
  private(set) var typeSets: [String: String] = [:]

  init(_ program: Program, _ options: RenderingOptions) {
    var taken = ReservedNames.types.union([ReservedNames.root])
    // Mocks import what they are made of beside the types.
    if options.mocks != nil { taken.formUnion(ReservedNames.mocks) }
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
      if let name = options.customTypeNames[name]?.name { return claim(name, suffix: suffix) }
      let candidate = options.capitalization.type(Identifier.uppercasedFirst(name))
      guard options.avoidsLibraryNames, LibraryNames.contains(candidate), !options.isDeclared(name, as: candidate)
      else {
        return claim(candidate, suffix: suffix)
      }
      namesOfLibraries.append(name)
      return claim(candidate + suffix, suffix: "")
    }
    // Generated code mentions these by their names alone.
    taken.formUnion(BuiltInScalar.allCases.compactMap { options.customScalars[$0.rawValue]?.type })
    let types = program.schemaTypes
    if options.hasSchemaMetadata {
      taken.formUnion(ReservedNames.schemaMetadata)
    }
    for type in types.enums { schemaTypes[type.name] = claimType(type.name, suffix: "_Enum") }
    for type in types.inputObjects { schemaTypes[type.name] = claimType(type.name, suffix: "_InputObject") }
    for type in types.customScalars { schemaTypes[type.name] = claimType(type.name, suffix: "_Scalar") }
    self.namesOfLibraries = namesOfLibraries
    var takenSets: Set<String> = []
    for type in types.typeConditions {
      var name = Identifier.lowercasedFirst(type.name)
      while !takenSets.insert(name).inserted { name += "_" }
      typeSets[type.name] = name
    }
    for fragment in program.fragments {
      let name = options.naming == .legacy ? LegacyNames.pascalCased(fragment.name) : fragment.name
      fragments[fragment.name] = claim(Identifier.uppercasedFirst(name), suffix: "_Fragment")
    }
    for operation in program.operations {
      let suffix = operation.nameSuffix
      var name = Identifier.uppercasedFirst(operation.name)
      switch options.naming {
      case .standard: name = name.hasSuffix(suffix) ? name : name + suffix
      // Also for a query that is called `HeroQuery`.
      case .legacy: name = LegacyNames.pascalCased(operation.name) + suffix
      }
      operations[operation.name] = claim(name, suffix: "_Operation")
    }
  }
}

extension Operation {
  fileprivate var nameSuffix: String {
    if isLocalCacheMutation { return "LocalCacheMutation" }
    return Identifier.uppercasedFirst(kind.rawValue)
  }
}

extension RenderingOptions {
  /// Whether a custom scalar is a type of this name that is declared elsewhere, so that its name hides nothing.
  fileprivate func isDeclared(_ scalar: String, as name: String) -> Bool {
    if let mapping = customScalars[scalar] { return mapping.type == name }
    return passthroughScalarPrefix == "" && scalar == name
  }
}
