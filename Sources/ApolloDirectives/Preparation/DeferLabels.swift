import GraphQLSyntax

/// Gives a label to each `@defer` that has none, because the parts of a response are matched by their labels.
///
/// A label is made of the name of the definition and the deferred fragment, such as `HeroQuery.details`. So it does not
/// depend on other definitions. It differs from all labels that are written in the documents.
struct DeferLabels {
  /// The labels that are written in the documents, which are unique.
  private let written: Set<String>

  init(_ document: Document) {
    var written: Set<String> = []
    func collect(_ selectionSet: SelectionSet) {
      for selection in selectionSet.selections {
        if let label = Deferral(selection.directives)?.label { written.insert(label) }
        selection.selectionSet.map(collect)
      }
    }
    for operation in document.operations { collect(operation.selectionSet) }
    for fragment in document.fragments { collect(fragment.selectionSet) }
    self.written = written
  }

  func label(_ operation: OperationDefinition) -> OperationDefinition {
    var operation = operation, used = written
    let kind = operation.operation.rawValue
    let scope = (operation.name?.value ?? "") + kind.prefix(1).uppercased() + kind.dropFirst()
    label(&operation.selectionSet, in: scope, &used)
    return operation
  }

  func label(_ fragment: FragmentDefinition) -> FragmentDefinition {
    var fragment = fragment, used = written
    label(&fragment.selectionSet, in: fragment.name.value + "Fragment", &used)
    return fragment
  }

  private func label(_ selectionSet: inout SelectionSet, in scope: String, _ used: inout Set<String>) {
    for index in selectionSet.selections.indices {
      switch selectionSet.selections[index] {
      case .field(var field):
        guard var inner = field.selectionSet else { continue }
        label(&inner, in: scope, &used)
        field.selectionSet = inner
        selectionSet.selections[index] = .field(field)
      case .fragmentSpread(var spread):
        let name = spread.name.value.prefix(1).lowercased() + spread.name.value.dropFirst()
        add(to: &spread.directives, scope + "." + name, &used)
        selectionSet.selections[index] = .fragmentSpread(spread)
      case .inlineFragment(var fragment):
        add(to: &fragment.directives, scope + ".as" + (fragment.typeCondition?.value ?? ""), &used)
        label(&fragment.selectionSet, in: scope, &used)
        selectionSet.selections[index] = .inlineFragment(fragment)
      }
    }
  }

  private func add(to directives: inout [Directive], _ name: String, _ used: inout Set<String>) {
    guard let index = directives.firstIndex(where: { $0.name.value == Deferral.directive }),
      Deferral(directives)?.label == nil
    else { return }
    var label = name, number = 2
    while !used.insert(label).inserted {
      label = name + String(number)
      number += 1
    }
    directives[index].arguments.removeAll { $0.name.value == "label" }
    directives[index].arguments.append(Argument(name: "label", value: Value(.string(StringValue(label)))))
  }
}
