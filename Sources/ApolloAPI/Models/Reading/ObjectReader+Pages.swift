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
    guard let snapshot = source.snapshot, let elements = Elements(list) else { return list }
    guard elements.values.contains(where: snapshot.isOfGoneNode) else { return list }
    for element in elements.values where snapshot.isOfGoneNode(element) {
      if let number = Elements.identity(of: element) { source.dependencies.add(number, field: .unresolved) }
    }
    return Elements(elements.values.filter { !snapshot.isOfGoneNode($0) }).value
  }
}
