import GraphQLSchema
import GraphQLSyntax

/// Finds the directives of operations that change lists of the cache.
struct ListDirectives {
  static let names = Set(ListDirective.Kind.allCases.map(\.rawValue))

  private let schema: Schema
  private let fragments: [String: FragmentDefinition]
  /// What was found in each fragment and in those that it spreads. Paths begin at the fragment.
  private var inFragments: [String: [ListDirective]] = [:]

  init(_ fragments: [String: FragmentDefinition], _ schema: Schema) {
    self.schema = schema
    self.fragments = fragments
    for name in fragments.keys { _ = directives(ofFragment: name) }
  }

  /// The directives on the fields of an operation, also of the fragments that it spreads. A query has none: a fragment that
  /// it shares with a mutation changes lists for the mutation only.
  func directives(of operation: OperationDefinition) -> [ListDirective] {
    guard operation.operation != .query, let root = schema.rootType(for: operation.operation) else { return [] }
    var fragments = self
    return fragments.directives(in: operation.selectionSet, on: .object(root))
  }

  /// Each fragment is looked at once, however often it is spread.
  private mutating func directives(ofFragment name: String) -> [ListDirective] {
    if let known = inFragments[name] { return known }
    guard let definition = fragments[name], let type = schema.type(named: definition.typeCondition.value) else {
      return []
    }
    // A fragment that spreads itself finds nothing more in itself.
    inFragments[name] = []
    let found = directives(in: definition.selectionSet, on: type)
    inFragments[name] = found
    return found
  }

  private mutating func directives(in selectionSet: SelectionSet, on type: NamedType) -> [ListDirective] {
    var all: [ListDirective] = []
    for selection in selectionSet.selections {
      var found: [ListDirective]
      switch selection {
      case .field(let field): found = directives(of: field, on: type)
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.value) } ?? type
        found = directives(in: fragment.selectionSet, on: inner)
        found = spread(found, of: inner, on: type)
      case .fragmentSpread(let fragment):
        let name = fragment.name.value
        let inner = fragments[name].flatMap { schema.type(named: $0.typeCondition.value) } ?? type
        found = directives(ofFragment: name)
        found = spread(found, of: inner, on: type)
      }
      for directive in found where !all.contains(directive) { all.append(directive) }
    }
    return all
  }

  /// The directives of a fragment where it is spread.
  ///
  /// - Parameters:
  ///   - directives: What was found in the fragment.
  ///   - fragment: The type of the fragment.
  ///   - type: The type of the selection set that spreads it.
  /// - Returns: Those that some object of the type can have.
  private func spread(_ directives: [ListDirective], of fragment: NamedType, on type: NamedType) -> [ListDirective] {
    guard !directives.isEmpty, fragment.name != type.name else { return directives }
    let ofFragment = schema.possibleTypes(of: fragment).map(\.name), count = schema.possibleTypes(of: type).count
    return directives.compactMap { directive in
      var directive = directive
      let types = (directive.path[0].types ?? ofFragment).filter { schema.isPossibleType($0, of: type) }
      directive.path[0].types = types.count == count ? nil : types
      return types.isEmpty ? nil : directive
    }
  }

  private mutating func directives(of field: Field, on type: NamedType) -> [ListDirective] {
    let own = field.directives.compactMap { directive -> ListDirective? in
      guard let kind = ListDirective.Kind(rawValue: directive.name.value) else { return nil }
      return ListDirective(
        kind: kind, path: [.init(name: field.responseKey)],
        connections: directive.argument("connections").map { .init($0) },
        edgeType: directive.text("edgeTypeName"), typename: directive.text("type"))
    }
    guard let selectionSet = field.selectionSet,
      let inner = schema.field(named: field.name.value, on: type).flatMap({ schema.type(of: $0.type) })
    else { return own }
    return own
      + directives(in: selectionSet, on: inner).map { directive in
        var directive = directive
        directive.path.insert(.init(name: field.responseKey), at: 0)
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
