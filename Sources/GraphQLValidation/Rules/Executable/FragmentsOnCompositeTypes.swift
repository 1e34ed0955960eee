import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A fragment on a type that has no fields.
  public static let fragmentOnLeafType = Self("fragment-on-leaf-type")
}

extension Rule {
  /// Fragments are made on objects, interfaces and unions.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragments-on-Object-Interface-or-Union-Types)
  public static let fragmentsOnCompositeTypes = Rule(
    "FragmentsOnCompositeTypes", section: "sec-Fragments-on-Object-Interface-or-Union-Types",
    reports: .fragmentOnLeafType
  ) {
    FragmentsOnCompositeTypesVisitor()
  }
}

private final class FragmentsOnCompositeTypesVisitor: RuleVisitor {
  func enter(_ fragment: FragmentDefinition, _ context: ValidationContext) {
    check(fragment.typeCondition, of: "Fragment \"\(fragment.name)\"", context)
  }

  func enter(_ fragment: InlineFragment, _ context: ValidationContext) {
    guard let condition = fragment.typeCondition else { return }
    check(condition, of: "Fragment", context)
  }

  private func check(_ condition: Name, of fragment: String, _ context: ValidationContext) {
    guard let type = context.schema.type(named: condition.value), !type.isComposite else { return }
    context.report(
      .fragmentOnLeafType, "\(fragment) cannot condition on non composite type \"\(condition)\".",
      at: condition.span)
  }
}
