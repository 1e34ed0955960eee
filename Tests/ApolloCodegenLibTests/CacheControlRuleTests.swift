import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// What is wrong with `@cacheControl`, and where.
@Suite("Checks of ages") struct CacheControlRuleTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var schema: String
    var query: String
    var messages: [String]

    init(_ claim: String, schema: String = "", query: String = "query Q { book { title } }", _ messages: String...) {
      testDescription = claim
      self.schema = schema
      self.query = query
      self.messages = messages
    }
  }

  /// Extensions and queries are for this schema.
  static let library = """
    type Query { book: Book }
    interface Node { id: ID, rank: Int }
    interface Item { id: ID, rank: Int }
    type Book implements Node & Item { id: ID, rank: Int, title: String, author: Author }
    type Author { name: String }
    type Mutation { add: Book, count: Int }
    type Subscription { count: Int }

    """

  static let invalid: [Mistake] = [
    Mistake(
      "A maxAge is not negative", schema: "extend type Book @cacheControl(maxAge: -1)",
      "more.graphqls:1:18: error: A maxAge cannot be negative, as -1 is."),
    Mistake(
      "A maxAge is not negative, in an operation either",
      query: "query Q { book { title @cacheControl(maxAge: -1) } }",
      "Q.graphql:1:24: error: A maxAge cannot be negative, as -1 is."),
    Mistake(
      "A maxAge fits into an Int", schema: "extend type Book @cacheControl(maxAge: 2147483648)",
      "more.graphqls:1:18: error: 2147483648 is too large: a maxAge is at most 2147483647 seconds."),
    Mistake(
      "A maxAge fits into an Int, in an operation by the rule for all values",
      query: "query Q { book { title @cacheControl(maxAge: 2147483648) } }",
      "Q.graphql:1:46: error: Int cannot represent non 32-bit signed integer value: 2147483648"),
    Mistake("The greatest number is an age", schema: "extend type Book @cacheControl(maxAge: 2147483647)"),
    Mistake(
      "A maxAge is a number", schema: "extend type Book @cacheControl(maxAge: \"1h\")",
      "more.graphqls:1:18: error: \"1h\" is not an age: a maxAge is a whole number of seconds."),
    Mistake(
      "A maxAge is a number, in an operation by the rule for all values",
      query: "query Q { book { title @cacheControl(maxAge: 1.5) } }",
      "Q.graphql:1:46: error: Int cannot represent non-integer value: 1.5"),
    Mistake(
      "A maxAge is not a variable", query: "query Q($age: Int) { book { title @cacheControl(maxAge: $age) } }",
      "Q.graphql:1:35: error: \"maxAge\" cannot be \"$age\": the generator reads it, and no server does."),
    Mistake(
      "A directive says something", schema: "extend type Book @cacheControl",
      "more.graphqls:1:18: error: @cacheControl has neither a maxAge nor inheritMaxAge: true. "
        + "Write a number of seconds: @cacheControl(maxAge: 60)."),
    Mistake(
      "Not to inherit says nothing",
      schema: "extend type Book @cacheControlField(name: \"title\", inheritMaxAge: false)",
      "more.graphqls:1:18: error: @cacheControlField has neither a maxAge nor inheritMaxAge: true. "
        + "Write a number of seconds: @cacheControlField(name: \"title\", maxAge: 60)."),
    Mistake("A scope is for servers", schema: "extend type Book @cacheControl(scope: PRIVATE)"),
    Mistake(
      "A scope says nothing in an operation", query: "query Q { book { title @cacheControl(scope: PRIVATE) } }",
      "Q.graphql:1:24: error: @cacheControl has neither a maxAge nor inheritMaxAge: true. "
        + "Write a number of seconds: @cacheControl(maxAge: 60)."),
    Mistake(
      "An age is not both", schema: "extend type Book @cacheControl(maxAge: 1, inheritMaxAge: true)",
      "more.graphqls:1:18: error: @cacheControl has both a maxAge and inheritMaxAge: true, which contradict each other. "
        + "Remove one of them."),
    Mistake(
      "Flags are true or false", schema: "extend type Book @cacheControl(inheritMaxAge: 1)",
      "more.graphqls:1:18: error: 1 is neither true nor false."),
    Mistake(
      "A field that there is not has a similar one",
      schema: "extend type Book @cacheControlField(name: \"titel\", maxAge: 1)",
      "more.graphqls:1:18: error: The type \"Book\" has no field \"titel\" to have an age. Did you mean \"title\"?"),
    Mistake(
      "A field is named", schema: "extend type Book @cacheControlField(maxAge: 1)",
      "more.graphqls:1:18: warning: Argument \"@cacheControlField(name:)\" of type \"String!\" is required, but it was not "
        + "provided.",
      "more.graphqls:1:18: error: @cacheControlField needs the name of a field. "
        + "Write @cacheControlField(name: \"…\", maxAge: 60)."),
    Mistake(
      "A field has one age, in its definition or beside it",
      schema: "extend type Book @cacheControlField(name: \"x\", maxAge: 1) { x: Int @cacheControl(maxAge: 1) }",
      "more.graphqls:1:18: error: \"Book.x\" has more than one age. Remove one of them.",
      "more.graphqls:1:68: note: the first is here"),
    Mistake(
      "A field has one age beside its definition",
      schema: "extend type Book @cacheControlField(name: \"title\", maxAge: 1) "
        + "extend type Book @cacheControlField(name: \"title\", maxAge: 2)",
      "more.graphqls:1:80: error: \"Book.title\" has more than one age. Remove one of them.",
      "more.graphqls:1:18: note: the first is here"),
    Mistake(
      "A type has one age",
      schema: "extend type Book @cacheControl(maxAge: 1) extend type Book @cacheControl(maxAge: 2)",
      "more.graphqls:1:60: warning: The directive \"@cacheControl\" can only be used once at this location.",
      "more.graphqls:1:18: note: first used here",
      "more.graphqls:1:60: error: \"Book\" has more than one age. Remove one of them.",
      "more.graphqls:1:18: note: the first is here"),
    Mistake(
      "A scope in the definition of a field stands beside its age",
      schema: "extend type Book @cacheControlField(name: \"x\", maxAge: 1) { x: Int @cacheControl(scope: PRIVATE) }"),
    Mistake(
      "Selections of operations have one age",
      query: "query Q { book { title @cacheControl(maxAge: 1) @cacheControl(maxAge: 2) } }",
      "Q.graphql:1:49: error: The directive \"@cacheControl\" can only be used once at this location.",
      "Q.graphql:1:24: note: first used here"),
    Mistake(
      "Under another name the same is wrong",
      schema: """
        extend schema @link(url: "https://specs.apollo.dev/cache/v0.4", import: [{ name: "@cacheControl", as: "@ttl" }])
        extend type Book @ttl(maxAge: -1)
        extend type Author @ttl { age: Int @ttl(inheritMaxAge: true) }
        """,
      query:
        "query Q { book { title @ttl(maxAge: -2) id @ttl(maxAge: 1) @cacheControl(maxAge: 2) rank @ttl(max: 1) } }",
      "more.graphqls:2:18: error: A maxAge cannot be negative, as -1 is.",
      "more.graphqls:3:20: error: @ttl has neither a maxAge nor inheritMaxAge: true. "
        + "Write a number of seconds: @ttl(maxAge: 60).",
      "more.graphqls:3:36: warning: @ttl has no effect here. \"age\" is a leaf, which has the age of its object anyway.",
      "Q.graphql:1:24: error: A maxAge cannot be negative, as -2 is.",
      "Q.graphql:1:60: error: \"id\" has more than one age. Remove one of them.",
      "Q.graphql:1:44: note: the first is here",
      "Q.graphql:1:90: error: @ttl has neither a maxAge nor inheritMaxAge: true. "
        + "Write a number of seconds: @ttl(maxAge: 60).",
      "Q.graphql:1:95: error: Unknown argument \"max\" on directive \"@ttl\"."),
  ]

  static let conflicts: [Mistake] = [
    Mistake(
      "Interfaces agree on the age of a type",
      schema: "extend interface Node @cacheControl(maxAge: 1) extend interface Item @cacheControl(maxAge: 2)",
      "schema.graphqls:4:6: error: \"Book\" may be 1 second old as a \"Node\", and 2 seconds old as a \"Item\". "
        + "Give it an age of its own: extend type Book @cacheControl(maxAge: …)",
      "more.graphqls:1:23: note: as a \"Node\"", "more.graphqls:1:70: note: as a \"Item\""),
    Mistake(
      "Interfaces agree on the age of a field",
      schema: "extend interface Node @cacheControlField(name: \"rank\", maxAge: 1) "
        + "extend interface Item @cacheControlField(name: \"rank\", inheritMaxAge: true)",
      "more.graphqls:1:89: warning: @cacheControlField has no effect here. \"rank\" is a leaf, which has the age of its object anyway.",
      "schema.graphqls:4:6: error: \"Book.rank\" may be 1 second old as a \"Node\", and as old as its parent as a "
        + "\"Item\". Give it an age of its own: extend type Book @cacheControlField(name: \"rank\", maxAge: …)",
      "more.graphqls:1:23: note: as a \"Node\"", "more.graphqls:1:89: note: as a \"Item\""),
    Mistake(
      "A type that has its own age need not care for its interfaces",
      schema: "extend interface Node @cacheControl(maxAge: 1) extend interface Item @cacheControl(maxAge: 2) "
        + "extend type Book @cacheControl(maxAge: 3)"),
    Mistake(
      "Interfaces may say the same",
      schema: "extend interface Node @cacheControl(maxAge: 1) extend interface Item @cacheControl(maxAge: 1)"),
    Mistake(
      "A contradiction of an interface is reported there only",
      schema: "interface Both implements Node & Item { id: ID, rank: Int } "
        + "type One implements Both & Node & Item { id: ID, rank: Int } "
        + "extend type Book @cacheControl(maxAge: 3) "
        + "extend interface Node @cacheControl(maxAge: 1) extend interface Item @cacheControl(maxAge: 2)",
      "more.graphqls:1:11: error: \"Both\" may be 1 second old as a \"Node\", and 2 seconds old as a \"Item\". "
        + "Give it an age of its own: extend interface Both @cacheControl(maxAge: …)",
      "more.graphqls:1:186: note: as a \"Node\"", "more.graphqls:1:233: note: as a \"Item\""),
    Mistake(
      "Selections that are merged have one age",
      query:
        "query Q { book { title @cacheControl(maxAge: 1) ... on Node { ... on Book { title @cacheControl(maxAge: 2) } } } }",
      "Q.graphql:1:83: error: \"title\" has different ages in selections that are merged. "
        + "Give both the same age, or one of the fields an alias.",
      "Q.graphql:1:24: note: the other one"),
    Mistake(
      "Selections that are merged have one age, in fragments and further down",
      query: "query Q { book { author { name @cacheControl(maxAge: 1) } } ...F } "
        + "fragment F on Query { book { author { name @cacheControl(inheritMaxAge: true) } } }",
      "Q.graphql:1:111: warning: @cacheControl has no effect here. \"name\" is a leaf, which has the age of its object anyway.",
      "Q.graphql:1:111: error: \"name\" has different ages in selections that are merged. "
        + "Give both the same age, or one of the fields an alias.",
      "Q.graphql:1:32: note: the other one"),
    Mistake(
      "Selections on types that no object has both may have different ages",
      schema: "extend type Query { node: Node } type Pen implements Node { id: ID, rank: Int }",
      query:
        "query Q { node { ... on Book { id @cacheControl(maxAge: 1) } ... on Pen { id @cacheControl(maxAge: 2) } } }"),
    Mistake(
      "Selections with one age, or with other names, are fine",
      query: "query Q { book { id @cacheControl(maxAge: 1) ...F } } "
        + "fragment F on Node { id @cacheControl(maxAge: 1) other: id @cacheControl(maxAge: 2) }"),
  ]

  static let ineffective: [Mistake] = [
    Mistake(
      "What mutations and subscriptions return has no age",
      schema: "extend type Mutation @cacheControl(maxAge: 1) @cacheControlField(name: \"add\", maxAge: 2) "
        + "extend type Subscription { x: Int @cacheControl(inheritMaxAge: true) }",
      query: "mutation M { count @cacheControl(maxAge: 3) } subscription S { ...F } "
        + "fragment F on Subscription { count @cacheControl(maxAge: 4) }",
      "more.graphqls:1:22: warning: @cacheControl has no effect here. What a mutation returns is not read from the cache.",
      "more.graphqls:1:47: warning: @cacheControlField has no effect here. What a mutation returns is not read from the cache.",
      "more.graphqls:1:124: warning: @cacheControl has no effect here. What a subscription returns is not read from the cache.",
      "Q.graphql:1:20: warning: @cacheControl has no effect here. What a mutation returns is not read from the cache.",
      "Q.graphql:1:106: warning: @cacheControl has no effect here. What a subscription returns is not read from the cache."
    ),
    Mistake(
      "A leaf inherits without being told",
      schema: "extend type Book @cacheControlField(name: \"rank\", inheritMaxAge: true)",
      query: "query Q { book { title @cacheControl(inheritMaxAge: true) } }",
      "more.graphqls:1:18: warning: @cacheControlField has no effect here. \"rank\" is a leaf, which has the age of its object anyway.",
      "Q.graphql:1:24: warning: @cacheControl has no effect here. \"title\" is a leaf, which has the age of its object anyway."
    ),
    Mistake(
      "Servers say what they like in the definitions of their types: that is a note",
      schema: "type Pen { color: Int @cacheControl(inheritMaxAge: true), size: Int } "
        + "extend type Pen @cacheControlField(name: \"size\", inheritMaxAge: true)",
      "more.graphqls:1:23: note: @cacheControl has no effect here. \"color\" is a leaf, which has the age of its object anyway.",
      "more.graphqls:1:87: warning: @cacheControlField has no effect here. \"size\" is a leaf, which has the age of its object anyway."
    ),
    Mistake(
      "A leaf that inherits has no other age, which is an effect",
      schema: "extend interface Node @cacheControlField(name: \"rank\", maxAge: 1) "
        + "extend type Book @cacheControlField(name: \"rank\", inheritMaxAge: true) "
        + "@cacheControlField(name: \"title\", maxAge: 1)",
      query: "query Q { book { title @cacheControl(inheritMaxAge: true) } }"),
    Mistake(
      "The root of queries is in no other object", schema: "extend type Query @cacheControl(inheritMaxAge: true)",
      "more.graphqls:1:19: warning: @cacheControl has no effect here. There is nothing around the root of queries to inherit from."
    ),
    Mistake(
      "The name of a type does not grow old", query: "query Q { book { __typename @cacheControl(maxAge: 1) } }",
      "Q.graphql:1:29: warning: @cacheControl has no effect here. \"__typename\" is a part of every schema, and does not grow old."
    ),
  ]

  @Test("What is wrong is said with its place", arguments: invalid + conflicts + ineffective)
  func mistake(_ mistake: Mistake) {
    let schema =
      [Source(Self.library, name: "schema.graphqls")]
      + (mistake.schema.isEmpty ? [] : [Source(mistake.schema, name: "more.graphqls")])
    let operations = [Source(mistake.query, name: "Q.graphql")]
    let checked = Pipeline.check(schema: schema, operations: operations, configuration: ApolloCodegenConfiguration())
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap(schema + operations))
    let messages = renderer.render(checked.diagnostics).split(separator: "\n").map(String.init)
    #expect(messages == mistake.messages)
  }
}
