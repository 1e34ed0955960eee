@testable import ApolloAPI
import ApolloCache
import ResponseStyles
import StyledTests
import Testing

/// `query Edges { edges { node { id email @required(action: NONE) } } also: edges { node { id name } } }`
private struct EdgesQuery: GraphQLQuery {
  static let operationName = "Edges"
  static let operationDocument = OperationDocument("query Edges { edges { node { id email } } }")

  struct Data: SelectionSet, Hashable {
    var edges: [Edge<UserWithEmail>]?
    var also: [Edge<NamedUser>]?

    static let __fields = __FieldTable(version: 1, "edges also:edges")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      edges = try object.read(0)
      also = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, edges)
      writer.write(1, also)
    }
  }
}

private struct Edge<Node: SelectionSet & Hashable & Sendable>: SelectionSet, Hashable {
  var node: Node?

  static var __fields: __FieldTable { __FieldTable(version: 1, "__typename node") }

  init(_ node: Node) { self.node = node }

  init(__reading object: inout __ObjectReader) throws(__ReadError) { node = try object.read(1) }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Edge")
    writer.write(1, node)
  }
}

extension KeptElementTests {
  @Test("What edges hide stays while others come, go or are moved, also if only one copy of the list is changed")
  func edges() async throws {
    let edits: [(@Sendable (inout [Edge<UserWithEmail>]) -> Void, hidden: Set<Int>, [Int])] = [
      ({ $0.remove(at: 1) }, [0, 2], [1, 3]),
      ({ $0.append(Edge(UserWithEmail(id: "9", email: "e"))) }, [0, 2], [1, 2, 3, 9]),
      ({ $0.insert(Edge(UserWithEmail(id: "9", email: "e")), at: 0) }, [0, 2], [9, 1, 2, 3]),
      ({ $0.removeLast() }, [0], [1, 2]),
      ({ $0.swapAt(1, 2) }, [0], [1, 3, 2]),
      ({ $0.swapAt(0, 2) }, [0], [3, 2, 1]),
    ]
    for (edit, hidden, expected) in edits {
      let store = ApolloStore(), count = 3
      let edges = (0..<count).map { index in
        let email = hidden.contains(index) ? "null" : #""e""#
        let user = #"{"__typename":"User","id":"\#(index + 1)","name":"n","email":\#(email)}"#
        return #"{"__typename":"Edge","node":\#(user)}"#
      }
      let list = "[" + edges.joined(separator: ",") + "]"
      try await store.write(response: bytes(#"{"edges":\#(list),"also":\#(list)}"#), for: EdgesQuery())
      try await store.withinReadWriteTransaction {
        try $0.update(query: EdgesQuery()) { data in
          var edges = try #require(data.edges)
          edit(&edges)
          data.edges = edges
        }
      }
      let nodes = expected.map { #"{__typename: "Edge", node: → User:\#($0)}"# }.joined(separator: ", ")
      #expect(line("edges", of: store) == "edges: [\(nodes)]")
    }
  }
}
