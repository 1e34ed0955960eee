import GraphQLSyntax

extension Rule {
  /// `@defer` and `@stream` are not used in subscriptions, unless they, or selections around them, can be switched off.
  public static let deferStreamDirectiveOnValidOperations = Rule(
    "DeferStreamDirectiveOnValidOperations", section: nil, reports: .misplacedIncrementalDirective
  ) {
    DeferStreamDirectiveOnValidOperationsVisitor()
  }
}

private final class DeferStreamDirectiveOnValidOperationsVisitor: RuleVisitor {
  /// Selections to look at, and the spreads that lead to them.
  private struct Step {
    var selectionSet: SelectionSet
    var spreads: [SourceSpan]
  }

  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard operation.operation == .subscription else { return }
    var visited: Set<String> = []
    var pending = [Step(selectionSet: operation.selectionSet, spreads: [])]
    while let step = pending.popLast() {
      for selection in step.selectionSet.selections where !selection.directives.canSkip {
        check(selection, after: step.spreads, context)
        switch selection {
        case .field(let field):
          if let inner = field.selectionSet { pending.append(Step(selectionSet: inner, spreads: step.spreads)) }
        case .inlineFragment(let fragment):
          pending.append(Step(selectionSet: fragment.selectionSet, spreads: step.spreads))
        case .fragmentSpread(let spread):
          guard visited.insert(spread.name.value).inserted, let fragment = context.fragments[spread.name.value]
          else { continue }
          pending.append(Step(selectionSet: fragment.selectionSet, spreads: [spread.span] + step.spreads))
        }
      }
    }
  }

  private func check(_ selection: Selection, after spreads: [SourceSpan], _ context: ValidationContext) {
    for directive in selection.directives {
      let name = directive.name.value
      guard name == "defer" || name == "stream", !directive.isSwitchedOff, !directive.isConditional else { continue }
      let title = name == "defer" ? "Defer" : "Stream"
      context.report(
        .misplacedIncrementalDirective,
        "\(title) directive not supported on subscription operations. Disable `@\(name)` by setting the `if` argument to `false`.",
        at: directive.span, labels: spreads.map { .init("spread here", at: $0) })
    }
  }
}

extension [Directive] {
  /// Whether `@skip` or `@include` can leave out the selection, as far as the document shows.
  fileprivate var canSkip: Bool {
    if let skip = first(named: "skip"), skip.constantCondition != false { return true }
    guard let include = first(named: "include"), let condition = include.argument("if") else { return false }
    return condition.kind != .boolean(true)
  }
}

extension Directive {
  /// The value of `if`, unless a variable decides it.
  fileprivate var constantCondition: Bool? {
    if case .boolean(let value)? = argument("if")?.kind { value } else { nil }
  }
}
