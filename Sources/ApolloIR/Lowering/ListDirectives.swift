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
    collect(operation.selectionSet, [], [], &found)
    return found
  }

  private func collect(
    _ selectionSet: SelectionSet, _ path: [String], _ spread: Set<String>, _ found: inout [ListDirective]
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
        if let inner = field.selectionSet { collect(inner, path, spread, &found) }
      case .inlineFragment(let fragment): collect(fragment.selectionSet, path, spread, &found)
      case .fragmentSpread(let fragment):
        let name = fragment.name.value
        guard !spread.contains(name), let definition = fragments[name] else { continue }
        collect(definition.selectionSet, path, spread.union([name]), &found)
      }
    }
  }

  /// The variables of an operation that only these directives use: they are not sent.
  package func localVariables(of operation: OperationDefinition) -> Set<String> {
    var uses = VariableUses(fragments: fragments)
    uses.add(operation.directives)
    uses.add(operation.selectionSet)
    return uses.inListDirectives.subtracting(uses.elsewhere)
  }
}

/// The variables that selections use.
private struct VariableUses {
  let fragments: [String: FragmentDefinition]
  private(set) var inListDirectives: Set<String> = []
  private(set) var elsewhere: Set<String> = []
  private var spread: Set<String> = []

  init(fragments: [String: FragmentDefinition]) { self.fragments = fragments }

  mutating func add(_ selectionSet: SelectionSet) {
    for selection in selectionSet.selections {
      add(selection.directives)
      switch selection {
      case .field(let field):
        for argument in field.arguments { elsewhere.formUnion(argument.value.variables) }
        if let inner = field.selectionSet { add(inner) }
      case .inlineFragment(let fragment): add(fragment.selectionSet)
      case .fragmentSpread(let fragment):
        guard spread.insert(fragment.name.value).inserted, let definition = fragments[fragment.name.value] else {
          continue
        }
        add(definition.directives)
        add(definition.selectionSet)
      }
    }
  }

  mutating func add(_ directives: [Directive]) {
    for directive in directives {
      let names = Set(directive.arguments.flatMap(\.value.variables))
      if ListDirectives.names.contains(directive.name.value) {
        inListDirectives.formUnion(names)
      } else {
        elsewhere.formUnion(names)
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

extension Value {
  /// The names of the variables in it.
  fileprivate var variables: [String] {
    switch kind {
    case .variable(let name): [name.value]
    case .list(let values): values.flatMap(\.variables)
    case .object(let fields): fields.flatMap(\.value.variables)
    case .int, .float, .string, .boolean, .null, .enum: []
    }
  }
}
