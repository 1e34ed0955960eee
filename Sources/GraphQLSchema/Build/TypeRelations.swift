import GraphQLSyntax

/// Which types implement interfaces and are members of unions. It is computed once for all abstract types.
struct TypeRelations: Sendable {
  struct PossibleTypes: Sendable {
    var types: [ObjectType] = []
    var names: Set<String> = []

    mutating func insert(_ type: ObjectType) {
      if names.insert(type.name).inserted { types.append(type) }
    }
  }

  /// The possible types, by the name of an interface or union.
  var possibleTypes: [String: PossibleTypes] = [:]
  /// The types that implement an interface, by the name of the interface.
  var implementations: [String: [NamedType]] = [:]
  /// The names of the direct subtypes, by the name of an interface or union.
  var subtypes: [String: Set<String>] = [:]

  /// Computes the relations.
  ///
  /// - Parameters:
  ///   - defined: The types that can be related, in the order of their definition.
  ///   - types: All types, by name.
  init(_ defined: [NamedType], types: [String: NamedType]) {
    for type in defined {
      switch type {
      case .object(let object):
        for interface in object.interfaces {
          insert(type, implementing: interface.value)
          possibleTypes[interface.value, default: PossibleTypes()].insert(object)
        }
      case .interface(let interface):
        for name in interface.interfaces { insert(type, implementing: name.value) }
      case .union(let union):
        for member in union.members {
          subtypes[union.name, default: []].insert(member.value)
          guard case .object(let object)? = types[member.value] else { continue }
          possibleTypes[union.name, default: PossibleTypes()].insert(object)
        }
      case .scalar, .enum, .inputObject: break
      }
    }
  }

  private mutating func insert(_ type: NamedType, implementing interface: String) {
    guard subtypes[interface, default: []].insert(type.name).inserted else { return }
    implementations[interface, default: []].append(type)
  }
}
