import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An input type where an output type must be, or the other way round.
  public static let wrongTypeDirection = Self("wrong-type-direction")
}

extension TypeSystemRule {
  /// Fields have output types; arguments and input fields have input types.
  static let fieldTypes = TypeSystemRule(
    "FieldTypes", section: "sec-Input-and-Output-Types", reports: .wrongTypeDirection
  ) { schema in
    let outputs = schema.definedTypes.flatMap { type in
      (type.fields ?? NamedList()).compactMap { field -> Diagnostic? in
        guard let named = schema.type(of: field.type), !named.isOutput else { return nil }
        return Diagnostic(
          .wrongTypeDirection,
          "The type of \(type.name).\(field.name) must be Output Type but got: \(field.type).", at: field.type.span)
      }
    }
    let inputs = (schema.definedArguments + schema.definedInputFields).compactMap { input -> Diagnostic? in
      guard let named = schema.type(of: input.definition.type), !named.isInput else { return nil }
      return Diagnostic(
        .wrongTypeDirection, "The type of \(input.text) must be Input Type but got: \(input.definition.type).",
        at: input.definition.type.span)
    }
    return outputs + inputs
  }
}
