package import GraphQLSyntax

/// Local fields: those with `@client`, and what is selected inside of them.
enum LocalFields {
  /// The name of the directive.
  static let directive = "client"

  /// Marks what is selected inside of fields with `@client` like them. Fragments that are spread there stay as they are.
  static func marked(_ selectionSet: SelectionSet, isInside: Bool = false) -> SelectionSet {
    SelectionSet(
      selectionSet.selections.map { selection in
        switch selection {
        case .field(var field):
          if isInside, !field.isLocal { field.directives.append(Directive(name: Name(directive))) }
          let isLocal = field.isLocal
          field.selectionSet = field.selectionSet.map { marked($0, isInside: isLocal) }
          return .field(field)
        case .inlineFragment(var fragment):
          fragment.selectionSet = marked(fragment.selectionSet, isInside: isInside)
          return .inlineFragment(fragment)
        case .fragmentSpread: return selection
        }
      }, span: selectionSet.span)
  }

  /// Whether an operation has such a field, also in a fragment that it spreads.
  static func exist(in operation: OperationDefinition, _ fragments: [String: FragmentDefinition]) -> Bool {
    var spread: Set<String> = []
    func isLocal(_ selection: Selection) -> Bool {
      switch selection {
      case .field(let field): field.isLocal
      case .inlineFragment: false
      case .fragmentSpread(let fragment):
        spread.insert(fragment.name.value).inserted
          && fragments[fragment.name.value]?.selectionSet.contains(where: isLocal) ?? false
      }
    }
    return operation.selectionSet.contains(where: isLocal)
  }
}

extension Field {
  /// Whether it is a local field.
  package var isLocal: Bool { directives.contains { $0.name.value == LocalFields.directive } }
}
