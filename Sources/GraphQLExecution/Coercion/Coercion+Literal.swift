import GraphQLSchema
import GraphQLSyntax

extension Coercion {
  /// The value of a literal, as resolvers receive it —
  /// [spec](https://spec.graphql.org/September2025/#sec-Input-Coercion)
  ///
  /// - Parameters:
  ///   - literal: The literal in the document.
  ///   - type: The type that the value must have.
  ///   - variables: The coerced variables of the operation. An absent variable makes the value absent.
  ///   - depth: How deep the literal is nested. The default is 0.
  /// - Returns: The value; nil if the type does not allow it.
  func value(
    of literal: Value, as type: TypeReference, variables: GraphQLValue.Object = [:], depth: Int = 0
  ) -> GraphQLValue? {
    if case .variable(let name) = literal.kind {
      guard let value = variables[name.value], !(type.isNonNull && value.isNull) else { return nil }
      return value
    }
    guard depth < Self.maximumDepth else { return nil }
    if literal.isNull { return type.isNonNull ? nil : .null }
    switch type.kind {
    case .list(let element):
      return list(of: literal, as: element, variables: variables, depth: depth + 1)
    case .named(let name):
      switch schema.type(named: name.value) {
      case .scalar(let scalar): return scalarValue(of: literal, as: scalar, variables: variables)
      case .enum(let type): return enumValue(of: literal, as: type)
      case .inputObject(let type): return object(of: literal, as: type, variables: variables, depth: depth + 1)
      case .object, .interface, .union, nil: return nil
      }
    }
  }

  private func isAbsent(_ literal: Value, in variables: GraphQLValue.Object) -> Bool {
    if case .variable(let name) = literal.kind { variables[name.value] == nil } else { false }
  }

  /// The value of a list. A single element may stand for a list of one —
  /// [spec](https://spec.graphql.org/September2025/#sec-List.Input-Coercion)
  private func list(
    of literal: Value, as element: TypeReference, variables: GraphQLValue.Object, depth: Int
  ) -> GraphQLValue? {
    guard case .list(let literals) = literal.kind else {
      return value(of: literal, as: element, variables: variables, depth: depth).map { .list([$0]) }
    }
    var values: [GraphQLValue] = []
    for literal in literals {
      if isAbsent(literal, in: variables), !element.isNonNull {
        values.append(.null)
      } else {
        guard let value = value(of: literal, as: element, variables: variables, depth: depth) else { return nil }
        values.append(value)
      }
    }
    return .list(values)
  }

  /// The value of an input object — [spec](https://spec.graphql.org/September2025/#sec-Input-Objects.Input-Coercion)
  private func object(
    of literal: Value, as type: InputObjectType, variables: GraphQLValue.Object, depth: Int
  ) -> GraphQLValue? {
    guard case .object(let fields) = literal.kind else { return nil }
    let literals = Dictionary(fields.map { ($0.name.value, $0.value) }) { first, _ in first }
    guard literals.keys.allSatisfy({ type.fields.contains($0) }) else { return nil }
    var members = GraphQLValue.Object()
    for field in type.fields {
      if let literal = literals[field.name.value], !isAbsent(literal, in: variables) {
        guard let value = value(of: literal, as: field.type, variables: variables, depth: depth) else { return nil }
        members[field.name.value] = value
      } else if let literal = field.defaultValue {
        members[field.name.value] = value(of: literal, as: field.type, depth: depth)
      } else if field.type.isNonNull {
        return nil
      }
    }
    if type.isOneOf {
      guard literals.count == 1, members.count == 1, members[0].value != .null else { return nil }
    }
    return .object(members)
  }

  private func enumValue(of literal: Value, as type: EnumType) -> GraphQLValue? {
    guard case .enum(let name) = literal.kind, type.values.contains(name) else { return nil }
    return .string(name)
  }

  private func scalarValue(of literal: Value, as type: ScalarType, variables: GraphQLValue.Object) -> GraphQLValue? {
    let rules = scalar(type.name)
    let value = rules.literal.map { $0(literal.kind) } ?? GraphQLValue(literal, variables: variables)
    return value.flatMap { try? rules.input($0) }
  }
}

extension GraphQLValue {
  /// Makes a value of a literal without knowing its type: enum values become strings, and absent variables null.
  init(_ literal: GraphQLSyntax.Value, variables: Object = [:]) {
    switch literal.kind {
    case .variable(let name): self = variables[name.value] ?? .null
    case .int(let digits), .float(let digits): self = GraphQLValue(digits: digits)
    case .string(let string): self = .string(string.value)
    case .boolean(let value): self = .bool(value)
    case .null: self = .null
    case .enum(let name): self = .string(name)
    case .list(let elements): self = .list(elements.map { GraphQLValue($0, variables: variables) })
    case .object(let fields):
      self = .object(Object(fields.map { ($0.name.value, GraphQLValue($0.value, variables: variables)) }))
    }
  }
}
