import GraphQLSchema
import GraphQLSyntax

/// The error for a literal that its type does not allow.
struct InvalidLiteral: Error {
  /// What the conversion of a scalar says about it; nil if the kind of the literal says enough.
  var reason: String?
  /// Whether a default value needs itself. Then it is not left out, as a default value is that its type does not allow:
  /// one value may have so many of them that trying each has no end.
  var isEndless = false

  /// A sentence about the literal, with the reason behind it.
  func sentence(_ beginning: String) -> String { reason.map { "\(beginning); \($0)" } ?? beginning + "." }
}

/// Where a literal stands.
struct LiteralPlace {
  /// How deep it is nested.
  private(set) var depth = 0
  /// The input fields whose default values it is a part of, the outermost first.
  private var defaults: [String] = []

  /// The place of what the literal contains.
  var deeper: Self {
    var place = self
    place.depth += 1
    return place
  }

  /// The place of a default value that completes the literal.
  ///
  /// - Parameter field: The input field, such as `Filter.name`.
  /// - Returns: The place.
  /// - Throws: ``InvalidLiteral`` if the literal is a part of this default value.
  func inDefault(of field: String) throws(InvalidLiteral) -> Self {
    if defaults.contains(field) {
      throw InvalidLiteral(reason: "The default value of \"\(field)\" needs itself.", isEndless: true)
    }
    var place = self
    place.defaults.append(field)
    return place
  }
}

extension Coercion {
  /// The value of a literal, as resolvers receive it —
  /// [spec](https://spec.graphql.org/September2025/#sec-Input-Coercion)
  ///
  /// - Parameters:
  ///   - literal: The literal in the document.
  ///   - type: The type that the value must have.
  ///   - variables: The coerced variables of the operation. An absent variable makes the value absent.
  ///   - place: Where the literal stands. The default is by itself.
  /// - Returns: The value.
  /// - Throws: ``InvalidLiteral`` if the type does not allow it, or if it needs a default value that needs itself.
  func value(
    of literal: Value, as type: TypeReference, variables: GraphQLValue.Object = [:],
    at place: LiteralPlace = LiteralPlace()
  ) throws(InvalidLiteral) -> GraphQLValue {
    if case .variable(let name) = literal.kind {
      guard let value = variables[name.value], !(type.isNonNull && value.isNull) else { throw InvalidLiteral() }
      return value
    }
    guard place.depth < Self.maximumDepth, !(type.isNonNull && literal.isNull) else { throw InvalidLiteral() }
    if literal.isNull { return .null }
    switch type.kind {
    case .list(let element):
      return try list(of: literal, as: element, variables: variables, at: place.deeper)
    case .named(let name):
      switch schema.type(named: name.value) {
      case .scalar(let scalar): return try scalarValue(of: literal, as: scalar, variables: variables)
      case .enum(let type): return try enumValue(of: literal, as: type)
      case .inputObject(let type): return try object(of: literal, as: type, variables: variables, at: place.deeper)
      case .object, .interface, .union, nil: throw InvalidLiteral()
      }
    }
  }

  private func isAbsent(_ literal: Value, in variables: GraphQLValue.Object) -> Bool {
    if case .variable(let name) = literal.kind { variables[name.value] == nil } else { false }
  }

  /// The value of a list. A single element may stand for a list of one —
  /// [spec](https://spec.graphql.org/September2025/#sec-List.Input-Coercion)
  private func list(
    of literal: Value, as element: TypeReference, variables: GraphQLValue.Object, at place: LiteralPlace
  ) throws(InvalidLiteral) -> GraphQLValue {
    guard case .list(let literals) = literal.kind else {
      return .list([try value(of: literal, as: element, variables: variables, at: place)])
    }
    var values: [GraphQLValue] = []
    for literal in literals {
      if isAbsent(literal, in: variables), !element.isNonNull {
        values.append(.null)
      } else {
        values.append(try value(of: literal, as: element, variables: variables, at: place))
      }
    }
    return .list(values)
  }

  /// The value of an input object — [spec](https://spec.graphql.org/September2025/#sec-Input-Objects.Input-Coercion)
  private func object(
    of literal: Value, as type: InputObjectType, variables: GraphQLValue.Object, at place: LiteralPlace
  ) throws(InvalidLiteral) -> GraphQLValue {
    guard case .object(let fields) = literal.kind else { throw InvalidLiteral() }
    let literals = Dictionary(fields.map { ($0.name.value, $0.value) }) { first, _ in first }
    guard literals.keys.allSatisfy({ type.fields.contains($0) }) else { throw InvalidLiteral() }
    var members = GraphQLValue.Object()
    for field in type.fields {
      if let literal = literals[field.name.value], !isAbsent(literal, in: variables) {
        members[field.name.value] = try value(of: literal, as: field.type, variables: variables, at: place)
      } else if let literal = field.defaultValue {
        members[field.name.value] = try defaultValue(literal, of: field, in: type, at: place)
      } else if field.type.isNonNull {
        throw InvalidLiteral()
      }
    }
    if type.isOneOf {
      guard literals.count == 1, members.count == 1, members[0].value != .null else { throw InvalidLiteral() }
    }
    return .object(members)
  }

  /// The default value of an input field.
  ///
  /// - Parameters:
  ///   - literal: The literal in the schema.
  ///   - field: The field.
  ///   - type: The type that the field belongs to.
  ///   - place: Where the object stands that has no value for the field. The default is by itself.
  /// - Returns: The value; nil if the type of the field does not allow it.
  /// - Throws: ``InvalidLiteral`` if it needs itself.
  func defaultValue(
    _ literal: Value, of field: InputValueDefinition, in type: InputObjectType, at place: LiteralPlace = LiteralPlace()
  ) throws(InvalidLiteral) -> GraphQLValue? {
    try defaultValue(literal, as: field.type, at: place.inDefault(of: "\(type.name).\(field.name)"))
  }

  /// The default value of an argument, or of an input field.
  ///
  /// - Parameters:
  ///   - literal: The literal in the schema.
  ///   - type: The type that the value must have.
  ///   - place: Where the literal stands. The default is by itself.
  /// - Returns: The value; nil if the type does not allow it.
  /// - Throws: ``InvalidLiteral`` if it needs a default value that needs itself.
  func defaultValue(
    _ literal: Value, as type: TypeReference, at place: LiteralPlace = LiteralPlace()
  ) throws(InvalidLiteral) -> GraphQLValue? {
    do throws(InvalidLiteral) {
      return try value(of: literal, as: type, at: place)
    } catch {
      if error.isEndless { throw error }
      return nil
    }
  }

  private func enumValue(of literal: Value, as type: EnumType) throws(InvalidLiteral) -> GraphQLValue {
    guard case .enum(let name) = literal.kind, type.values.contains(name) else { throw InvalidLiteral() }
    return .string(name)
  }

  private func scalarValue(
    of literal: Value, as type: ScalarType, variables: GraphQLValue.Object
  ) throws(InvalidLiteral) -> GraphQLValue {
    let value: GraphQLValue? =
      if let read = scalar(type.name).literal {
        read(literal.kind)
      } else {
        GraphQLValue(untyped: literal, variables: variables)
      }
    guard let value else { throw InvalidLiteral() }
    do throws(ExecutionError) {
      return try input(value, of: type)
    } catch {
      throw InvalidLiteral(reason: error.message)
    }
  }
}
