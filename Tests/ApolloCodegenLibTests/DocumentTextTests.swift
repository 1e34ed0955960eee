import ApolloCodegenLib
import ApolloIR
import GraphQLSyntax
import Testing

@Suite("Document text") struct DocumentTextTests {
  static let starWars = """
    type Query { hero(episode: Episode): Character }
    enum Episode { NEWHOPE EMPIRE JEDI }
    interface Character { id: ID!, name: String!, friends: [Character], count(text: String, of: [Int!]): Int }
    type Droid implements Character {
      id: ID!, name: String!, friends: [Character], count(text: String, of: [Int!]): Int, primaryFunction: String
    }
    """

  static func document(_ text: String, schema: String = starWars) throws -> DocumentText {
    try #require(lower(schema: schema, text).operations.first).document
  }

  @Test("The identifier of an operation is the one that other clients compute")
  func identifier() throws {
    let document = try Self.document(
      """
      query HeroAndFriendsNames($episode: Episode) {
        hero(episode: $episode) {
          name
          friends { name }
        }
      }
      """)
    #expect(
      document.text
        == "query HeroAndFriendsNames($episode: Episode) { hero(episode: $episode) { __typename name friends { __typename name } } }"
    )
    #expect(document.identifier == "1e36c3331171b74c012b86caa04fbb01062f37c61227655d9c0729a62c6f7285")
  }

  @Test("Fragments are a part of the identifier")
  func identifierWithFragment() throws {
    let document = try Self.document(
      """
      query HeroAndFriendsNamesWithFragment($episode: Episode) {
        hero(episode: $episode) { name ...FriendsNames }
      }
      fragment FriendsNames on Character { friends { name } }
      """)
    #expect(document.identifier == "599cd7d91ede7a5508cdb26b424e3b8e99e6c2c5575b799f6090695289ff8e99")
  }

  @Test("Fragments that are spread directly or not are sorted by name, others are left out")
  func fragments() throws {
    let document = try Self.document(
      """
      query Hero { hero { ...B } }
      fragment B on Character { friends { ... on Droid { ...A } } ...C }
      fragment Unused on Character { id }
      fragment C on Character { id }
      fragment A on Droid { name }
      """)
    #expect(document.fragmentNames == ["A", "B", "C"])
    #expect(document.fragments[0] == "fragment A on Droid { __typename name }")
  }

  @Test("__typename comes first in objects and fragments, and nowhere else unless it is asked for")
  func typename() throws {
    let document = try Self.document(
      "query Q { hero { name __typename @include(if: true) kind: __typename ... on Droid { primaryFunction } } }")
    #expect(
      document.operation
        == "query Q { hero { __typename name kind: __typename ... on Droid { primaryFunction } } }")
    #expect(
      try Self.document("query Q { __typename hero { id } }").operation
        == "query Q { __typename hero { __typename id } }")
  }

  @Test("Strings keep what they mean, and directives for the client are not sent")
  func strings() throws {
    let document = try Self.document(
      #"""
      "Described."
      query Q @import(module: "Other") {
        hero {
          a: count(text: """
            two
              lines
            """, of: [1, 2])
          b: count(text: "a  \"b\" \u00e9\n")
        }
      }
      """#)
    #expect(
      document.operation
        == #"query Q { hero { __typename a: count(text: "two\n  lines", of: [1, 2]) b: count(text: "a  \"b\" é\n") } }"#
    )
  }

  @Test("Key fields are selected where they are not, after __typename")
  func keyFields() throws {
    let schema = """
      type Query { book: Book!, any: [Item!]! , node: Node }
      interface Node { id: ID! }
      type Book implements Node @typePolicy(keyFields: "isbn edition") { id: ID!, isbn: String!, edition: Int!, title: String! }
      type Pen implements Node { id: ID!, color: String }
      union Item = Book | Pen
      """
    func text(_ selection: String) throws -> String {
      try String(
        Self.document("query Q { \(selection) }", schema: schema).operation.dropFirst("query Q { ".count).dropLast(2))
    }
    #expect(try text("book { title }") == "book { __typename isbn edition title }")
    #expect(try text("book { edition isbn }") == "book { __typename edition isbn }")
    #expect(
      try text("book { code: isbn edition @skip(if: true) }")
        == "book { __typename isbn edition code: isbn edition @skip(if: true) }")
    #expect(
      try text("any { ... on Book { title } ... on Pen { color } }")
        == "any { __typename ... on Book { isbn edition title } ... on Pen { color } }")
    #expect(try text("node { id }") == "node { __typename ... on Book { isbn edition } id }")
  }

  @Test(
    "Key fields are those of the directive that @link imports as another",
    arguments: [
      (#"import: [{ name: "@typePolicy", as: "@cacheKey" }]"#, "@cacheKey"),
      (#"import: ["@typePolicy"]"#, "@typePolicy"), (#"as: "store""#, "@store__typePolicy"),
      (#"as: "store""#, "@typePolicy"),
    ])
  func linkedKeyFields(arguments: String, directive: String) throws {
    let schema = """
      extend schema @link(url: "https://specs.apollo.dev/cache/v0.4", \(arguments))
      type Query { book: Book! }
      type Book \(directive)(keyFields: "isbn") { isbn: String!, title: String! }
      """
    let document = try Self.document("query Q { book { title } }", schema: schema)
    #expect(document.operation == "query Q { book { __typename isbn title } }")
  }

  @Test(
    "How old a value may be is not sent, under any name, and does not change the identifier",
    arguments: [("", "@cacheControl"), (#"import: [{ name: "@cacheControl", as: "@ttl" }]"#, "@ttl")])
  func ages(arguments: String, directive: String) throws {
    let link =
      arguments.isEmpty ? "" : #"extend schema @link(url: "https://specs.apollo.dev/cache/v0.4", \#(arguments)) "#
    func document(_ directive: String) throws -> DocumentText {
      try Self.document(
        """
        query Q($full: Boolean!) {
          hero \(directive) { ... on Droid { name \(directive) @include(if: $full) } ...F @defer }
        }
        fragment F on Character { friends { name @skip(if: $full) \(directive) } }
        """, schema: link + Self.starWars)
    }
    let with = try document("\(directive)(maxAge: 5, scope: PUBLIC)"), without = try document("")
    #expect(with == without)
    #expect(with.identifier == without.identifier && !with.text.contains("5") && with.text.contains("@include"))
  }

  @Test("A manifest does not have what is not sent")
  func manifest() throws {
    let code = Pipeline.generate(
      schema: [Source(Self.starWars, name: "s.graphqls")],
      operations: [
        Source("query Q { hero { ...F } } fragment F on Character { name @cacheControl(maxAge: 5) }", name: "Q.graphql")
      ], configuration: ApolloCodegenConfiguration())
    let value = try #require(code.value)
    for text in [value.manifest.text(.persistedQueries), value.manifest.text(.legacy), value.documents[0].file.text] {
      #expect(text.contains("fragment F on Character { __typename name }") && !text.contains("cacheControl"))
    }
  }
}
