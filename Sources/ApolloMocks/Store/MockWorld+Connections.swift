import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

extension MockWorld {
  /// How many nodes a connection has, if nothing is said of it.
  private static let usualSize = 30

  /// A connection with the nodes that stand there by the seed; other objects as they are.
  func connected(_ node: MockNode, _ place: Place) -> MockNode {
    guard node.connection == nil, let shape = facts.connection(node.id.type) else { return node }
    return with(.seed(place), shape, node, place)
  }

  /// A connection with nodes that an app has given.
  func connection(
    _ shape: ConnectionShape, of values: [GraphQLValue], _ type: String, _ place: Place
  ) throws -> MockNode {
    let nodes = try values.enumerated().map { try adopt($1, as: shape.node, place.element($0)) }
    return with(.given(nodes), shape, MockNode(ObjectID(type: type, key: place.text), name: place.description), place)
  }

  private func with(
    _ source: ConnectionNodes.Source, _ shape: ConnectionShape, _ node: MockNode, _ place: Place
  ) -> MockNode {
    var connection = node
    connection.connection = ConnectionNodes(shape: shape, source: source, arguments: place.allArguments)
    return connection
  }

  /// A node of a connection, and its cursor.
  private typealias Element = (node: GraphQLValue, cursor: String)

  /// All that is behind a connection, in order.
  private func elements(of connection: ConnectionNodes) throws -> [Element] {
    let nodes: [GraphQLValue]
    switch connection.source {
    case .given(let given): nodes = given
    case .seed(let place):
      let count = size(of: place, otherwise: Self.usualSize...Self.usualSize)
      nodes = try (0..<count).compactMap { index in
        try object(of: connection.shape.node.namedType.value, place.element(index))?.value
      }
    }
    var counts: [String: Int] = [:]
    return nodes.filter { value in MockNode(value).map { !state.isRemoved($0.id) } ?? true }.map { node in
      // The key of the node: the cursor stays the same where nodes are added or removed. (Nodes may have equal keys, such as
      // objects of two types, or those of an enum with few values.)
      let key = MockNode(node)?.id.key ?? "null", count = counts[key, default: 0] + 1
      counts[key] = count
      return (node, cursor(count == 1 ? key : "\(key)#\(count)", connection))
    }
  }

  private func cursor(_ text: String, _ connection: ConnectionNodes) -> String {
    guard connection.shape.hasNumbers, Int(text) == nil else { return text }
    var draw = Draw(rules.seed, text)
    return "\(draw.below(Self.manyKeys))"
  }

  // MARK: Fields

  private static let fields: Set = ["totalCount", "nodes", "edges", "pageInfo"]

  /// The value of a field that every connection has; nil for other fields, and for other objects.
  ///
  /// - Throws: ``MockSchemaError`` for arguments that choose no page.
  func connectionValue(_ field: String, _ node: MockNode) throws -> GraphQLValue? {
    guard let connection = node.connection, Self.fields.contains(field) else { return nil }
    let all = try elements(of: connection)
    if field == "totalCount" { return .int(all.count) }
    let page = try page(of: all, connection, node)
    switch field {
    case "nodes": return .list(page.map(\.node))
    case "edges":
      guard let edge = connection.shape.edge else { return nil }
      return .list(try page.map { try self.edge(edge, $0, connection, node).value })
    default: return pageInfo(page, of: all, connection, node).value
    }
  }

  private func edge(
    _ type: String, _ element: Element, _ connection: ConnectionNodes, _ node: MockNode
  ) throws -> MockNode {
    let place = "\(node.id.key).edge(\(element.cursor))"
    var draw = Draw(rules.seed, place)
    let id = try key(of: type, number: draw.below(Self.manyKeys)) ?? ObjectID(type: type, key: place)
    return MockNode(
      id, name: "edge \(element.cursor) of \(node.name)",
      members: ["node": element.node, "cursor": connection.value(ofCursor: element.cursor)])
  }

  private func pageInfo(
    _ page: ArraySlice<Element>, of all: [Element], _ connection: ConnectionNodes, _ node: MockNode
  ) -> MockNode {
    var members: GraphQLValue.Object = [
      "hasPreviousPage": .bool(page.startIndex > 0), "hasNextPage": .bool(page.endIndex < all.count),
    ]
    let fields = facts.schema.object(named: connection.shape.pageInfo)?.fields
    for (name, element) in [("startCursor", page.first), ("endCursor", page.last)] {
      guard let field = fields?[name] else { continue }
      if let element {
        members[name] = connection.value(ofCursor: element.cursor)
      } else {
        members[name] = field.type.isNonNull ? connection.value(ofCursor: "0") : .null
      }
    }
    return MockNode(
      ObjectID(type: connection.shape.pageInfo, key: "\(node.id.key).pageInfo"), name: "page of \(node.name)",
      members: members)
  }

  // MARK: Pages

  /// The nodes that the arguments choose — [specification](https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm)
  private func page(
    of all: [Element], _ connection: ConnectionNodes, _ node: MockNode
  ) throws(MockSchemaError) -> ArraySlice<Element> {
    let arguments = connection.arguments
    let (first, last) = (arguments["first"]?.int, arguments["last"]?.int)
    if first != nil, last != nil {
      throw MockSchemaError("\(node.id.type): the arguments \"first\" and \"last\" exclude each other.")
    }
    for (name, count) in [("first", first), ("last", last)] {
      if let count, count < 0 { throw MockSchemaError("\(node.id.type): the argument \"\(name)\" cannot be \(count).") }
    }
    var start = 0, end = all.count
    if let after = try position(of: "after", all, connection, node) { start = after + 1 }
    if let before = try position(of: "before", all, connection, node) { end = max(start, before) }
    if let first, first < end - start { end = start + first }
    if let last { start = max(start, end - last) }
    return all[start..<end]
  }

  private func position(
    of argument: String, _ all: [Element], _ connection: ConnectionNodes, _ node: MockNode
  ) throws(MockSchemaError) -> Int? {
    guard let cursor = connection.arguments[argument]?.keyText, !cursor.isEmpty else { return nil }
    guard let position = all.firstIndex(where: { $0.cursor == cursor }) else {
      throw MockSchemaError("\(node.id.type): no node has the cursor \"\(cursor)\" of the argument \"\(argument)\".")
    }
    return position
  }
}
