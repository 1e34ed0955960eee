import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// Extensions extend a type that is defined, and of the same kind.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Type-Extensions)
  public static let possibleTypeExtensions = Rule(
    "PossibleTypeExtensions", section: "sec-Type-Extensions", reports: .undefinedExtension, .mismatchedExtension
  ) {
    PossibleTypeExtensionsVisitor()
  }
}

private final class PossibleTypeExtensionsVisitor: RuleVisitor {
  private var definitions: [String: TypeDefinition] = [:]

  func enter(_ document: Document, _ context: ValidationContext) {
    for case .type(let type) in document.definitions where !type.isExtension { definitions[type.name.value] = type }
  }

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .type(let type) = definition, type.isExtension else { return }
    let name = type.name.value
    let defined = definitions[name]
    guard let target = defined ?? context.extendedSchema?.type(named: name)?.definition else {
      let names = definitions.keys + (context.extendedSchema?.allTypes ?? []).map(\.name)
      context.report(
        .undefinedExtension, "Cannot extend type \"\(name)\" because it is not defined.", at: type.name.span,
        help: Suggestions.didYouMean(context.similar(to: name, among: names)))
      return
    }
    guard target.body.keyword != type.body.keyword else { return }
    context.report(
      .mismatchedExtension, "Cannot extend non-\(type.body.kindName) type \"\(name)\".", at: type.span,
      labels: defined.map { [.init("defined here", at: $0.span)] } ?? [])
  }
}
