import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A required argument that is not given.
  public static let missingArgument = Self("missing-argument")
}

extension Rule {
  /// Arguments that must have a value are given one.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Required-Arguments)
  public static let providedRequiredArguments = Rule(
    "ProvidedRequiredArguments", section: "sec-Required-Arguments", reports: .missingArgument
  ) {
    ProvidedRequiredArgumentsVisitor()
  }
}

private final class ProvidedRequiredArgumentsVisitor: RuleVisitor {
  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext) {
    guard let owner else { return }
    for definition in owner.definitions where definition.isRequired {
      let name = definition.name.value
      guard !arguments.contains(where: { $0.name.value == name }) else { continue }
      context.report(
        .missingArgument,
        "Argument \"\(owner.coordinate(of: name))\" of type \"\(definition.type)\" is required, but it was not provided.",
        at: owner.span)
    }
  }
}
