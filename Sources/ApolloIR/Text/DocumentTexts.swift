import GraphQLSyntax

/// The texts of prepared definitions, on one line each.
struct DocumentTexts {
  private let fragments: [String: FragmentDefinition]
  private let fragmentTexts: [String: String]

  init(fragments: [FragmentDefinition]) {
    self.fragments = Dictionary(fragments.map { ($0.name.value, $0) }) { first, _ in first }
    fragmentTexts = self.fragments.mapValues { Self.singleLine(.fragment($0)) }
  }

  func definition(of fragment: FragmentDefinition) -> String { fragmentTexts[fragment.name.value] ?? "" }

  func document(of operation: OperationDefinition) -> DocumentText {
    var names: Set<String> = []
    addSpreads(in: operation.selectionSet, to: &names)
    let sorted = names.sorted()
    let selectionSets = [operation.selectionSet] + sorted.compactMap { fragments[$0]?.selectionSet }
    return DocumentText(
      operation: Self.singleLine(.operation(operation)), fragmentNames: sorted,
      fragments: sorted.compactMap { fragmentTexts[$0] }, isIncremental: selectionSets.contains(where: \.isIncremental))
  }

  private func addSpreads(in selectionSet: SelectionSet, to names: inout Set<String>) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field): field.selectionSet.map { addSpreads(in: $0, to: &names) }
      case .inlineFragment(let fragment): addSpreads(in: fragment.selectionSet, to: &names)
      case .fragmentSpread(let spread):
        guard names.insert(spread.name.value).inserted, let fragment = fragments[spread.name.value] else { continue }
        addSpreads(in: fragment.selectionSet, to: &names)
      }
    }
  }

  /// The canonical text with each line trimmed, joined by single spaces.
  private static func singleLine(_ definition: Definition) -> String {
    Printer.print(definition).split(separator: "\n")
      .map { line in String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
      .joined(separator: " ")
  }
}
