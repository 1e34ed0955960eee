import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An input type where an output type must be, or the other way round.
  public static let wrongTypeDirection = Self("wrong-type-direction")
}

extension TypeSystemRule {
  /// Fields have output types; arguments and input fields have input types.
  static let fieldTypes = TypeSystemRule(
    "FieldTypes", section: "sec-Input-and-Output-Types", reports: .wrongTypeDirection, .unknownType
  ) { schema in
    let outputs = schema.definedTypes.flatMap { type in
      (type.fields ?? NamedList()).compactMap { field -> Diagnostic? in
        problem(of: "\(type.name).\(field.name)", type: field.type, direction: "Output", in: schema) { $0.isOutput }
      }
    }
    let inputs = (schema.definedArguments + schema.definedInputFields).compactMap { input -> Diagnostic? in
      problem(of: input.text, type: input.definition.type, direction: "Input", in: schema) { $0.isInput }
    }
    return outputs + inputs
  }

  private static func problem(
    of member: @autoclosure () -> String, type: TypeReference, direction: String, in schema: Schema,
    _ isRight: (NamedType) -> Bool
  ) -> Diagnostic? {
    guard let named = schema.type(of: type) else {
      return Diagnostic(
        .unknownType, "The type of \(member()) must be \(direction) Type but got: undefined.", at: type.span,
        help: "No type is called \"\(type.namedType)\".")
    }
    if isRight(named) { return nil }
    return Diagnostic(
      .wrongTypeDirection, "The type of \(member()) must be \(direction) Type but got: \(type).", at: type.span)
  }
}
