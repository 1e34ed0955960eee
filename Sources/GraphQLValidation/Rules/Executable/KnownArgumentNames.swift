import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An argument that the field or directive does not have.
  public static let unknownArgument = Self("unknown-argument")
}

extension Rule {
  /// Arguments are defined on the field or directive they are given to.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Argument-Names)
  public static let knownArgumentNames = Rule(
    "KnownArgumentNames", section: "sec-Argument-Names", reports: .unknownArgument
  ) {
    KnownArgumentNamesVisitor()
  }
}

private final class KnownArgumentNamesVisitor: RuleVisitor {
  func enter(_ arguments: [Argument], of owner: ArgumentOwner?, _ context: ValidationContext) {
    guard let owner else { return }
    for argument in arguments where owner.definitions[argument.name.value] == nil {
      let similar = context.similar(to: argument.name.value, among: owner.definitions.map(\.name.value))
      context.report(
        .unknownArgument, "Unknown argument \"\(argument.name)\" on \(owner.description).", at: argument.span,
        help: Suggestions.didYouMean(similar))
    }
  }
}
