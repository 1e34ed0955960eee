import ApolloCodegenLib
import ApolloDirectives
import GraphQLSyntax
import Testing

/// The warning that the record of a key does not have the pages.
@Suite("Pages that are objects with key fields") struct KeyedPageTests {
  private static let schema = """
    type Query { feed(offset: Int, limit: Int): Feed, items(offset: Int, limit: Int): [Feed], count: Int }
    type Feed @typePolicy(keyFields: "id") { id: ID!, name: String, items: [Feed], edges: [Edge] }
    type Edge { node: Feed }

    """

  private static func warnings(_ extensions: String) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source("query Q { count }", name: "Q.graphql")], configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity != .note }
  }

  @Test("It comes for an object that is a page", arguments: ["style: OFFSET", #"style: APPEND, args: "offset""#])
  func warned(style: String) {
    let found = Self.warnings(#"extend type Query @pagination(forField: "feed", \#(style))"#)
    #expect(found.map(\.code) == [.keyedPages], "\(found.map(\.fullMessage))")
    #expect(found.first?.message.contains("\"Query.feed\"") == true)
  }

  @Test("Such a page is kept in its field, and elements of a list are not")
  func kept() throws {
    let tables = try fieldTables(
      schema: Self.schema, "query Q { feed(offset: 0) { name } items(offset: 0) { name } }",
      extensions: """
        extend type Query @pagination(forField: "feed", style: OFFSET) @pagination(forField: "items", style: OFFSET)
        """)
    #expect(tables["QQuery.Data"] == "2 feed(offset:0)@:Feed%o:offset,limit~ items(offset:0)@:Feed%o:offset,limit")
  }

  @Test(
    "It does not come for lists, for connections, and where the schema says that the field is embedded",
    arguments: [
      #"@pagination(forField: "items", style: OFFSET)"#, #"@pagination(forField: "feed", style: RELAY)"#,
      #"@pagination(forField: "feed", style: OFFSET) @embeddedField(name: "feed")"#,
    ])
  func silent(directives: String) {
    #expect(Self.warnings("extend type Query \(directives)").map(\.fullMessage) == [])
  }
}
