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
  /// Adds edges, which are objects or records, and their nodes where the connection has nodes. If a node is there, it
  /// keeps its place.
  case insertEdges([RecordValue], Place)
  case remove(Set<Int32>)
  /// Puts a node that is there at another place.
  case move(Int32, Place)

  /// The list after the change.
  ///
  /// - Parameters:
  ///   - value: A list of objects with keys, or a connection: an object with `edges` or `nodes`.
  ///   - edgeType: The type of new edges. Without it, they have the type of the others, or the name of the connection's
  ///     type with `Edge` in place of `Connection`.
  ///   - records: The records that edges may be.
  /// - Returns: The value; nil if it is neither a list nor a connection.
  package func apply(to value: RecordValue, edgeType: String?, in records: RecordSnapshot) -> RecordValue? {
    if case .object(let connection) = value {
      var fields: [ObjectRecord.Field] = []
      if let edges = Elements(connection.value(of: .edges)) {
        var given: [Int32: RecordValue] = [:]
        // (An edge of pages is kept in its connection. In the answer of a mutation it may be a record.)
        let isOfPages = connection.value(of: .pageCount) != nil
        for edge in newEdges.reversed() {
          guard let node = Self.node(ofEdge: edge, in: records) else { continue }
          given[node] = isOfPages ? Self.embedded(edge, in: records) : edge
        }
        let newEdge: (Int32) -> RecordValue = { [given] node in
          given[node] ?? .object(Self.edge(to: node, like: edges, of: edgeType, in: connection, records))
        }
        let nodes = Self.nodes(ofEdges: edges, of: connection, in: records)
        fields.append(ObjectRecord.Field(.edges, apply(to: edges, standingFor: nodes, in: records, newEdge).value))
      }
      if let nodes = Elements(connection.value(of: .nodes)) {
        let changed = apply(to: nodes, standingFor: nodes.identities, in: records) { .reference($0) }
        fields.append(ObjectRecord.Field(.nodes, changed.value))
      }
      return fields.isEmpty ? nil : .object(connection.replacingFields(fields).forgettingCursors(since: connection))
    }
    return Elements(value).map { list in
      apply(to: list, standingFor: list.identities, in: records) { .reference($0) }.value
    }
  }

  private var newEdges: [RecordValue] { if case .insertEdges(let edges, _) = self { edges } else { [] } }

  private func apply(
    to elements: Elements, standingFor objects: [Int32?], in records: RecordSnapshot,
    _ newElement: (Int32) -> RecordValue
  ) -> Elements {
    var values = elements.values, objects = objects
    func index(of node: Int32) -> Int? { objects.firstIndex(of: node) }
    func index(for place: Place) -> Int {
      switch place {
      case .first: 0
      case .last: values.count
      case .before(let other): index(of: other) ?? 0
      case .after(let other): index(of: other).map { $0 + 1 } ?? values.count
      }
    }
    func insert(_ nodes: [Int32], at place: Place) {
      // (A set of the new nodes, and not of the others: an app may add to a long list one node after the other.)
      var absent = Set(nodes)
      for case let object? in objects { absent.remove(object) }
      var new = nodes.filter { absent.remove($0) != nil }.map(newElement)
      // Each comes before those that were added before it.
      if case .first = place { new.reverse() }
      values.insert(contentsOf: new, at: index(for: place))
    }
    switch self {
    case .insert(let nodes, let place): insert(nodes, at: place)
    case .insertEdges(let edges, let place):
      insert(edges.compactMap { Self.node(ofEdge: $0, in: records) }, at: place)
    case .remove(let nodes):
      values = zip(values, objects).filter { $1.map { !nodes.contains($0) } ?? true }.map { $0.0 }
    case .move(let node, let place):
      guard let old = index(of: node) else { break }
      if case .before(node) = place { break }
      if case .after(node) = place { break }
      let element = values.remove(at: old)
      objects.remove(at: old)
      values.insert(element, at: index(for: place))
    }
    return Elements(values)
  }

  // MARK: What elements stand for

  /// The objects in a list or a connection, in their order.
  ///
  /// - Parameters:
  ///   - value: The list or the connection.
  ///   - records: The records that edges may be.
  /// - Returns: The numbers of their records. Elements without a record are left out.
  package static func nodes(of value: RecordValue, in records: RecordSnapshot) -> [Int32] {
    switch value {
    case .reference(let number): return [number]
    case .references(let numbers): return numbers.filter { $0 >= 0 }
    case .list(let values): return values.flatMap { nodes(of: $0, in: records) }
    case .object(let record):
      if let edges = Elements(record.value(of: .edges)) {
        return nodes(ofEdges: edges, of: record, in: records).compactMap { $0 }
      }
      return (record.value(of: .nodes) ?? record.value(of: .node)).map { nodes(of: $0, in: records) } ?? []
    default: return []
    }
  }

  /// The node of each edge. An edge that does not tell it has the one of its index, if the connection has a node for each.
  private static func nodes(ofEdges edges: Elements, of connection: ObjectRecord, in records: RecordSnapshot)
    -> [Int32?]
  {
    let told = edges.values.map { node(ofEdge: $0, in: records) }
    guard let nodes = Elements(connection.value(of: .nodes)), nodes.count == edges.count else { return told }
    return zip(told, nodes.identities).map { $0 ?? $1 }
  }

  private static func node(ofEdge edge: RecordValue, in records: RecordSnapshot) -> Int32? {
    switch edge {
    case .object(let edge): edge.reference(in: .node)
    case .reference(let number): records[number]?.reference(in: .node)
    default: nil
    }
  }

  /// An edge as an object without a record.
  private static func embedded(_ edge: RecordValue, in records: RecordSnapshot) -> RecordValue {
    if case .reference(let number) = edge, let record = records[number] { .object(record) } else { edge }
  }

  /// A new edge. It has the fields of another edge, so that what reads the others can read it: an empty cursor, and null
  /// for everything else.
  private static func edge(
    to node: Int32, like edges: Elements, of type: String?, in connection: ObjectRecord, _ records: RecordSnapshot
  ) -> ObjectRecord {
    let other = edges.values.lazy.compactMap { edge -> ObjectRecord? in
      switch edge {
      case .object(let edge): edge
      case .reference(let number): records[number]
      default: nil
      }
    }.first
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
