import GraphQLSyntax

extension Rule {
  /// `@defer` and `@stream` are not used in subscriptions, unless they can be switched off.
  public static let deferStreamDirectiveOnValidOperations = Rule(
    "DeferStreamDirectiveOnValidOperations", section: nil, reports: .misplacedIncrementalDirective
  ) {
    DeferStreamDirectiveOnValidOperationsVisitor()
  }
}

private final class DeferStreamDirectiveOnValidOperationsVisitor: RuleVisitor {
  /// The directives of each definition; of a fragment, by its name.
  private var ofFragments: [String: [Directive]] = [:]
  private var ofSubscriptions: [Directive] = []
  private var fragment: String?

  func enter(_ operation: OperationDefinition, _ context: ValidationContext) { fragment = nil }

  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext) { self.fragment = fragment.name.value }

  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    for directive in directives where directive.name.value == "defer" || directive.name.value == "stream" {
      if directive.isSwitchedOff || directive.isConditional { continue }
      if let fragment {
        ofFragments[fragment, default: []].append(directive)
      } else if context.operation?.operation == .subscription {
        ofSubscriptions.append(directive)
      }
    }
  }

  func leave(_ document: Document, _ context: ValidationContext) {
    let subscriptions = context.usage.operations.filter { $0.definition.operation == .subscription }
    let fragments = context.usage.reachableFragments(from: subscriptions.flatMap(\.usage.spreads))
    for directive in ofSubscriptions + fragments.flatMap({ ofFragments[$0] ?? [] }) {
      let name = directive.name.value
      let title = name == "defer" ? "Defer" : "Stream"
      context.report(
        .misplacedIncrementalDirective,
        "\(title) directive not supported on subscription operations. Disable `@\(name)` by setting the `if` argument to `false`.",
        at: directive.span)
    }
  }
}
