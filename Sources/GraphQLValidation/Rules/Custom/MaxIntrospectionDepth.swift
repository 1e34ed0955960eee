public import GraphQLSyntax

extension Diagnostic.Code {
  /// Introspection that nests lists of types so deeply that its answer grows out of bounds.
  public static let introspectionTooDeep = Self("introspection-too-deep")
}

extension Rule {
  /// Introspection does not nest lists of types or fields more than twice. For servers.
  public static let maxIntrospectionDepth = Rule(
    "MaxIntrospectionDepth", section: nil, reports: .introspectionTooDeep
  ) {
    MaxIntrospectionDepthVisitor()
  }
}

private final class MaxIntrospectionDepthVisitor: RuleVisitor {
  private static let maximumDepth = 3
  private static let listFields: Set<String> = ["fields", "interfaces", "possibleTypes", "inputFields"]

  func enter(_ field: Field, _ context: ValidationContext) {
    guard field.name.value == "__schema" || field.name.value == "__type" else { return }
    if isTooDeep(field, context) {
      context.report(.introspectionTooDeep, "Maximum introspection depth exceeded", at: field.span)
    }
  }

  private func isTooDeep(_ root: Field, _ context: ValidationContext) -> Bool {
    var pending = [(selectionSet: root.selectionSet, depth: 0)]
    // A fragment that was entered deeper than this has shown everything already.
    var deepest: [String: Int] = [:]
    while let (selectionSet, depth) = pending.popLast() {
      for selection in selectionSet?.selections ?? [] {
        switch selection {
        case .field(let field):
          let depth = Self.listFields.contains(field.name.value) ? depth + 1 : depth
          if depth >= Self.maximumDepth { return true }
          pending.append((field.selectionSet, depth))
        case .inlineFragment(let fragment): pending.append((fragment.selectionSet, depth))
        case .fragmentSpread(let spread):
          guard let fragment = context.fragments[spread.name.value], depth > deepest[spread.name.value] ?? -1
          else { continue }
          deepest[spread.name.value] = depth
          pending.append((fragment.selectionSet, depth))
        }
      }
    }
    return false
  }
}
