import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A field of the introspection system.
  public static let introspection = Self("introspection")
}

extension Rule {
  /// A document must not select fields of the introspection system. The rule is for servers that disable introspection; no
  /// list of rules has it by default.
  public static let noSchemaIntrospection = Rule(
    "NoSchemaIntrospection", section: nil, reports: .introspection
  ) {
    NoSchemaIntrospectionVisitor()
  }
}

private final class NoSchemaIntrospectionVisitor: RuleVisitor {
  func enter(_ field: Field, _ context: ValidationContext) {
    guard let definition = context.field, let type = context.schema.type(of: definition.type),
      type.name.hasPrefix("__")
    else { return }
    context.report(
      .introspection,
      "GraphQL introspection has been disabled, but the requested query contained the field \"\(field.name)\".",
      at: field.span)
  }
}
