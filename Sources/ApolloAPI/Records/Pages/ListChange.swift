/// One change of a list, or of the list of a connection.
package enum ListChange {
  /// Where an element is put.
  package enum Place {
    case first, last
    /// Before or after the element with another node; at the start or the end, if there is none.
    case before(Int32), after(Int32)
  }

  /// Adds nodes, one after the other. One that is there keeps its place.
  case insert([Int32], Place)
  /// Adds edges, and their nodes where the connection has nodes. If a node is there, it keeps its place.
  case insertEdges([ObjectRecord], Place)
  case remove(Set<Int32>)
  /// Puts a node that is there at another place.
  case move(Int32, Place)

  /// The list after the change.
  ///
  /// - Parameters:
  ///   - value: A list of objects with keys, or a connection: an object with `edges` or `nodes`.
  ///   - edgeType: The type of new edges. Without it, they have the type of the others, or the name of the connection's
  ///     type with `Edge` in place of `Connection`.
  /// - Returns: The value; nil if it is neither a list nor a connection.
  package func apply(to value: RecordValue, edgeType: String?) -> RecordValue? {
    if case .object(let connection) = value {
      var fields: [ObjectRecord.Field] = []
      if let edges = Elements(connection.value(of: .edges)) {
        var given: [Int32: ObjectRecord] = [:]
        if case .insertEdges(let edges, _) = self {
          for edge in edges.reversed() { if let node = edge.reference(in: .node) { given[node] = edge } }
        }
        let newEdge: (Int32) -> RecordValue = { [given] node in
          .object(given[node] ?? Self.edge(to: node, like: edges, of: edgeType, in: connection))
        }
        fields.append(ObjectRecord.Field(.edges, apply(to: edges, newEdge).value))
      }
      if let nodes = Elements(connection.value(of: .nodes)) {
        fields.append(ObjectRecord.Field(.nodes, apply(to: nodes) { .reference($0) }.value))
      }
      return fields.isEmpty ? nil : .object(connection.replacingFields(fields).forgettingCursors(since: connection))
    }
    return Elements(value).map { apply(to: $0) { .reference($0) }.value }
  }

  private func apply(to elements: Elements, _ newElement: (Int32) -> RecordValue) -> Elements {
    var values = elements.values
    func index(of node: Int32) -> Int? { values.firstIndex { Elements.identity(of: $0) == node } }
    func index(for place: Place) -> Int {
      switch place {
      case .first: 0
      case .last: values.count
      case .before(let other): index(of: other) ?? 0
      case .after(let other): index(of: other).map { $0 + 1 } ?? values.count
      }
    }
    func insert(_ nodes: [Int32], at place: Place) {
      var known = Set(values.compactMap(Elements.identity))
      var new = nodes.filter { known.insert($0).inserted }.map(newElement)
      // Each comes before those that were added before it.
      if case .first = place { new.reverse() }
      values.insert(contentsOf: new, at: index(for: place))
    }
    switch self {
    case .insert(let nodes, let place): insert(nodes, at: place)
    case .insertEdges(let edges, let place): insert(edges.compactMap { $0.reference(in: .node) }, at: place)
    case .remove(let nodes):
      values.removeAll { Elements.identity(of: $0).map(nodes.contains) ?? false }
    case .move(let node, let place):
      guard let old = index(of: node) else { break }
      if case .before(node) = place { break }
      if case .after(node) = place { break }
      let element = values.remove(at: old)
      values.insert(element, at: index(for: place))
    }
    return Elements(values)
  }

  /// A new edge. It has the fields of another edge, so that what reads the others can read it: an empty cursor, and null
  /// for everything else.
  private static func edge(
    to node: Int32, like edges: Elements, of type: String?, in connection: ObjectRecord
  ) -> ObjectRecord {
    var other: ObjectRecord?
    for case .object(let edge) in edges.values {
      other = edge
      break
    }
    let connectionType = connection.type.name ?? ""
    let suffix = "Connection"
    let guessed = connectionType.hasSuffix(suffix) ? connectionType.dropLast(suffix.count) + "Edge" : nil
    let symbol = type.map(TypeSymbol.lookUp) ?? other?.type ?? guessed.map { TypeSymbol.lookUp(String($0)) } ?? .unknown
    var fields = [ObjectRecord.Field(.node, .reference(node)), ObjectRecord.Field(.cursor, .string(""))]
    for field in other?.fields ?? [] where field.key != .node && field.key != .cursor && field.key != .typename {
      fields.append(ObjectRecord.Field(field.key, .null))
    }
    return ObjectRecord.make(type: symbol, capacity: fields.count).replacingFields(fields)
  }
}
