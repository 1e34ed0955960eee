import ApolloIR

/// Names the types that are nested in a struct: one for each field with objects, and one for each inline fragment.
struct StructNames {
  private var names: [String: String] = [:]

  /// - Parameter avoiding: Types declared elsewhere that the struct mentions.
  init(_ shape: Shape, avoiding globals: Set<String>, options: RenderingOptions) {
    var taken: Set<String> = []
    func isTaken(_ name: String) -> Bool {
      taken.contains(name) || globals.contains(name) || ReservedNames.types.contains(name)
    }
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
      let name = candidates.first { !isTaken($0) } ?? Self.numbered(candidates[candidates.count - 1], isTaken)
      taken.insert(name)
      names[member.key] = name
    }
  }

  subscript(key: String) -> String? { names[key] }

  private static func numbered(_ name: String, _ isTaken: (String) -> Bool) -> String {
    var number = 2
    while isTaken(name + String(number)) { number += 1 }
    return name + String(number)
  }

  /// The names in a type such as `[GraphQLEnum<Episode>?]`.
  static func identifiers(in type: String) -> [String] {
    type.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

/// Types declared elsewhere that selection sets mention, or what their fragments are made of.
final class GlobalNames {
  /// Those of each fragment, with the fragments that it spreads.
  private var known: [String: Set<String>] = [:]
  private let types: SwiftTypes
  private let fragments: [String: Fragment]

  init(types: SwiftTypes, fragments: [String: Fragment]) {
    self.types = types
    self.fragments = fragments
  }

  func names(in shape: Shape) -> Set<String> {
    var names: Set<String> = []
    add(shape, to: &names)
    return names
  }

  private func add(_ shape: Shape, to names: inout Set<String>) {
    for member in shape.members {
      switch member {
      case .field(let field):
        if let shape = field.shape {
          add(shape, to: &names)
        } else {
          names.formUnion(StructNames.identifiers(in: types.output(field.type)))
        }
      case .fragment(let reference): names.formUnion(self.names(ofFragment: reference.name))
      case .inlineFragment(let fragment): add(fragment.shape, to: &names)
      case .deferred(let fragment):
        if case .named(let name) = fragment.fragment { names.formUnion(self.names(ofFragment: name)) }
        if let shape = fragment.shape { add(shape, to: &names) }
      }
    }
  }

  private func names(ofFragment name: String) -> Set<String> {
    if let names = known[name] { return names }
    var names: Set<String> = [types.names.fragments[name] ?? name]
    if let fragment = fragments[name] { add(fragment.shape, to: &names) }
    known[name] = names
    return names
  }
}
