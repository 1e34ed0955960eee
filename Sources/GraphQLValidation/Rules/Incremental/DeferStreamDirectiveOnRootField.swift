import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// `@defer` or `@stream` where the answer cannot be split.
  public static let misplacedIncrementalDirective = Self("misplaced-incremental-directive")
}

extension Rule {
  /// `@defer` and `@stream` are not used on the root type of a mutation or subscription.
  public static let deferStreamDirectiveOnRootField = Rule(
    "DeferStreamDirectiveOnRootField", section: nil, reports: .misplacedIncrementalDirective
  ) {
    DeferStreamDirectiveOnRootFieldVisitor()
  }
}

private final class DeferStreamDirectiveOnRootFieldVisitor: RuleVisitor {
  func enter(_ directives: [Directive], at place: DirectivePlace, _ context: ValidationContext) {
    for directive in directives {
      let name: String
      switch directive.name.value {
      case "defer": name = "Defer"
      case "stream": name = "Stream"
      default: continue
      }
      for operation in [OperationType.mutation, .subscription] {
        guard let root = context.schema.rootType(for: operation), root.name == context.parentType?.name else {
          continue
        }
        context.report(
          .misplacedIncrementalDirective,
          "\(name) directive cannot be used on root \(operation.rawValue) type \"\(root.name)\".", at: directive.span)
      }
    }
  }
}
