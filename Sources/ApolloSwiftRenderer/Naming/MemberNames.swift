import ApolloIR

/// Gives the properties of a struct different names.
struct MemberNames {
  private let options: RenderingOptions
  private var taken: Set<String> = ReservedNames.members

  init(_ options: RenderingOptions) { self.options = options }

  mutating func claim(_ name: String) { taken.insert(name) }

  mutating func name(of member: Member) -> String {
    switch member {
    case .field(let field):
      return unique(Self.name(ofField: field.responseKey, options), else: "_")
    case .fragment(let fragment): return unique(Identifier.lowercasedFirst(fragment.name), else: "Fragment")
    case .inlineFragment(let fragment):
      return unique("as" + Identifier.type(options.typeName(fragment.typeCondition)), else: "Fragment")
    case .deferred(let fragment):
      if case .named(let name) = fragment.fragment { return unique(Identifier.lowercasedFirst(name), else: "Fragment") }
      return unique(Identifier.property(Identifier.camelCased(fragment.name)), else: "Fragment")
    }
  }

  static func name(ofField key: String, _ options: RenderingOptions) -> String {
    options.capitalization.property(
      options.convertsFieldNames ? Identifier.camelCased(key) : Identifier.property(key))
  }

  private mutating func unique(_ name: String, else suffix: String) -> String {
    var candidate = name
    while !taken.insert(candidate).inserted { candidate += suffix }
    return candidate
  }
}
