import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second field of a type with the same name.
  public static let duplicateField = Self("duplicate-field")
}

extension Rule {
  /// No two fields of a type have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Objects.Type-Validation)
  public static let uniqueFieldDefinitionNames = Rule(
    "UniqueFieldDefinitionNames", section: "sec-Objects.Type-Validation", reports: .duplicateField
  ) {
    UniqueFieldDefinitionNamesVisitor()
  }
}

private final class UniqueFieldDefinitionNamesVisitor: RuleVisitor {
  /// By type name: a definition and its extensions share their fields.
  private var names: [String: UniqueNames] = [:]

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .type(let type) = definition else { return }
    switch type.body {
    case .object(_, let fields), .interface(_, let fields): check(fields.map(\.name), of: type.name.value, context)
    case .inputObject(let fields): check(fields.map(\.name), of: type.name.value, context)
    case .scalar, .union, .enum: break
    }
  }

  private func check(_ fields: [Name], of type: String, _ context: ValidationContext) {
    let existing = context.extendedSchema?.type(named: type)
    for field in fields {
      if existing?.hasField(field.value) == true {
        context.report(
          .duplicateField,
          "Field \"\(type).\(field)\" already exists in the schema. It cannot also be defined in this type extension.",
          at: field.span)
      } else if let first = names[type, default: UniqueNames()].insert(field) {
        context.report(
          .duplicateField, "Field \"\(type).\(field)\" can only be defined once.", at: field.span,
          labels: [.first(first)])
      }
    }
  }
}

extension NamedType {
  fileprivate func hasField(_ name: String) -> Bool {
    if case .inputObject(let object) = self { return object.fields.contains(name) }
    return fields?.contains(name) ?? false
  }
}
