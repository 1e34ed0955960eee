import GraphQLJSON

/// How recorded introspection is compared.
extension JSONNode {
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

  /// With the members of every object sorted by name: older releases ask for some of them in another order.
  var sorted: JSONNode {
    switch value {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(Members(members.sorted { $0.name < $1.name }.map { ($0.name, $0.value.sorted) }))
    default: self
    }
  }
}
