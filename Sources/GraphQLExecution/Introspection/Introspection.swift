import GraphQLSchema
import GraphQLSyntax

/// Resolves the fields of the types that describe a schema
/// — [spec](https://spec.graphql.org/September2025/#sec-Schema-Introspection)
struct Introspection {
  /// The part of the schema that a value of an introspection type stands for.
  enum Node: Sendable {
    case schema
    case type(TypeReference)
    case field(FieldDefinition)
    case inputValue(InputValueDefinition)
    case enumValue(EnumValueDefinition)
    case directive(DirectiveDefinition)
  }

  let schema: Schema

  init(_ schema: Schema) { self.schema = schema }

  /// The value of a field of an introspection type.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - source: A value that this function returned, or the root value for the meta-fields of the query type.
  ///   - arguments: The arguments of the field.
  /// - Returns: The value.
  /// - Throws: ``ExecutionError`` if the source is not of an introspection type.
  func value(of field: String, in source: GraphQLValue, arguments: GraphQLValue.Object) throws -> GraphQLValue {
    switch field {
    case "__schema": return .node(.schema)
    case "__type": return type(named: arguments["name"]?.string)
    default: break
    }
    guard case .opaque(let object) = source, let node = object as? Node else {
      throw ExecutionError("Only the schema itself can have a field \"\(field)\" of an introspection type.")
    }
    let includesDeprecated = arguments["includeDeprecated"]?.bool ?? false
    return switch node {
    case .schema: schemaField(field, includesDeprecated)
    case .type(let type): typeField(field, of: type, includesDeprecated)
    case .field(let definition): fieldField(field, of: definition, includesDeprecated)
    case .inputValue(let definition): inputValueField(field, of: definition)
    case .enumValue(let definition): enumValueField(field, of: definition)
    case .directive(let definition): directiveField(field, of: definition, includesDeprecated)
    }
  }

  func type(named name: String?) -> GraphQLValue {
    guard let name, schema.type(named: name) != nil else { return .null }
    return .node(.type(TypeReference(.named(Name(name)))))
  }

  /// The value of a field of `__Schema` — [spec](https://spec.graphql.org/September2025/#sec-The-__Schema-Type)
  private func schemaField(_ field: String, _ includesDeprecated: Bool) -> GraphQLValue {
    switch field {
    case "description": .optional(schema.description)
    case "types": .list(includedTypes.map { type(named: $0.name) })
    case "queryType": type(named: schema.queryType?.name)
    case "mutationType": type(named: schema.mutationType?.name)
    case "subscriptionType": type(named: schema.subscriptionType?.name)
    case "directives":
      .nodes(schema.introspectedDirectives, includesDeprecated: includesDeprecated, Node.directive)
    default: .null
    }
  }

  /// All types, except built-in scalars that no other type refers to —
  /// [spec](https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars)
  private var includedTypes: [NamedType] {
    let types = schema.allTypes
    let arguments = schema.introspectedDirectives.flatMap(\.arguments) + types.flatMap(\.inputValues)
    let references = arguments.map(\.type) + types.flatMap { $0.fields?.map(\.type) ?? [] }
    let used = Set(references.map(\.namedType.value))
    return types.filter { ScalarCoercion.builtIn[$0.name] == nil || used.contains($0.name) }
  }

  /// The value of a field of `__Field` — [spec](https://spec.graphql.org/September2025/#sec-The-__Field-Type)
  private func fieldField(
    _ field: String, of definition: FieldDefinition, _ includesDeprecated: Bool
  ) -> GraphQLValue {
    switch field {
    case "name": .string(definition.name.value)
    case "description": .optional(definition.description?.value)
    case "args": .nodes(definition.arguments, includesDeprecated: includesDeprecated, Node.inputValue)
    case "type": .node(.type(definition.type))
    default: .deprecation(field, of: definition)
    }
  }

  /// The value of a field of `__InputValue` — [spec](https://spec.graphql.org/September2025/#sec-The-__InputValue-Type)
  private func inputValueField(_ field: String, of definition: InputValueDefinition) -> GraphQLValue {
    switch field {
    case "name": .string(definition.name.value)
    case "description": .optional(definition.description?.value)
    case "type": .node(.type(definition.type))
    case "defaultValue": .optional(definition.defaultValue.map { Printer.print($0) })
    default: .deprecation(field, of: definition)
    }
  }

  /// The value of a field of `__EnumValue` — [spec](https://spec.graphql.org/September2025/#sec-The-__EnumValue-Type)
  private func enumValueField(_ field: String, of definition: EnumValueDefinition) -> GraphQLValue {
    switch field {
    case "name": .string(definition.name.value)
    case "description": .optional(definition.description?.value)
    default: .deprecation(field, of: definition)
    }
  }

  /// The value of a field of `__Directive` — [spec](https://spec.graphql.org/September2025/#sec-The-__Directive-Type)
  private func directiveField(
    _ field: String, of definition: DirectiveDefinition, _ includesDeprecated: Bool
  ) -> GraphQLValue {
    switch field {
    case "name": .string(definition.name.value)
    case "description": .optional(definition.description?.value)
    case "isRepeatable": .bool(definition.isRepeatable)
    case "locations": .list(definition.locations.map { .string($0.rawValue) })
    case "args": .nodes(definition.arguments, includesDeprecated: includesDeprecated, Node.inputValue)
    default: .deprecation(field, of: definition)
    }
  }
}

extension NamedType {
  /// The arguments of the type's fields, or its input fields.
  fileprivate var inputValues: [InputValueDefinition] {
    if case .inputObject(let type) = self { return Array(type.fields) }
    return fields?.flatMap(\.arguments) ?? []
  }
}

// MARK: - Values

extension GraphQLValue {
  static func node(_ node: Introspection.Node) -> GraphQLValue { .opaque(node) }

  static func nodes<Element>(
    _ elements: some Sequence<Element>, _ node: (Element) -> Introspection.Node
  ) -> GraphQLValue {
    .list(elements.map { .node(node($0)) })
  }

  /// The elements that are not deprecated, or all of them.
  static func nodes<Element: Deprecatable>(
    _ elements: some Sequence<Element>, includesDeprecated: Bool, _ node: (Element) -> Introspection.Node
  ) -> GraphQLValue {
    .nodes(elements.filter { includesDeprecated || !$0.isDeprecated }, node)
  }

  static func optional(_ text: String?) -> GraphQLValue { text.map(GraphQLValue.string) ?? .null }

  fileprivate static func deprecation(_ field: String, of definition: some Deprecatable) -> GraphQLValue {
    switch field {
    case "isDeprecated": .bool(definition.isDeprecated)
    case "deprecationReason": .optional(definition.deprecationReason)
    default: .null
    }
  }
}
