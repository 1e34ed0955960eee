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
  /// A fragment on the current path, and how many of its spreads have been followed.
  private struct Step {
    var name: String
    var spreads: [FragmentSpread]
    var next = 0
  }

  private var visited: Set<String> = []

  func leave(_ document: Document, _ context: ValidationContext) {
    for fragment in document.fragments where visited.insert(fragment.name.value).inserted {
      follow(fragment.name.value, context)
    }
  }

  /// Depth first, with a path of its own: chains of fragments can be longer than a call stack.
  private func follow(_ name: String, _ context: ValidationContext) {
    var path = [Step(name: name, spreads: spreads(of: name, context))]
    var positions = [name: 0]
    while let step = path.last {
      guard step.next < step.spreads.count else {
        positions[step.name] = nil
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let spread = step.spreads[step.next]
      if let start = positions[spread.name.value] {
        report(path[start...].map { $0.spreads[$0.next - 1] }, context)
      } else if visited.insert(spread.name.value).inserted {
        positions[spread.name.value] = path.count
        path.append(Step(name: spread.name.value, spreads: spreads(of: spread.name.value, context)))
      }
    }
  }

  private func spreads(of name: String, _ context: ValidationContext) -> [FragmentSpread] {
    context.usage.fragments[name]?.spreads ?? []
  }

  /// - Parameter cycle: The spreads that lead from a fragment back to itself.
  private func report(_ cycle: [FragmentSpread], _ context: ValidationContext) {
    guard let last = cycle.last else { return }
    let via = cycle.dropLast().map { "\"\($0.name)\"" }.joined(separator: ", ")
    context.report(
      .fragmentCycle,
      "Cannot spread fragment \"\(last.name)\" within itself\(via.isEmpty ? "" : " via \(via)").",
      at: cycle[0].span,
      labels: cycle.dropFirst().map { .init("which spreads \"\($0.name)\"", at: $0.span) })
  }
}
