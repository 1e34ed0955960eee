import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// No two directives have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Type-System.Directives)
  public static let uniqueDirectiveNames = Rule(
    "UniqueDirectiveNames", section: "sec-Type-System.Directives", reports: .duplicateDirective
  ) {
    UniqueDirectiveNamesVisitor()
  }
}

private final class UniqueDirectiveNamesVisitor: RuleVisitor {
  private var names = UniqueNames()

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .directive(let directive) = definition, !directive.isExtension else { return }
    if context.extendedSchema?.directive(named: directive.name.value) != nil {
      context.report(
        .duplicateDirective, "Directive \"@\(directive.name)\" already exists in the schema. It cannot be redefined.",
        at: directive.name.span)
    } else if let first = names.insert(directive.name) {
      context.report(
        .duplicateDirective, "There can be only one directive named \"@\(directive.name)\".",
        at: directive.name.span, labels: [.first(first)])
    }
  }
}
