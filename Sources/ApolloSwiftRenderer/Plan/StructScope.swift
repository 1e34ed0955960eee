import ApolloIR

/// The names in one struct: a property for each member, and a type for each member that has one.
struct StructScope {
  private(set) var properties: [MemberKey: String] = [:]
  /// The stored properties of members whose property is computed.
  private(set) var hiddenProperties: [MemberKey: String] = [:]
  private(set) var types: [MemberKey: String] = [:]
  /// The properties and the types for fields under a condition.
  private(set) var conditions: [Condition: (property: String, flag: String, type: String)] = [:]
  private(set) var takenProperties: Set<String> = []
  private(set) var takenTypes: Set<String> = []

  /// Chooses the names.
  ///
  /// - Parameters:
  ///   - shape: The members of the struct.
  ///   - inherited: The names of the members that the enclosing struct passes on.
  ///   - mentioned: Types declared elsewhere that the struct uses, so nested types must not hide them.
  ///   - fields: The names of the fields that the struct has, itself or from fragments.
  ///   - names: Gives the names of types and properties.
  init(
    _ shape: Shape, inherited: Set<String>, mentioned: Set<String>, fields: Set<String>, names: NameResolver
  ) {
    nameProperties(shape, inherited: inherited, mentioned: mentioned, fields: fields, names)
    nameTypes(shape, mentioned: mentioned, names)
    for condition in shape.conditions {
      guard let factors = condition.factors else { continue }
      let type = names.conditionalType(factors)
      let property = takenProperties.claim(Identifier.lowercasedFirst(type))
      conditions[condition] = (property, takenProperties.claimHidden(property), claimType([type]))
    }
  }

  /// Claims the first of these names that no other type has, or the last name with a number.
  private mutating func claimType(_ candidates: [String]) -> String {
    let last = candidates[candidates.count - 1]
    let name = candidates.first { !takenTypes.contains($0) } ?? Self.numbered(last, takenTypes)
    takenTypes.insert(name)
    return name
  }

  // MARK: - Properties

  private mutating func nameProperties(
    _ shape: Shape, inherited: Set<String>, mentioned: Set<String>, fields: Set<String>, _ names: NameResolver
  ) {
    // A property would hide a type with its name.
    takenProperties = ReservedNames.members.union(ReservedNames.mentioned).union(mentioned)
    takenProperties.formUnion(inherited)
    for member in shape.members {
      let (name, suffix) = Self.propertyName(member, names)
      // (A field has its name before a fragment has it, also one of a fragment.)
      let givesWay = Self.isNamedFragment(member) && member.alias == nil && fields.contains(name)
      properties[member.key] = takenProperties.claim(givesWay ? name + suffix : name, suffix: suffix)
    }
    for member in shape.members where Self.hasHiddenProperty(member) {
      let name = properties[member.key] ?? ""
      // (Other types use the stored property of a deprecated field, so it begins with two underscores.)
      if case .field = member {
        hiddenProperties[member.key] = takenProperties.claimHidden("_" + name)
      } else {
        hiddenProperties[member.key] = takenProperties.claimHidden(name)
      }
    }
  }

  /// Whether the property is computed from a stored one; see ``PropertyPlan/storage``.
  private static func hasHiddenProperty(_ member: Member) -> Bool {
    switch member {
    case .field(let field): field.deprecationReason != nil
    case .fragment, .inlineFragment: true
    case .deferred: false
    }
  }

  private static func isNamedFragment(_ member: Member) -> Bool {
    switch member {
    case .fragment: true
    case .deferred(let fragment): if case .named = fragment.fragment { true } else { false }
    default: false
    }
  }

  private static func propertyName(_ member: Member, _ names: NameResolver) -> (name: String, suffix: String) {
    if let alias = member.alias { return (names.field(alias), "_") }
    return switch member {
    case .field(let field): (names.field(field.responseKey), "_")
    case .fragment(let fragment): (names.fragmentProperty(fragment.name), "Fragment")
    case .inlineFragment(let fragment):
      (Identifier.lowercasedFirst(names.inlineFragmentType(fragment.typeCondition)), "Fragment")
    case .deferred(let fragment):
      switch fragment.fragment {
      case .named(let name): (names.fragmentProperty(name), "Fragment")
      case .inline: (Identifier.property(Identifier.camelCased(fragment.name)), "Fragment")
      }
    }
  }

  // MARK: - Types

  private mutating func nameTypes(_ shape: Shape, mentioned: Set<String>, _ names: NameResolver) {
    takenTypes = ReservedNames.types.union(mentioned)
    // Extensions begin with it, also those of the struct, in which a nested type of that name would hide it.
    if let owner = names.options.placement.owner { takenTypes.insert(owner) }
    if names.options.placement.hasSchemaMetadata { takenTypes.insert("SchemaMetadata") }
    // A struct with the name of one of its own properties would make the name ambiguous.
    for case .field(let field) in shape.members {
      takenTypes.insert(names.field(field.responseKey))
    }
    for member in shape.members {
      let candidates = Self.typeNames(member, names)
      if !candidates.isEmpty { types[member.key] = claimType(candidates) }
    }
  }

  /// Names for the type of a member, the best first; empty if it needs no type.
  private static func typeNames(_ member: Member, _ names: NameResolver) -> [String] {
    let alias = member.alias.map { Identifier.uppercasedFirst(names.field($0)) }
    switch member {
    case .field(let field):
      guard field.shape != nil else { return [] }
      let (name, singular) = names.objectType(field)
      let suffixed = singular + "_SelectionSet"
      let isSuffixed = names.options.naming == .standard && ReservedNames.suffixed.contains(singular)
      return isSuffixed ? [suffixed] : [singular, name, suffixed]
    case .inlineFragment(let fragment):
      let name = alias ?? names.inlineFragmentType(fragment.typeCondition)
      return [name, name + "_SelectionSet"]
    case .deferred(let fragment):
      guard fragment.shape != nil else { return [] }
      let name = alias ?? Identifier.uppercasedFirst(Identifier.camelCased(fragment.name))
      return [name, name + "_SelectionSet"]
    case .fragment: return []
    }
  }

  private static func numbered(_ name: String, _ taken: Set<String>) -> String {
    var number = 2
    while taken.contains(name + String(number)) { number += 1 }
    return name + String(number)
  }
}
