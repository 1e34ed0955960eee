import GraphQLSyntax

/// The variables that operations use, and for what: for the server, for local fields, or for directives that change
/// lists of the cache.
struct LocalVariables {
  let fragments: [String: FragmentDefinition]

  /// The variables whose values do not even belong to the variables of the operation: only directives that change lists
  /// use them.
  func ofListDirectives(in operation: OperationDefinition) -> Set<String> {
    let uses = self.uses(operation)
    return uses.inListDirectives.subtracting(uses.inLocalFields).subtracting(uses.elsewhere)
  }

  /// An operation that declares only what it uses. A server refuses the others.
  ///
  /// - Parameter operation: The operation as it is sent.
  /// - Returns: The operation without the variables that neither it nor a fragment that it spreads uses.
  func declaringUsed(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation
    let used = uses(operation).elsewhere
    operation.variableDefinitions.removeAll { !used.contains($0.name.value) }
    return operation
  }

  private func uses(_ operation: OperationDefinition) -> VariableUses {
    var uses = VariableUses(fragments: fragments)
    uses.add(operation.directives)
    uses.add(operation.selectionSet)
    return uses
  }
}

/// The variables that selections use.
private struct VariableUses {
  let fragments: [String: FragmentDefinition]
  private(set) var inListDirectives: Set<String> = []
  private(set) var inLocalFields: Set<String> = []
  private(set) var elsewhere: Set<String> = []
  /// The fragments that were visited, inside of local fields and elsewhere.
  private var spread: [Bool: Set<String>] = [:]

  init(fragments: [String: FragmentDefinition]) { self.fragments = fragments }

  mutating func add(_ selectionSet: SelectionSet, isLocal: Bool = false) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let isLocal = isLocal || field.isLocal
        add(field.directives, isLocal: isLocal)
        for argument in field.arguments { add(argument.value.variables, isLocal: isLocal) }
        if let inner = field.selectionSet { add(inner, isLocal: isLocal) }
      case .inlineFragment(let fragment):
        add(fragment.directives, isLocal: isLocal)
        add(fragment.selectionSet, isLocal: isLocal)
      case .fragmentSpread(let fragment):
        add(fragment.directives, isLocal: isLocal)
        guard spread[isLocal, default: []].insert(fragment.name.value).inserted,
          let definition = fragments[fragment.name.value]
        else { continue }
        add(definition.directives, isLocal: isLocal)
        add(definition.selectionSet, isLocal: isLocal)
      }
    }
  }

  mutating func add(_ directives: [Directive], isLocal: Bool = false) {
    for directive in directives {
      let names = directive.arguments.flatMap(\.value.variables)
      if ListDirectives.names.contains(directive.name.value) {
        inListDirectives.formUnion(names)
      } else {
        add(names, isLocal: isLocal)
      }
    }
  }

  private mutating func add(_ names: [String], isLocal: Bool) {
    if isLocal { inLocalFields.formUnion(names) } else { elsewhere.formUnion(names) }
  }
}

extension Value {
  /// The names of the variables in it.
  var variables: [String] {
    switch kind {
    case .variable(let name): [name.value]
    case .list(let values): values.flatMap(\.variables)
    case .object(let fields): fields.flatMap(\.value.variables)
    case .int, .float, .string, .boolean, .null, .enum: []
    }
  }
}
