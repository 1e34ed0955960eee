import GraphQLSchema

/// Finds conflicts of fields in a document by looking at each pair of selection sets once: the work grows with the
/// square of the document's size, whatever its fragments are. For most documents ``ConflictDetector`` has less work.
struct PairDetector {
  /// Fields of one selection set that have one response key, and are selected on one object type, or on abstract types.
  /// They agree. Wherever one of them is, all are, so their selections are one node.
  private struct Group {
    /// Stands for all of the fields.
    var field: FieldNode
    var selection: Int?
  }

  /// One selection set, or several that are always together, without what fragments add.
  private struct Node {
    /// The response keys in order.
    var keys: [String] = []
    var groups: [String: [Group]] = [:]
    var fragments: [Int] = []
  }

  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  private let graph: SelectionGraph
  private let comparison: FieldComparison
  /// The nodes of the fragments come first.
  private var nodes: [Node] = []
  private let fragments: [String: Int]

  /// The pairs of nodes whose fields can be in one object, or were found to, and those still to be compared.
  private var merged: Set<Pair> = []
  private var pending: [Pair] = []
  /// The same for pairs whose fields are in different objects, so that only the types must agree.
  private var alike: Set<Pair> = []
  private var pendingAlike: [Pair] = []

  init(_ graph: SelectionGraph, _ comparison: FieldComparison) {
    self.graph = graph
    self.comparison = comparison
    fragments = Dictionary(graph.fragmentNames.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Two fields that conflict, or `nil` when none do.
  mutating func firstConflict() -> ConflictDetector.Conflict? {
    if let conflict = makeNodes() { return conflict }
    for id in nodes.indices { enqueue(id, id, isShapeOnly: false) }
    while let pair = pending.popLast() {
      if let conflict = compare(pair, isShapeOnly: false) { return conflict }
    }
    // Fields that can be in one object have been compared already, with their types.
    while let pair = pendingAlike.popLast() {
      if !merged.contains(pair), let conflict = compare(pair, isShapeOnly: true) { return conflict }
    }
    return nil
  }

  // MARK: - Nodes

  private mutating func makeNodes() -> ConflictDetector.Conflict? {
    let roots = graph.fragmentNames.compactMap { graph.fragments[$0] } + graph.operations
    nodes = roots.map { _ in Node() }
    for (id, root) in roots.enumerated() {
      if let conflict = fill(id, with: [root]) { return conflict }
    }
    return nil
  }

  /// Makes a node of selection sets, and of those inside of them. It is as deep as the text is nested.
  private mutating func fill(_ id: Int, with selections: [SelectionNode]) -> ConflictDetector.Conflict? {
    var node = Node()
    var seen: Set<Int> = []
    for name in selections.flatMap(\.spreads) {
      if let fragment = fragments[name], seen.insert(fragment).inserted { node.fragments.append(fragment) }
    }
    for (key, fields) in FieldNode.grouped(selections.flatMap(\.fields)) {
      var groups: [Group] = []
      for fields in FieldNode.groupedByParent(fields) {
        let field = fields.first { $0.definition != nil } ?? fields[0]
        for other in fields where other !== field {
          if let reason = comparison.conflict(field, other, isShapeOnly: false) { return (field, other, reason) }
        }
        var group = Group(field: field)
        let nested = fields.compactMap(\.selection)
        if !nested.isEmpty {
          let selection = nodes.count
          nodes.append(Node())
          if let conflict = fill(selection, with: nested) { return conflict }
          group.selection = selection
        }
        groups.append(group)
      }
      node.keys.append(key)
      node.groups[key] = groups
    }
    nodes[id] = node
    return nil
  }

  // MARK: - Pairs

  private mutating func compare(_ pair: Pair, isShapeOnly: Bool) -> ConflictDetector.Conflict? {
    let first = nodes[pair.first]
    let second = nodes[pair.second]
    let (few, many) = first.keys.count <= second.keys.count ? (first, second) : (second, first)
    for key in few.keys {
      for group in few.groups[key] ?? [] {
        for other in many.groups[key] ?? [] where group.field !== other.field {
          let isShapeOnly = isShapeOnly || group.field.isExclusive(with: other.field)
          if let reason = comparison.conflict(group.field, other.field, isShapeOnly: isShapeOnly) {
            return (group.field, other.field, reason)
          }
          enqueue(group.selection, other.selection, isShapeOnly: isShapeOnly)
        }
      }
    }
    for fragment in first.fragments { enqueue(fragment, pair.second, isShapeOnly: isShapeOnly) }
    for fragment in second.fragments { enqueue(pair.first, fragment, isShapeOnly: isShapeOnly) }
    return nil
  }

  private mutating func enqueue(_ first: Int?, _ second: Int?, isShapeOnly: Bool) {
    guard let first, let second else { return }
    let pair = Pair(first: min(first, second), second: max(first, second))
    if isShapeOnly {
      if !merged.contains(pair), alike.insert(pair).inserted { pendingAlike.append(pair) }
    } else if merged.insert(pair).inserted {
      pending.append(pair)
    }
  }
}

extension FieldNode {
  /// The fields on each object type, and those on abstract or unknown types.
  fileprivate static func groupedByParent(_ fields: [FieldNode]) -> [[FieldNode]] {
    if fields.count == 1 { return [fields] }
    var groups: [[FieldNode]] = []
    var positions: [String?: Int] = [:]
    for field in fields {
      let parent: String? = if case .object(let type)? = field.parentType { type.name } else { nil }
      if let position = positions[parent] {
        groups[position].append(field)
      } else {
        positions[parent] = groups.count
        groups.append([field])
      }
    }
    return groups
  }
}
