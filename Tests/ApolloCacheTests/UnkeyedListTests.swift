import ApolloAPI
@testable import ApolloCache
import Testing

/// `query Rows { rows { text number } }`
private struct RowsQuery: GraphQLQuery {
  static let operationName = "Rows"
  static let operationDocument = OperationDocument("query Rows { rows { text number } }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var rows: [Row]

    static let __fields = __FieldTable(version: 1, "rows")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { rows = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, rows) }
  }

  struct Row: SelectionSet, Hashable {
    var text: String
    var number: Double

    static let __fields = __FieldTable(version: 1, "text number")

    init(text: String, number: Double) {
      self.text = text
      self.number = number
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      text = try object.read(0)
      number = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, text)
      writer.write(1, number)
    }
  }
}

/// `query Edges { edges { node { __typename text } } }`
private struct EdgesQuery: GraphQLQuery {
  static let operationName = "Edges"
  static let operationDocument = OperationDocument("query Edges { edges { node { __typename text } } }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var edges: [Edge]

    static let __fields = __FieldTable(version: 1, "edges")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { edges = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, edges) }
  }

  struct Edge: SelectionSet, Hashable {
    var node: Node

    static let __fields = __FieldTable(version: 1, "node")

    init(_ text: String) { node = Node(text) }

    init(__reading object: inout __ObjectReader) throws(__ReadError) { node = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, node) }
  }

  struct Node: SelectionSet, Hashable {
    var __typename: String
    var text: String

    static let __fields = __FieldTable(version: 1, "__typename text")

    init(_ text: String) {
      __typename = "Node"
      self.text = text
    }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      text = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, text)
    }
  }
}

@Suite("Long lists of objects without keys", .timeLimit(.minutes(10)))
struct UnkeyedListTests {
  @Test("Objects that come or go leave the others as they are, and are not compared with each of them")
  func edits() async throws {
    let count = 8000, store = ApolloStore()
    // (A whole number is an integer in the cache, and the model writes a floating-point number.)
    let rows = (0..<count).map { number -> Record.Value in
      ["text": .string("text \(number)"), "number": .int(number), "other": .int(number)]
    }
    try await store.publish(records: ["QUERY_ROOT": ["rows": .list(rows)]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: RowsQuery()) { data in
        data.rows.remove(at: count / 2)
        data.rows.insert(RowsQuery.Row(text: "first", number: 0.5), at: 0)
        data.rows.append(RowsQuery.Row(text: "last", number: 1.5))
      }
    }
    var expected = (0..<count).map { number -> Record.Value? in .int(number) }
    expected.remove(at: count / 2)
    #expect(others(in: "rows", of: store) == [nil] + expected + [nil])
  }

  /// What edges lead to.
  enum Node: CaseIterable {
    /// Each to another record.
    case keyed
    /// Each to another object without a key.
    case unkeyed
    /// All to the same record.
    case shared
  }

  @Test("Edges are compared with few others, whatever they lead to", arguments: Node.allCases)
  func edges(to node: Node) async throws {
    let count = 1000, store = ApolloStore(), keyCount = Locked(0)
    store.cacheKeyForObject = { object in
      keyCount.withLock { $0 += 1 }
      return node == .unkeyed ? nil : object["text"]
    }
    let texts = (0..<count).map { node == .shared ? "shared" : "text \($0)" }
    var records: RecordSet = [
      "QUERY_ROOT": [
        "edges": .list(
          texts.enumerated().map { number, text -> Record.Value in
            let value: Record.Value =
              node == .unkeyed ? ["__typename": "Node", "text": .string(text)] : .reference(text)
            return ["node": value, "other": .int(number)]
          })
      ]
    ]
    if node != .unkeyed {
      for text in Set(texts) { records.insert(Record(key: text, ["__typename": "Node", "text": .string(text)])) }
    }
    try await store.publish(records: records)
    keyCount.withLock { $0 = 0 }
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: EdgesQuery()) { data in
        data.edges.remove(at: count / 2)
        data.edges.insert(EdgesQuery.Edge("first"), at: 0)
        data.edges.append(EdgesQuery.Edge("last"))
      }
    }
    // Each comparison of two edges asks for the key of a node.
    #expect(keyCount.withLock { $0 } < 20 * count)
    var expected = (0..<count).map { number -> Record.Value? in node == .shared ? nil : .int(number) }
    expected.remove(at: count / 2)
    #expect(others(in: "edges", of: store) == [nil] + expected + [nil])
  }

  /// What the elements of a list have of the field `other`, which no query selects.
  private func others(in field: String, of store: ApolloStore) -> [Record.Value?] {
    guard case .list(let elements)? = store.engine.table.exported(["QUERY_ROOT"])["QUERY_ROOT"]?[field] else {
      Issue.record("there is no list")
      return []
    }
    return elements.map { element in
      if case .object(let fields) = element { fields["other"] } else { nil }
    }
  }
}
