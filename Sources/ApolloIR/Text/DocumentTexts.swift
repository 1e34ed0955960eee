import ApolloDirectives
import GraphQLSyntax

/// The texts of the definitions that are sent, on one line each.
struct DocumentTexts {
  private let fragments: [String: FragmentDefinition]
  private let fragmentTexts: [String: String]

  init(fragments: [FragmentDefinition]) {
    self.fragments = Dictionary(fragments.map { ($0.name.value, $0) }) { first, _ in first }
    fragmentTexts = self.fragments.mapValues { Self.singleLine(.fragment($0)) }
  }

  func definition(of fragment: String) -> String { fragmentTexts[fragment] ?? "" }

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

  /// The canonical text, its lines without their indentation joined by single spaces.
  private static func singleLine(_ definition: Definition) -> String {
    let space = UInt8(ascii: " "), lineFeed = UInt8(ascii: "\n")
    var text: [UInt8] = []
    var isIndentation = false
    for byte in Printer.print(definition).utf8 {
      if byte == lineFeed {
        isIndentation = true
      } else if !isIndentation || byte != space {
        if isIndentation { text.append(space) }
        isIndentation = false
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
