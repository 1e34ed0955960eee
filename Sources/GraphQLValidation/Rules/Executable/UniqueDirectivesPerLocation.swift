import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A directive that is applied twice but is not repeatable.
  public static let duplicateDirectiveUse = Self("duplicate-directive-use")
}

extension Rule {
  /// Only repeatable directives are applied more than once in one place.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Directives-Are-Unique-per-Location)
  public static let uniqueDirectivesPerLocation = Rule(
    "UniqueDirectivesPerLocation", section: "sec-Directives-Are-Unique-per-Location", reports: .duplicateDirectiveUse
  ) {
    UniqueDirectivesPerLocationVisitor()
  }
}

private final class UniqueDirectivesPerLocationVisitor: RuleVisitor {
  /// The directives of definitions, which extensions add to, by the name of what is defined.
  private var appliedToDefinitions: [String: [String: SourceSpan]] = [:]

  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    guard !directives.isEmpty else { return }
    guard let name = place.definedName else {
      var applied: [String: SourceSpan] = [:]
      return check(directives, against: &applied, context)
    }
    check(directives, against: &appliedToDefinitions[name, default: [:]], context)
  }

  private func check(
    _ directives: [Directive], against applied: inout [String: SourceSpan], _ context: ValidationContext
  ) {
    for directive in directives {
      guard let definition = context.schema.directive(named: directive.name.value), !definition.isRepeatable
      else { continue }
      guard let first = applied[directive.name.value] else {
        applied[directive.name.value] = directive.span
        continue
      }
      context.report(
        .duplicateDirectiveUse, "The directive \"@\(directive.name)\" can only be used once at this location.",
        at: directive.span, labels: [.init("first used here", at: first)])
    }
  }
}
