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
  /// The fragments of the current operation.
  private var visited: Set<String> = []

  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard operation.operation == .subscription else { return }
    visited = []
    check(operation.selectionSet, after: [], context)
  }

  /// Checks selections. How deep they nest is limited.
  ///
  /// - Parameters:
  ///   - selectionSet: The selections.
  ///   - spreads: The fragment spreads that lead to them, from the inside out.
  ///   - context: The document.
  private func check(_ selectionSet: SelectionSet, after spreads: [SourceSpan], _ context: ValidationContext) {
    for selection in selectionSet.selections where !selection.directives.canSkip {
      check(selection, after: spreads, context)
      switch selection {
      case .field(let field):
        if let inner = field.selectionSet { check(inner, after: spreads, context) }
      case .inlineFragment(let fragment): check(fragment.selectionSet, after: spreads, context)
      case .fragmentSpread(let spread):
        guard visited.insert(spread.name.value).inserted, let fragment = context.fragments[spread.name.value]
        else { continue }
        check(fragment.selectionSet, after: [spread.span] + spreads, context)
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
