import ApolloIR
import Testing

/// What is sent is valid for a server, and means what the document says.
@Suite("What is sent") struct SentTextTests {
  private static let schema = """
    directive @format(text: String) on FIELD | FRAGMENT_SPREAD | QUERY
    type Query { hero: Hero }
    type Hero { id: ID!, name: String, bio(text: String): String }
    extend type Hero { isSelected: Boolean }
    """

  private static func sent(_ operation: String) throws -> String {
    try #require(try lower(schema: schema, operation).operations.first).document.text
  }

  @Test(
    "A variable that nothing uses in what is sent is not declared",
    arguments: [
      (
        "query Q($x: Boolean!) { hero { name ... @include(if: $x) { isSelected @client } } }",
        "query Q { hero { __typename name } }"
      ),
      (
        "query Q($x: Boolean!) { hero { name ... @defer(label: \"l\", if: $x) { isSelected @client } } }",
        "query Q { hero { __typename name } }"
      ),
      (
        "query Q($x: Boolean!) { hero { __typename @include(if: $x) name } }", "query Q { hero { __typename name } }"
      ),
      (
        "query Q($x: Boolean!, $y: Boolean!) { hero { name @skip(if: $y) isSelected @client @skip(if: $x) } }",
        "query Q($y: Boolean!) { hero { __typename name @skip(if: $y) } }"
      ),
      (
        "query Q($x: Boolean!) { hero { ...F } } fragment F on Hero { name @skip(if: $x) }",
        "query Q($x: Boolean!) { hero { __typename ...F } }\nfragment F on Hero { __typename name @skip(if: $x) }"
      ),
      (
        "query Q($x: String) { hero { ...F(t: $x) } } fragment F($t: String) on Hero { bio(text: $t) }",
        "query Q($x: String) { hero { __typename ... on Hero { __typename bio(text: $x) } } }"
      ),
    ])
  func variables(operation: String, expected: String) throws { #expect(try Self.sent(operation) == expected) }

  @Test(
    "Nothing is added to the root field of a subscription, wherever it is selected, but what a safelist of 0.x has",
    arguments: [
      (
        "subscription S { event { name } }", "subscription S { event { __typename name } }",
        "subscription S { event { __typename name } }"
      ),
      (
        "subscription S { ...F } fragment F on Subscription { event { name } }",
        "subscription S { ...F }\nfragment F on Subscription { event { __typename name } }",
        "subscription S { ...F }\nfragment F on Subscription { __typename event { __typename name } }"
      ),
      (
        "subscription S { ...F(o: \"a\") } fragment F($o: String) on Subscription { event(of: $o) { name } }",
        "subscription S { ... on Subscription { event(of: \"a\") { __typename name } } }",
        "subscription S { ... on Subscription { __typename event(of: \"a\") { __typename name } } }"
      ),
      (
        "subscription S { ... on Subscription { ... { event { name } } } }",
        "subscription S { ... on Subscription { ... { event { __typename name } } } }",
        "subscription S { ... on Subscription { __typename ... { __typename event { __typename name } } } }"
      ),
    ])
  func subscription(operation: String, expected: String, known: String) throws {
    let schema = """
      type Query { a: Int } type Subscription @typePolicy(keyFields: "id") { event(of: String): Hero id: ID! }
      type Hero { name: String }
      """
    for (isCompatible, text) in [(false, expected), (true, known)] {
      let program = try lower(schema: schema, operation, isCompatibleWithLegacySafelists: isCompatible)
      #expect(program.operations.first?.document.text == text)
    }
  }

  @Test("The value of such a variable still tells the values of local fields apart")
  func localVariable() throws {
    let program = try lower(
      schema: Self.schema, "query Q($x: Boolean!) { hero { name ... @include(if: $x) { isSelected @client } } }")
    #expect(program.operations[0].variables.map(\.name) == ["x"])
    #expect(program.operations[0].variables.allSatisfy { !$0.isLocal })
  }

  @Test("Block strings keep what they mean, wherever they are written")
  func blockStrings() throws {
    let block = #"""
      """
          one
            two
          """
      """#
    let quoted = #""one\n  two""#
    #expect(
      try Self.sent("query Q @format(text: \(block)) { hero { name @format(text: \(block)) } }")
        == "query Q @format(text: \(quoted)) { hero { __typename name @format(text: \(quoted)) } }")
    #expect(
      try Self.sent("query Q($t: String = \(block)) { hero { bio(text: $t) } }")
        == "query Q($t: String = \(quoted)) { hero { __typename bio(text: $t) } }")
    #expect(
      try Self.sent(
        "query Q { hero { ...B(t: \(block)) } } fragment B($t: String) on Hero { bio(text: $t) }")
        == "query Q { hero { __typename ... on Hero { __typename bio(text: \(quoted)) } } }")
    #expect(
      try Self.sent(
        "query Q { hero { ...B } } fragment B($t: String = \(block)) on Hero { bio(text: $t) }")
        == "query Q { hero { __typename ... on Hero { __typename bio(text: \(quoted)) } } }")
    #expect(
      try Self.sent(
        "query Q { hero { ...B @format(text: \(block)) } } fragment B on Hero { name }")
          == """
          query Q { hero { __typename ...B @format(text: \(quoted)) } }
          fragment B on Hero { __typename name }
          """)
  }
}
