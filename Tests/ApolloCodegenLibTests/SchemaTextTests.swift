import Testing

/// What the build tool plugin finds out about schema files, in a file that it shares with these tests.
@Suite("The text of a schema, as the plugin reads it") struct SchemaTextTests {
  @Test(
    "A whole schema says which type queries start at",
    arguments: [
      "type Query { a: Int }", "schema { query: Root }", "schema @link(url: \"x\")\n{ query: Root }",
      "\"\"\"d\"\"\" type Query @a { a: Int }", "\"d \\\" d\" type Query { a: Int }",
      "\"\"\"\nUse \\\"\"\" to quote.\n\"\"\"\ntype Query { a: Int }\n\"\"\"A user.\"\"\"\ntype User { id: ID }",
      "type Hero { id: ID! } type Query { a: Int }", "scalar Date type Query { a: Date }",
      "type Root { a: Int } schema { query: Root }", "directive @a(b: Int) on FIELD type Query @a(b: 1) { a: Int }",
      "extend type Hero { id: ID! } type Query { a: Int }",
      "# It's \"quoted\rtype Query { a: Int }", "\"\" type Query { a(b: String = \"\"\"b\"\"\"): Int }",
    ])
  func whole(text: String) { #expect(SchemaText.hasQueryType(text)) }

  @Test(
    "An extension does not, whatever its descriptions and fields are called",
    arguments: [
      "", "extend type Query { a: Int }", "\"\"\"\ntype Query { a: Int }\n\"\"\"\nextend type Query { b: Int }",
      "\"\"\"\n\\\"\"\"\nschema { query: Root }\n\"\"\"\nextend type User { b: Int }", "# type Query\n# schema {}",
      "extend type User {\n  schema: String\n  schema(a: Int): String\n}", "type QueryResult { a: Int }",
      "extend schema @link(url: \"x\")", "type Hero { id: ID! } extend type Query { a: Int }",
      "type Hero { id: ID! } extend # type\n type Query { a: Int }",
      "type Hero @type { a(b: Int): Int schema: String }",
      "type A { a: Int } extend schema @a { mutation: A }", "type schema { a: Int } extend type Query @a { a: Int }",
    ])
  func part(text: String) { #expect(!SchemaText.hasQueryType(text)) }

  @Test("A long description is read at once") func long() {
    let description = String(repeating: "A \\\"\"\" and \\ # \" '\n", count: 2_000)
    #expect(SchemaText.hasQueryType("\"\"\"\(description)\"\"\"\ntype Query { a: Int }"))
  }
}
