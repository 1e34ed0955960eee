import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// An operation that the schema has no root type for.
  public static let unsupportedOperation = Self("unsupported-operation")
}

extension Rule {
  /// The schema has a root type for every operation.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Operation-Type-Existence)
  public static let knownOperationTypes = Rule(
    "KnownOperationTypes", section: "sec-Operation-Type-Existence", reports: .unsupportedOperation
  ) {
    KnownOperationTypesVisitor()
  }
}

private final class KnownOperationTypesVisitor: RuleVisitor {
  func enter(_ operation: OperationDefinition, _ context: ValidationContext) {
    guard context.schema.rootType(for: operation.operation) == nil else { return }
    context.report(
      .unsupportedOperation, "The \(operation.operation.rawValue) operation is not supported by the schema.",
      at: operation.span)
  }
}
