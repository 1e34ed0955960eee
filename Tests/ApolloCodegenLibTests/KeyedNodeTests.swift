import ApolloCodegenLib
import ApolloDirectives
import GraphQLSyntax
import Testing

/// The warning that a node that is in two pages is there twice.
@Suite("Nodes of pages without key fields") struct KeyedNodeTests {
  private static let schema = """
    type Query {
      items(offset: Int, limit: Int, page: Int): [Item], boxed(offset: Int): Box
      feed(first: Int, after: String): Feed, other(first: Int, after: String): Feed, count: Int
    }
    type Item { id: ID!, text: String }
    type Box { items: [Item] }
    type Feed { edges: [Edge] }
    type Edge { node: Item }

    """

  private static func warnings(_ extensions: String) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source("query Q { count }", name: "Q.graphql")], configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity != .note }
  }

  @Test(
    "It comes once for each list and each connection, whatever says that they have pages",
    arguments: [
      (#"extend type Query @pagination(forField: "items", style: OFFSET)"#, #"the pages of "Query.items""#),
      (#"extend type Query @pagination(forField: "items", style: PAGE)"#, #"the pages of "Query.items""#),
      (
        #"extend type Query @pagination(forField: "items", style: APPEND, args: "offset")"#,
        #"the pages of "Query.items""#
      ),
      (#"extend type Query @pagination(forField: "feed", style: RELAY)"#, #"the connection "Feed""#),
      (#"extend type Query @typePolicy(connectionFields: "feed other")"#, #"the connection "Feed""#),
      (
        #"extend type Feed @connection extend type Query @typePolicy(connectionFields: "feed")"#,
        #"the connection "Feed""#
      ),
    ])
  func warned(extensions: String, pages: String) {
    let found = Self.warnings(extensions)
    #expect(found.map(\.code) == [.unkeyedNodes], "\(found.map(\.fullMessage))")
    #expect(found.first?.message.hasPrefix(#""Item" is a node of \#(pages) and has no key fields"#) == true)
    #expect(Self.warnings(extensions + #" extend type Item @typePolicy(keyFields: "id")"#).map(\.fullMessage) == [])
  }

  @Test(
    "It does not come for lists inside of an object, and for those that the app merges itself",
    arguments: [
      #"extend type Query @pagination(forField: "boxed", style: OFFSET)"#,
      #"extend type Query @fieldPolicy(forField: "items", paginationArgs: "offset")"#,
      // The app says that there is no key.
      #"extend type Query @pagination(forField: "items", style: OFFSET) extend type Item @typePolicy(keyFields: "")"#,
    ])
  func silent(extensions: String) { #expect(Self.warnings(extensions).map(\.fullMessage) == []) }
}
