public import GraphQLJSON
public import GraphQLSyntax

extension Schema {
  /// The answer of a server with this schema to an introspection query, with its members in the order of the query.
  ///
  /// - Parameters:
  ///   - query: What is asked for. nil, the default: everything, however deep types are wrapped.
  ///   - style: How default values are written. The default is `spaced`.
  /// - Returns: The `data` of the response.
  public func introspection(
    answering query: IntrospectionQuery? = nil, style: Printer.Style = .spaced
  ) -> JSONNode {
    var complete = IntrospectionQuery.full
    complete.typeDepth = .max
    return IntrospectionWriter(schema: self, query: query ?? complete, style: style).write()
  }
}

/// Writes the answer to an introspection query.
private struct IntrospectionWriter {
  let schema: Schema
  let query: IntrospectionQuery
  let style: Printer.Style

  func write() -> JSONNode {
    let root = { (operation: OperationType) -> JSONNode in
      schema.rootType(for: operation).map { .object(["name": .string($0.name), "kind": .string("OBJECT")]) } ?? .null
    }
    var members: [Member] = query.schemaDescription ? description(schema.description) : []
    members += [
      ("queryType", root(.query)), ("mutationType", root(.mutation)), ("subscriptionType", root(.subscription)),
      ("types", .array(schema.allTypes.map(type))),
      ("directives", all(schema.introspectedDirectives, isComplete: query.directiveDeprecation, directive)),
    ]
    return .object(["__schema": object(members)])
  }

  private func type(_ type: NamedType) -> JSONNode {
    var specifiedByURL = JSONNode.null, isOneOf = JSONNode.null, fields = JSONNode.null, inputFields = JSONNode.null
    var interfaces = JSONNode.null, enumValues = JSONNode.null, possibleTypes = JSONNode.null
    switch type {
    case .scalar(let scalar): specifiedByURL = text(scalar.specifiedByURL)
    case .object, .interface:
      fields = all(type.fields ?? NamedList(), isComplete: true, field)
      interfaces = .array(type.interfaces.map { reference(TypeReference(.named($0))) })
      if case .interface = type {
        possibleTypes = .array(schema.possibleTypes(of: type).map { reference(TypeReference(.named(Name($0.name)))) })
      }
    case .union(let type):
      // The members as they are declared. Members that are not object types are reported by validation.
      let defined = type.members.filter { schema.type(named: $0.value) != nil }
      possibleTypes = .array(defined.map { reference(TypeReference(.named($0))) })
    case .enum(let type): enumValues = all(type.values, isComplete: true, enumValue)
    case .inputObject(let type):
      inputFields = all(type.fields, isComplete: query.inputValueDeprecation, inputValue)
      isOneOf = .boolean(type.isOneOf)
    }
    var members: [Member] = [("kind", .string(type.introspectionKind)), ("name", .string(type.name))]
    members += description(type.description)
    if query.specifiedByURL { members.append(("specifiedByURL", specifiedByURL)) }
    if query.oneOf { members.append(("isOneOf", isOneOf)) }
    members += [
      ("fields", fields), ("inputFields", inputFields), ("interfaces", interfaces), ("enumValues", enumValues),
      ("possibleTypes", possibleTypes),
    ]
    return object(members)
  }

  private func field(_ field: FieldDefinition) -> JSONNode {
    object(
      named(field.name, field.description) + [
        ("args", arguments(field.arguments, isComplete: query.inputValueDeprecation)), ("type", reference(field.type)),
      ] + deprecation(of: field))
  }

  private func arguments(_ arguments: [InputValueDefinition], isComplete: Bool) -> JSONNode {
    all(arguments, isComplete: isComplete, inputValue)
  }

  private func inputValue(_ input: InputValueDefinition) -> JSONNode {
    object(
      named(input.name, input.description) + [
        ("type", reference(input.type)),
        ("defaultValue", text(input.defaultValue.map { Printer.print($0, style: style) })),
      ] + (query.inputValueDeprecation ? deprecation(of: input) : []))
  }

  private func enumValue(_ value: EnumValueDefinition) -> JSONNode {
    object(named(value.name, value.description) + deprecation(of: value))
  }

  private func directive(_ directive: DirectiveDefinition) -> JSONNode {
    let isComplete = query.inputValueDeprecation && query.directiveArgumentDeprecation
    return object(
      named(directive.name, directive.description)
        + (query.directiveIsRepeatable ? [("isRepeatable", .boolean(directive.isRepeatable))] : [])
        + (query.directiveDeprecation ? deprecation(of: directive) : []) + [
          ("locations", .array(directive.locations.map { .string($0.rawValue) })),
          ("args", arguments(directive.arguments, isComplete: isComplete)),
        ])
  }

  /// A type with as many of its wrappers as the query asks for.
  private func reference(_ type: TypeReference) -> JSONNode { reference(type, depth: query.typeDepth, isRoot: true) }

  private func reference(_ type: TypeReference, depth: Int, isRoot: Bool) -> JSONNode {
    var kind = JSONNode.string("NON_NULL"), name = JSONNode.null, inner: TypeReference?
    switch type.kind {
    case _ where type.isNonNull:
      inner = type
      inner?.isNonNull = false
    case .list(let element):
      kind = .string("LIST")
      inner = element
    case .named(let named):
      kind = text(schema.type(named: named.value)?.introspectionKind)
      name = .string(named.value)
    }
    var members: [Member] = isRoot ? [("kind", kind), ("name", name)] : [("name", name), ("kind", kind)]
    if depth > 0 {
      members.append(("ofType", inner.map { reference($0, depth: depth - 1, isRoot: false) } ?? .null))
    }
    return object(members)
  }

  // MARK: - Members

  private typealias Member = (String, JSONNode)

  private func object(_ members: [Member]) -> JSONNode { .object(JSONNode.Members(members)) }

  private func named(_ name: Name, _ description: StringValue?) -> [Member] {
    [("name", .string(name.value))] + self.description(description?.value)
  }

  private func description(_ text: String?) -> [Member] {
    query.descriptions ? [("description", self.text(text))] : []
  }

  private func deprecation(of part: some Deprecatable) -> [Member] {
    [("isDeprecated", .boolean(part.isDeprecated)), ("deprecationReason", text(part.deprecationReason))]
  }

  /// The nodes of some parts. Deprecated parts are left out unless `isComplete`.
  private func all<Part: Deprecatable>(
    _ parts: some Sequence<Part>, isComplete: Bool, _ node: (Part) -> JSONNode
  ) -> JSONNode {
    .array(parts.filter { isComplete || !$0.isDeprecated }.map(node))
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
