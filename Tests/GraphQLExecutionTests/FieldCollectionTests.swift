import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.3.2](https://spec.graphql.org/September2025/#sec-Field-Collection)
@Suite("Collecting fields")
struct FieldCollectionTests {
  let api: ExecutableSchema
  let root: GraphQLValue = [
    "a": "A", "b": "B", "pet": ["__typename": "Dog", "name": "Odie", "barks": true, "owner": ["name": "Jon"]],
  ]

  init() throws {
    api = try makeAPI(
      """
      type Query { a: String, b: String, pet: Pet, animal: Animal, self: Query }
      interface Animal { name: String }
      interface Pet implements Animal { name: String, owner: Person }
      type Dog implements Pet & Animal { name: String, owner: Person, barks: Boolean }
      type Cat implements Pet & Animal { name: String, owner: Person, meows: Boolean }
      type Person { name: String }
      union DogOrPerson = Dog | Person
      """)
  }

  private func run(_ query: String, _ variables: GraphQLValue.Object = [:]) async throws -> String {
    try await api.run(query, variables: variables, rootValue: root).text
  }

  @Test("Fields answer in the order in which they are first met, by their aliases")
  func order() async throws {
    let text = try await run("{ b ...F x: a } fragment F on Query { a b }")
    #expect(text == #"{"data":{"b":"B","a":"A","x":"A"}}"#)
  }

  @Test("Selections of one response key are merged")
  func merging() async throws {
    let query =
      "{ pet { owner { name } } pet { name owner { __typename } ...F } } fragment F on Pet { owner { n: name } }"
    #expect(
      try await run(query)
        == #"{"data":{"pet":{"owner":{"name":"Jon","__typename":"Person","n":"Jon"},"name":"Odie"}}}"#)
  }

  @Test(
    "A fragment applies to its own type, to the interfaces and to the unions of the object",
    arguments: [
      ("Dog", true), ("Pet", true), ("Animal", true), ("DogOrPerson", true), ("Cat", false), ("Missing", false),
    ])
  func typeConditions(_ type: String, _ applies: Bool) async throws {
    let expected = applies ? #"{"data":{"pet":{"t":"Dog"}}}"# : #"{"data":{"pet":{}}}"#
    #expect(try await run("{ pet { ... on \(type) { t: __typename } } }") == expected)
    #expect(try await run("{ pet { ...F } } fragment F on \(type) { t: __typename }") == expected)
  }

  @Test(
    "A selection is there unless it is skipped or not included",
    arguments: [
      ("@include(if: true)", true), ("@include(if: false)", false), ("@skip(if: false)", true),
      ("@skip(if: true)", false),
      ("@include(if: true) @skip(if: true)", false), ("@include(if: true) @skip(if: false)", true),
      ("@include(if: $yes)", true), ("@skip(if: $yes)", false), ("@unknown", true),
    ])
  func conditions(_ directives: String, _ isThere: Bool) async throws {
    for selection in ["a \(directives)", "... \(directives) { a }", "...F \(directives)"] {
      let text = try await run(
        "query ($yes: Boolean!) { b \(selection) } fragment F on Query { a }", ["yes": true])
      #expect(text == (isThere ? #"{"data":{"b":"B","a":"A"}}"# : #"{"data":{"b":"B"}}"#))
    }
  }

  @Test("A fragment that is skipped in one place counts in another")
  func skippedSpread() async throws {
    let text = try await run("{ ...F @skip(if: true) b ...F } fragment F on Query { a }")
    #expect(text == #"{"data":{"b":"B","a":"A"}}"#)
  }

  @Test("A condition that is not a Boolean fails the object that it is in")
  func badCondition() async throws {
    let result = try await api.run("{ a pet { name @include(if: \"x\") } }", rootValue: root)
    #expect(result.data == ["a": "A", "pet": nil])
    #expect(result.messages == [#"Argument "if" has invalid value "x"."#])
    #expect(result.errors[0].path == ["pet"])
    #expect(try await api.run("{ a @skip }").data == .null)
  }

  @Test("Unknown fields and fragments are left out")
  func unknown() async throws {
    #expect(try await run("{ a nope ...Nope }") == #"{"data":{"a":"A"}}"#)
  }

  @Test("Fragments that contain themselves end")
  func fragmentCycles() async throws {
    #expect(try await run("{ ...F } fragment F on Query { a ...G } fragment G on Query { b ...F }").contains("\"B\""))
  }

  @Test("A cycle of fragments through an endless object is cut off with an error")
  func endlessResponse() async throws {
    let api = try makeAPI("type Query { self: Query }", resolvers: ["Query.self": { _ in [:] }])
    let result = try await api.run("{ ...F } fragment F on Query { self { ...F } }")
    #expect(result.messages == ["The response nests deeper than 512 levels."])
  }

  @Test("A long chain of fragments is cut off with an error")
  func fragmentChain() async throws {
    let chain = (0..<20_000).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }.joined(separator: " ")
    let result = try await api.run("{ ...F0 } \(chain)")
    let maximum = Parser.Options.defaultMaximumDepth
    #expect(
      result.messages == [
        "Selections nest more than \(maximum) levels deep, with those of the fragments that are spread."
      ])
  }
}
