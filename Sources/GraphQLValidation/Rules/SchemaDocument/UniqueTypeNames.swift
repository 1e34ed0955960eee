import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// No two types have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Type-System)
  public static let uniqueTypeNames = Rule(
    "UniqueTypeNames", section: "sec-Type-System", reports: .duplicateType
  ) {
    UniqueTypeNamesVisitor()
  }
}

private final class UniqueTypeNamesVisitor: RuleVisitor {
  private var names = UniqueNames()

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .type(let type) = definition, !type.isExtension else { return }
    if context.extendedSchema?.type(named: type.name.value) != nil {
      context.report(
        .duplicateType,
        "Type \"\(type.name)\" already exists in the schema. It cannot also be defined in this type definition.",
        at: type.name.span)
    } else if let first = names.insert(type.name) {
      context.report(
        .duplicateType, "There can be only one type named \"\(type.name)\".", at: type.name.span,
        labels: [.first(first)])
    }
  }
}
