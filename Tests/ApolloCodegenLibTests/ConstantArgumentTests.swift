import ApolloCodegenLib
import ApolloDirectives
import GraphQLSyntax
import Testing

/// The generator has no values of variables, so what it reads in a directive is written out.
@Suite("Variables in directives for the generator") struct ConstantArgumentTests {
  private static let schema = """
    type Query { hero: Hero } type Mutation { remove: Removed, add: Hero }
    type Hero @typePolicy(keyFields: "id") { id: ID!, name: String, friends: [Hero] }
    type Removed { id: ID }
    extend schema @catchByDefault(to: NULL)

    """

  private static func diagnostics(_ operations: String) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operations, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity != .note }
  }

  @Test(
    "A variable is an error at the directive",
    arguments: [
      ("query Q($v: CatchTo!) { hero { name @catch(to: $v) } }", "invalid-catch"),
      ("query Q($v: [Int!]!) { hero { name @catch(levels: $v) } }", "invalid-catch"),
      ("query Q($v: Int!) { hero { name @catch(levels: [$v]) } }", "invalid-catch"),
      ("query Q($v: CatchTo!) @catchByDefault(to: $v) { hero { name } }", "invalid-catch"),
      ("query Q($v: RequiredFieldAction!) { hero { name @required(action: $v) } }", "invalid-catch"),
      ("query Q($v: Int) { hero { name @cacheControl(maxAge: $v) } }", "invalid-cache-control"),
      (
        "query Q($v: CacheControlScope) { hero { name @cacheControl(maxAge: 60, scope: $v) } }", "invalid-cache-control"
      ),
      ("query Q($v: String!) { hero { ...F @alias(as: $v) } } fragment F on Hero { name }", "invalid-alias"),
      ("query Q($v: String!) @import(module: $v) { hero { name } }", "invalid-import"),
      ("mutation M($v: String!) { remove { id @deleteRecord(type: $v) } }", "invalid-list-edit"),
      ("mutation M($v: String) { remove { id @deleteEdge(connections: [], type: $v) } }", "invalid-list-edit"),
      ("mutation M($v: String) { add @appendNode(connections: [], edgeTypeName: $v) { id } }", "invalid-list-edit"),
      (
        """
        mutation M($v: String!) { remove { ...F(t: $v) } }
        fragment F($t: String!) on Removed { id @deleteRecord(type: $t) }
        """, "invalid-list-edit"
      ),
    ])
  func reported(operation: String, code: String) {
    let found = Self.diagnostics(operation)
    #expect(found.map(\.code.rawValue) == [code], "\(found.map(\.fullMessage))")
    #expect(found.first?.message.contains("cannot be \"$v\"") == true)
    #expect(found.first?.span.source != Source.ID.none)
  }

  @Test(
    "The lists of an edit may be variables, and so may what the server reads",
    arguments: [
      "mutation M($v: [ID!]!) { add @appendNode(connections: $v) { id } }",
      "mutation M($v: ID!) { add @appendNode(connections: [$v]) { id } }",
      "query Q($v: Boolean!) { hero { id ... @defer(if: $v, label: \"late\") { name } } }",
      """
      mutation M { remove { ...F(t: "Hero") } }
      fragment F($t: String!) on Removed { id @deleteRecord(type: $t) }
      """,
    ])
  func fine(operation: String) { #expect(Self.diagnostics(operation).map(\.fullMessage) == []) }
}
