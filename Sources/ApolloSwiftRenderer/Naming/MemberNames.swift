import ApolloIR

/// Gives the properties of a struct different names.
struct MemberNames {
  let fieldsAreCamelCased: Bool
  private var taken: Set<String> = ReservedNames.members

  init(fieldsAreCamelCased: Bool) { self.fieldsAreCamelCased = fieldsAreCamelCased }

  mutating func claim(_ name: String) { taken.insert(name) }

  mutating func name(of member: Member) -> String {
    switch member {
    case .field(let field):
      let key = field.responseKey
      return unique(fieldsAreCamelCased ? Identifier.camelCased(key) : Identifier.property(key), else: "_")
    case .fragment(let fragment): return unique(Identifier.lowercasedFirst(fragment.name), else: "Fragment")
    case .inlineFragment(let fragment):
      return unique("as" + Identifier.uppercasedFirst(fragment.typeCondition), else: "Fragment")
    case .deferred(let fragment):
      if case .named(let name) = fragment.fragment { return unique(Identifier.lowercasedFirst(name), else: "Fragment") }
      return unique(Identifier.property(Identifier.camelCased(fragment.name)), else: "Fragment")
    }
  }

  private mutating func unique(_ name: String, else suffix: String) -> String {
    var candidate = name
    while !taken.insert(candidate).inserted { candidate += suffix }
    return candidate
  }
}
