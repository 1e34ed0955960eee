import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// What a schema says of pages: what the generator makes of it, and what is wrong with it.
@Suite("Pages of lists, by the schema") struct PaginationTests {
  private static let schema = """
    type Query { feed(first: Int, after: String, order: String): Feed, items(offset: Int, limit: Int, page: Int): [Item]
      input(input: Input): Feed, plain: Feed, count: Int }
    interface Node { list(first: Int, after: String, size: Int): Feed }
    type Item implements Node @typePolicy(keyFields: "id") { id: ID!, list(first: Int, after: String, size: Int): Feed }
    input Input { first: Int, page: Page }
    input Page { after: String }
    type Feed { edges: [Edge], pageInfo: Info }
    type Edge { node: Item }
    type Info { endCursor: String }
    type Text { text: String }

    """

  private func table(_ extensions: String, _ query: String, _ type: String = "QQuery.Data") throws -> String? {
    try fieldTables(schema: Self.schema, query, extensions: extensions)[type]
  }

  @Test("@connection on a type says it of all fields that lead to it, with those of the usual arguments that they have")
  func connection() throws {
    let feed = "extend type Feed @connection"
    #expect(
      try table(
        feed, "query Q($c: String) { feed(first: 9, after: $c) { pageInfo { endCursor } } plain { __typename } }")
        == "2 feed(after:$c,first:9)@:Feed%r:first,,,after plain%r:,,,")
  }

  @Test("connectionFields, paginationArgs and @pagination say it of one field, and interfaces of their types")
  func fields() throws {
    #expect(
      try table(
        #"extend type Query @typePolicy(connectionFields: "feed")"#,
        "query Q { feed { __typename } plain { __typename } }")
        == "2 feed%r:first,,,after plain")
    #expect(
      try table(
        #"extend type Query @fieldPolicy(forField: "items", paginationArgs: "offset limit")"#,
        "query Q { items(offset: 2, page: 1) { id } }") == "2 items(offset:2,page:1)@:Item%k:offset,limit")
    #expect(
      try table(
        #"extend type Feed @connection extend type Query @fieldPolicy(forField: "input", paginationArgs: "input.first input.page.after")"#,
        "query Q { input { __typename } }") == "2 input%r:input.first,,,input.page.after")
    let item = try table(
      #"extend interface Node @pagination(forField: "list", style: RELAY, refetchKeepsPages: true)"#,
      "query Q { items { list { __typename } } }", "QQuery.Data.Item")
    #expect(item?.contains("list%r+:first,,,after") == true)
  }

  @Test("The edges of a connection with pages are kept in it, whatever says that it has pages")
  func edges() throws {
    let query = "query Q { feed { edges { node { id } } pageInfo { endCursor } } }"
    for extensions in [
      "extend type Feed @connection", #"extend type Query @typePolicy(connectionFields: "feed")"#,
      #"extend type Query @pagination(forField: "feed", style: RELAY)"#,
    ] {
      #expect(try table(extensions, query, "QQuery.Data.Feed")?.contains("edges~ pageInfo") == true)
    }
    #expect(try table("", query, "QQuery.Data.Feed")?.contains("edges pageInfo") == true)
  }

  @Test("The other styles have arguments of their own")
  func styles() throws {
    for (directive, mark) in [
      ("style: OFFSET", "o:offset,limit"), (#"style: OFFSET, limit: "page""#, "o:offset,page"),
      ("style: PAGE", "p1:page,"), (#"style: PAGE, size: "limit", firstPage: 0"#, "p0:page,limit"),
      (#"style: APPEND, args: "offset, page""#, "a:offset,page"),
    ] {
      #expect(
        try table(
          #"extend type Query @pagination(forField: "items", \#(directive))"#, "query Q { items { id } }")
          == "2 items%\(mark)")
    }
  }

  @Test("Directives for pages are not sent, and a schema may declare others with their names on other places")
  func foreign() throws {
    let text = Pipeline.generate(
      schema: [Source("directive @connection(key: String!) on FIELD \(Self.schema)", name: "schema.graphqls")],
      operations: [Source(#"query Q { feed @connection(key: "k") { pageInfo { endCursor } } }"#, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
    #expect(text.value?.documents[0].file.text.contains("@connection(key:") == true)
    #expect(text.value?.documents[0].file.text.contains("%r") == false)
  }

  @Test(
    "What is wrong is said, with its place",
    arguments: [
      (#"extend type Query @pagination(forField: "fed", style: RELAY)"#, #"no field "fed" to have pages"#),
      (#"extend type Query @pagination(forField: "items", style: RELAY)"#, #""Item" is not a connection"#),
      (#"extend type Query @pagination(forField: "items", style: UP)"#, "RELAY, OFFSET, PAGE or APPEND"),
      (
        #"extend type Query @pagination(forField: "items", style: OFFSET, offset: "start")"#,
        #"has no argument "start""#
      ),
      (
        #"extend type Query @pagination(forField: "items", style: OFFSET, first: "limit")"#,
        #"have no argument "first""#
      ),
      (
        #"extend type Query @pagination(forField: "feed", style: PAGE)"#, "which argument of \"Query.feed\" is the page"
      ),
      (#"extend type Query @pagination(forField: "items", style: APPEND)"#, "tell the pages of \"Query.items\" apart"),
      (#"extend type Query @pagination(forField: "input", style: RELAY, after: "input.pag.after")"#, #"no "pag" in"#),
      (
        #"extend type Query @pagination(forField: "items", style: OFFSET) @pagination(forField: "items", style: PAGE)"#,
        "several directives"
      ),
      (
        #"extend type Query @pagination(forField: "feed", style: RELAY) @typePolicy(connectionFields: "feed")"#,
        "several directives"
      ),
      (#"extend type Query @fieldPolicy(forField: "items", paginationArgs: "offset skip")"#, #"no argument "skip""#),
      (#"extend type Query @typePolicy(connectionFields: "items")"#, #""Item" is not a connection"#),
      (#"extend type Text @connection"#, #"neither "edges" nor "nodes""#),
    ])
  func mistakes(extensions: String, message: String) {
    let result = Pipeline.schema(from: [
      Source(Self.schema, name: "schema.graphqls"), Source(extensions, name: "more.graphqls"),
    ])
    let code = Pipeline.generate(
      schema: [Source(Self.schema, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source("query Q { count }", name: "Q.graphql")], configuration: ApolloCodegenConfiguration())
    let messages = (result.diagnostics + code.diagnostics).map(\.fullMessage)
    #expect(code.value == nil && messages.contains { $0.contains(message) }, "\(messages)")
  }

  @Test("Nodes without key fields are a warning")
  func nodes() throws {
    let schema = Self.schema.replacing(#" @typePolicy(keyFields: "id")"#, with: "") + "extend type Feed @connection"
    let code = Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source("query Q { count }", name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
    #expect(code.value != nil)
    #expect(code.diagnostics.contains { $0.fullMessage.contains(#""Item" is a node of the connection "Feed""#) })
  }
}
