import GraphQLJSON

/// How recorded introspection is compared.
extension JSONNode {
  /// Only the members that another value has too: a query need not ask for everything.
  func restricted(to other: JSONNode) -> JSONNode {
    if let members = object, let others = other.object {
      let common = members.compactMap { member in
        others[member.name].map { (member.name, member.value.restricted(to: $0)) }
      }
      return .object(Members(common))
    }
    if let items = array, let others = other.array, let model = others.first {
      return .array(items.enumerated().map { $1.restricted(to: $0 < others.count ? others[$0] : model) })
    }
    return self
  }

  /// Without introspection types and built-in directives.
  var withoutBuiltIns: JSONNode {
    guard var schema = self["__schema"]?.object, let types = schema["types"]?.array,
      let directives = schema["directives"]?.array
    else { return self }
    let builtIn: Set<String> = ["include", "skip", "deprecated", "specifiedBy", "oneOf"]
    schema["types"] = .array(types.filter { $0["name"]?.string?.hasPrefix("__") != true })
    schema["directives"] = .array(directives.filter { !builtIn.contains($0["name"]?.string ?? "") })
    return .object(["__schema": .object(schema)])
  }

  /// With the members of every object sorted by name, so that the texts of equal values are equal.
  var sorted: JSONNode {
    switch value {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(Members(members.sorted { $0.name < $1.name }.map { ($0.name, $0.value.sorted) }))
    default: self
    }
  }
}
