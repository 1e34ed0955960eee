import GraphQLSyntax

/// The kinds of operations that spread the fragments of a document, directly or in other fragments.
struct FragmentUses {
  private struct Use: Hashable {
    var fragment: String
    var operation: OperationType
    /// Whether the fields of the fragment are fields of the operation's root.
    var isAtRoot: Bool
  }

  private var uses: Set<Use> = []

  init(_ document: Document) {
    let spreads = Dictionary(document.fragments.map { ($0.name.value, $0.selectionSet.spreads) }) { first, _ in first }
    var pending = document.operations.flatMap { operation in
      operation.selectionSet.spreads.map {
        Use(fragment: $0.fragment, operation: operation.operation, isAtRoot: $0.isOnObject)
      }
    }
    while let use = pending.popLast() {
      guard uses.insert(use).inserted else { continue }
      for inner in spreads[use.fragment] ?? [] {
        pending.append(
          Use(fragment: inner.fragment, operation: use.operation, isAtRoot: use.isAtRoot && inner.isOnObject))
      }
    }
  }

  /// The kinds of operations that have the fields of a fragment.
  ///
  /// - Parameters:
  ///   - name: The name of the fragment.
  ///   - isAtRoot: Whether only those count that have them on their root.
  /// - Returns: The kinds; none if nothing spreads the fragment.
  func operations(of name: String, isAtRoot: Bool = false) -> Set<OperationType> {
    Set(
      OperationType.allCases.filter { kind in
        uses.contains(Use(fragment: name, operation: kind, isAtRoot: true))
          || !isAtRoot && uses.contains(Use(fragment: name, operation: kind, isAtRoot: false))
      })
  }
}

extension SelectionSet {
  /// The fragments that are spread in it, and whether they are on the object itself, and not on one of its fields.
  fileprivate var spreads: [(fragment: String, isOnObject: Bool)] {
    selections.flatMap { selection -> [(fragment: String, isOnObject: Bool)] in
      switch selection {
      case .field(let field): (field.selectionSet?.spreads ?? []).map { (fragment: $0.fragment, isOnObject: false) }
      case .inlineFragment(let fragment): fragment.selectionSet.spreads
      case .fragmentSpread(let spread): [(fragment: spread.name.value, isOnObject: true)]
      }
    }
  }
}
