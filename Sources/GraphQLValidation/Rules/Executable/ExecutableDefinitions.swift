import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A type system definition in a document that is to be executed.
  public static let nonExecutableDefinition = Self("non-executable-definition")
}

extension Rule {
  /// Only operations and fragments can be executed.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Executable-Definitions)
  public static let executableDefinitions = Rule(
    "ExecutableDefinitions", section: "sec-Executable-Definitions", reports: .nonExecutableDefinition
  ) {
    ExecutableDefinitionsVisitor()
  }
}

private final class ExecutableDefinitionsVisitor: RuleVisitor {
  func enter(_ definition: Definition, _ context: ValidationContext) {
    let name: String
    switch definition {
    case .operation, .fragment: return
    case .schema: name = "schema"
    case .type(let type): name = "\"\(type.name)\""
    case .directive(let directive): name = "\"\(directive.name)\""
    }
    context.report(.nonExecutableDefinition, "The \(name) definition is not executable.", at: definition.span)
  }
}
