extension Document {
  /// A document for each operation, with the operation and the fragments it uses, in their order.
  public func separatedByOperation() -> [(operation: OperationDefinition, document: Document)] {
    let spreads = Dictionary(fragments.map { ($0.name.value, $0.selectionSet.spreadNames) }) { first, _ in first }
    return operations.map { operation in
      var used: Set<String> = []
      var pending = operation.selectionSet.spreadNames
      while let name = pending.popLast() {
        if used.insert(name).inserted { pending += spreads[name] ?? [] }
      }
      let kept = definitions.filter { definition in
        switch definition {
        case .operation(let other): other.span == operation.span && other == operation
        case .fragment(let fragment): used.contains(fragment.name.value)
        case .schema, .type, .directive: false
        }
      }
      return (operation, Document(definitions: kept, source: source))
    }
  }
}

extension SelectionSet {
  /// The names of the fragments that are spread in here, at any depth.
  public var spreadNames: [String] {
    selections.flatMap { selection in
      switch selection {
      case .field(let field): field.selectionSet?.spreadNames ?? []
      case .inlineFragment(let fragment): fragment.selectionSet.spreadNames
      case .fragmentSpread(let spread): [spread.name.value]
      }
    }
  }
}
