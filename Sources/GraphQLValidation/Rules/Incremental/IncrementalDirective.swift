import GraphQLSyntax

extension Directive {
  /// Whether `@defer` or `@stream` is switched off by `if: false`, as far as the document shows.
  var isSwitchedOff: Bool {
    switch argument("if")?.kind {
    case .boolean(let value)?: !value
    default: false
    }
  }

  /// Whether it may be switched off by a variable.
  var isConditional: Bool {
    if case .variable? = argument("if")?.kind { true } else { false }
  }
}
