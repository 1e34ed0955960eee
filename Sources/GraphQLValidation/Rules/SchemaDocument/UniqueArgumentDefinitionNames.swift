import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second argument of a field or directive with the same name.
  public static let duplicateArgumentDefinition = Self("duplicate-argument-definition")
}

extension Rule {
  /// No two arguments of a field or directive have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Objects.Type-Validation)
  public static let uniqueArgumentDefinitionNames = Rule(
    "UniqueArgumentDefinitionNames", section: "sec-Objects.Type-Validation", reports: .duplicateArgumentDefinition
  ) {
    UniqueArgumentDefinitionNamesVisitor()
  }
}

private final class UniqueArgumentDefinitionNamesVisitor: RuleVisitor {
  func enter(_ definition: Definition, _ context: ValidationContext) {
    switch definition {
    case .directive(let directive): check(directive.arguments, of: "@\(directive.name)", context)
    case .type(let type):
      switch type.body {
      case .object(_, let fields), .interface(_, let fields):
        for field in fields { check(field.arguments, of: "\(type.name).\(field.name)", context) }
      case .scalar, .union, .enum, .inputObject: break
      }
    case .operation, .fragment, .schema: break
    }
  }

  private func check(_ arguments: [InputValueDefinition], of owner: String, _ context: ValidationContext) {
    guard arguments.count > 1 else { return }
    for duplicate in duplicates(in: arguments.map(\.name)) {
      context.report(
        .duplicateArgumentDefinition, "Argument \"\(owner)(\(duplicate.name):)\" can only be defined once.",
        at: duplicate.span, labels: duplicate.labels)
    }
  }
}
