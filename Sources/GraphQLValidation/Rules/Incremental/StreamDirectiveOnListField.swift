import GraphQLSchema
import GraphQLSyntax

extension Rule {
  /// `@stream` is used only on fields that are lists.
  public static let streamDirectiveOnListField = Rule(
    "StreamDirectiveOnListField", section: nil, reports: .misplacedIncrementalDirective
  ) {
    StreamDirectiveOnListFieldVisitor()
  }
}

private final class StreamDirectiveOnListFieldVisitor: RuleVisitor {
  func enter(_ field: Field, _ context: ValidationContext) {
    guard let definition = context.field, let parent = context.parentType, !definition.type.isList else { return }
    for directive in field.directives where directive.name.value == "stream" {
      context.report(
        .misplacedIncrementalDirective,
        "Directive \"@stream\" cannot be used on non-list field \"\(parent.name).\(field.name)\".", at: directive.span)
    }
  }
}
