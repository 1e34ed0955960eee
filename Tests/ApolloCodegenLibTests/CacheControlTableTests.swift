import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// The marks of `@cacheControl` in field tables: who says how old a field may be.
@Suite("Ages in field tables") struct CacheControlTableTests {
  /// A schema, a query, and the tables of its objects.
  struct Sample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var schema: String
    var query: String
    var tables: [String: String]

    init(_ claim: String, _ schema: String, _ query: String, _ tables: [String: String]) {
      testDescription = claim
      self.schema = schema
      self.query = query
      self.tables = tables
    }
  }

  static let scalars: [Sample] = [
    Sample(
      "Scalar 1: a field has an age", "type Query { bookCount: Int @cacheControl(maxAge: 60) name: String }",
      "query Q { bookCount name }", ["Data": "2 bookCount<60> name"]),
    Sample(
      "Scalar 2: without a directive there is no mark", "type Query { bookCount: Int name: String }",
      "query Q { bookCount name }", ["Data": "1 bookCount name"]),
    Sample(
      "Scalar 3: a leaf inherits without being told",
      "type Query { book: Book @cacheControl(maxAge: 900) } "
        + "type Book { title: String, isbn: String @cacheControl(maxAge: 0) }",
      "query Q { book { title isbn } }", ["Data": "2 book<900>", "Data.Book": "2 __typename title isbn<0>"]),
  ]

  static let composites: [Sample] = [
    Sample(
      "Composite 1: a type has an age, and so has each field that leads to it",
      "type Query { books: [Book] } type Book @cacheControl(maxAge: 1800) { title: String }",
      "query Q { books { title } }", ["Data": "2 books<:1800>", "Data.Book": "2 __typename title <1800>"]),
    Sample(
      "Composite 2: the field's age counts before that of its type",
      "type Query { books: [Book] @cacheControl(maxAge: 900) } type Book @cacheControl(maxAge: 1800) { title: String }",
      "query Q { books { title } }", ["Data": "2 books<900>", "Data.Book": "2 __typename title <1800>"]),
    Sample(
      "Composite 3: a field of objects has an age",
      "type Query { books: [Book] @cacheControl(maxAge: 900) } "
        + "type Book { title: String }",
      "query Q { books { title } }", ["Data": "2 books<900>", "Data.Book": "1 __typename title"]),
    Sample(
      "Composite 4: objects do not inherit",
      "type Query { books: [Book] @cacheControl(maxAge: 900) } type Book { author: Author } type Author { id: ID! }",
      "query Q { books { author { id } } }",
      ["Data": "2 books<900>", "Data.Book": "1 __typename author", "Data.Book.Author": "1 __typename id#"]),
    Sample(
      "Composite 5: objects inherit where their field says so",
      "type Query { book: Book } type Book @cacheControl(maxAge: 1800) { author: Author @cacheControl(inheritMaxAge: true) } "
        + "type Author @cacheControl(maxAge: 5) { id: ID! }",
      "query Q { book { author { id } } }",
      [
        "Data": "2 book<:1800>", "Data.Book": "2 __typename author<=> <1800>",
        "Data.Book.Author": "2 __typename id# <5>",
      ]),
    Sample(
      "Composite 6: objects inherit where their type says so",
      "type Query { book: Book } type Book @cacheControl(maxAge: 1800) { author: Author } "
        + "type Author @cacheControl(inheritMaxAge: true) { id: ID! }",
      "query Q { book { author { id } } }",
      [
        "Data": "2 book<:1800>", "Data.Book": "2 __typename author<=> <1800>", "Data.Book.Author": "1 __typename id#",
      ]),
    Sample(
      "A union has an age of its own, and none of its members'",
      "type Query { thing: Thing, other: Other } union Thing @cacheControl(maxAge: 7) = A union Other = A "
        + "type A @cacheControl(maxAge: 8) { a: Int }",
      "query Q { thing { ... on A { a } } other { __typename } }",
      [
        "Data": "2 thing<:7> other", "Data.Thing": "3 __typename ... ^Thing <7>",
        "Data.Thing.AsA": "2 __typename a <8>",
        "Data.Other": "3 __typename ^Other",
      ]),
  ]

  private static let library = """
    type Query { bookCount: Int, books: [Book] @cacheControl(maxAge: 900) }
    type Book @cacheControl(maxAge: 1800) { id: ID!, title: String @cacheControl(maxAge: 3600), author: Author }
    type Author { name: String }
    """

  static let operations: [Sample] = [
    Sample(
      "An operation gives an age where the schema has none",
      "type Query { bookCount: Int, books: [Book] } type Book { id: ID! }",
      "query Q { bookCount @cacheControl(maxAge: 60) books { id } }",
      ["Data": "2 bookCount<60> books", "Data.Book": "1 __typename id#"]),
    Sample(
      "Schema and operation 1: the operation's counts before the field's and the type's", library,
      "query Q { books @cacheControl(maxAge: 5) { title @cacheControl(maxAge: 6) author @cacheControl(maxAge: 7) { name } } }",
      [
        "Data": "2 books<5>", "Data.Book": "2 __typename title<6> author<7> <1800>",
        "Data.Book.Author": "1 __typename name",
      ]),
    Sample(
      "Schema and operation 2: a field inherits because the operation says so", library,
      "query Q { books { title @cacheControl(inheritMaxAge: true) author @cacheControl(inheritMaxAge: true) { name } } }",
      [
        "Data": "2 books<900>", "Data.Book": "2 __typename title author<=> <1800>",
        "Data.Book.Author": "1 __typename name",
      ]),
    Sample(
      "Schema and operation 3: what the operation says of one selection holds there only", library,
      "query Q { books { title } others: books @cacheControl(maxAge: 0) { title @include(if: true) } }",
      [
        "Data": "2 books<900> others:books<0>", "Data.Book": "2 __typename title<3600> <1800>",
        "Data.Other": "2 __typename title<3600> <1800>",
      ]),
    Sample(
      "Of two selections that are merged, the one with a directive counts", library,
      "query Q { books { id title } ...More } "
        + "fragment More on Query { books @cacheControl(maxAge: 5) { id @cacheControl(maxAge: 6) } }",
      [
        "Data": "2 books<5> ...", "Data.Book": "2 __typename id#<6> title<3600> <1800>",
        "More": "2 __typename books<5>",
        "More.Book": "2 __typename id#<6> <1800>",
      ]),
  ]

  static let interfaces: [Sample] = [
    Sample(
      "An interface passes its age on to the types that implement it",
      "type Query { auth: Auth, password: Password, own: Own } interface Sensitive @cacheControl(maxAge: 5) { id: ID! } "
        + "type Auth implements Sensitive { id: ID! } type Password implements Sensitive { id: ID! } "
        + "type Own implements Sensitive @cacheControl(maxAge: 9) { id: ID! }",
      "query Q { auth { id } password { id } own { id } }",
      [
        "Data": "2 auth<:5> password<:5> own<:9>", "Data.Auth": "2 __typename id# <5>",
        "Data.Password": "2 __typename id# <5>", "Data.Own": "2 __typename id# <9>",
      ]),
    Sample(
      "An interface passes on the ages of its fields, by way of other interfaces, and the nearest counts",
      "type Query { a: A, b: B } interface Node { id: ID! @cacheControl(maxAge: 1), rank: Int @cacheControl(maxAge: 2) } "
        + "interface Item implements Node { id: ID!, rank: Int @cacheControl(maxAge: 3) } "
        + "type A implements Node & Item { id: ID!, rank: Int } "
        + "type B implements Node & Item { id: ID! @cacheControl(maxAge: 4), rank: Int }",
      "query Q { a { id rank } b { id rank } }",
      ["Data.A": "2 __typename id#<1> rank<3>", "Data.B": "2 __typename id#<4> rank<3>", "Data": "1 a b"]),
    Sample(
      "A field has the age of the type that it is selected on",
      "type Query { node: Node } interface Node { id: ID!, rank: Int @cacheControl(maxAge: 2) } "
        + "type A implements Node { id: ID!, rank: Int @cacheControl(maxAge: 3), own: Int } "
        + "type B implements Node { id: ID!, rank: Int }",
      "query Q { node { id rank ... on A { id rank own } ... on B { rank } } }",
      [
        "Data": "1 node", "Data.Node": "3 __typename id# rank<2> ... ^Node",
        "Data.Node.AsA": "2 __typename rank<3> own",
        "Data.Node.AsB": "1 __typename",
      ]),
    Sample(
      "A leaf has the age of the type that it is selected on, if that has one of its own",
      "type Query { node: Node } interface Node { id: ID!, rank: Int } "
        + "type A implements Node @cacheControl(maxAge: 3) { id: ID!, rank: Int } ",
      "query Q { node { id rank ... on A { rank } ...F } } fragment F on Node { id }",
      [
        "Data": "1 node", "Data.Node": "1 __typename rank ...", "Data.Node.AsA": "2 __typename rank <3>",
        "F": "3 __typename id# ^Node",
      ]),
    Sample(
      "A fragment has the ages of its own type, and what is selected beside it those of the enclosing one",
      "type Query { a: A } interface Node { id: ID!, rank: Int } "
        + "type A implements Node @cacheControl(maxAge: 3) { id: ID!, rank: Int } ",
      "query Q { a { rank ...F } } fragment F on Node { rank }",
      ["Data": "2 a<:3>", "Data.A": "2 __typename rank ... <3>", "F": "3 __typename rank ^Node"]),
  ]

  @Test("Fields have the age that is said most closely", arguments: scalars + composites + operations + interfaces)
  func sample(_ sample: Sample) throws {
    let tables = try fieldTables(schema: sample.schema, sample.query)
    let expected = Dictionary(
      uniqueKeysWithValues: sample.tables.map { ($0.hasPrefix("Data") ? "QQuery." + $0 : $0, $1) })
    #expect(tables == expected)
  }

  @Test("Marks stand behind everything else that is known of a field")
  func combined() throws {
    let schema = """
      type Query @fieldPolicy(forField: "book", keyArgs: "isbn") {
        book(isbn: ID): Book, books(first: Int, tag: String): [Book] @cacheControl(maxAge: 9)
      }
      type Book @typePolicy(keyFields: "isbn edition") @cacheControl(maxAge: 60) {
        isbn: ID! @cacheControl(maxAge: 1), edition: Int! @cacheControl(maxAge: 2), title(long: Boolean): String
      }
      """
    let query = """
      query Q($isbn: ID, $long: Boolean!) {
        one: book(isbn: $isbn) { edition isbn title(long: $long) @cacheControl(maxAge: 3) }
        books(first: 2, tag: "<7>") { title @include(if: $long) @cacheControl(maxAge: 4) ... on Book @skip(if: $long) { n: edition } }
      }
      """
    let tables = try fieldTables(schema: schema, query)
    #expect(
      tables == [
        "QQuery.Data": "2 one:book(isbn:$isbn)@isbn:Book<:60> books(first:2,tag:\"<7>\")@:Book<9>",
        "QQuery.Data.One": "2 __typename edition!1<2> isbn!#<1> title(long:$long)<3> <60>",
        "QQuery.Data.Book": "2 __typename isbn!#<1> edition!1<2> title<4> n:edition<2> ?$long ?!$long <60>",
      ])
  }

  @Test("A key field with a directive is not selected once more")
  func keyField() throws {
    let schema = """
      type Query { book: Book }
      type Book @typePolicy(keyFields: "id") { id: ID! }
      """
    let tables = try fieldTables(schema: schema, "query Q { book { id @cacheControl(maxAge: 4) } }")
    #expect(tables["QQuery.Data.Book"] == "2 __typename id!#<4>")
  }

  @Test(
    "The directives have the names that @link gives them",
    arguments: [
      (
        #"import: [{ name: "@cacheControl", as: "@ttl" }, { name: "@cacheControlField", as: "@fieldTTL" }]"#, "@ttl",
        "@fieldTTL"
      ),
      (#"as: "store""#, "@store__cacheControl", "@store__cacheControlField"),
      (#"import: ["@cacheControl"]"#, "@cacheControl", "@cacheControlField"),
    ])
  func renamed(arguments: String, directive: String, fieldDirective: String) throws {
    let schema = """
      extend schema @link(url: "https://specs.apollo.dev/cache/v0.4", \(arguments))
      type Query { book: Book, count: Int }
      type Book \(directive)(maxAge: 60) \(fieldDirective)(name: "title", maxAge: 5) { title: String, id: ID }
      """
    let tables = try fieldTables(
      schema: schema,
      "query Q { book { title id \(directive)(maxAge: 7) } count \(directive)(maxAge: 6, scope: PRIVATE) }")
    #expect(
      tables == [
        "QQuery.Data": "2 book<:60> count<6>", "QQuery.Data.Book": "2 __typename title<5> id#<7> <60>",
      ])
  }

  @Test("A file of extensions says of types and fields what the server's schema does not")
  func extensions() throws {
    let tables = try fieldTables(
      schema: "type Query { book: Book, node: Node } interface Node { id: ID } "
        + "type Book implements Node { id: ID, title: String, author: Author } type Author { name: String }",
      "query Q { book { id title author { name } } node { id } }",
      extensions: """
        extend type Book @cacheControl(maxAge: 60) @cacheControlField(name: "title", maxAge: 5)
          @cacheControlField(name: "author", inheritMaxAge: true)
        extend interface Node @cacheControlField(name: "id", maxAge: 1)
        """)
    #expect(
      tables == [
        "QQuery.Data": "2 book<:60> node", "QQuery.Data.Node": "3 __typename id#<1> ^Node",
        "QQuery.Data.Book": "2 __typename id#<1> title<5> author<=> <60>",
        "QQuery.Data.Book.Author": "1 __typename name",
      ])
  }

  @Test("The schema that Apollo Server wants, which declares the directive, but not for fields of operations")
  func declaredBySchema() throws {
    let schema = """
      enum CacheControlScope { PUBLIC PRIVATE }
      directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on
        FIELD_DEFINITION | OBJECT | INTERFACE | UNION
      type Query { post: Post, latest: Post @cacheControl(maxAge: 10, scope: PUBLIC) }
      type Post @cacheControl(maxAge: 240) {
        id: ID!, votes: Int @cacheControl(maxAge: 30), readByCurrentUser: Boolean! @cacheControl(scope: PRIVATE)
      }
      """
    let tables = try fieldTables(
      schema: schema, "query Q { post { id votes readByCurrentUser } latest { id @cacheControl(maxAge: 1) } }")
    #expect(
      tables == [
        "QQuery.Data": "2 post<:240> latest<10>",
        "QQuery.Data.Post": "4 __typename id# votes<30> readByCurrentUser- <240>",
        "QQuery.Data.Latest": "2 __typename id#<1> <240>",
      ])
  }

  @Test("What is told of mutations and subscriptions has no mark, and what they lead to has its own")
  func otherRoots() throws {
    let schema = """
      type Query { a: Int }
      type Mutation @cacheControl(maxAge: 1) { book: Book @cacheControl(maxAge: 2), id: ID }
      type Subscription { count: Int @cacheControl(maxAge: 3) }
      type Book @cacheControl(maxAge: 60) { id: ID }
      """
    let tables = try fieldTables(
      schema: schema,
      "mutation M { book { id } id @cacheControl(maxAge: 4) } subscription S { count }")
    #expect(
      tables == [
        "MMutation.Data": "2 book<:60> id#", "MMutation.Data.Book": "2 __typename id# <60>",
        "SSubscription.Data": "1 count",
      ])
  }

  @Test("Where the lowest age on the path counts, tables with ages or objects say so")
  func lowestOnPath() throws {
    let tables = try fieldTables(
      schema: "type Query { book: Book } type Book { id: ID @cacheControl(maxAge: 60), author: Author } "
        + "type Author { name: String }",
      "query Q { book { id author { name } ...F } } fragment F on Book { id }"
    ) { $0.rendering.maxAgeRule = .lowestOnPath }
    #expect(
      tables == [
        "QQuery.Data": "2 book <min>", "QQuery.Data.Book": "2 __typename author ... <min>",
        "QQuery.Data.Book.Author": "1 __typename name", "F": "2 __typename id#<60> <min>",
      ])
  }

  @Test("No module gets a type because of a scope")
  func scope() throws {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.redirect(to: "out", part: .schemaTypes)
    let code = Pipeline.generate(
      schema: [
        Source("type Query @cacheControl(maxAge: 1, scope: PRIVATE) { a: Int, b: B } enum B { C }", name: "s.graphqls")
      ],
      operations: [Source("query Q { a @cacheControl(maxAge: 2, scope: PUBLIC) }", name: "Q.graphql")],
      configuration: configuration)
    let text = try #require(code.value).schema.text
    #expect(text.contains("enum B") && !text.contains("CacheControl"))
    #expect(code.diagnostics.isEmpty)
  }
}
