import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Selections on a field that has no subfields.
  public static let selectionOnLeaf = Self("selection-on-leaf")
  /// No selections on a field that has subfields.
  public static let missingSelection = Self("missing-selection")
}

extension Rule {
  /// Fields have selections exactly where their type has fields.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Leaf-Field-Selections)
  public static let scalarLeafs = Rule(
    "ScalarLeafs", section: "sec-Leaf-Field-Selections", reports: .selectionOnLeaf, .missingSelection
  ) {
    ScalarLeafsVisitor()
  }
}

private final class ScalarLeafsVisitor: RuleVisitor {
  func enter(_ field: Field, _ context: ValidationContext) {
    guard let definition = context.field, let type = context.schema.type(of: definition.type) else { return }
    if type.isLeaf, let selectionSet = field.selectionSet {
      context.report(
        .selectionOnLeaf,
        "Field \"\(field.name)\" must not have a selection since type \"\(definition.type)\" has no subfields.",
        at: selectionSet.span)
    } else if type.isComposite, field.selectionSet == nil {
      context.report(
        .missingSelection,
        "Field \"\(field.name)\" of type \"\(definition.type)\" must have a selection of subfields.",
        at: field.span, help: "Did you mean \"\(field.name) { ... }\"?")
    } else if type.isComposite, !context.allowsEmptySelectionSets, field.selectionSet?.selections.isEmpty == true {
      context.report(
        .missingSelection,
        "Field \"\(field.name)\" of type \"\(definition.type)\" must have at least one field selected.",
        at: field.span)
    }
  }
}
