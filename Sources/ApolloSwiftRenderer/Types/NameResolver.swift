import ApolloIR

/// Chooses the Swift names of everything in a program. No other part of the generator chooses names.
///
/// - Types at the top level: ``TopLevelNames``.
/// - Types and properties of a selection set: ``StructScope``.
final class NameResolver {
  let options: RenderingOptions
  let fragments: [String: Fragment]
  private let topLevel: TopLevelNames
  /// The types that each fragment mentions, including those that its fragments mention.
  private var mentionedTypes: [String: Set<String>] = [:]

  init(_ program: Program, options: RenderingOptions) {
    self.options = options
    fragments = Dictionary(program.fragments.map { ($0.name, $0) }) { first, _ in first }
    topLevel = TopLevelNames(program, options)
  }

  // MARK: - Types at the top level

  func operation(_ name: String) -> String { topLevel.operations[name] ?? name }

  func fragment(_ name: String) -> String { topLevel.fragments[name] ?? name }

  func schemaType(_ name: String) -> String { topLevel.schemaTypes[name] ?? name }

  /// The types of the schema that have a suffix because of ``CodePlacement/avoidsLibraryNames``, with their Swift
  /// names.
  var namesOfLibraries: [(schema: String, swift: String)] {
    topLevel.namesOfLibraries.map { ($0, schemaType($0)) }
  }

  /// The fragments and operations that have a suffix because of another type, with their Swift names.
  var renamedDefinitions: [(name: String, isFragment: Bool, swift: String)] { topLevel.renamedDefinitions }

  var schemaTypes: some Collection<String> { topLevel.schemaTypes.values }

  /// The types that generated code declares in the namespace of operations, if there is one.
  private(set) lazy var topLevelScope: TopLevelScope = {
    guard case .namespace(let namespace) = options.placement.surroundings else {
      return TopLevelScope(namespace: nil, declared: [])
    }
    // A type of the app with the scalar's name is not generated.
    let scalars = options.customScalars.filter { $0.value.module == nil && $0.value.type == schemaType($0.key) }
    let types = topLevel.schemaTypes.filter { scalars[$0.key] == nil }.values
    let declared = Set(types).union(topLevel.fragments.values).union(topLevel.operations.values)
      .union(ReservedNames.schemaMetadata).union(["PossibleTypes"])
    return TopLevelScope(namespace: namespace, declared: declared)
  }()

  /// The member of `PossibleTypes` for a type condition.
  func typeSet(_ typeCondition: String) -> String {
    topLevel.typeSets[typeCondition] ?? Identifier.lowercasedFirst(typeCondition)
  }

  // MARK: - Members of schema types

  /// The case for a value of an enum, before collisions are resolved.
  private func enumCase(_ value: String, of type: String) -> String {
    if let name = options.customTypeNames[type]?.members[value] { return name }
    let name = options.capitalization.apply(to: options.convertsEnumCases ? camelCased(value) : value)
    // `allCases` is a static member already.
    return name == "allCases" ? "allCases_" : name
  }

  /// The values of an enum with their cases. If two values would have one case, the later one gets a suffix.
  func enumCases(_ type: EnumType) -> [(value: EnumType.Value, name: String)] {
    var taken: Set<String> = []
    let values = type.values.filter { !options.excludesDeprecatedEnumCases || $0.deprecationReason == nil }
    return values.map { ($0, taken.claim(enumCase($0.name, of: type.name))) }
  }

  /// The fields of an input object with their properties. If two fields would have one name, the later one gets a
  /// suffix.
  func inputFields(_ type: InputObjectType) -> [(field: InputObjectType.Field, name: String)] {
    var taken = ReservedNames.members.union(ReservedNames.mentioned).union(schemaTypes)
    return type.fields.map { field in
      let custom = options.customTypeNames[type.name]?.members[field.name]
      let name = options.convertsInputFieldNames ? camelCased(field.name) : field.name
      return (field, taken.claim(custom ?? options.capitalization.apply(to: name)))
    }
  }

  /// The properties for the variables of an operation, by their names in GraphQL. No property hides a type that the
  /// operation mentions.
  func variables(of operation: Operation, types: SwiftTypes) -> [String: String] {
    var taken = mentionedTypes(in: operation.shape, types: types).union(ReservedNames.mentioned)
    taken.formUnion(ReservedNames.members.union(ReservedNames.schemaMetadata).union([ReservedNames.root]))
    for variable in operation.variables { taken.formUnion(types.input(variable.type).names) }
    var names: [String: String] = [:]
    for variable in operation.variables { names[variable.name] = taken.claim(self.variable(variable.name)) }
    return names
  }

  /// The property for a variable, before collisions are resolved. Apollo iOS 0.x kept its name.
  private func variable(_ name: String) -> String { options.naming == .legacy ? name : field(name) }

  private func camelCased(_ name: String) -> String {
    switch options.naming {
    case .standard: Identifier.camelCased(name)
    case .legacy: LegacyNames.camelCased(name)
    }
  }

  // MARK: - Selection sets

  /// The property for a field of a selection set, before collisions are resolved.
  func field(_ responseKey: String) -> String {
    let isConverted = options.convertsFieldNames || options.naming == .legacy
    let name = options.capitalization.apply(to: isConverted ? camelCased(responseKey) : responseKey)
    return Identifier.property(name)
  }

  /// The property for a named fragment, before collisions are resolved.
  func fragmentProperty(_ name: String) -> String {
    switch options.naming {
    case .standard: Identifier.lowercasedFirst(name)
    case .legacy: LegacyNames.camelCased(name)
    }
  }

  /// The struct of the objects of a field, before collisions are resolved.
  func objectType(_ field: FieldMember) -> (name: String, singular: String) {
    switch options.naming {
    case .standard:
      let name = Identifier.uppercasedFirst(field.responseKey)
      return (name, field.type.isList ? options.inflection.singular(name) : name)
    case .legacy:
      // Apollo iOS 0.x named the objects of every field in the singular.
      let name = LegacyNames.pascalCased(field.responseKey)
      return (name, options.inflection.singularOfReleases0(name))
    }
  }

  /// `AsDroid`
  func inlineFragmentType(_ typeCondition: String) -> String {
    "As" + Identifier.uppercasedFirst(options.typeName(typeCondition))
  }

  /// `IfDetailedAndNotBrief`
  func conditionalType(_ factors: [Condition.Factor]) -> String {
    "If"
      + factors.map { factor in
        // (The variable of a fragment has the name of the fragment before its own.)
        let name = factor.variable.utf8.split(separator: UInt8(ascii: ".")).last.flatMap { String($0) } ?? ""
        return (factor.isNegated ? "Not" : "") + Identifier.uppercasedFirst(name)
      }.joined(separator: "And")
  }

  // MARK: - Types that selections mention

  /// Types declared elsewhere that a selection set mentions, or that the structs of its fragments do.
  func mentionedTypes(in shape: Shape, types: SwiftTypes) -> Set<String> {
    var names: Set<String> = []
    addMentionedTypes(in: shape, types: types, to: &names)
    return names
  }

  private func addMentionedTypes(in shape: Shape, types: SwiftTypes, to names: inout Set<String>) {
    for field in shape.keyFields { names.formUnion(types.output(field.type).names) }
    for member in shape.members {
      switch member {
      case .field(let field):
        if let shape = field.shape {
          if field.type.hasResults { names.insert(ReservedNames.result) }
          addMentionedTypes(in: shape, types: types, to: &names)
        } else {
          names.formUnion(types.output(field.type).names)
        }
      case .fragment(let reference): names.formUnion(mentionedTypes(inFragment: reference.name, types: types))
      case .inlineFragment(let fragment): addMentionedTypes(in: fragment.shape, types: types, to: &names)
      case .deferred(let fragment):
        if case .named(let name) = fragment.fragment {
          names.formUnion(mentionedTypes(inFragment: name, types: types))
        }
        if let shape = fragment.shape { addMentionedTypes(in: shape, types: types, to: &names) }
      }
    }
  }

  private func mentionedTypes(inFragment name: String, types: SwiftTypes) -> Set<String> {
    if let names = mentionedTypes[name] { return names }
    var names: Set<String> = [fragment(name)]
    if let fragment = fragments[name] { addMentionedTypes(in: fragment.shape, types: types, to: &names) }
    mentionedTypes[name] = names
    return names
  }
}
