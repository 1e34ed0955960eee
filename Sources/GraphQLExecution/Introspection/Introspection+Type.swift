import GraphQLSchema
import GraphQLSyntax

extension Introspection {
  /// `__Type` — [spec](https://spec.graphql.org/September2025/#sec-The-__Type-Type)
  func typeField(_ field: String, of reference: TypeReference, _ includesDeprecated: Bool) -> GraphQLValue {
    switch (field, reference.isNonNull, reference.kind) {
    case ("kind", true, _): "NON_NULL"
    case ("kind", false, .list): "LIST"
    case ("ofType", true, _): .node(.type(reference.nullable))
    case ("ofType", false, .list(let element)): .node(.type(element))
    case (_, false, .named(let name)):
      schema.type(named: name.value).map { namedTypeField(field, of: $0, includesDeprecated) } ?? .null
    default: .null
    }
  }

  private func namedTypeField(_ field: String, of type: NamedType, _ includesDeprecated: Bool) -> GraphQLValue {
    switch (field, type) {
    case ("kind", _): .string(kind(of: type))
    case ("name", _): .string(type.name)
    case ("description", _): .optional(type.description)
    case ("specifiedByURL", .scalar(let type)): .optional(type.specifiedByURL)
    case ("fields", .object), ("fields", .interface):
      .nodes(type.fields ?? NamedList(), includesDeprecated: includesDeprecated, Node.field)
    case ("interfaces", .object), ("interfaces", .interface):
      .list(type.interfaces.map { self.type(named: $0.value) })
    case ("possibleTypes", .interface), ("possibleTypes", .union):
      .list(schema.possibleTypes(of: type).map { self.type(named: $0.name) })
    case ("enumValues", .enum(let type)): .nodes(type.values, includesDeprecated: includesDeprecated, Node.enumValue)
    case ("inputFields", .inputObject(let type)):
      .nodes(type.fields, includesDeprecated: includesDeprecated, Node.inputValue)
    case ("isOneOf", .inputObject(let type)): .bool(type.isOneOf)
    default: .null
    }
  }

  private func kind(of type: NamedType) -> String {
    switch type {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enum: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    }
  }
}
