import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second field with the same name in an input object.
  public static let duplicateInputField = Self("duplicate-input-field")
}

extension Rule {
  /// No two fields of an input object have the same name.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness)
  public static let uniqueInputFieldNames = Rule(
    "UniqueInputFieldNames", section: "sec-Input-Object-Field-Uniqueness", reports: .duplicateInputField
  ) {
    UniqueInputFieldNamesVisitor()
  }
}

private final class UniqueInputFieldNamesVisitor: RuleVisitor {
  func enter(_ value: Value, at position: InputPosition, _ context: ValidationContext) {
    guard case .object(let fields) = value.kind, fields.count > 1 else { return }
    var names = UniqueNames()
    for field in fields {
      guard let first = names.insert(field.name) else { continue }
      context.report(
        .duplicateInputField, "There can be only one input field named \"\(field.name)\".", at: field.name.span,
        labels: [.init("first given here", at: first)])
    }
  }
}
