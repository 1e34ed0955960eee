extension Document {
  /// An error if selections nest too deep, where a spread counts as the selections of its fragment. What walks through
  /// fragments by recursion, and what lies on the way of such a walk, relies on it.
  ///
  /// Fragments that spread each other count with all of their levels, whatever the order of a walk.
  ///
  /// - Parameter maximum: How many selection sets may stand in one another.
  /// - Returns: The error, at the first definition with more; nil if there is none.
  package func nestingError(deeperThan maximum: Int) -> Diagnostic? {
    var fragments: [String: Nesting] = [:]
    for fragment in self.fragments where fragments[fragment.name.value] == nil {
      fragments[fragment.name.value] = Nesting(fragment.selectionSet)
    }
    let depths = Self.depths(of: fragments)
    for definition in definitions {
      let depth: Int
      let span: SourceSpan
      switch definition {
      case .operation(let operation):
        depth = Nesting(operation.selectionSet).depth(through: depths)
        span = operation.name?.span ?? operation.span
      case .fragment(let fragment):
        depth = depths[fragment.name.value] ?? 0
        span = fragment.name.span
      case .schema, .type, .directive: continue
      }
      guard depth > maximum else { continue }
      return Diagnostic(
        .nestingTooDeep,
        "Selections nest more than \(maximum) levels deep, with those of the fragments that are spread.",
        at: span)
    }
    return nil
  }

  private static func depths(of fragments: [String: Nesting]) -> [String: Int] {
    var depths: [String: Int] = [:]
    let components = ComponentFinder.components(from: fragments.keys) { name in
      fragments[name]?.spreads.keys.filter { fragments[$0] != nil } ?? []
    }
    for component in components {
      // What is spread outside of the component is known already, as is nothing inside of it.
      let inside = component.map { fragments[$0]?.depth(through: depths) ?? 0 }
      let isCycle = component.count > 1
      let depth = isCycle ? inside.reduce(0, +) : inside[0]
      for name in component { depths[name] = depth }
    }
    return depths
  }
}

/// How deep the selections of one definition nest.
private struct Nesting {
  /// Without those of fragments.
  private(set) var depth = 0
  /// How deep the deepest spread of each fragment stands.
  private(set) var spreads: [String: Int] = [:]

  init(_ selectionSet: SelectionSet) { add(selectionSet, 1) }

  private mutating func add(_ selectionSet: SelectionSet, _ level: Int) {
    depth = max(depth, level)
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field): if let inner = field.selectionSet { add(inner, level + 1) }
      case .inlineFragment(let fragment): add(fragment.selectionSet, level + 1)
      case .fragmentSpread(let spread):
        spreads[spread.name.value] = max(level, spreads[spread.name.value] ?? 0)
      }
    }
  }

  /// With those of the fragments whose depths are known.
  func depth(through depths: [String: Int]) -> Int {
    spreads.reduce(depth) { deepest, spread in max(deepest, spread.value + (depths[spread.key] ?? 0)) }
  }
}
