import ApolloCodegenLib
import Testing

/// A field that several fragments of an object hold is set in all of them, each time once.
@Suite("Fields that fragments share") struct SharedFieldTests {
  private static let schema = """
    type Query { hero: Character, user: User }
    interface Character { id: ID!, name: String }
    type Droid implements Character { id: ID!, name: String, fn: String }
    type User { id: ID!, name: String }
    """

  @Test(
    "Setting a field sets it below the type cases and the conditions of fragments in fragments",
    arguments: [
      (
        """
        query Q($a: Boolean!) { user { name ...Outer } }
        fragment Outer on User { id ...Mid }
        fragment Mid on User { id ...Named @include(if: $a) }
        fragment Named on User { name }
        """,
        ["_outer.mid.named?.name = name", "if let value = newValue.mid.named { name = value.name }"], ""
      ),
      (
        """
        query Q { hero { ... on Droid { fn } ...Outer } }
        fragment Outer on Character { ...Left ...Right }
        fragment Left on Character { id ...Card }
        fragment Right on Character { name ...Card }
        fragment Card on Character { id ... on Droid { fn } }
        """,
        [
          "_outer.left.card.asDroid?.fn = fn", "_outer.left.card.asDroid?.fn = newValue.fn",
          "if let value = newValue.left.card.asDroid { _asDroid.wrappedValue?.fn = value.fn }",
        ], "right.card.asDroid"
      ),
      (
        """
        query Q { hero { ...Card ...Outer } }
        fragment Outer on Character { ...Mid }
        fragment Mid on Character { id ...Card }
        fragment Card on Character { name ... on Droid { fn } }
        """,
        ["_outer.card = newValue"], "mid.card.asDroid"
      ),
    ])
  func deepParts(document: String, statements: [String], absent: String) throws {
    let folder = try TemporaryFolder(["s.graphqls": Self.schema, "Q.graphql": document])
    let report = folder.generate()
    #expect(report.errors(in: folder) == "")
    let code = try folder.text("out/Q.graphql.swift")
    for statement in statements { #expect(code.contains(statement), "\(statement): \(code)") }
    if !absent.isEmpty { #expect(!code.contains(absent), "\(code)") }
  }
}
