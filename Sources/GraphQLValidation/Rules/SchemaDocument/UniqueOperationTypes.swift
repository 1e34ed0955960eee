import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second root type for the same kind of operation.
  public static let duplicateRootType = Self("duplicate-root-type")
}

extension Rule {
  /// There is one root type at most for each kind of operation.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Root-Operation-Types)
  public static let uniqueOperationTypes = Rule(
    "UniqueOperationTypes", section: "sec-Root-Operation-Types", reports: .duplicateRootType
  ) {
    UniqueOperationTypesVisitor()
  }
}

private final class UniqueOperationTypesVisitor: RuleVisitor {
  private var defined: [OperationType: SourceSpan] = [:]

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .schema(let schema) = definition else { return }
    for type in schema.operationTypes {
      if context.extendedSchema?.rootType(for: type.operation) != nil {
        context.report(
          .duplicateRootType,
          "Type for \(type.operation.rawValue) already defined in the schema. It cannot be redefined.", at: type.span)
      } else if let first = defined[type.operation] {
        context.report(
          .duplicateRootType, "There can be only one \(type.operation.rawValue) type in schema.", at: type.span,
          labels: [.first(first)])
      } else {
        defined[type.operation] = type.span
      }
    }
  }
}
