import GraphQLSyntax

extension ClientRule {
  /// Fragments have no variables of their own: no code can be generated for them yet.
  static let noFragmentArguments = ClientRule { context in
    var finder = FragmentArgumentFinder()
    SyntaxNode.document(context.document).walk(&finder)
    return finder.diagnostics
  }
}

private struct FragmentArgumentFinder: SyntaxVisitor {
  private(set) var diagnostics: [Diagnostic] = []

  mutating func enter(_ node: SyntaxNode) -> VisitStep {
    switch node {
    case .fragment(let fragment):
      if let variable = fragment.variableDefinitions.first {
        report("The fragment \"\(fragment.name)\" declares variables of its own.", at: variable.span)
      }
    case .fragmentSpread(let spread):
      if let argument = spread.arguments.first {
        report("The fragment \"\(spread.name)\" is spread with arguments.", at: argument.span)
      }
    default: break
    }
    return .intoChildren
  }

  private mutating func report(_ message: String, at span: SourceSpan) {
    diagnostics.append(
      Diagnostic(
        .fragmentArguments, message, at: span,
        help: "No code can be generated for fragment arguments yet. Use variables of the operation."))
  }
}
