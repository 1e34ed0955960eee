import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second value of an enum with the same name.
  public static let duplicateEnumValue = Self("duplicate-enum-value")
}

extension Rule {
  /// No two values of an enum have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Enums.Type-Validation)
  public static let uniqueEnumValueNames = Rule(
    "UniqueEnumValueNames", section: "sec-Enums.Type-Validation", reports: .duplicateEnumValue
  ) {
    UniqueEnumValueNamesVisitor()
  }
}

private final class UniqueEnumValueNamesVisitor: RuleVisitor {
  /// By type name: a definition and its extensions share their values.
  private var names: [String: UniqueNames] = [:]

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .type(let type) = definition, case .enum(let values) = type.body else { return }
    let existing: EnumType? =
      if case .enum(let type)? = context.extendedSchema?.type(named: type.name.value) { type } else { nil }
    for value in values {
      let coordinate = "\(type.name).\(value.name)"
      if existing?.values.contains(value.name.value) == true {
        context.report(
          .duplicateEnumValue,
          "Enum value \"\(coordinate)\" already exists in the schema. It cannot also be defined in this type extension.",
          at: value.name.span)
      } else if let first = names[type.name.value, default: UniqueNames()].insert(value.name) {
        context.report(
          .duplicateEnumValue, "Enum value \"\(coordinate)\" can only be defined once.", at: value.name.span,
          labels: [.first(first)])
      }
    }
  }
}
