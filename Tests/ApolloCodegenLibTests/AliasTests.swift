import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// `@alias(as:)` on fragments, in the sense of Relay's directive of this name.
@Suite("Names for the members of fragments") struct AliasTests {
  private static let types = """
    type Query { node: Node, user: User }
    interface Node { id: ID! }
    type User implements Node { id: ID!, name: String }
    type Page implements Node { id: ID!, title: String }

    """

  private static func generate(_ document: String, _ extensions: String = "") -> Parsed<GeneratedCode?> {
    Pipeline.generate(
      schema: [Source(types, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source(document, name: "Q.graphql")], configuration: ApolloCodegenConfiguration())
  }

  private static func code(_ document: String, _ extensions: String = "") throws -> String {
    let code = generate(document, extensions)
    return try #require(code.value, "\(code.diagnostics.map(\.fullMessage))").documents.map(\.file.text).joined()
  }

  @Test("A spread, an inline fragment and a deferred fragment have the name, and it is not sent") func names() throws {
    let text = try Self.code(
      """
      query Q($full: Boolean!) {
        node { ...Card @alias(as: "header") ... on User @alias(as: "person") { name } ... on Page @defer @alias(as: "late") { title } }
        user { ...Name @include(if: $full) @alias(as: "maybeName") }
      }
      fragment Card on Node { id }
      fragment Name on User { name }
      """)
    #expect(text.contains("var header: Card\n") && text.contains("var person: Person? {"))
    #expect(text.contains("struct Person: ") && text.contains("var late: DeferredFragment<Late>"))
    #expect(text.contains("var maybeName: Name? {"))
    #expect(!text.contains("@alias") && text.contains("...Card ... on User { name }"))
    #expect(!text.contains("var asUser") && !text.contains("var asPage"))
  }

  @Test("Two fragments on one type are one member, which one of them may name") func merged() throws {
    let text = try Self.code(
      "query Q { node { ... on User { id } ... on User @alias(as: \"person\") { name } } }")
    #expect(text.contains("var person: Person?"))
  }

  @Test(
    "An alias that names nothing, or that is taken, is an error at the place",
    arguments: [
      "query Q { node { ... on User @alias(as: \"a\") { id } ... on User @alias(as: \"b\") { name } } }",
      "query Q { node { id ... on User @alias(as: \"id\") { name } } }",
      "query Q { node { ... on User @alias(as: \"a\") { id } ... on Page @alias(as: \"a\") { title } } }",
      "query Q { user { ... on User @alias(as: \"a\") { id } } }",
      "query Q { user { ... @alias(as: \"a\") { id } } }",
      "query Q { user { ...F @alias(as: \"1a\") } } fragment F on User { id }",
      "query Q { user { ...F @alias(as: \"\") } } fragment F on User { id }",
      "query Q { user { ...F @alias(as: \"a b\") } } fragment F on User { id }",
    ])
  func errors(_ document: String) {
    let found = Self.generate(document).diagnostics.filter { $0.severity == .error }
    #expect(found.map(\.code.rawValue) == ["invalid-alias"], "\(document)")
    #expect(found.allSatisfy { $0.span.source != .none })
  }

  @Test("A directive of the server with this name is sent as it is") func ofServer() throws {
    let own = "directive @alias(as: String!) on FRAGMENT_SPREAD"
    let text = try Self.code("query Q { user { ...F @alias(as: \"a\") } } fragment F on User { id }", own)
    #expect(text.contains(#"...F @alias(as: \"a\")"#) && text.contains("var f: F"))
  }
}
