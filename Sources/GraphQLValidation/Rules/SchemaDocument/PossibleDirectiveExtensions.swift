import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// Extensions of directives extend a directive that is defined.
  /// — [draft](https://spec.graphql.org/draft/#sec-Directive-Extensions)
  public static let possibleDirectiveExtensions = Rule(
    "PossibleDirectiveExtensions", section: "sec-Directive-Extensions", reports: .undefinedExtension
  ) {
    PossibleDirectiveExtensionsVisitor()
  }
}

private final class PossibleDirectiveExtensionsVisitor: RuleVisitor {
  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .directive(let directive) = definition, directive.isExtension,
      context.schema.directive(named: directive.name.value) == nil
    else { return }
    let names = context.schema.directiveDefinitions.map(\.name.value)
    context.report(
      .undefinedExtension, "Cannot extend directive \"@\(directive.name)\" because it is not defined.",
      at: directive.name.span,
      help: Suggestions.didYouMean(context.similar(to: directive.name.value, among: names).map { "@" + $0 }))
  }
}
