import ApolloMocks
import Testing

@Suite("Values of a mock")
struct SchemaValueTests {
  static let definitions = """
    type Query { hero: Character, heroes: [Character!]!, droid(id: ID!): Droid, me: User, count(of: String): Int! }
    interface Character { id: ID!, name: String! }
    type Human implements Character { id: ID!, name: String!, home: Planet }
    type Droid implements Character { id: ID!, name: String!, function: String }
    type Planet { name: String!, terrain: String }
    type User { id: ID!, name: String!, friends: [User!]!, joined: DateTime }
    scalar DateTime
    """

  @Test func smoke() async throws {
    let schema = try MockSchema(Self.definitions)
    let result = await schema.execute(
      "{ hero { __typename id name ... on Human { home { name } } } heroes { id name } droid(id: 7) { id name } me { id name friends { id name } joined } count(of: \"x\") }")
    print(String(decoding: result.json, as: UTF8.self))
    #expect(result.errors.isEmpty)
  }
}
