import GraphQLSchema
import GraphQLSyntax

/// A field of a document, with what decides whether it can share a response key with another.
final class FieldNode {
  let field: Field
  let parentType: NamedType?
  let definition: FieldDefinition?
  let selection: SelectionNode?
  /// The arguments in an order of their own, as text: equal exactly when they mean the same.
  private(set) lazy var arguments = ArgumentText.canonical(field.arguments)

  init(_ field: Field, parentType: NamedType?, definition: FieldDefinition?, selection: SelectionNode?) {
    self.field = field
    self.parentType = parentType
    self.definition = definition
    self.selection = selection
  }

  /// Whether no object can have both fields, as each is selected on an object type of its own.
  func isExclusive(with other: FieldNode) -> Bool {
    guard case .object(let parent)? = parentType, case .object(let otherParent)? = other.parentType else {
      return false
    }
    return parent.name != otherParent.name
  }
}

/// The fields of a selection set, those of its inline fragments included, and the fragments it spreads.
final class SelectionNode {
  let id: Int
  fileprivate(set) var fields: [FieldNode] = []
  fileprivate(set) var spreads: [String] = []
  /// The fields by response key, in order.
  private(set) lazy var fieldsByKey: [(key: String, fields: [FieldNode])] = FieldNode.grouped(fields)
  private(set) lazy var positionsByKey = Dictionary(
    uniqueKeysWithValues: fieldsByKey.enumerated().map { ($1.key, $0) })

  fileprivate init(id: Int) { self.id = id }
}

extension FieldNode {
  static func grouped(_ fields: [FieldNode]) -> [(key: String, fields: [FieldNode])] {
    var groups: [(key: String, fields: [FieldNode])] = []
    var positions: [String: Int] = [:]
    for field in fields {
      let key = field.field.responseKey
      if let position = positions[key] {
        groups[position].fields.append(field)
      } else {
        positions[key] = groups.count
        groups.append((key, [field]))
      }
    }
    return groups
  }
}

/// All selection sets of a document as nodes that can be told apart.
struct SelectionGraph {
  private let schema: Schema
  /// In document order, nested ones included.
  private(set) var selections: [SelectionNode] = []
  private(set) var operations: [SelectionNode] = []
  private(set) var fragments: [String: SelectionNode] = [:]
  /// The names of the fragments in document order.
  private(set) var fragmentNames: [String] = []
  /// Fragments with variables of their own. What they select depends on their arguments, so that each spread has a
  /// copy instead of a node that is shared.
  private let parameterized: [String: FragmentDefinition]
  /// The fragments with variables that the copy being made is part of.
  private var copied: Set<String> = []
  /// Copies can double at each level; a document that makes more of them is looked at no further.
  private var remainingCopies = 10_000

  init(_ document: Document, schema: Schema) {
    self.schema = schema
    parameterized = Dictionary(
      document.fragments.filter { !$0.variableDefinitions.isEmpty }.map { ($0.name.value, $0) }
    ) { first, _ in first }
    for definition in document.definitions {
      switch definition {
      case .operation(let operation):
        let root = schema.rootType(for: operation.operation).map(NamedType.object)
        operations.append(node(operation.selectionSet, on: root))
      case .fragment(let fragment):
        let selection = node(fragment.selectionSet, on: schema.type(named: fragment.typeCondition.value))
        guard fragments[fragment.name.value] == nil else { continue }
        fragments[fragment.name.value] = selection
        fragmentNames.append(fragment.name.value)
      case .schema, .type, .directive: break
      }
    }
  }

  private mutating func node(_ selectionSet: SelectionSet, on type: NamedType?) -> SelectionNode {
    let node = SelectionNode(id: selections.count)
    selections.append(node)
    var spreads: Set<String> = []
    add(selectionSet, on: type, to: node, &spreads)
    return node
  }

  private mutating func add(
    _ selectionSet: SelectionSet, on type: NamedType?, to node: SelectionNode, _ spreads: inout Set<String>
  ) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let definition = type.flatMap { schema.field(named: field.name.value, on: $0) }
        let fieldType = definition.flatMap { schema.type(of: $0.type) }
        let child = field.selectionSet.map { self.node($0, on: fieldType) }
        node.fields.append(FieldNode(field, parentType: type, definition: definition, selection: child))
      case .inlineFragment(let fragment):
        let type = fragment.typeCondition.map { schema.type(named: $0.value) } ?? type
        add(fragment.selectionSet, on: type, to: node, &spreads)
      case .fragmentSpread(let spread) where parameterized[spread.name.value] != nil:
        addCopy(spread, to: node, &spreads)
      case .fragmentSpread(let spread):
        if spreads.insert(spread.name.value).inserted { node.spreads.append(spread.name.value) }
      }
    }
  }

  /// The fields of a fragment with these arguments, and the spread itself as if it were a field: spreads of a fragment
  /// with other arguments conflict.
  private mutating func addCopy(_ spread: FragmentSpread, to node: SelectionNode, _ spreads: inout Set<String>) {
    guard let fragment = parameterized[spread.name.value], remainingCopies > 0,
      copied.insert(spread.name.value).inserted
    else { return }
    remainingCopies -= 1
    let field = Field(name: Name("...\(spread.name)"), arguments: spread.arguments, span: spread.span)
    node.fields.append(FieldNode(field, parentType: nil, definition: nil, selection: nil))
    let selections = FragmentArguments(of: spread, for: fragment).substituted(in: fragment.selectionSet)
    add(selections, on: schema.type(named: fragment.typeCondition.value), to: node, &spreads)
    copied.remove(spread.name.value)
  }
}

/// Arguments as text that does not depend on the order they, or the fields of objects in them, are written in.
enum ArgumentText {
  static func canonical(_ arguments: [Argument]) -> String {
    if arguments.isEmpty { return "" }
    let sorted = arguments.sorted { $0.name.value < $1.name.value }
    return sorted.map { "\($0.name):\(Printer.print(canonical($0.value)))" }.joined(separator: ",")
  }

  private static func canonical(_ value: Value) -> Value {
    switch value.kind {
    case .list(let values): return Value(.list(values.map(canonical)))
    case .object(let fields):
      let sorted = fields.sorted { $0.name.value < $1.name.value }
      return Value(.object(sorted.map { ObjectField(name: $0.name, value: canonical($0.value)) }))
    default: return value
    }
  }
}
