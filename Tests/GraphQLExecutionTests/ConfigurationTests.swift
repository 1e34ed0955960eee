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
    "Default values that need each other, once or twice, are refused",
    arguments: [
      ("input A { a: A = {} }", ["A.a"]), ("input A { a: A = {} b: A = {} }", ["A.a", "A.b"]),
      ("input A { b: B = {} } input B { a: [A] = [{}] }", ["A.b", "B.a"]),
    ])
  func cyclicDefaults(_ types: String, _ fields: [String]) throws {
    let error = #expect(throws: ExecutableSchemaError.self) {
      _ = try makeAPI("type Query { e(a: A = {}): Int } \(types)")
    }
    let text = error?.description ?? ""
    #expect(text.contains("Invalid circular reference") && fields.allSatisfy { text.contains($0) }, "\(text)")
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
