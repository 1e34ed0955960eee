import ApolloIR

/// Names the types that are nested in a struct: one for each field with objects, and one for each inline fragment.
struct StructNames {
  private var names: [String: String] = [:]

  /// - Parameter avoiding: Types declared elsewhere that the struct mentions.
  init(_ shape: Shape, avoiding globals: Set<String>, options: RenderingOptions) {
    var taken = globals.union(ReservedNames.types)
    if case .outsideOfNamespace(let name) = options.surroundings { taken.insert(name) }
    // A struct named as a property of its own would make the name ambiguous.
    for case .field(let field) in shape.members { taken.insert(MemberNames.name(ofField: field.responseKey, options)) }
    for member in shape.members {
      let candidates: [String]
      switch member {
      case .field(let field):
        guard field.shape != nil else { continue }
        let name = options.capitalization.type(Identifier.type(field.responseKey))
        let singular = field.type.isList ? options.inflection.singular(name) : name
        candidates = [singular, name, singular + "_SelectionSet"]
      case .inlineFragment(let fragment):
        let name = "As" + Identifier.type(options.typeName(fragment.typeCondition))
        candidates = [name, name + "_SelectionSet"]
      case .deferred(let fragment):
        guard fragment.shape != nil else { continue }
        let name = Identifier.uppercasedFirst(Identifier.camelCased(fragment.name))
        candidates = [name, name + "_SelectionSet"]
      case .fragment: continue
      }
      let name = candidates.first { !taken.contains($0) } ?? Self.numbered(candidates[candidates.count - 1], taken)
      taken.insert(name)
      names[member.key] = name
    }
  }

  subscript(key: String) -> String? { names[key] }

  private static func numbered(_ name: String, _ taken: Set<String>) -> String {
    var number = 2
    while taken.contains(name + String(number)) { number += 1 }
    return name + String(number)
  }

  /// The names in a type such as `[GraphQLEnum<Episode>?]`.
  static func identifiers(in type: String) -> [String] {
    type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

/// Types declared elsewhere that a selection set mentions, or what its fragments are made of.
struct GlobalNames {
  private(set) var names: Set<String> = []
  private var visited: Set<String> = []
  private let types: SwiftTypes
  private let fragments: [String: Fragment]

  init(_ shape: Shape, types: SwiftTypes, fragments: [String: Fragment]) {
    self.types = types
    self.fragments = fragments
    add(shape)
  }

  private mutating func add(_ shape: Shape) {
    for member in shape.members {
      switch member {
      case .field(let field):
        if let shape = field.shape {
          add(shape)
        } else {
          names.formUnion(StructNames.identifiers(in: types.output(field.type)))
        }
      case .fragment(let reference): add(fragmentNamed: reference.name)
      case .inlineFragment(let fragment): add(fragment.shape)
      case .deferred(let fragment):
        if case .named(let name) = fragment.fragment { add(fragmentNamed: name) }
        if let shape = fragment.shape { add(shape) }
      }
    }
  }

  private mutating func add(fragmentNamed name: String) {
    names.insert(types.names.fragments[name] ?? name)
    guard visited.insert(name).inserted, let fragment = fragments[name] else { return }
    add(fragment.shape)
  }
}
