import GraphQLSyntax

/// The order in which a schema lists its types: that of their definition. Built-in types follow what refers to them
/// first, depth first.
enum TypeOrder {
  static func sort(_ defined: [NamedType], in schema: Schema) -> [NamedType] {
    var sorted: [NamedType] = []
    var visited = Set(defined.map(\.name))
    func visitReferences(_ names: [String]) {
      // A list is used in place of recursion, because chains of types can be longer than a call stack.
      var pending = Array(names.reversed())
      while let name = pending.popLast() {
        guard !visited.contains(name), let type = schema.type(named: name) else { continue }
        visited.insert(name)
        sorted.append(type)
        pending += references(of: type).reversed()
      }
    }
    for type in defined {
      sorted.append(type)
      visitReferences(references(of: type))
    }
    visitReferences(schema.directiveDefinitions.flatMap { $0.arguments.map(\.type.namedType.value) })
    visitReferences(["__Schema"])
    return sorted
  }

  private static func references(of type: NamedType) -> [String] { type.definition.body.references }
}

extension TypeDefinition.Body {
  /// The names of the types it refers to.
  var references: [String] {
    switch self {
    case .scalar, .enum: []
    case .object(let interfaces, let fields), .interface(let interfaces, let fields):
      interfaces.map(\.value)
        + fields.flatMap { [$0.type.namedType.value] + $0.arguments.map(\.type.namedType.value) }
    case .union(let members): members.map(\.value)
    case .inputObject(let fields): fields.map(\.type.namedType.value)
    }
  }
}
