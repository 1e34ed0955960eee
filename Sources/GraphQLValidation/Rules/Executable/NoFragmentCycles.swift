public import GraphQLSyntax

extension Diagnostic.Code {
  /// A fragment that spreads itself.
  public static let fragmentCycle = Self("fragment-cycle")
}

extension Rule {
  /// No fragment spreads itself, directly or through others.
  /// — [spec](https://spec.graphql.org/September2025/#sec-Fragment-Spreads-Must-Not-Form-Cycles)
  public static let noFragmentCycles = Rule(
    "NoFragmentCycles", section: "sec-Fragment-Spreads-Must-Not-Form-Cycles", reports: .fragmentCycle
  ) {
    NoFragmentCyclesVisitor()
  }
}

private final class NoFragmentCyclesVisitor: RuleVisitor {
  func leave(_ document: Document, _ context: ValidationContext) {
    var finder = CycleFinder<FragmentSpread> { name in
      (context.usage.fragments[name]?.spreads ?? []).map { ($0, $0.name.value) }
    }
    for fragment in document.fragments {
      for cycle in finder.cycles(from: fragment.name.value) { report(cycle, context) }
    }
  }

  private func report(_ cycle: [FragmentSpread], _ context: ValidationContext) {
    guard let last = cycle.last else { return }
    let via = cycle.dropLast().map { "\"\($0.name)\"" }.joined(separator: ", ")
    context.report(
      .fragmentCycle, "Cannot spread fragment \"\(last.name)\" within itself\(via.isEmpty ? "" : " via \(via)").",
      at: cycle[0].span, labels: cycle.dropFirst().map { .init("which spreads \"\($0.name)\"", at: $0.span) })
  }
}
