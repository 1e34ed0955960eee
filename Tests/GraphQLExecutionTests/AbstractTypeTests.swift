import GraphQLExecution
import Testing

/// [6.4.3](https://spec.graphql.org/September2025/#sec-Value-Completion.Resolving-Abstract-Types)
@Suite("Abstract types")
struct AbstractTypeTests {
  static let definitions = """
    type Query { pet: Pet, either: DogOrQuery }
    interface Pet { name: String }
    type Dog implements Pet { name: String }
    type Cat implements Pet { name: String }
    type Rock { name: String }
    union DogOrQuery = Dog | Query
    """

  @Test("The member __typename says the type of an interface or union")
  func typename() async throws {
    let api = try makeAPI(Self.definitions)
    let dog: GraphQLValue = ["__typename": "Dog", "name": "Odie"]
    let result = try await api.run(
      "{ pet { __typename name } either { ... on Dog { name } ... on Query { pet { name } } } }",
      rootValue: ["pet": dog, "either": dog])
    #expect(result.text == #"{"data":{"pet":{"__typename":"Dog","name":"Odie"},"either":{"name":"Odie"}}}"#)
  }

  @Test("A type resolver goes before the member __typename")
  func typeResolver() async throws {
    let api = try makeAPI(
      Self.definitions, typeResolvers: ["Pet": { value in value["lives"] == 9 ? "Cat" : nil }])
    let cat = try await api.run("{ pet { __typename } }", rootValue: ["pet": ["lives": 9, "__typename": "Dog"]])
    #expect(cat.data == ["pet": ["__typename": "Cat"]])
    let other = try await api.run("{ pet { __typename } }", rootValue: ["pet": ["__typename": "Dog"]])
    #expect(other.data == ["pet": nil])
  }

  @Test(
    "A value whose type is not clear is an error",
    arguments: [
      (
        nil,
        #"Abstract type "Pet" must resolve to an Object type at runtime for field "Query.pet". Either "Pet" should have a type resolver or its values a member "__typename"."#
      ),
      ("Horse", #"Abstract type "Pet" was resolved to a type "Horse" that does not exist inside the schema."#),
      ("String", #"Abstract type "Pet" was resolved to a non-object type "String"."#),
      ("Pet", #"Abstract type "Pet" was resolved to a non-object type "Pet"."#),
      ("Rock", #"Runtime Object type "Rock" is not a possible type for "Pet"."#),
    ] as [(String?, String)])
  func unclear(_ name: String?, _ message: String) async throws {
    let api = try makeAPI(Self.definitions)
    let pet: GraphQLValue = .object(["__typename": name.map(GraphQLValue.string) ?? .null])
    let result = try await api.run("{ pet { name } }", rootValue: ["pet": pet])
    #expect(result.data == ["pet": nil])
    #expect(result.messages == [message])
    #expect(result.errors[0].path == ["pet"])
  }

  @Test("What a type resolver throws is an error of the field")
  func failingTypeResolver() async throws {
    let api = try makeAPI(
      Self.definitions, typeResolvers: ["Pet": { _ in throw ExecutionError("We are testing this error") }])
    let result = try await api.run("{ pet { name } }", rootValue: ["pet": [:]])
    #expect(result.messages == ["We are testing this error"])
    #expect(result.data == ["pet": nil])
  }
}
