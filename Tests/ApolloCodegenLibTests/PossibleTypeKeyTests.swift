import ApolloCodegenLib
import ApolloDirectives
import ApolloIR
import Foundation
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("Keys of possible types") struct PossibleTypeKeyTests {
  static let schema = """
    type Query { any: [Item!]!, item: Item, node: Node, named: Named, other: Result, box: Box }
    interface Node @typePolicy(keyFields: "id") { id: ID! }
    interface Named { name: String!, code: String! }
    type Book implements Named @typePolicy(keyFields: "isbn edition") {
      isbn: String!, edition: Int!, title: String!, name: String!, code: String!, item: Item
    }
    type Pen implements Named @typePolicy(keyFields: "code") { name: String!, code: String!, color: String, isbn: Int }
    type Shelf implements Node { id: ID!, number: Int, items: [Item!] }
    type Room implements Node { id: ID!, door: Int }
    type Dust { grams: Int }
    type Box { item: Item, inner: Box }
    union Item = Book | Pen | Shelf | Dust
    union Result = Shelf | Room | Dust
    """

  /// What is sent for a selection of the query.
  static func sent(_ selection: String, _ fragments: String = "", schema: String = schema) throws -> String {
    let start = "query Q($a: Boolean!) { __typename @skip(if: $a) ", query = start + selection + " }"
    let program = try lower(schema: schema, query + fragments)
    let text = try #require(program.operations.first).document.text
    let options = Validator.Options()
    let document = Parser.parse(text, name: "sent").value
    let valid = Validator.validate(
      document, against: try #require(Pipeline.schema(from: [Source(schema, name: "s.graphqls")]).value).value,
      options: options)
    #expect(valid.diagnostics.filter { $0.severity == .error } == [], "\(text)")
    #expect(!text.contains("__added") && !text.contains("__keys"))
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    #expect(parts[0].hasPrefix(start) && parts[0].hasSuffix(" }"))
    return ([String(parts[0].dropFirst(start.count).dropLast(2))] + parts.dropFirst()).joined(separator: "\n")
  }

  static let rest = "... on Pen { code } ... on Shelf { id }"

  @Test("The key fields of each possible type are selected, and those that have their own fragment have them there")
  func union() throws {
    #expect(
      try Self.sent("any { __typename }")
        == "any { __typename ... on Book { isbn edition } \(Self.rest) }")
    #expect(
      try Self.sent("any { ... on Book { title } ... on Dust { grams } }")
        == "any { __typename \(Self.rest) ... on Book { isbn edition title } ... on Dust { grams } }")
  }

  @Test("A field that an interface has is selected without a fragment")
  func interface() throws {
    #expect(
      try Self.sent("named { name }") == "named { __typename code ... on Book { isbn edition } name }")
    #expect(
      try Self.sent("named { name code }") == "named { __typename ... on Book { isbn edition } name code }")
  }

  @Test("Types with the same key and an interface in common are one fragment; one type is a fragment by itself")
  func commonInterface() throws {
    #expect(try Self.sent("other { __typename }") == "other { __typename ... on Node { id } }")
    #expect(
      try Self.sent("other { ... on Room { door } }")
        == "other { __typename ... on Shelf { id } ... on Room { id door } }")
    // The policies need not be those of the interface.
    #expect(
      try Self.sent(
        "any { __typename }",
        schema: """
          type Query { any: Any } union Any = A | B | C | D
          interface Node { id: ID! } interface Other { id: ID!, code: ID! }
          type A implements Node @typePolicy(keyFields: "id") { id: ID! }
          type B implements Node & Other @typePolicy(keyFields: "id") { id: ID!, code: ID! }
          type C implements Node & Other @typePolicy(keyFields: "code") { id: ID!, code: ID! }
          type D implements Other @typePolicy(keyFields: "code") { id: ID!, code: ID! }
          """) == "any { __typename ... on Node { id } ... on Other { code } }")
  }

  @Test("A fragment on an interface that is selected already takes the field")
  func host() throws {
    #expect(
      try Self.sent("any { ... on Named { name } }")
        == "any { __typename ... on Book { isbn edition } ... on Shelf { id } ... on Named { name code } }")
    #expect(
      try Self.sent("any { ... on Node { id } ... on Named { code name ... on Book { isbn edition } } }")
        == "any { __typename ... on Node { id } ... on Named { code name ... on Book { isbn edition } } }")
  }

  @Test("Named fragments count with what is added to them, and are on one type or on several")
  func fragments() throws {
    #expect(
      try Self.sent(
        "any { ...BookCard ...NamedCard ...ShelfCard }",
        """
        fragment BookCard on Book { title } fragment NamedCard on Named { name }
        fragment ShelfCard on Shelf { number items { ...NamedCard } }
        """)
          == """
          any { __typename ...BookCard ...NamedCard ...ShelfCard }
          fragment BookCard on Book { __typename isbn edition title }
          fragment NamedCard on Named { __typename code ... on Book { isbn edition } name }
          fragment ShelfCard on Shelf { __typename id number items { __typename ... on Shelf { id } ...NamedCard } }
          """)
  }

  @Test(
    "What may be left out, or comes later, does not count",
    arguments: [
      "@include(if: $a)", "@skip(if: $a)", "@defer(label: \"l\")",
    ])
  func conditions(directive: String) throws {
    let schema =
      Self.schema + " directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT"
    #expect(
      try Self.sent("any { ... on Book \(directive) { title } }", schema: schema)
        == "any { __typename ... on Book { isbn edition } \(Self.rest) ... on Book \(directive) { isbn edition title } }"
    )
    #expect(
      try Self.sent("any { ...F \(directive) }", " fragment F on Shelf { number }", schema: schema)
        == """
        any { __typename ... on Book { isbn edition } \(Self.rest) ...F \(directive) }
        fragment F on Shelf { __typename id number }
        """)
  }

  @Test("A field under a condition is selected without it, as it is where all types share the key")
  func conditionalField() throws {
    #expect(
      try Self.sent("named { name code @include(if: $a) }")
        == "named { __typename code ... on Book { isbn edition } name code @include(if: $a) }")
  }

  @Test("__typename is in the new fragments as well, if it is in all of the document's")
  func safelists() throws {
    let program = try lower(
      schema: Self.schema, "query Q { other { __typename } }", isCompatibleWithLegacySafelists: true)
    #expect(program.operations[0].document.text == "query Q { other { __typename ... on Node { __typename id } } }")
  }

  // MARK: Names that are taken

  static func warnings(_ text: String) throws -> [Diagnostic] {
    let code = Pipeline.generate(
      schema: [Source(schema, name: "s.graphqls")], operations: [Source(text, name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
    #expect(code.value != nil)
    return code.diagnostics
  }

  @Test(
    "Where an alias has the name of a key field, the types with that key are left out, and a warning says so",
    arguments: [
      ("item { ... on Pen { isbn } }", "item { __typename ... on Shelf { id } ... on Pen { code isbn } }", "isbn"),
      (
        "item { ... on Named { isbn: name } }",
        "item { __typename ... on Shelf { id } ... on Named { isbn: name code } }", "isbn: name"
      ),
      (
        "item { ... on Dust { isbn: grams } }",
        "item { __typename ... on Pen { code } ... on Shelf { id } ... on Dust { isbn: grams } }", "isbn: grams"
      ),
      // One field is selected twice, and its selections are merged.
      (
        "box { item { __typename } ... on Box { item { ... on Dust { isbn: grams } } } }",
        "box { __typename item { __typename \(rest) } "
          + "... on Box { item { __typename \(rest) ... on Dust { isbn: grams } } } }", "isbn: grams"
      ),
    ])
  func conflicts(selection: String, wanted: String, alias: String) throws {
    #expect(try Self.sent(selection) == wanted)
    let text = "query Q { \(selection) }"
    let warnings = try Self.warnings(text)
    #expect(Set(warnings.map(\.code)) == [.unselectedKeyField] && warnings.allSatisfy { $0.severity == .warning })
    #expect(warnings.allSatisfy { $0.message.contains("\"isbn\"") && $0.message.contains("\"Book\"") })
    let place = text.range(of: alias, options: .backwards)
    #expect(
      warnings.contains {
        Int($0.span.start) == place.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
      }, "\(warnings)")
  }

  @Test("An alias with the name of a key field on the type of the key is an error, as before")
  func keyFieldAlias() throws {
    let code = Pipeline.generate(
      schema: [Source(Self.schema, name: "s.graphqls")],
      operations: [Source("query Q { item { ... on Book { isbn: title } } }", name: "Q.graphql")],
      configuration: ApolloCodegenConfiguration())
    #expect(code.diagnostics.map(\.code) == [.keyFieldAlias])
  }

  // MARK: Shapes

  @Test("What is added is not a member, and the shape tells the key of each type")
  func shape() throws {
    let program = try lower(
      schema: Self.schema, "query Q { any { ... on Book { title } ...NodeCard } } fragment NodeCard on Node { id }")
    guard case .field(let field)? = program.operations[0].shape.members.first, let shape = field.shape else {
      Issue.record("There is no field.")
      return
    }
    #expect(
      shape.keys.map { "\($0.types) \($0.fields)" } == [
        #"["Book"] ["isbn", "edition"]"#, #"["Pen"] ["code"]"#, #"["Shelf"] ["id"]"#,
      ])
    #expect(shape.keyFields.map(\.name) == ["code"])
    #expect(
      shape.members.map(\.key) == [.fragment("NodeCard"), .inlineFragment("Book"), .inlineFragment("Node")])
    guard case .inlineFragment(let book) = shape.members[1] else { return }
    #expect(book.shape.members.map(\.key) == [.field("isbn"), .field("edition"), .field("title")])
    #expect(book.shape.keys == [] && book.shape.keyFields == [])
  }

  @Test("A key that all types of an interface share is told as before")
  func sharedKey() throws {
    let program = try lower(schema: Self.schema, "query Q { node { __typename } }")
    guard case .field(let field)? = program.operations[0].shape.members.first, let shape = field.shape else { return }
    #expect(shape.keys == [] && shape.keyFields == [] && shape.members.map(\.key) == [.field("id")])
  }
}
