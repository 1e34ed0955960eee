import ApolloIR

/// The names in one struct: a property for each member, and a type for each member that has one of its own.
struct StructScope {
  private(set) var properties: [MemberKey: String] = [:]
  private(set) var types: [MemberKey: String] = [:]

  /// - Parameters:
  ///   - inherited: The properties that the enclosing struct hands over, which have their names already.
  ///   - mentioned: Types declared elsewhere that the struct mentions: nested types must not hide them.
  init(_ shape: Shape, inherited: [PropertyPlan], mentioned: Set<String>, names: NameResolver) {
    nameProperties(shape, inherited: inherited, names)
    nameTypes(shape, mentioned: mentioned, names)
  }

  // MARK: - Properties

  private mutating func nameProperties(_ shape: Shape, inherited: [PropertyPlan], _ names: NameResolver) {
    var taken = ReservedNames.members.union(inherited.map(\.name))
    for member in shape.members {
      let (name, suffix) = Self.propertyName(member, names)
      var candidate = name
      while !taken.insert(candidate).inserted { candidate += suffix }
      properties[member.key] = candidate
    }
  }

  private static func propertyName(_ member: Member, _ names: NameResolver) -> (name: String, suffix: String) {
    switch member {
    case .field(let field): (names.field(field.responseKey), "_")
    case .fragment(let fragment): (Identifier.lowercasedFirst(fragment.name), "Fragment")
    case .inlineFragment(let fragment):
      (Identifier.lowercasedFirst(names.inlineFragmentType(fragment.typeCondition)), "Fragment")
    case .deferred(let fragment):
      switch fragment.fragment {
      case .named(let name): (Identifier.lowercasedFirst(name), "Fragment")
      case .inline: (Identifier.property(Identifier.camelCased(fragment.name)), "Fragment")
      }
    }
  }

  // MARK: - Types

  private mutating func nameTypes(_ shape: Shape, mentioned: Set<String>, _ names: NameResolver) {
    var taken = ReservedNames.types.union(mentioned)
    if case .outsideOfNamespace(let name) = names.options.surroundings { taken.insert(name) }
    // A struct named as a property of its own would make the name ambiguous.
    for case .field(let field) in shape.members { taken.insert(names.field(field.responseKey)) }
    for member in shape.members {
      let candidates = Self.typeNames(member, names)
      guard let last = candidates.last else { continue }
      let name = candidates.first { !taken.contains($0) } ?? Self.numbered(last, taken)
      taken.insert(name)
      types[member.key] = name
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
