import GraphQLSyntax

extension Condition {
  /// What `@include` and `@skip` among the directives say (specification, sections 3.13.1 and 3.13.2).
  init(_ directives: [Directive]) {
    self = .always
    for directive in directives {
      let isSkip = directive.name.value == "skip"
      guard isSkip || directive.name.value == "include", let argument = directive.argument("if") else { continue }
      switch argument.kind {
      case .boolean(let value): self = self && (value != isSkip ? .always : .never)
      case .variable(let name): self = self && Condition(Factor(variable: name.value, isNegated: isSkip))
      default: break
      }
    }
  }
}
