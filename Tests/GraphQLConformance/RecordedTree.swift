import GraphQLExecution
import GraphQLSyntax

/// Syntax trees in the form in which the reference implementation's are recorded, to be compared node by node.
struct RecordedTree {
  /// Which UTF-16 unit or Unicode scalar, the reference's measure, each UTF-8 offset of the source is.
  private let offsets: [Int]

  init(_ source: Source, countsUTF16: Bool) {
    var offsets: [Int] = []
    var count = 0
    for scalar in source.text.unicodeScalars {
      offsets += Array(repeating: count, count: scalar.utf8.count)
      count += countsUTF16 ? scalar.utf16.count : 1
    }
    self.offsets = offsets + [count]
  }

  /// Whether a tree is the recorded one. Places are compared where they are recorded, and what is empty may be missing.
  static func compare(_ actual: GraphQLValue, _ recorded: GraphQLValue) -> Outcome {
    let hasPlaces = recorded["loc"].map { !$0.isNull } ?? false
    return .expect(
      lines(actual, hasPlaces: hasPlaces).joined(separator: "\n"),
      lines(recorded, hasPlaces: hasPlaces).joined(separator: "\n"))
  }

  private static func lines(_ value: GraphQLValue, hasPlaces: Bool) -> [String] {
    switch value {
    case .list(let items): return items.flatMap { lines($0, hasPlaces: hasPlaces).map { "  " + $0 } }
    case .object(let members):
      let kept = members.filter { key, value in
        (hasPlaces || key != "loc") && !value.isNull && value.list?.isEmpty != true
      }
      return kept.sorted { $0.key < $1.key }.flatMap { key, value in
        // Ours keeps no place for the names of directive locations.
        ["\(key):"] + lines(value, hasPlaces: hasPlaces && key != "locations").map { "  " + $0 }
      }
    default: return [value.description]
    }
  }

  // MARK: - Documents

  func tree(_ document: Document) -> GraphQLValue {
    let whole = SourceSpan(source: .none, start: 0, end: UInt32(offsets.count - 1))
    return node("Document", at: whole, ["definitions": .list(document.definitions.map { tree($0) })])
  }

  private func tree(_ definition: Definition) -> GraphQLValue {
    switch definition {
    case .operation(let operation): tree(operation)
    case .fragment(let fragment):
      node(
        "FragmentDefinition", at: fragment.span,
        [
          "description": tree(fragment.description), "name": tree(fragment.name),
          "variableDefinitions": .list(fragment.variableDefinitions.map { tree($0) }),
          "typeCondition": namedType(fragment.typeCondition), "directives": tree(fragment.directives),
          "selectionSet": tree(fragment.selectionSet),
        ])
    case .schema(let schema): tree(schema)
    case .type(let type): tree(type)
    case .directive(let directive) where directive.isExtension:
      node(
        "DirectiveExtension", at: directive.span,
        ["name": tree(directive.name), "directives": tree(directive.directives)])
    case .directive(let directive):
      node(
        "DirectiveDefinition", at: directive.span,
        [
          "description": tree(directive.description), "name": tree(directive.name),
          "arguments": .list(directive.arguments.map { tree($0) }), "directives": tree(directive.directives),
          "repeatable": .bool(directive.isRepeatable),
          "locations": .list(directive.locations.map { ["kind": "Name", "value": .string($0.rawValue)] }),
        ])
    }
  }

  private func tree(_ operation: OperationDefinition) -> GraphQLValue {
    node(
      "OperationDefinition", at: operation.span,
      [
        "description": tree(operation.description), "operation": .string(operation.operation.rawValue),
        "name": operation.name.map { tree($0) } ?? .null,
        "variableDefinitions": .list(operation.variableDefinitions.map { tree($0) }),
        "directives": tree(operation.directives), "selectionSet": tree(operation.selectionSet),
      ])
  }

  private func tree(_ variable: VariableDefinition) -> GraphQLValue {
    var span = variable.name.span
    span.start -= 1
    return node(
      "VariableDefinition", at: variable.span,
      [
        "description": tree(variable.description),
        "variable": node("Variable", at: span, ["name": tree(variable.name)]),
        "type": tree(variable.type), "defaultValue": variable.defaultValue.map { tree($0) } ?? .null,
        "directives": tree(variable.directives),
      ])
  }

  private func tree(_ selectionSet: SelectionSet) -> GraphQLValue {
    let selections = selectionSet.selections.map { selection in
      switch selection {
      case .field(let field):
        node(
          "Field", at: field.span,
          [
            "alias": field.alias.map { tree($0) } ?? .null, "name": tree(field.name),
            "arguments": tree(field.arguments), "directives": tree(field.directives),
            "selectionSet": field.selectionSet.map { tree($0) } ?? .null,
          ])
      case .fragmentSpread(let spread):
        node(
          "FragmentSpread", at: spread.span,
          [
            "name": tree(spread.name), "arguments": tree(spread.arguments, "FragmentArgument"),
            "directives": tree(spread.directives),
          ])
      case .inlineFragment(let fragment):
        node(
          "InlineFragment", at: fragment.span,
          [
            "typeCondition": fragment.typeCondition.map { namedType($0) } ?? .null,
            "directives": tree(fragment.directives), "selectionSet": tree(fragment.selectionSet),
          ])
      }
    }
    return node("SelectionSet", at: selectionSet.span, ["selections": .list(selections)])
  }

  // MARK: - Type systems

  private func tree(_ schema: SchemaDefinition) -> GraphQLValue {
    let operationTypes = schema.operationTypes.map { type in
      node(
        "OperationTypeDefinition", at: type.span,
        ["operation": .string(type.operation.rawValue), "type": namedType(type.type)])
    }
    return node(
      schema.isExtension ? "SchemaExtension" : "SchemaDefinition", at: schema.span,
      [
        "description": tree(schema.description), "directives": tree(schema.directives),
        "operationTypes": .list(operationTypes),
      ])
  }

  private func tree(_ type: TypeDefinition) -> GraphQLValue {
    var members: [String: GraphQLValue] = [
      "description": tree(type.description), "name": tree(type.name), "directives": tree(type.directives),
      "interfaces": .list(type.body.interfaces.map { namedType($0) }),
    ]
    let kind: String
    switch type.body {
    case .scalar: kind = "Scalar"
    case .object(_, let fields):
      kind = "Object"
      members["fields"] = .list(fields.map { tree($0) })
    case .interface(_, let fields):
      kind = "Interface"
      members["fields"] = .list(fields.map { tree($0) })
    case .union(let types):
      kind = "Union"
      members["types"] = .list(types.map { namedType($0) })
    case .enum(let values):
      kind = "Enum"
      members["values"] = .list(values.map { tree($0) })
    case .inputObject(let fields):
      kind = "InputObject"
      members["fields"] = .list(fields.map { tree($0) })
    }
    return node(kind + (type.isExtension ? "TypeExtension" : "TypeDefinition"), at: type.span, members)
  }

  private func tree(_ field: FieldDefinition) -> GraphQLValue {
    node(
      "FieldDefinition", at: field.span,
      [
        "description": tree(field.description), "name": tree(field.name),
        "arguments": .list(field.arguments.map { tree($0) }), "type": tree(field.type),
        "directives": tree(field.directives),
      ])
  }

  private func tree(_ input: InputValueDefinition) -> GraphQLValue {
    node(
      "InputValueDefinition", at: input.span,
      [
        "description": tree(input.description), "name": tree(input.name), "type": tree(input.type),
        "defaultValue": input.defaultValue.map { tree($0) } ?? .null, "directives": tree(input.directives),
      ])
  }

  private func tree(_ value: EnumValueDefinition) -> GraphQLValue {
    node(
      "EnumValueDefinition", at: value.span,
      ["description": tree(value.description), "name": tree(value.name), "directives": tree(value.directives)])
  }

  // MARK: - Parts

  private func tree(_ directives: [Directive]) -> GraphQLValue {
    .list(
      directives.map { directive in
        node(
          "Directive", at: directive.span, ["name": tree(directive.name), "arguments": tree(directive.arguments)])
      })
  }

  private func tree(_ arguments: [Argument], _ kind: String = "Argument") -> GraphQLValue {
    .list(
      arguments.map { node(kind, at: $0.span, ["name": tree($0.name), "value": tree($0.value)]) })
  }

  func tree(_ value: Value) -> GraphQLValue {
    switch value.kind {
    case .variable(let name): node("Variable", at: value.span, ["name": tree(name)])
    case .int(let digits): node("IntValue", at: value.span, ["value": .string(digits)])
    case .float(let digits): node("FloatValue", at: value.span, ["value": .string(digits)])
    case .string(let string): tree(string)
    case .boolean(let bool): node("BooleanValue", at: value.span, ["value": .bool(bool)])
    case .null: node("NullValue", at: value.span, [:])
    case .enum(let name): node("EnumValue", at: value.span, ["value": .string(name)])
    case .list(let values): node("ListValue", at: value.span, ["values": .list(values.map { tree($0) })])
    case .object(let fields):
      node(
        "ObjectValue", at: value.span,
        [
          "fields": .list(
            fields.map { node("ObjectField", at: $0.span, ["name": tree($0.name), "value": tree($0.value)]) })
        ])
    }
  }

  private func tree(_ string: StringValue?) -> GraphQLValue {
    guard let string else { return .null }
    return node("StringValue", at: string.span, ["value": .string(string.value), "block": .bool(string.isBlock)])
  }

  func tree(_ type: TypeReference) -> GraphQLValue {
    var inner = type
    if type.isNonNull {
      inner.isNonNull = false
      // The span of the type without its mark, which may have ignored characters in front.
      switch type.kind {
      case .named(let name): inner.span = name.span
      case .list(let element): inner.span.end = max(element.span.end + 1, type.span.end - 1)
      }
      return node("NonNullType", at: type.span, ["type": tree(inner)])
    }
    switch type.kind {
    case .named(let name): return namedType(name)
    case .list(let element): return node("ListType", at: type.span, ["type": tree(element)])
    }
  }

  private func namedType(_ name: Name) -> GraphQLValue { node("NamedType", at: name.span, ["name": tree(name)]) }

  private func tree(_ name: Name) -> GraphQLValue { node("Name", at: name.span, ["value": .string(name.value)]) }

  private func node(_ kind: String, at span: SourceSpan, _ members: [String: GraphQLValue]) -> GraphQLValue {
    var node = GraphQLValue.object([:])
    node["kind"] = .string(kind)
    node["loc"] = ["start": .int(offset(span.start)), "end": .int(offset(span.end))]
    for (key, value) in members { node[key] = value }
    return node
  }

  private func offset(_ offset: UInt32) -> Int { offsets[min(Int(offset), offsets.count - 1)] }
}
