import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A value that its type does not have.
  public static let invalidValue = Self("invalid-value")
  /// A field that the input object type does not have.
  public static let unknownInputField = Self("unknown-input-field")
  /// A required field that the input object lacks.
  public static let missingInputField = Self("missing-input-field")
  /// An input object that must have exactly one field, and has not.
  public static let invalidOneOf = Self("invalid-one-of")
}

extension Rule {
  /// Values are of the type that is expected where they stand.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type)
  public static let valuesOfCorrectType = Rule(
    "ValuesOfCorrectType", section: "sec-Values-of-Correct-Type",
    reports: .invalidValue, .unknownInputField, .missingInputField, .invalidOneOf
  ) {
    ValuesOfCorrectTypeVisitor()
  }
}

private final class ValuesOfCorrectTypeVisitor: RuleVisitor {
  func enter(_ value: Value, at position: InputPosition, _ context: ValidationContext) {
    guard let expected = position.type, let type = context.schema.type(of: expected) else { return }
    switch value.kind {
    case .variable: return
    case .null:
      guard expected.isNonNull else { return }
      context.report(.invalidValue, "Expected value of type \"\(expected)\", found null.", at: value.span)
    case .list where expected.isList: return
    case .object(let fields):
      guard case .inputObject(let object) = type else { return checkLeaf(value, as: type, expected: expected, context) }
      checkFields(fields, of: object, in: value, context)
    default: checkLeaf(value, as: type, expected: expected, context)
    }
  }

  private func checkLeaf(_ value: Value, as type: NamedType, expected: TypeReference, _ context: ValidationContext) {
    guard let problem = LeafValue.problem(with: value, as: type, expected: expected, context) else { return }
    context.report(.invalidValue, problem.message, at: value.span, help: problem.help)
  }

  private func checkFields(
    _ fields: [ObjectField], of object: InputObjectType, in value: Value, _ context: ValidationContext
  ) {
    for field in fields where !object.fields.contains(field.name.value) {
      let similar = context.similar(to: field.name.value, among: object.fields.map(\.name.value))
      context.report(
        .unknownInputField, "Field \"\(field.name)\" is not defined by type \"\(object.name)\".", at: field.span,
        help: object.isOneOf ? nil : Suggestions.didYouMean(similar))
    }
    for definition in object.fields where definition.isRequired {
      guard !fields.contains(where: { $0.name.value == definition.name.value }) else { continue }
      context.report(
        .missingInputField,
        "Field \"\(object.name).\(definition.name)\" of required type \"\(definition.type)\" was not provided.",
        at: value.span)
    }
    let known = fields.filter { object.fields.contains($0.name.value) }
    // A field that is not known may be meant as the one that is there, or is missing.
    guard object.isOneOf, known.count != 1 || known.count == fields.count else { return }
    if fields.count != 1 {
      context.report(
        .invalidOneOf, "OneOf Input Object \"\(object.name)\" must specify exactly one key.", at: value.span)
    } else if fields[0].value.isNull {
      context.report(
        .invalidOneOf, "Field \"\(object.name).\(fields[0].name)\" must be non-null.", at: value.span)
    }
  }
}

extension TypeReference {
  var isList: Bool {
    if case .list = kind { true } else { false }
  }
}
