import GraphQLSyntax

/// Finds smaller documents: all that lack one thing.
public enum Reduction {
  /// All documents that lack one selection, argument, directive or alias of this one, or have the content of an inline
  /// fragment in its place. Their operations and fragments get names of their own.
  public static func candidates(_ document: String) -> [String] {
    let document = Parser.parse(document, name: "document").value
    var seen: Set<String> = [Printer.print(document)]
    var found: [String] = []
    for index in document.definitions.indices {
      guard let set = selectionSet(document.definitions[index]) else { continue }
      for smaller in smaller(set) {
        var copy = document
        copy.definitions[index] = with(smaller, document.definitions[index])
        copy = pruned(copy)
        guard seen.insert(Printer.print(copy)).inserted else { continue }
        found.append(Printer.print(renamed(copy, suffix: "_\(found.count)")))
      }
    }
    return found
  }

  // MARK: Definitions

  private static func selectionSet(_ definition: Definition) -> SelectionSet? {
    switch definition {
    case .operation(let operation): operation.selectionSet
    case .fragment(let fragment): fragment.selectionSet
    default: nil
    }
  }

  private static func with(_ selectionSet: SelectionSet, _ definition: Definition) -> Definition {
    switch definition {
    case .operation(var operation):
      operation.selectionSet = selectionSet
      return .operation(operation)
    case .fragment(var fragment):
      fragment.selectionSet = selectionSet
      return .fragment(fragment)
    default: return definition
    }
  }

  /// Without fragments that are not spread, and without variables that nothing mentions.
  private static func pruned(_ document: Document) -> Document {
    var reached: Set<String> = [], waiting: [SelectionSet] = document.operations.map(\.selectionSet)
    while let set = waiting.popLast() {
      for name in spreads(in: set) where reached.insert(name).inserted {
        waiting += document.fragments.filter { $0.name.value == name }.map(\.selectionSet)
      }
    }
    var copy = document
    copy.definitions = document.definitions.filter { definition in
      if case .fragment(let fragment) = definition { reached.contains(fragment.name.value) } else { true }
    }
    let bodies = copy.definitions.compactMap(selectionSet).map { Printer.print($0) }.joined(separator: " ")
    for index in copy.definitions.indices {
      guard case .operation(var operation) = copy.definitions[index] else { continue }
      operation.variableDefinitions.removeAll { !mentions(bodies, "$" + $0.name.value) }
      copy.definitions[index] = .operation(operation)
    }
    return copy
  }

  private static func mentions(_ text: String, _ variable: String) -> Bool {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.contains { $0 == variable }
  }

  private static func spreads(in set: SelectionSet) -> [String] {
    set.selections.flatMap { selection -> [String] in
      switch selection {
      case .field(let field): field.selectionSet.map(spreads) ?? []
      case .inlineFragment(let fragment): spreads(in: fragment.selectionSet)
      case .fragmentSpread(let spread): [spread.name.value]
      }
    }
  }

  private static func renamed(_ document: Document, suffix: String) -> Document {
    var copy = document
    for index in copy.definitions.indices {
      switch copy.definitions[index] {
      case .operation(var operation):
        operation.name = operation.name.map { Name($0.value + suffix) }
        operation.selectionSet = renamed(operation.selectionSet, suffix)
        copy.definitions[index] = .operation(operation)
      case .fragment(var fragment):
        fragment.name = Name(fragment.name.value + suffix)
        fragment.selectionSet = renamed(fragment.selectionSet, suffix)
        copy.definitions[index] = .fragment(fragment)
      default: break
      }
    }
    return copy
  }

  private static func renamed(_ set: SelectionSet, _ suffix: String) -> SelectionSet {
    SelectionSet(
      set.selections.map { selection in
        switch selection {
        case .field(var field):
          field.selectionSet = field.selectionSet.map { renamed($0, suffix) }
          return .field(field)
        case .inlineFragment(var fragment):
          fragment.selectionSet = renamed(fragment.selectionSet, suffix)
          return .inlineFragment(fragment)
        case .fragmentSpread(var spread):
          spread.name = Name(spread.name.value + suffix)
          return .fragmentSpread(spread)
        }
      })
  }

  // MARK: Selections

  private static func smaller(_ set: SelectionSet) -> [SelectionSet] {
    var found: [SelectionSet] = []
    for (index, selection) in set.selections.enumerated() {
      func replaced(_ new: [Selection]) {
        var selections = set.selections
        selections.replaceSubrange(index...index, with: new)
        if !selections.isEmpty { found.append(SelectionSet(selections)) }
      }
      replaced([])
      switch selection {
      case .field(let field): for smaller in smaller(field) { replaced([.field(smaller)]) }
      case .inlineFragment(let fragment):
        replaced(fragment.selectionSet.selections)
        var bare = fragment
        bare.directives = []
        replaced([.inlineFragment(bare)])
        for smaller in smaller(fragment.selectionSet) {
          var copy = fragment
          copy.selectionSet = smaller
          replaced([.inlineFragment(copy)])
        }
      case .fragmentSpread(var spread):
        spread.directives = []
        replaced([.fragmentSpread(spread)])
      }
    }
    return found
  }

  private static func smaller(_ field: Field) -> [Field] {
    var found: [Field] = []
    func change(_ body: (inout Field) -> Void) {
      var copy = field
      body(&copy)
      found.append(copy)
    }
    change { $0.alias = nil }
    change { $0.directives = [] }
    for index in field.arguments.indices { change { $0.arguments.remove(at: index) } }
    if let set = field.selectionSet {
      change { $0.selectionSet = SelectionSet([.field(Field(name: "__typename"))]) }
      for smaller in smaller(set) { change { $0.selectionSet = smaller } }
    }
    return found
  }
}
