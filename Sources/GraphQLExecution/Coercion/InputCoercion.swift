import GraphQLSchema
import GraphQLSyntax

/// Coerces one value that came with the request, and collects what is wrong with it.
struct InputCoercion {
  /// One thing that is wrong, and with which part of the value.
  struct Defect {
    var path: ValuePath
    var value: GraphQLValue
    var message: String
  }

  let coercion: Coercion
  /// At most one more than is reported, which says that there are more.
  private(set) var defects: [Defect] = []

  init(_ coercion: Coercion) { self.coercion = coercion }

  /// Whether no further defect is of use, so that the rest of the value is not looked at.
  private var isFull: Bool { defects.count > Coercion.maximumErrors }

  /// The value as resolvers receive it. What it is when there are defects does not matter.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Input-Coercion)
  mutating func coerce(_ value: GraphQLValue, to type: TypeReference, at path: ValuePath = .root) -> GraphQLValue {
    if isFull { return .null }
    if value.isNull {
      if type.isNonNull {
        report("Expected non-nullable type \"\(type)\" not to be null.", value, at: path)
      }
      return .null
    }
    switch type.kind {
    case .list(let element):
      guard case .list(let elements) = value else { return .list([coerce(value, to: element, at: path)]) }
      return .list(elements.enumerated().map { coerce($1, to: element, at: path.appending(.index($0))) })
    case .named(let name):
      switch coercion.schema.type(named: name.value) {
      case .scalar(let scalar): return coerce(value, to: scalar, at: path)
      case .enum(let type): return coerce(value, to: type, at: path)
      case .inputObject(let type): return coerce(value, to: type, at: path)
      case .object, .interface, .union, nil:
        report("Expected type \"\(name)\".", value, at: path)
        return .null
      }
    }
  }

  private mutating func report(_ message: String, _ value: GraphQLValue, at path: ValuePath) {
    guard !isFull else { return }
    defects.append(Defect(path: path, value: value, message: message))
  }

  private mutating func coerce(_ value: GraphQLValue, to type: InputObjectType, at path: ValuePath) -> GraphQLValue {
    guard case .object(let given) = value else {
      report("Expected type \"\(type.name)\" to be an object.", value, at: path)
      return .null
    }
    var members = GraphQLValue.Object()
    for field in type.fields {
      let name = field.name.value
      if let member = given[name] {
        members[name] = coerce(member, to: field.type, at: path.appending(.key(name)))
      } else if let literal = field.defaultValue {
        do throws(InvalidLiteral) {
          members[name] = try coercion.defaultValue(literal, of: field, in: type)
        } catch {
          let problem = "Field \"\(name)\" has invalid default value \(Printer.print(literal))"
          report(error.sentence(problem), value, at: path)
        }
      } else if field.type.isNonNull {
        report("Field \"\(name)\" of required type \"\(field.type)\" was not provided.", value, at: path)
      }
    }
    for name in given.keys where !type.fields.contains(name) {
      if isFull { break }
      let similar = Suggestions.similar(to: name, among: type.fields.map(\.name.value))
      let message = "Field \"\(name)\" is not defined by type \"\(type.name)\"."
      report(message.followed(by: Suggestions.didYouMean(similar)), value, at: path)
    }
    if type.isOneOf { checkOneOf(given, of: type, in: value, at: path) }
    return .object(members)
  }

  /// [Spec](https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects)
  private mutating func checkOneOf(
    _ given: GraphQLValue.Object, of type: InputObjectType, in value: GraphQLValue, at path: ValuePath
  ) {
    if given.count != 1 {
      report("Exactly one key must be specified for OneOf type \"\(type.name)\".", value, at: path)
    } else if given[0].value.isNull {
      report("Field \"\(given[0].key)\" must be non-null.", .null, at: path.appending(.key(given[0].key)))
    }
  }

  private mutating func coerce(_ value: GraphQLValue, to type: EnumType, at path: ValuePath) -> GraphQLValue {
    let written: String
    let message: String
    if case .string(let name) = value {
      if type.values.contains(name) { return value }
      written = name
      message = "Value \"\(name)\" does not exist in \"\(type.name)\" enum."
    } else {
      written = value.description
      message = "Enum \"\(type.name)\" cannot represent non-string value: \(value)."
    }
    let similar = Suggestions.similar(to: written, among: type.values.map(\.name.value))
    report(message.followed(by: Suggestions.didYouMean("the enum value", similar)), value, at: path)
    return .null
  }

  private mutating func coerce(_ value: GraphQLValue, to type: ScalarType, at path: ValuePath) -> GraphQLValue {
    do throws(ExecutionError) {
      return try coercion.input(value, of: type)
    } catch {
      report(error.message, value, at: path)
      return .null
    }
  }
}

extension String {
  /// The sentence, followed by a question if there is a suggestion.
  fileprivate func followed(by question: String?) -> String { question.map { "\(self) \($0)" } ?? self }
}
