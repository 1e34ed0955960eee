public import GraphQLJSON
public import GraphQLSyntax

extension Schema {
  /// The answer of a server with this schema to the full introspection query.
  ///
  /// - Parameter style: How default values are written. The default is `spaced`.
  /// - Returns: The `data` of the response.
  public func introspection(style: Printer.Style = .spaced) -> JSONNode {
    IntrospectionWriter(schema: self, style: style).write()
  }
}

/// Writes the answer to an introspection query.
private struct IntrospectionWriter {
  let schema: Schema
  let style: Printer.Style

  func write() -> JSONNode {
    let root = { (operation: OperationType) -> JSONNode in
      schema.rootType(for: operation).map { .object(["name": .string($0.name), "kind": .string("OBJECT")]) } ?? .null
    }
    return .object([
      "__schema": .object([
        "description": text(schema.description), "queryType": root(.query), "mutationType": root(.mutation),
        "subscriptionType": root(.subscription), "types": .array(schema.allTypes.map(type)),
        "directives": .array(schema.directiveDefinitions.map(directive)),
      ])
    ])
  }

  private func type(_ type: NamedType) -> JSONNode {
    let interfaces: JSONNode = .array(type.interfaces.map { reference(TypeReference(.named($0))) })
    let fields: JSONNode = .array((type.fields ?? NamedList()).map(field))
    var members: JSONNode.Members = [
      "name": .string(type.name), "description": text(type.description), "kind": .string(type.introspectionKind),
      "specifiedByURL": .null, "isOneOf": .null, "fields": .null, "inputFields": .null, "interfaces": .null,
      "enumValues": .null, "possibleTypes": .null,
    ]
    switch type {
    case .scalar(let scalar): members["specifiedByURL"] = text(scalar.specifiedByURL)
    case .object:
      members["fields"] = fields
      members["interfaces"] = interfaces
    case .interface:
      members["fields"] = fields
      members["interfaces"] = interfaces
      members["possibleTypes"] = possibleTypes(type)
    case .union(let type):
      // The members as they are declared. Members that are not object types are reported by validation.
      let defined = type.members.filter { schema.type(named: $0.value) != nil }
      members["possibleTypes"] = .array(defined.map { reference(TypeReference(.named($0))) })
    case .enum(let type): members["enumValues"] = .array(type.values.map(enumValue))
    case .inputObject(let type):
      members["inputFields"] = .array(type.fields.map(inputValue))
      members["isOneOf"] = .boolean(type.isOneOf)
    }
    return .object(members)
  }

  private func possibleTypes(_ type: NamedType) -> JSONNode {
    .array(schema.possibleTypes(of: type).map { reference(TypeReference(.named(Name($0.name)))) })
  }

  private func field(_ field: FieldDefinition) -> JSONNode {
    .object([
      "name": .string(field.name.value), "description": text(field.description?.value),
      "args": .array(field.arguments.map(inputValue)), "type": reference(field.type),
      "isDeprecated": .boolean(field.isDeprecated), "deprecationReason": text(field.deprecationReason),
    ])
  }

  private func inputValue(_ input: InputValueDefinition) -> JSONNode {
    .object([
      "name": .string(input.name.value), "description": text(input.description?.value), "type": reference(input.type),
      "defaultValue": text(input.defaultValue.map { Printer.print($0, style: style) }),
      "isDeprecated": .boolean(input.isDeprecated), "deprecationReason": text(input.deprecationReason),
    ])
  }

  private func enumValue(_ value: EnumValueDefinition) -> JSONNode {
    .object([
      "name": .string(value.name.value), "description": text(value.description?.value),
      "isDeprecated": .boolean(value.isDeprecated), "deprecationReason": text(value.deprecationReason),
    ])
  }

  private func directive(_ directive: DirectiveDefinition) -> JSONNode {
    .object([
      "name": .string(directive.name.value), "description": text(directive.description?.value),
      "isRepeatable": .boolean(directive.isRepeatable),
      "locations": .array(directive.locations.map { .string($0.rawValue) }),
      "args": .array(directive.arguments.map(inputValue)),
    ])
  }

  private func reference(_ type: TypeReference) -> JSONNode {
    if type.isNonNull {
      var nullable = type
      nullable.isNonNull = false
      return .object(["kind": .string("NON_NULL"), "name": .null, "ofType": reference(nullable)])
    }
    switch type.kind {
    case .list(let element): return .object(["kind": .string("LIST"), "name": .null, "ofType": reference(element)])
    case .named(let name):
      let kind = schema.type(named: name.value)?.introspectionKind
      return .object(["kind": text(kind), "name": .string(name.value), "ofType": .null])
    }
  }

  private func text(_ text: String?) -> JSONNode { text.map { .string($0) } ?? .null }
}

extension NamedType {
  /// The name of the type's kind in introspection: a value of `__TypeKind` —
  /// [spec](https://spec.graphql.org/September2025/#sec-The-__Type-Type)
  public var introspectionKind: String {
    switch self {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enum: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    }
  }
}
