import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A directive that is not defined.
  public static let unknownDirective = Self("unknown-directive")
  /// A directive in a place that it is not defined for.
  public static let misplacedDirective = Self("misplaced-directive")
}

extension Rule {
  /// Directives are defined, and for the places where they are used.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Directives-Are-Defined)
  public static let knownDirectives = Rule(
    "KnownDirectives", section: "sec-Directives-Are-Defined", reports: .unknownDirective, .misplacedDirective
  ) {
    KnownDirectivesVisitor()
  }
}

private final class KnownDirectivesVisitor: RuleVisitor {
  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    for directive in directives {
      guard let definition = context.schema.directive(named: directive.name.value) else {
        if context.schema.isLinked(directive: directive.name.value) { continue }
        let names = context.schema.directiveDefinitions.map(\.name.value)
        context.report(
          .unknownDirective, "Unknown directive \"@\(directive.name)\".", at: directive.span,
          help: Suggestions.didYouMean(
            context.similar(to: directive.name.value, among: names).map { "@" + $0 }))
        continue
      }
      if !definition.locations.contains(place.location) {
        context.report(
          .misplacedDirective, "Directive \"@\(directive.name)\" may not be used on \(place.location.rawValue).",
          at: directive.span)
      }
    }
  }
}
