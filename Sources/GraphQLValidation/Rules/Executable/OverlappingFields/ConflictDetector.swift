import GraphQLSchema
import GraphQLSyntax

/// Finds conflicts of fields in a document, in time that grows with the size of the document rather than with the
/// number of pairs of fields.
///
/// Fields with one response key are compared together: if all of them agree with the first, they agree with each other,
/// and their selections are merged into one selection set, which is compared next. The work is kept in a list, because
/// fragments can nest selections deeper than a call stack.
///
/// A document can be made so that the number of merged selection sets doubles with each level of its fragments. After
/// so much work that this must be the case, ``PairDetector`` decides: its work has a bound.
struct ConflictDetector {
  typealias Conflict = (first: FieldNode, second: FieldNode, reason: String)

  /// Selection sets whose fields end up in one object.
  private struct Merged {
    var selections: [SelectionNode]
    /// Whether the fields are known to belong to different objects, so that only the types must agree.
    var isShapeOnly: Bool
  }

  private struct Key: Hashable {
    var selections: [Int]
    var isShapeOnly: Bool
  }

  private let graph: SelectionGraph
  private let comparison: FieldComparison
  private var pending: [Merged] = []
  private var visited: Set<Key> = []
  /// Fragments that some merged selection set has included.
  private var included: Set<String> = []
  /// How many fields and fragments may still be merged.
  private var remainingWork: Int

  /// Makes a detector.
  ///
  /// - Parameters:
  ///   - graph: The selection sets of the document.
  ///   - comparison: What is a conflict.
  ///   - maximumWork: How many fields and fragments may be merged, each counted as often as it is merged. nil, the
  ///     default: a multiple of those in the document, which is reached only by documents that are made for it.
  init(_ graph: SelectionGraph, _ comparison: FieldComparison, maximumWork: Int? = nil) {
    self.graph = graph
    self.comparison = comparison
    remainingWork = maximumWork ?? 100_000 + 100 * graph.selections.reduce(0) { $0 + $1.fields.count }
  }

  /// Two fields that conflict, or `nil` when none do.
  mutating func firstConflict() -> Conflict? {
    let conflict = firstConflictOfMerged()
    guard conflict == nil, remainingWork <= 0 else { return conflict }
    var pairs = PairDetector(graph, comparison)
    return pairs.firstConflict()
  }

  private mutating func firstConflictOfMerged() -> Conflict? {
    for operation in graph.operations {
      if let conflict = firstConflict(in: operation) { return conflict }
    }
    // Fragments that no operation includes, beginning with those that no fragment includes either.
    let spread = Set(graph.fragments.values.flatMap(\.spreads))
    let roots = graph.fragmentNames.filter { !spread.contains($0) } + graph.fragmentNames.filter(spread.contains)
    for name in roots where !included.contains(name) {
      if let selection = graph.fragments[name], let conflict = firstConflict(in: selection) { return conflict }
    }
    return nil
  }

  private mutating func firstConflict(in root: SelectionNode) -> Conflict? {
    enqueue([root], isShapeOnly: false)
    while remainingWork > 0, let merged = pending.popLast() {
      for (_, fields) in FieldNode.grouped(expand(merged.selections)) {
        if let conflict = conflict(among: fields, isShapeOnly: merged.isShapeOnly) { return conflict }
      }
    }
    return nil
  }

  /// The fields of selection sets and of all fragments they include.
  private mutating func expand(_ selections: [SelectionNode]) -> [FieldNode] {
    var fields: [FieldNode] = []
    var seen: Set<String> = []
    var pending = selections
    while let selection = pending.popLast() {
      fields += selection.fields
      remainingWork -= 1 + selection.fields.count + selection.spreads.count
      for name in selection.spreads where seen.insert(name).inserted {
        if let fragment = graph.fragments[name] { pending.append(fragment) }
      }
    }
    included.formUnion(seen)
    return fields
  }

  private mutating func conflict(among fields: [FieldNode], isShapeOnly: Bool) -> Conflict? {
    for field in fields.dropFirst() {
      if let reason = comparison.typeConflict(fields[0], field) { return (fields[0], field, reason) }
    }
    guard !isShapeOnly else {
      enqueue(fields.compactMap(\.selection), isShapeOnly: true)
      return nil
    }
    let groups = coexisting(fields)
    for group in groups {
      for field in group.dropFirst() {
        if let reason = comparison.difference(group[0], field) { return (group[0], field, reason) }
      }
      enqueue(group.compactMap(\.selection), isShapeOnly: false)
    }
    if groups.count > 1 { enqueue(fields.compactMap(\.selection), isShapeOnly: true) }
    return nil
  }

  /// Groups of fields that one object can have together: those of each object type, with those of abstract types.
  private func coexisting(_ fields: [FieldNode]) -> [[FieldNode]] {
    if fields.count == 1 { return [fields] }
    var byObject: [String: [FieldNode]] = [:]
    var abstract: [FieldNode] = []
    for field in fields {
      if case .object(let parent)? = field.parentType {
        byObject[parent.name, default: []].append(field)
      } else {
        abstract.append(field)
      }
    }
    return byObject.count < 2 ? [fields] : byObject.values.map { $0 + abstract }
  }

  private mutating func enqueue(_ selections: [SelectionNode], isShapeOnly: Bool) {
    guard !selections.isEmpty else { return }
    let ids = selections.count == 1 ? [selections[0].id] : selections.map(\.id).sorted()
    guard visited.insert(Key(selections: ids, isShapeOnly: isShapeOnly)).inserted else { return }
    pending.append(Merged(selections: selections, isShapeOnly: isShapeOnly))
  }
}
