import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

extension MockWorld {
  /// How many nodes a connection has, if nothing is said of it.
  private static let usualSize = 30

  /// A connection with the nodes that stand there by the seed; other objects as they are.
  func connected(_ node: MockNode, _ place: Place) throws -> MockNode {
    guard node.connection == nil, let shape = facts.connection(node.id.type) else { return node }
    let count = size(of: place, otherwise: Self.usualSize...Self.usualSize)
    let nodes = try (0..<count).compactMap { index -> GraphQLValue? in
      try object(of: shape.node.namedType.value, place.element(index))?.value
    }
    return with(nodes, shape, node, place)
  }

  /// A connection with nodes that an app has given.
  func connection(
    _ shape: ConnectionShape, of values: [GraphQLValue], _ type: String, _ place: Place
  ) throws -> MockNode {
    let nodes = try values.enumerated().map { try adopt($1, as: shape.node, place.element($0)) }
    return with(nodes, shape, MockNode(ObjectID(type: type, key: place.text), name: place.description), place)
  }

  private func with(
    _ nodes: [GraphQLValue], _ shape: ConnectionShape, _ node: MockNode, _ place: Place
  ) -> MockNode {
    var connection = node
    let present = nodes.filter { value in MockNode(value).map { !state.isRemoved($0.id) } ?? true }
    connection.connection = ConnectionNodes(shape: shape, nodes: present, arguments: place.allArguments)
    return connection
  }

  /// The value of a field that every connection has; nil for other fields, and for other objects.
  ///
  /// - Throws: ``MockSchemaError`` for arguments that choose no page.
  func connectionValue(_ field: String, _ node: MockNode) throws -> GraphQLValue? {
    guard let connection = node.connection else { return nil }
    switch field {
    case "totalCount": return .int(connection.nodes.count)
    case "nodes": return .list(try page(of: connection, node).elements)
    case "edges":
      guard let edge = connection.shape.edge else { return nil }
      return .list(
        try page(of: connection, node).elements.map { element in
          let cursor = cursor(of: element, connection)
          let place = "\(node.id.key).edge(\(cursor))"
          var draw = Draw(rules.seed, place)
          let id = try key(of: edge, number: draw.below(Self.manyKeys)) ?? ObjectID(type: edge, key: place)
          return MockNode(
            id, name: "edge \(cursor) of \(node.name)",
            members: ["node": element, "cursor": connection.value(ofCursor: cursor)]
          ).value
        })
    case "pageInfo":
      let page = try page(of: connection, node)
      var members: GraphQLValue.Object = [
        "hasPreviousPage": .bool(page.start > 0),
        "hasNextPage": .bool(page.start + page.elements.count < connection.nodes.count),
      ]
      let fields = facts.schema.object(named: connection.shape.pageInfo)?.fields
      for (name, element) in [("startCursor", page.elements.first), ("endCursor", page.elements.last)] {
        guard let field = fields?[name] else { continue }
        if let element {
          members[name] = connection.value(ofCursor: cursor(of: element, connection))
        } else {
          members[name] = field.type.isNonNull ? connection.value(ofCursor: "0") : .null
        }
      }
      return MockNode(
        ObjectID(type: connection.shape.pageInfo, key: "\(node.id.key).pageInfo"), name: "page of \(node.name)",
        members: members
      ).value
    default: return nil
    }
  }

  /// The key of the node: the cursor stays the same where nodes are added or removed.
  private func cursor(of element: GraphQLValue, _ connection: ConnectionNodes) -> String {
    let key = MockNode(element)?.id.key ?? ""
    guard connection.shape.hasNumbers, Int(key) == nil else { return key }
    var draw = Draw(rules.seed, key)
    return "\(draw.below(Self.manyKeys))"
  }

  /// The nodes that the arguments choose — [specification](https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm)
  private func page(
    of connection: ConnectionNodes, _ node: MockNode
  ) throws -> (elements: [GraphQLValue], start: Int) {
    let arguments = connection.arguments, nodes = connection.nodes
    let (first, last) = (arguments["first"]?.int, arguments["last"]?.int)
    if first != nil, last != nil {
      throw MockSchemaError("\(node.id.type): the arguments \"first\" and \"last\" exclude each other.")
    }
    for (name, count) in [("first", first), ("last", last)] {
      if let count, count < 0 { throw MockSchemaError("\(node.id.type): the argument \"\(name)\" cannot be \(count).") }
    }
    var start = 0, end = nodes.count
    if let after = try position(of: "after", connection, node) { start = after + 1 }
    if let before = try position(of: "before", connection, node) { end = max(start, before) }
    if let first { end = min(end, start + first) }
    if let last { start = max(start, end - last) }
    return (Array(nodes[start..<end]), start)
  }

  private func position(of argument: String, _ connection: ConnectionNodes, _ node: MockNode) throws -> Int? {
    guard let cursor = connection.arguments[argument]?.keyText, !cursor.isEmpty else { return nil }
    guard let position = connection.nodes.firstIndex(where: { self.cursor(of: $0, connection) == cursor }) else {
      throw MockSchemaError("\(node.id.type): no node has the cursor \"\(cursor)\" of the argument \"\(argument)\".")
    }
    return position
  }
}
