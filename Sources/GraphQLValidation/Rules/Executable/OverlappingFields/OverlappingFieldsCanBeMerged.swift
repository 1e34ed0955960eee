import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Fields that need the same key in the response but differ.
  public static let fieldConflict = Self("field-conflict")
}

extension Rule {
  /// Fields with the same response key mean the same, and have the same shape.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Field-Selection-Merging)
  public static let overlappingFieldsCanBeMerged = Rule(
    "OverlappingFieldsCanBeMerged", section: "sec-Field-Selection-Merging", reports: .fieldConflict
  ) {
    OverlappingFieldsCanBeMergedVisitor()
  }
}

private final class OverlappingFieldsCanBeMergedVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    let graph = SelectionGraph(
      document, schema: context.schema, comparesByValue: context.comparesFragmentVariablesByValue)
    guard graph.isComplete else {
      let fragment = document.fragments.first { !$0.variableDefinitions.isEmpty }
      return context.report(
        .fieldConflict, "The arguments of fragments make too many selections to compare.",
        at: fragment?.name.span ?? .none, help: "Use variables of the operation in some of the fragments.")
    }
    let comparison = FieldComparison(schema: context.schema)
    var detector = ConflictDetector(graph, comparison)
    guard let (first, second, reason) = detector.firstConflict() else { return }

    var reporter = ConflictReporter(graph, comparison)
    var conflicts = reporter.conflicts()
    if conflicts.isEmpty {
      conflicts = [
        ConflictReporter.Conflict(
          key: first.field.responseKey, reason: .difference(reason), first: [first.field.span],
          second: [second.field.span])
      ]
    }
    var reported: Set<[String]> = []
    let spreads = conflicts.flatMap(\.spreads).filter { reported.insert([$0.key] + $0.arguments).inserted }
    for conflict in spreads { report(conflict, context) }
    // By value, fields of fragments that are spread with other arguments differ because the spreads do.
    if context.comparesFragmentVariablesByValue, !spreads.isEmpty { return }
    for conflict in conflicts.compactMap(\.withoutSpreads) { report(conflict, context) }
  }

  private func report(_ conflict: ConflictReporter.Conflict, _ context: ValidationContext) {
    let spans = conflict.first + conflict.second
    let message =
      conflict.isSpread
      ? "Spreads \"\(conflict.key.dropFirst(3))\" conflict because \(conflict.explanation)."
      : "Fields \"\(conflict.key)\" conflict because \(conflict.explanation). Use different aliases on the fields to fetch both if this was intentional."
    context.report(
      .fieldConflict, message, at: spans[0], labels: spans.dropFirst().map { .init("conflicts with this", at: $0) })
  }
}
