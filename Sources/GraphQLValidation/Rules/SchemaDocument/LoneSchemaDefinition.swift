import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// There is one `schema` definition at most.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Schema)
  public static let loneSchemaDefinition = Rule(
    "LoneSchemaDefinition", section: "sec-Schema", reports: .duplicateSchemaDefinition
  ) {
    LoneSchemaDefinitionVisitor()
  }
}

private final class LoneSchemaDefinitionVisitor: RuleVisitor {
  private var isDefined = false

  func enter(_ definition: Definition, _ context: ValidationContext) {
    guard case .schema(let schema) = definition, !schema.isExtension else { return }
    if let extended = context.extendedSchema, extended.definition != nil || extended.hasRootTypes {
      context.report(
        .duplicateSchemaDefinition, "Cannot define a new schema within a schema extension.", at: schema.span)
    } else if isDefined {
      context.report(
        .duplicateSchemaDefinition, "Must provide only one schema definition.", at: schema.span)
    } else {
      isDefined = true
    }
  }
}

extension Schema {
  fileprivate var hasRootTypes: Bool { OperationType.allCases.contains { rootType(for: $0) != nil } }
}
