import GraphQLSyntax

/// Finds the directives of operations that change lists of the cache.
struct ListDirectives {
  static let names = Set(ListDirective.Kind.allCases.map(\.rawValue))

  private let fragments: [String: FragmentDefinition]
  /// What was found in each fragment and in those that it spreads. Paths begin at the fragment.
  private var inFragments: [String: [ListDirective]] = [:]

  init(_ fragments: [String: FragmentDefinition]) {
    self.fragments = fragments
    for name in fragments.keys { _ = directives(ofFragment: name) }
  }

  /// The directives on the fields of an operation, also of the fragments that it spreads.
  func directives(of operation: OperationDefinition) -> [ListDirective] {
    var fragments = self
    return fragments.directives(in: operation.selectionSet)
  }

  /// Each fragment is looked at once, however often it is spread.
  private mutating func directives(ofFragment name: String) -> [ListDirective] {
    if let known = inFragments[name] { return known }
    guard let definition = fragments[name] else { return [] }
    // A fragment that spreads itself finds nothing more in itself.
    inFragments[name] = []
    let found = directives(in: definition.selectionSet)
    inFragments[name] = found
    return found
  }

  private mutating func directives(in selectionSet: SelectionSet) -> [ListDirective] {
    var all: [ListDirective] = []
    for selection in selectionSet.selections {
      let found =
        switch selection {
        case .field(let field): directives(of: field)
        case .inlineFragment(let fragment): directives(in: fragment.selectionSet)
        case .fragmentSpread(let fragment): directives(ofFragment: fragment.name.value)
        }
      for directive in found where !all.contains(directive) { all.append(directive) }
    }
    return all
  }

  private mutating func directives(of field: Field) -> [ListDirective] {
    let own = field.directives.compactMap { directive -> ListDirective? in
      guard let kind = ListDirective.Kind(rawValue: directive.name.value) else { return nil }
      return ListDirective(
        kind: kind, path: [field.responseKey],
        connections: directive.argument("connections").map { .init($0) },
        edgeType: directive.text("edgeTypeName"), typename: directive.text("type"))
    }
    guard let inner = field.selectionSet.map({ directives(in: $0) }), !inner.isEmpty else { return own }
    return own
      + inner.map { directive in
        var directive = directive
        directive.path.insert(field.responseKey, at: 0)
        return directive
      }
  }
}

extension ListDirective.Connections {
  fileprivate init(_ value: Value) {
    switch value.kind {
    case .variable(let name): self = .variable(name.value)
    case .list(let values): self = .list(values.map { ListDirective.Text($0) })
    default: self = .list([ListDirective.Text(value)])
    }
  }
}

extension ListDirective.Text {
  fileprivate init(_ value: Value) {
    switch value.kind {
    case .variable(let name): self = .variable(name.value)
    case .string(let string): self = .literal(string.value)
    case .int(let digits): self = .literal(digits)
    default: self = .literal("")
    }
  }
}
