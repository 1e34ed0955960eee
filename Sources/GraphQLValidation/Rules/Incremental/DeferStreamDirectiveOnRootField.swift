import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// `@defer` or `@stream` where the answer cannot be split.
  public static let misplacedIncrementalDirective = Self("misplaced-incremental-directive")
}

extension Rule {
  /// `@defer` and `@stream` are not used on the root type of a mutation or subscription, directly or in its fragments.
  public static let deferStreamDirectiveOnRootField = Rule(
    "DeferStreamDirectiveOnRootField", section: nil, reports: .misplacedIncrementalDirective
  ) {
    DeferStreamDirectiveOnRootFieldVisitor()
  }
}

private final class DeferStreamDirectiveOnRootFieldVisitor: RuleVisitor {
  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard operation.operation != .query, let root = context.schema.rootType(for: operation.operation) else { return }
    var visited: Set<String> = []
    var pending = [operation.selectionSet]
    while let selectionSet = pending.popLast() {
      for selection in selectionSet.selections {
        switch selection {
        case .field: report("stream", of: selection)
        case .inlineFragment(let fragment):
          report("defer", of: selection)
          pending.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          guard let fragment = context.fragments[spread.name.value] else { continue }
          report("defer", of: selection)
          if visited.insert(spread.name.value).inserted { pending.append(fragment.selectionSet) }
        }
      }
    }

    func report(_ name: String, of selection: Selection) {
      guard let directive = selection.directives.first(named: name) else { return }
      let title = name == "defer" ? "Defer" : "Stream"
      context.report(
        .misplacedIncrementalDirective,
        "\(title) directive cannot be used on root \(operation.operation.rawValue) type \"\(root.name)\".",
        at: directive.span)
    }
  }
}
