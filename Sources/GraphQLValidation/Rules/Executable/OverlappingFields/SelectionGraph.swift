import GraphQLSchema
import GraphQLSyntax

/// A field of a document, with what decides whether it can share a response key with another.
final class FieldNode {
  let field: Field
  let parentType: NamedType?
  let definition: FieldDefinition?
  let selection: SelectionNode?
  /// The fragments with variables that the field is a copy from, from the outside in. Fields from one fragment are
  /// compared with each other in the fragment itself, and what differs by arguments is a conflict of its spreads.
  let copiedFrom: Set<String>
  /// The arguments in an order of their own, as text: equal exactly when they mean the same.
  private(set) lazy var arguments = ExactText(ArgumentText.canonical(field.arguments))

  init(
    _ field: Field, parentType: NamedType?, definition: FieldDefinition?, selection: SelectionNode?,
    copiedFrom: Set<String> = []
  ) {
    self.field = field
    self.parentType = parentType
    self.definition = definition
    self.selection = selection
    self.copiedFrom = copiedFrom
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
  /// Where in `fields` each spread of a fragment with variables is, by its fragment and arguments.
  fileprivate var copies: [ExactText: Int] = [:]
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
  /// The names of their variables, by fragment.
  private let variables: [String: Set<String>]
  /// The fragments with variables that the copy being made is part of.
  private var copied: Set<String> = []
  /// Those among them that are spread in the selection set being added to, unless variables are compared by value.
  private var copiedHere: Set<String> = []
  /// The numbers of the scopes of variables: a scope is a fragment with its arguments, or a fragment by itself.
  private var scopes: [ExactText: Int] = [:]
  private let comparesByValue: Bool
  /// Copies can double at each level. A document that makes more of them is looked at no further.
  private var remainingCopies = FragmentArguments.maximumCopies
  /// Whether all copies are there.
  var isComplete: Bool { remainingCopies > 0 }

  /// Makes the nodes of a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - schema: Its schema.
  ///   - comparesByValue: Whether a fragment's variables equal their arguments, or only themselves.
  init(_ document: Document, schema: Schema, comparesByValue: Bool) {
    self.schema = schema
    self.comparesByValue = comparesByValue
    parameterized = Dictionary(
      document.fragments.filter { !$0.variableDefinitions.isEmpty }.map { ($0.name.value, $0) }
    ) { first, _ in first }
    variables = parameterized.mapValues { Set($0.variableDefinitions.map(\.name.value)) }
    for definition in document.definitions {
      switch definition {
      case .operation(let operation):
        let root = schema.rootType(for: operation.operation).map(NamedType.object)
        operations.append(node(operation.selectionSet, on: root))
      case .fragment(let fragment):
        let selections =
          comparesByValue
          ? fragment.selectionSet : scope(of: fragment, as: fragment.name.value).substituted(in: fragment.selectionSet)
        let selection = node(selections, on: schema.type(named: fragment.typeCondition.value))
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
    let enclosing = copiedHere
    copiedHere = []
    add(selectionSet, on: type, to: node, &spreads)
    copiedHere = enclosing
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
        node.fields.append(
          FieldNode(
            field, parentType: type, definition: definition, selection: child, copiedFrom: copiedHere
          ))
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
    guard let fragment = parameterized[spread.name.value] else { return }
    let declared = variables[spread.name.value]
    let arguments = spread.arguments.filter { declared?.contains($0.name.value) == true }
    let field = Field(name: Name("...\(spread.name)"), arguments: arguments, span: spread.span)
    let spreadNode = FieldNode(
      field, parentType: nil, definition: nil, selection: nil, copiedFrom: copiedHere)
    let name = "\(spread.name)(\(spreadNode.arguments.value))"
    let key = ExactText(name)
    // Equal spreads have equal fields. The last one stands for all of them.
    if let position = node.copies[key] { return node.fields[position] = spreadNode }
    guard remainingCopies > 0, copied.insert(spread.name.value).inserted else { return }
    defer { copied.remove(spread.name.value) }
    let values = comparesByValue ? FragmentArguments(of: spread, for: fragment) : scope(of: fragment, as: name)
    guard let body = values.substituted(in: fragment.selectionSet, remaining: &remainingCopies) else { return }
    node.copies[key] = node.fields.count
    node.fields.append(spreadNode)
    let enclosing = copiedHere
    if !comparesByValue { copiedHere.insert(spread.name.value) }
    add(body, on: schema.type(named: fragment.typeCondition.value), to: node, &spreads)
    copiedHere = enclosing
  }

  /// The variables of a fragment under names that no other scope has. A number follows the name, behind a character
  /// that names do not have.
  ///
  /// - Parameters:
  ///   - fragment: The fragment.
  ///   - name: The name of the scope.
  /// - Returns: Each variable under its name in this scope.
  private mutating func scope(of fragment: FragmentDefinition, as name: String) -> FragmentArguments {
    let name = ExactText(name)
    let number = scopes[name] ?? scopes.count
    scopes[name] = number
    let values = fragment.variableDefinitions.map { variable -> (String, Value?) in
      (variable.name.value, Value(.variable(Name("\(variable.name)#\(number)"))))
    }
    return FragmentArguments(values: Dictionary(values) { first, _ in first })
  }
}

extension Value {
  /// With the variables as they are written, without the numbers of scopes.
  var withoutScopes: Value {
    switch kind {
    case .variable(let name): Value(.variable(Name(String(name.value.prefix { $0 != "#" }))))
    case .list(let values): Value(.list(values.map(\.withoutScopes)))
    case .object(let fields):
      Value(.object(fields.map { ObjectField(name: $0.name, value: $0.value.withoutScopes) }))
    case .int, .float, .string, .boolean, .null, .enum: self
    }
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
