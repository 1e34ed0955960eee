import GraphQLSyntax

/// Lists the conflicts of a document pair by pair, to explain each. Costly on large documents, so it runs only when
/// there is a conflict, and stops after enough comparisons or conflicts.
struct ConflictReporter {
  /// Fields that conflict, and why.
  struct Conflict {
    indirect enum Reason {
      case difference(String)
      case subfields([Conflict])
    }

    var key: String
    var reason: Reason
    /// The fields on either side, from the outside in.
    var first: [SourceSpan]
    var second: [SourceSpan]
    /// Of a spread, the two sets of arguments, whichever comes first.
    var arguments: [String] = []

    /// Whether it is about a fragment that is spread with different arguments.
    var isSpread: Bool { key.hasPrefix("...") }

    /// The conflicts of spreads among these, or among those of subfields.
    var spreads: [Conflict] {
      if isSpread { return [self] }
      if case .subfields(let conflicts) = reason { return conflicts.flatMap(\.spreads) }
      return []
    }

    /// The conflict without those of spreads among its subfields; nil if nothing is left.
    var withoutSpreads: Conflict? {
      if isSpread { return nil }
      guard case .subfields(let conflicts) = reason else { return self }
      let rest = conflicts.compactMap(\.withoutSpreads)
      if rest.isEmpty { return nil }
      return Conflict(
        key: key, reason: .subfields(rest), first: [first[0]] + rest.flatMap(\.first),
        second: [second[0]] + rest.flatMap(\.second))
    }

    var explanation: String {
      switch reason {
      case .difference(let text): text
      case .subfields(let conflicts):
        conflicts.map { "subfields \"\($0.key)\" conflict because \($0.explanation)" }.joined(separator: " and ")
      }
    }
  }

  /// Fragments, or a selection set and a fragment, that have been compared.
  private struct Pair: Hashable {
    var first: String
    var second: String
    var isExclusive: Bool
  }

  private static let maximumConflicts = 100
  private static let maximumDepth = 128
  private static let maximumPairs = 1_000_000

  private let graph: SelectionGraph
  private let comparison: FieldComparison
  private var comparedPairs: Set<Pair> = []
  private var remainingComparisons = 100_000
  private var depth = 0
  /// Whether there may be more comparisons.
  private var goesOn: Bool { remainingComparisons > 0 && comparedPairs.count < Self.maximumPairs }

  init(_ graph: SelectionGraph, _ comparison: FieldComparison) {
    self.graph = graph
    self.comparison = comparison
  }

  mutating func conflicts() -> [Conflict] {
    var conflicts: [Conflict] = []
    for selection in graph.selections where conflicts.count < Self.maximumConflicts {
      conflicts += self.conflicts(within: selection)
    }
    return Array(conflicts.prefix(Self.maximumConflicts))
  }

  private mutating func conflicts(within selection: SelectionNode) -> [Conflict] {
    var conflicts: [Conflict] = []
    for (_, fields) in selection.fieldsByKey {
      for (index, field) in fields.enumerated() where goesOn {
        for other in fields[(index + 1)...] {
          compare(field, other, isExclusive: false, into: &conflicts)
        }
      }
    }
    for (index, name) in selection.spreads.enumerated() {
      compare(selection, fragment: name, isExclusive: false, into: &conflicts)
      for other in selection.spreads[(index + 1)...] {
        compare(fragment: name, fragment: other, isExclusive: false, into: &conflicts)
      }
    }
    return conflicts
  }

  // MARK: - Comparing selections

  private mutating func compare(
    _ first: SelectionNode, _ second: SelectionNode, isExclusive: Bool, into conflicts: inout [Conflict]
  ) {
    for (key, fields) in first.fieldsByKey {
      guard let position = second.positionsByKey[key] else { continue }
      for field in fields {
        for other in second.fieldsByKey[position].fields {
          compare(field, other, isExclusive: isExclusive, into: &conflicts)
        }
      }
    }
  }

  private mutating func compare(
    _ selection: SelectionNode, fragment root: String, isExclusive: Bool, into conflicts: inout [Conflict]
  ) {
    var pending = [root]
    while goesOn, let name = pending.popLast() {
      let pair = Pair(first: "#\(selection.id)", second: name, isExclusive: isExclusive)
      guard comparedPairs.insert(pair).inserted, let fragment = graph.fragments[name], fragment !== selection
      else { continue }
      compare(selection, fragment, isExclusive: isExclusive, into: &conflicts)
      pending += fragment.spreads.reversed()
    }
  }

  private mutating func compare(
    fragment first: String, fragment second: String, isExclusive: Bool, into conflicts: inout [Conflict]
  ) {
    var pending = [(first, second)]
    while goesOn, let (first, second) = pending.popLast() {
      let pair = Pair(first: min(first, second), second: max(first, second), isExclusive: isExclusive)
      guard first != second, comparedPairs.insert(pair).inserted, let fragment = graph.fragments[first],
        let other = graph.fragments[second]
      else { continue }
      compare(fragment, other, isExclusive: isExclusive, into: &conflicts)
      pending += fragment.spreads.reversed().map { ($0, second) }
      pending += other.spreads.reversed().map { (first, $0) }
    }
  }

  // MARK: - Comparing fields

  private mutating func compare(
    _ first: FieldNode, _ second: FieldNode, isExclusive: Bool, into conflicts: inout [Conflict]
  ) {
    guard remainingComparisons > 0, depth < Self.maximumDepth, first.copiedFrom.isDisjoint(with: second.copiedFrom)
    else { return }
    remainingComparisons -= 1
    let isExclusive = isExclusive || first.isExclusive(with: second)
    if let text = comparison.conflict(first, second, isShapeOnly: isExclusive) {
      conflicts.append(
        Conflict(
          key: first.field.responseKey, reason: .difference(text), first: [first.field.span],
          second: [second.field.span], arguments: [first.arguments.value, second.arguments.value].sorted()))
      return
    }
    guard let selection = first.selection, let other = second.selection else { return }
    depth += 1
    let nested = nestedConflicts(selection, other, isExclusive: isExclusive)
    depth -= 1
    guard !nested.isEmpty else { return }
    conflicts.append(
      Conflict(
        key: first.field.responseKey, reason: .subfields(nested),
        first: [first.field.span] + nested.flatMap(\.first),
        second: [second.field.span] + nested.flatMap(\.second)))
  }

  private mutating func nestedConflicts(
    _ first: SelectionNode, _ second: SelectionNode, isExclusive: Bool
  ) -> [Conflict] {
    var conflicts: [Conflict] = []
    compare(first, second, isExclusive: isExclusive, into: &conflicts)
    for name in second.spreads { compare(first, fragment: name, isExclusive: isExclusive, into: &conflicts) }
    for name in first.spreads { compare(second, fragment: name, isExclusive: isExclusive, into: &conflicts) }
    for name in first.spreads {
      for other in second.spreads {
        compare(fragment: name, fragment: other, isExclusive: isExclusive, into: &conflicts)
      }
    }
    return conflicts
  }
}
