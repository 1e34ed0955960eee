import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An operation without a name beside another operation.
  public static let loneAnonymousOperation = Self("lone-anonymous-operation")
}

extension Rule {
  /// An operation without a name stands alone.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Lone-Anonymous-Operation)
  public static let loneAnonymousOperation = Rule(
    "LoneAnonymousOperation", section: "sec-Lone-Anonymous-Operation", reports: .loneAnonymousOperation
  ) {
    LoneAnonymousOperationVisitor()
  }
}

private final class LoneAnonymousOperationVisitor: RuleVisitor {
  private var isAlone = true

  func enter(_ document: Document, _ context: ValidationContext) {
    isAlone = document.operations.dropFirst().first { _ in true } == nil
  }

  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard operation.name == nil, !isAlone else { return }
    context.report(
      .loneAnonymousOperation, "This anonymous operation must be the only defined operation.", at: operation.span)
  }
}
