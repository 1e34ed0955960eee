package import GraphQLSyntax

/// Finds the directives of operations that change lists of the cache.
package struct ListDirectives {
  package static let names = Set(ListDirective.Kind.allCases.map(\.rawValue))

  private let fragments: [String: FragmentDefinition]

  package init(_ document: Document) {
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
  }

  /// The directives on the fields of an operation, also of the fragments that it spreads.
  func directives(of operation: OperationDefinition) -> [ListDirective] {
    var found: [ListDirective] = []
    collect(operation.selectionSet, at: [], spread: [], into: &found)
    return found
  }

  private func collect(
    _ selectionSet: SelectionSet, at path: [String], spread: Set<String>, into found: inout [ListDirective]
  ) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let path = path + [field.responseKey]
        for directive in field.directives {
          guard let kind = ListDirective.Kind(rawValue: directive.name.value) else { continue }
          let edit = ListDirective(
            kind: kind, path: path, connections: directive.value(of: "connections").map { .init($0) },
            edgeType: directive.text(of: "edgeTypeName"), typename: directive.text(of: "type"))
          if !found.contains(edit) { found.append(edit) }
        }
        if let inner = field.selectionSet { collect(inner, at: path, spread: spread, into: &found) }
      case .inlineFragment(let fragment): collect(fragment.selectionSet, at: path, spread: spread, into: &found)
      case .fragmentSpread(let fragment):
        let name = fragment.name.value
        guard !spread.contains(name), let definition = fragments[name] else { continue }
        collect(definition.selectionSet, at: path, spread: spread.union([name]), into: &found)
      }
    }
  }
}

extension Directive {
  fileprivate func value(of name: String) -> Value? { arguments.first { $0.name.value == name }?.value }

  fileprivate func text(of name: String) -> String? {
    if case .string(let text)? = value(of: name)?.kind { text.value } else { nil }
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
