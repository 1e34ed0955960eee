import ApolloIR

/// The names of the types that generated code declares outside of any other, by their names in GraphQL.
///
/// Where two want the same name, or one wants the name of something that generated code uses, it gets a suffix: the
/// schema's types choose first, then fragments, then operations.
struct TopLevelNames {
  private(set) var schemaTypes: [String: String] = [:]
  private(set) var fragments: [String: String] = [:]
  private(set) var operations: [String: String] = [:]
  /// The members of `PossibleTypes`.
  private(set) var typeSets: [String: String] = [:]

  init(_ program: Program, _ options: RenderingOptions) {
    var taken = ReservedNames.types
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
    func typeName(_ name: String) -> String {
      options.customTypeNames[name]?.name ?? options.capitalization.type(Identifier.uppercasedFirst(name))
    }
    // Generated code mentions these by their names alone.
    taken.formUnion(BuiltInScalar.allCases.compactMap { options.customScalars[$0.rawValue]?.type })
    let types = program.schemaTypes
    // The struct of this name in each operation would hide it where variables are declared.
    taken.insert("Data")
    if options.hasSchemaMetadata {
      taken.formUnion(ReservedNames.schemaMetadata)
    }
    for type in types.enums { schemaTypes[type.name] = claim(typeName(type.name), suffix: "_Enum") }
    for type in types.inputObjects {
      schemaTypes[type.name] = claim(typeName(type.name), suffix: "_InputObject")
    }
    for type in types.customScalars {
      schemaTypes[type.name] = claim(typeName(type.name), suffix: "_Scalar")
    }
    taken.remove("Data")
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
