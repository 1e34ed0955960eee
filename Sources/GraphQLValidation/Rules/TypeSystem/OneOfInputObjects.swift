import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A field of a oneOf input object that cannot be left out.
  public static let invalidOneOfField = Self("invalid-one-of-field")
}

extension TypeSystemRule {
  /// Fields of oneOf input objects are nullable and have no default value, so that all but one can be left out.
  static let oneOfInputObjects = TypeSystemRule(
    "OneOfInputObjects", section: "sec-OneOf-Input-Objects", reports: .invalidOneOfField
  ) { schema in
    schema.definedInputObjects.filter(\.isOneOf).flatMap { type in
      type.fields.flatMap { field -> [Diagnostic] in
        var diagnostics: [Diagnostic] = []
        if field.type.isNonNull {
          let message = "OneOf input field \(type.name).\(field.name) must be nullable."
          diagnostics.append(Diagnostic(.invalidOneOfField, message, at: field.type.span))
        }
        if field.defaultValue != nil {
          let message = "OneOf input field \(type.name).\(field.name) cannot have a default value."
          diagnostics.append(Diagnostic(.invalidOneOfField, message, at: field.span))
        }
        return diagnostics
      }
    }
  }
}
