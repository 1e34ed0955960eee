import ApolloCodegenLib
import ApolloIR
import GraphQLSyntax
import Testing

/// Rules about the kind of an operation hold for the fields of its fragments.
@Suite("Fragments of queries, mutations and subscriptions") struct FragmentUseTests {
  private static let schema = """
    type Query { hero: Hero } type Mutation { setHero: Hero } type Subscription { heroSet: Hero }
    type Hero @typePolicy(keyFields: "id") { id: ID!, name: String, friend: Hero }

    """

  private static func diagnostics(_ operations: String) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: [Source(operations, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity != .note }
  }

  private static func codes(_ operations: String) -> [String] { diagnostics(operations).map(\.code.rawValue) }

  private static let deletion = #"fragment D on Hero { id @deleteRecord(type: "Hero") }"#

  @Test(
    "A directive that changes lists, in a fragment of queries alone, is a warning: a mutation may be elsewhere",
    arguments: [
      "query Q { hero { ...D } } \(deletion)",
      "query Q { hero { ...A } } fragment A on Hero { friend { ... on Hero { ...D } } } \(deletion)",
    ])
  func listEdits(operations: String) {
    let found = Self.diagnostics(operations)
    #expect(found.map(\.code.rawValue) == ["invalid-list-edit"] && found.map(\.severity) == [.warning])
  }

  @Test("In a query itself it is an error") func listEditOfQuery() {
    let found = Self.diagnostics(#"query Q { hero { id @deleteRecord(type: "Hero") } }"#)
    #expect(found.map(\.code.rawValue) == ["invalid-list-edit"] && found.map(\.severity) == [.error])
  }

  @Test("A fragment that a query shares with a mutation changes lists for the mutation only")
  func shared() throws {
    let program = try lower(
      schema: Self.schema, "query Q { hero { ...D } } mutation M { setHero { ...D } } \(Self.deletion)")
    #expect(program.operations.map(\.listDirectives.count) == [0, 1])
  }

  @Test(
    "A local field on the root of a mutation or a subscription is an error",
    arguments: [
      "mutation M { ...R } fragment R on Mutation { setHero @client { name } }",
      "mutation M { ... on Mutation { ...A } } fragment A on Mutation { ...R } "
        + "fragment R on Mutation { setHero @client { name } }",
      "subscription S { ...R } fragment R on Subscription { heroSet @client { name } }",
    ])
  func localRoots(operations: String) { #expect(Self.codes(operations).contains("invalid-local-field")) }

  @Test(
    "A local field of a query's root, or of an object, is fine",
    arguments: [
      "query Q { ...R } fragment R on Query { hero @client { name } }",
      "mutation M { setHero { ...R } } fragment R on Hero { name @client }",
    ])
  func localFields(operations: String) { #expect(Self.codes(operations) == []) }
}
