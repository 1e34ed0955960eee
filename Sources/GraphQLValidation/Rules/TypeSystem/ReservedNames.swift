import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A name that begins with two underscores, which belong to the introspection system.
  public static let reservedTypeSystemName = Self("reserved-type-system-name")
}

extension TypeSystemRule {
  /// Nothing is called what introspection may call something.
  static let reservedNames = TypeSystemRule(
    "ReservedNames", section: "sec-Names.Reserved-Names", reports: .reservedTypeSystemName
  ) { schema in
    var diagnostics: [Diagnostic] = []
    func check(_ name: Name, _ span: SourceSpan) {
      guard name.value.hasPrefix("__") else { return }
      diagnostics.append(
        Diagnostic(
          .reservedTypeSystemName,
          "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.", at: span))
    }
    func check(_ values: [InputValueDefinition]) {
      for value in values { check(value.name, value.span) }
    }
    for directive in schema.definedDirectives {
      check(directive.name, directive.span)
      check(directive.arguments)
    }
    for type in schema.definedTypes {
      check(type.definition.name, type.span)
      switch type.definition.body {
      case .object(_, let fields), .interface(_, let fields):
        for field in fields {
          check(field.name, field.span)
          check(field.arguments)
        }
      case .inputObject(let fields): check(fields)
      case .enum(let values): for value in values { check(value.name, value.span) }
      case .scalar, .union: break
      }
    }
    return diagnostics
  }
}
