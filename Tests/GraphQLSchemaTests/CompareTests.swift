import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Comparing schemas")
struct CompareTests {
  private func changes(_ old: String, _ new: String) -> [String] {
    let build = { (text: String) in Schema.build(from: [Source(text)]).value }
    return Schema.compare(build(old), build(new)).map { "\($0.severity.rawValue) \($0.kind.rawValue) \($0.coordinate)" }
  }

  @Test("A schema does not differ from itself, nor from itself in another order")
  func same() {
    let text = #"type Query { a(b: I = {x: 1, y: "z"}): Int, c: E } input I { x: Int, y: String } enum E { A B }"#
    let shuffled =
      #"enum E { B A } input I { y: String, x: Int } type Query { c: E, a(b: I = {y: """z""", x: 1}): Int }"#
    #expect(changes(text, text) == [])
    #expect(changes(text, shuffled) == [])
    let invalid = "input I { a: Int, a: E } enum E { A A @deprecated } type Query implements J & J { b: Int, b: E }"
    #expect(changes(invalid, invalid) == [])
  }

  @Test(
    "What a change means for clients",
    arguments: [
      ("type Query { a: Int, b: Int }", "type Query { a: Int }", "breaking field-removed Query.b"),
      ("type Query { a: Int }", "type Query { a: Int, b: Int }", "safe field-added Query.b"),
      ("type Query { a: Int }", "type Query { a: String }", "breaking field-type-changed Query.a"),
      ("type Query { a: Int }", "type Query { a: Int! }", "safe field-type-changed Query.a"),
      ("type Query { a: Int! }", "type Query { a: Int }", "breaking field-type-changed Query.a"),
      ("type Query { a: [Int] }", "type Query { a: [Int!]! }", "safe field-type-changed Query.a"),
      ("type Query { a: [Int] }", "type Query { a: Int }", "breaking field-type-changed Query.a"),
      ("type Query { a(b: Int): Int }", "type Query { a: Int }", "breaking argument-removed Query.a(b:)"),
      ("type Query { a: Int }", "type Query { a(b: Int): Int }", "dangerous argument-added Query.a(b:)"),
      ("type Query { a: Int }", "type Query { a(b: Int! = 1): Int }", "dangerous argument-added Query.a(b:)"),
      ("type Query { a: Int }", "type Query { a(b: Int!): Int }", "breaking argument-added Query.a(b:)"),
      ("type Query { a(b: Int!): Int }", "type Query { a(b: Int): Int }", "safe argument-type-changed Query.a(b:)"),
      ("type Query { a(b: Int): Int }", "type Query { a(b: Int!): Int }", "breaking argument-type-changed Query.a(b:)"),
      ("type Query { a(b: Int): Int }", "type Query { a(b: ID): Int }", "breaking argument-type-changed Query.a(b:)"),
      (
        "type Query { a(b: Int = 1): Int }", "type Query { a(b: Int = 2): Int }",
        "dangerous default-value-changed Query.a(b:)"
      ),
      (
        "type Query { a(b: Int = 1): Int }", "type Query { a(b: Int): Int }",
        "dangerous default-value-removed Query.a(b:)"
      ),
      (
        "type Query { a(b: Int! = 1): Int }", "type Query { a(b: Int!): Int }",
        "breaking default-value-removed Query.a(b:)"
      ),
      ("type Query { a(b: Int): Int }", "type Query { a(b: Int = 1): Int }", "safe default-value-added Query.a(b:)"),
      ("scalar S", "scalar T", "breaking type-removed S, safe type-added T"),
      ("scalar S", "type S { a: Int }", "breaking type-kind-changed S"),
      ("scalar S", "scalar S @specifiedBy(url: \"u\")", "dangerous specified-by-changed S"),
      ("enum E { A }", "enum E { A B }", "dangerous enum-value-added E.B"),
      ("enum E { A B }", "enum E { A }", "breaking enum-value-removed E.B"),
      ("enum E { A }", "enum E { A @deprecated(reason: \"no\") }", "safe deprecation-added E.A"),
      ("enum E { A @deprecated }", "enum E { A @deprecated(reason: \"no\") }", "safe deprecation-reason-changed E.A"),
      ("enum E { A @deprecated }", "enum E { A }", "safe deprecation-removed E.A"),
      ("type A { a: Int } union U = A", "type A { a: Int } union U", "breaking union-member-removed U"),
      ("type A { a: Int } union U", "type A { a: Int } union U = A", "dangerous union-member-added U"),
      (
        "interface I { a: Int } type A { a: Int }", "interface I { a: Int } type A implements I { a: Int }",
        "dangerous interface-added A"
      ),
      (
        "interface I { a: Int } type A implements I { a: Int }", "interface I { a: Int } type A { a: Int }",
        "breaking interface-removed A"
      ),
      ("input I { a: Int }", "input I { a: Int, b: Int }", "dangerous input-field-added I.b"),
      ("input I { a: Int }", "input I { a: Int, b: Int! }", "breaking input-field-added I.b"),
      ("input I { a: Int, b: Int }", "input I { a: Int }", "breaking input-field-removed I.b"),
      ("input I { a: Int }", "input I { a: [Int] }", "breaking input-field-type-changed I.a"),
      ("input I { a: Int }", "input I @oneOf { a: Int }", "breaking one-of-added I"),
      ("input I @oneOf { a: Int }", "input I { a: Int }", "safe one-of-removed I"),
      ("directive @d on FIELD", "scalar S", "safe type-added S, breaking directive-removed @d"),
      ("scalar S", "scalar S directive @d on FIELD", "safe directive-added @d"),
      ("directive @d on FIELD | QUERY", "directive @d on FIELD", "breaking directive-location-removed @d"),
      ("directive @d on FIELD", "directive @d on FIELD | QUERY", "safe directive-location-added @d"),
      ("directive @d repeatable on FIELD", "directive @d on FIELD", "breaking directive-repeatable-removed @d"),
      ("directive @d on FIELD", "directive @d repeatable on FIELD", "safe directive-repeatable-added @d"),
      ("directive @d on FIELD", "directive @d(a: Int!) on FIELD", "breaking argument-added @d(a:)"),
      ("directive @d(a: Int) on FIELD", "directive @d on FIELD", "breaking argument-removed @d(a:)"),
      ("scalar S", "\"text\" scalar S", "safe description-changed S"),
      (
        "type Query { a: Int } type Q { a: Int }", "schema { query: Q } type Query { a: Int } type Q { a: Int }",
        "breaking root-type-changed Q"
      ),
      (
        "type Query { a: Int } type Mutation { a: Int }",
        "schema { query: Query } type Query { a: Int } type Mutation { a: Int }",
        "breaking root-type-removed Mutation"
      ),
    ])
  func change(old: String, new: String, expected: String) {
    #expect(changes(old, new).joined(separator: ", ") == expected)
  }

  @Test("A change says in a sentence what happened, and points at its place")
  func message() throws {
    let new = Source("type Query {\n  user(id: ID!): User!\n}\ntype User { id: ID }")
    let change = try #require(
      Schema.compare(
        Schema.build(from: [Source("type Query { user: User! } type User { id: ID }")]).value,
        Schema.build(from: [new]).value
      ).first)
    #expect(change.message == "Required argument Query.user(id:) was added.")
    #expect(LineIndex(new).location(of: change.span.start) == SourceLocation(line: 2, column: 8))
  }
}
