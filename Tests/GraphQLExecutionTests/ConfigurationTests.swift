import GraphQLExecution
import Testing

@Suite("Making an executable schema")
struct ConfigurationTests {
  @Test("Names that the schema does not have are refused with a suggestion")
  func unknownNames() throws {
    let definitions = """
      type Query { hero: Character } type Subscription { added: Int }
      interface Character { name: String } type Droid implements Character { name: String }
      scalar Date
      """
    let error = #expect(throws: ExecutableSchemaError.self) {
      _ = try makeAPI(
        definitions,
        resolvers: [
          "Query.heroo": { _ in nil }, "Character.name": { _ in nil }, "Nope": { _ in nil }, "Droid.name": { _ in nil },
        ],
        subscriptions: ["Query.hero": { _ in EventStream(AsyncStream { $0.finish() }) }],
        typeResolvers: ["Droid": { _ in nil }], scalars: ["Daet": ScalarCoercion()])
    }
    #expect(
      error?.description == """
        resolvers: the schema has no "Character.name" that is a field of an object type.
        resolvers: the schema has no "Nope" that is a field of an object type.
        resolvers: the schema has no "Query.heroo" that is a field of an object type. Did you mean "Query.hero"?
        scalars: the schema has no "Daet" that is a scalar type. Did you mean "Date"?
        subscriptions: the schema has no "Query.hero" that is a field of the subscription type.
        typeResolvers: the schema has no "Droid" that is an abstract type.
        """)
  }

  @Test(
    "A default value that needs itself, once or twice, is an error where it is needed, and nowhere else",
    arguments: [
      ("input A { a: A = {} }", "A.a"), ("input A { a: A = {} b: A = {} }", "A.a"),
      ("input A { b: B = {} } input B { a: [A] = [{}] }", "A.b"),
      ("input A { a: A = null b: A = { a: {} } }", "A.b"),
    ])
  func cyclicDefaults(_ types: String, _ field: String) async throws {
    var api = try makeAPI(
      "type Query { f: Int, e(a: A): Int, d(a: A = {}): Int } \(types)",
      resolvers: ["Query.f": { _ in 1 }, "Query.e": { _ in 2 }, "Query.d": { _ in 3 }])
    let reason = "The default value of \"\(field)\" needs itself."
    let fine = try await api.run("query ($a: A) { f e(a: $a) d(a: null) }", variables: ["a": nil])
    #expect(fine.text == #"{"data":{"f":1,"e":2,"d":3}}"#)
    for query in ["{ f d }", "{ f e(a: {}) }"] {
      let result = try await api.run(query)
      #expect(result.data?["f"] == 1)
      #expect(result.messages.count == 1 && result.messages[0].hasSuffix(reason), "\(result.messages)")
    }
    let given = try await api.run("query ($a: A) { e(a: $a) }", variables: ["a": [:]])
    #expect(given.messages.first?.hasSuffix(reason) == true, "\(given.messages)")
    for refuses in [true, false] {
      api.refusesInvalidDefaults = refuses
      let result = try await api.run("query ($a: A = {}) { e(a: $a) }")
      #expect(result.messages.count == 1 && result.messages[0].hasSuffix(reason), "\(result.messages)")
    }
  }

  @Test("Default values that contain others, with an end, are taken")
  func nestedDefaults() async throws {
    let api = try makeAPI(
      """
      type Query { e(a: A = {}): Any } scalar Any
      input A { b: B = {}, c: B = {} } input B { a: A = null, i: Int = 1 }
      """,
      resolvers: ["Query.e": { $0.arguments["a"] ?? .null }])
    let expected: GraphQLValue = ["b": ["a": nil, "i": 1], "c": ["a": nil, "i": 1]]
    #expect(try await api.run("{ e }").data?["e"] == expected)
  }
}
