// Lists of which the cache has merged pages.

extension __ObjectReader {
  /// Whether the list that is being read is that of a connection whose pages were merged.
  @inline(__always) mutating func isPageList() -> Bool {
    guard !frames.isEmpty, frames.top.field < frames.top.keys.count else { return false }
    let key = frames.top.keys[frames.top.field]
    guard key == .edges || key == .nodes else { return false }
    return storedFields?.index(of: .pageCount) != nil
  }

  /// A list of edges, or of nodes, without those whose node was removed. The reader is told when such a node comes back.
  @inline(never) mutating func skippingGoneNodes(_ list: RecordValue) -> RecordValue {
    guard let snapshot = source.snapshot else { return list }
    let nodes = nodesBesideEdges()
    guard snapshot.hasGoneNode(in: list) || nodes.map(snapshot.hasGoneNode(in:)) ?? false, let elements = Elements(list)
    else { return list }
    let identities = elements.identities(beside: Elements(nodes))
    for case let number? in identities where snapshot.isGone(number) {
      source.dependencies.add(number, field: .unresolved)
    }
    return Elements(zip(elements.values, identities).filter { !($1.map(snapshot.isGone) ?? false) }.map { $0.0 }).value
  }

  /// The list `nodes` of the connection whose `edges` are read; nil if it has none, or if these are not read.
  private mutating func nodesBesideEdges() -> RecordValue? {
    guard frames.top.keys[frames.top.field] == .edges, let fields = storedFields else { return nil }
    return fields.index(of: .nodes).map { fields[$0].value }
  }
}
