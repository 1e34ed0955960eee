import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// What is wrong with directives of operations that change lists.
@Suite("Directives that change lists, in operations") struct ListDirectiveCheckTests {
  private static let schema = """
    type Query { posts: [Post], loose: Loose }
    type Mutation { add: Post, edge: PostEdge, loose: Loose, looseEdge: LooseEdge, id: ID, ids: [ID!], payload: Payload }
    type Payload { post: Post, name: String }
    type Post @typePolicy(keyFields: "id") { id: ID! }
    type PostEdge { node: Post, cursor: String }
    type Loose { name: String }
    type LooseEdge { node: Loose }
    """

  private static func codes(_ operation: String) -> [String] {
    let document = Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operation, name: "Test.graphql")],
      configuration: ApolloCodegenConfiguration())
    return document.diagnostics.map(\.code.rawValue)
  }

  @Test(
    "Fine",
    arguments: [
      #"add @appendNode(connections: ["a"]) { id }"#, #"edge @prependEdge(connections: ["a"]) { cursor }"#,
      #"id @deleteEdge(connections: ["a"])"#, #"ids @deleteEdge(connections: "a", type: "Post")"#,
      #"ids @deleteRecord(type: "Post")"#, #"payload { post @prependNode(connections: [], edgeTypeName: "E") { id } }"#,
    ])
  func fine(selection: String) { #expect(Self.codes("mutation M { \(selection) }") == []) }

  @Test(
    "Reported",
    arguments: [
      (#"mutation M { id @appendNode(connections: []) }"#, ["invalid-list-edit"]),
      (#"mutation M { add @appendEdge(connections: []) { id } }"#, ["invalid-list-edit"]),
      (#"mutation M { add @deleteEdge(connections: []) { id } }"#, ["invalid-list-edit"]),
      (#"mutation M { payload { post @deleteRecord(type: "Post") { id } } }"#, ["invalid-list-edit"]),
      (#"query Q { posts @appendNode(connections: []) { id } }"#, ["invalid-list-edit"]),
      (#"mutation M { loose @appendNode(connections: []) { name } }"#, ["unkeyed-nodes"]),
      (#"mutation M { looseEdge @appendEdge(connections: []) { node { name } } }"#, ["unkeyed-nodes"]),
      (
        #"mutation M { payload { ...P } } fragment P on Payload { name @prependNode(connections: []) }"#,
        ["invalid-list-edit"]
      ),
    ])
  func reported(operation: String, codes: [String]) { #expect(Self.codes(operation) == codes) }

  @Test("Each fragment is looked at once, however often it is spread")
  func manySpreads() {
    let chain = (0..<25).map { "fragment P\($0) on Payload { ...P\($0 + 1) ... on Payload { ...P\($0 + 1) } }" }
    let last = "fragment P25 on Payload { name @prependNode(connections: []) }"
    let operation = (["mutation M { payload { ...P0 } }"] + chain + [last]).joined(separator: "\n")
    #expect(Self.codes(operation) == ["invalid-list-edit"])
  }

  @Test(
    "Arguments that are missing or of another type are errors of GraphQL",
    arguments: ["@appendNode", "@deleteRecord", "@appendNode(connections: 1.5)", "@appendNode(connections: $no)"])
  func arguments(directive: String) {
    #expect(!Self.codes("mutation M { add \(directive) { id } }").isEmpty)
  }

  @Test("A variable that is used elsewhere as well is sent")
  func variables() throws {
    let schema = "type Query { a: Int }\ntype Mutation { add(list: ID, more: ID): Post }\ntype Post { id: ID }"
    let operation =
      "mutation M($list: ID!, $own: ID!) { add(list: $list) @appendNode(connections: [$list, $own]) { id } }"
    let code = Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operation, name: "Test.graphql")],
      configuration: ApolloCodegenConfiguration())
    let text = try #require(code.value).documents.map(\.file.text).joined()
    #expect(text.contains("mutation M($list: ID!) { add(list: $list)"))
    #expect(text.contains(#"writer.write("list", list)"#) && !text.contains(#"writer.write("own", own)"#))
    #expect(text.contains("connections: [list, own]"))
  }
}
