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
}
