import ApolloCodegenLib
import ApolloIR
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Fragments with arguments: what is refused, and what is sent. The cases are those of the proposal's tests.
@Suite("Fragments with arguments, in documents") struct FragmentArgumentCodeTests {
  private static let types = """
    type Query { user: User, users(first: Int): [User!]! }
    type Mutation { rename(id: ID!, name: String): User }
    type User { id: ID!, own(by: Int): Int, name: String, size(unit: Unit, by: Int): Int, friends(first: Int, filter: Filter): [User!]! }
    enum Unit { CM INCH }
    input Filter { name: String, ids: [ID!] }

    """

  private static func generate(_ document: String) -> Parsed<GeneratedCode?> {
    Pipeline.generate(
      schema: [Source(types, name: "schema.graphqls")], operations: [Source(document, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
  }

  private static func code(_ document: String) throws -> String {
    let code = generate(document)
    return try #require(code.value, "\(code.diagnostics.map(\.fullMessage))").documents.map(\.file.text).joined()
  }

  @Test(
    "What cannot be sent without the syntax, or contradicts itself, is an error at the place",
    arguments: [
      (
        "query Q($by: Int) { user { ...F(by: $by) } } fragment F($by: Int = 2) on User { size(by: $by) }",
        "fragment-arguments", "by: $by"
      ),
      // Through a fragment whose own variable may have no value.
      (
        """
        query Q { user { ...F } } fragment F($a: Int) on User { ...G(by: $a) }
        fragment G($by: Int = 2) on User { size(by: $by) }
        """, "fragment-arguments", "by: $a"
      ),
      (
        "query Q { user { ...F(by: 1) @defer(label: \"a\") } } fragment F($by: Int) on User { size(by: $by) }",
        "fragment-arguments", "@defer(label: \"a\")"
      ),
      (
        "query Q { user { ...F(by: 1) } } fragment F($by: Int) on User { id ... @defer(label: \"a\") { size(by: $by) } }",
        "fragment-arguments", "@defer(label: \"a\")"
      ),
      (
        "query Q { user { ...F(by: 1) ...F(by: 2) } } fragment F($by: Int) on User { a: size(by: $by) }",
        "field-conflict", "...F(by: 1)"
      ),
      ("query Q { user { ...F } } fragment F($by: Int!) on User { size(by: $by) }", "missing-argument", "...F"),
      ("query Q { user { ...F(b: 1) } } fragment F($a: Int) on User { size(by: $a) }", "unknown-argument", "b: 1"),
      ("query Q { user { ...F(a: CM) } } fragment F($a: Int) on User { size(by: $a) }", "invalid-value", "CM"),
      ("query Q { user { ...F(a: 1) } } fragment F($a: Int) on User { id }", "unused-variable", "$a: Int"),
      (
        "query Q { user { ...F(a: 1) } } fragment F($a: Int) on User { ...G(b: $a) } fragment G($b: Int) on User { ...F(a: $b) }",
        "fragment-cycle", "...G(b: $a)"
      ),
    ])
  func refused(document: String, code: String, place: String) throws {
    let diagnostics = Self.generate(document).diagnostics.filter { $0.severity == .error }
    let diagnostic = try #require(diagnostics.first { $0.code.rawValue == code }, "\(diagnostics.map(\.fullMessage))")
    let marked = document.utf8.dropFirst(Int(diagnostic.span.start)).prefix(
      Int(diagnostic.span.end - diagnostic.span.start))
    #expect(Substring(marked) == Substring(place))
  }

  @Test("A default value may be left to a variable that always has a value, and null is a value")
  func allowed() throws {
    _ = try Self.code(
      "query Q($by: Int = 1) { user { ...F(by: $by) } } fragment F($by: Int = 2) on User { size(by: $by) }")
    _ = try Self.code(
      "query Q($by: Int!) { user { ...F(by: $by) } } fragment F($by: Int = 2) on User { size(by: $by) }")
    let null = try Self.code("query Q { user { ...F(by: null) } } fragment F($by: Int = 2) on User { size(by: $by) }")
    #expect(null.contains("size(by: null)") && null.contains("$F(by:null)"))
    // What may be missing may have no value.
    let missing = try Self.code(
      "query Q($a: Int) { user { ...F(by: $a) } } fragment F($by: Int) on User { size(by: $by) }")
    #expect(missing.contains("size(by: $a)"))
  }

  @Test("A deferred inline fragment may spread one") func deferred() throws {
    let text = try Self.code(
      "query Q { user { ... @defer(label: \"late\") { ...F(by: 1) } } } fragment F($by: Int) on User { size(by: $by) }")
    #expect(text.contains("object.fragment(arguments: 0)") && text.contains("size(by: 1)"))
  }

  @Test("What merges with the fragment's selections has its values") func merged() throws {
    let text = try Self.code(
      """
      query Q($n: Int!) { user { friends(first: 3) { name } ...F(n: $n) } }
      fragment F($n: Int!) on User { friends(first: 3) { ...G(by: $n) } }
      fragment G($by: Int!) on User { size(by: $by) }
      """)
    // The friends of the query's own struct have the fragment of the other one, with the query's variable.
    #expect(text.contains(#"__FieldTable(version: 6, "__typename name ... $G(by:$n)")"#), "\(text)")
    #expect(text.contains(#"$G(by:$F.n)"#))
  }

  @Test("Fragments that spread each other more often than can be sent are an error") func tooMany() throws {
    var document = "query Q { user { ...F0(a: 1) } }\n"
    for index in 0..<14 {
      document += """
        fragment F\(index)($a: Int) on User { x: friends(first: 1) { ...F\(index + 1)(a: $a) } \
        y: friends(first: 2) { ...F\(index + 1)(a: $a) } }\n
        """
    }
    document += "fragment F14($a: Int) on User { size(by: $a) }"
    let errors = Self.generate(document).diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.fieldConflict], "\(errors.map(\.fullMessage))")
  }

  @Test("What the client adds to the copies does not count: no fragment with variables is sent") func added() throws {
    let names = (0..<250).map { "T\($0)" }
    let schema = """
      type Query { box: Box } type Box { item: Item } interface Node { id: ID! }
      union Item = \(names.joined(separator: " | "))

      """
      + names.map {
        "type \($0) implements Node @typePolicy(keyFields: \"id\") { id: ID!, size(by: Int): Int }"
      }.joined(separator: "\n")
    let spreads = (0..<900).map { "f\($0): box { ...F(by: 1) }" }.joined(separator: " ")
    let program = try lower(
      schema: schema, "query Q { \(spreads) } fragment F($by: Int) on Box { item { ... on T0 { size(by: $by) } } }")
    let text = program.operations[0].document.text
    #expect(!text.contains("...F") && text.contains("f899: box"))
  }

  @Test("Variables that only local fields or lists use are not sent") func local() throws {
    let text = try Self.code(
      """
      query Q($by: Int, $n: Int) { user { ...F(by: $by, n: $n) } }
      fragment F($by: Int, $n: Int) on User { name own(by: $by) @client friends(first: $n) { id } }
      """)
    #expect(text.contains("query Q($n: Int) {") && !text.contains("own(by: $by)"), "\(text)")
  }

  @Test("A field is set in a fragment that only one of two holds under a condition") func mirrored() throws {
    let text = try Self.code(
      """
      query Q($b: Boolean!) { user { size ...Outer ...Inner } }
      fragment Inner on User { name }
      fragment Outer on User { name id ...Inner @include(if: $b) }
      """)
    #expect(text.contains("_inner.name = newValue.name") && text.contains("_outer.name = newValue.name"), "\(text)")
  }
}
