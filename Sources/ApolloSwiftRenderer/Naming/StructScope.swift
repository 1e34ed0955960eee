import ApolloIR

/// The names in one struct: a property for each member, and a type for each member that has one of its own.
struct StructScope {
  private(set) var properties: [MemberKey: String] = [:]
  private(set) var types: [MemberKey: String] = [:]
  /// The property and the type for what is there under a condition.
  private(set) var conditions: [Condition: (property: String, type: String)] = [:]
  private(set) var takenProperties: Set<String> = []
  private(set) var takenTypes: Set<String> = []

  /// - Parameters:
  ///   - inherited: The properties that the enclosing struct hands over, which have their names already.
  ///   - mentioned: Types declared elsewhere that the struct mentions: nested types must not hide them.
  init(_ shape: Shape, inherited: [PropertyPlan], mentioned: Set<String>, names: NameResolver) {
    nameProperties(shape, inherited: inherited, names)
    nameTypes(shape, mentioned: mentioned, names)
    for condition in shape.conditions {
      guard let factors = condition.factors else { continue }
      let type = names.conditionalType(factors)
      conditions[condition] = (claimProperty(Identifier.lowercasedFirst(type), suffix: "_"), claimType([type]))
    }
  }

  /// Takes a name that no property has, with a suffix if it has to be.
  private mutating func claimProperty(_ name: String, suffix: String) -> String {
    var candidate = name
    while !takenProperties.insert(candidate).inserted { candidate += suffix }
    return candidate
  }

  /// Takes the first of these names that no type has, or the last with a number.
  private mutating func claimType(_ candidates: [String]) -> String {
    let last = candidates[candidates.count - 1]
    let name = candidates.first { !takenTypes.contains($0) } ?? Self.numbered(last, takenTypes)
    takenTypes.insert(name)
    return name
  }

  // MARK: - Properties

  private mutating func nameProperties(_ shape: Shape, inherited: [PropertyPlan], _ names: NameResolver) {
    takenProperties = ReservedNames.members.union(inherited.map(\.name))
    for member in shape.members {
      let (name, suffix) = Self.propertyName(member, names)
      properties[member.key] = claimProperty(name, suffix: suffix)
    }
  }

  private static func propertyName(_ member: Member, _ names: NameResolver) -> (name: String, suffix: String) {
    switch member {
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
    if case .outsideOfNamespace(let name) = names.options.surroundings { takenTypes.insert(name) }
    // A struct named as a property of its own would make the name ambiguous.
    for case .field(let field) in shape.members {
      takenTypes.insert(names.field(field.responseKey))
    }
    for member in shape.members {
      let candidates = Self.typeNames(member, names)
      if !candidates.isEmpty { types[member.key] = claimType(candidates) }
    }
  }

  /// Names for the type of a member, the best first; none where it has no type of its own.
  private static func typeNames(_ member: Member, _ names: NameResolver) -> [String] {
    switch member {
    case .field(let field):
      guard field.shape != nil else { return [] }
      let (name, singular) = names.objectType(field)
      return [singular, name, singular + "_SelectionSet"]
    case .inlineFragment(let fragment):
      let name = names.inlineFragmentType(fragment.typeCondition)
      return [name, name + "_SelectionSet"]
    case .deferred(let fragment):
      guard fragment.shape != nil else { return [] }
      let name = Identifier.uppercasedFirst(Identifier.camelCased(fragment.name))
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
