import GraphQLExecution
import GraphQLSchema
import Testing

/// [4](https://spec.graphql.org/September2025/#sec-Introspection)
@Suite("Introspection")
struct IntrospectionTests {
  let api: ExecutableSchema

  init() throws {
    api = try makeAPI(
      #"""
      "About all." schema { query: Root }
      type Root { pet(id: ID! = "1", old: Int @deprecated): Pet!, pets: [Pet!]! @deprecated(reason: "Use pet."), date: Date }
      "An animal." interface Pet { name: String }
      interface Beast implements Pet { name: String }
      type Dog implements Pet & Beast { name: String }
      union Any = Dog | Root
      enum Color { RED "grass" GREEN @deprecated }
      input Filter { color: Color = RED, names: [String!] = ["a"] }
      input Either @oneOf { a: Int, b: Color }
      scalar Date @specifiedBy(url: "https://example.com/date")
      directive @tag(name: String!) repeatable on FIELD | OBJECT
      """#)
  }

  private func type(_ name: String, _ selection: String) async throws -> GraphQLValue? {
    let result = try await api.run("{ __type(name: \"\(name)\") { \(selection) } }")
    #expect(result.messages == [])
    return result.data?["__type"]
  }

  @Test("The schema names its root types")
  func schema() async throws {
    let result = try await api.run(
      "{ __schema { description queryType { name } mutationType { name } subscriptionType { name } __typename } }")
    #expect(
      result.data?["__schema"] == [
        "description": "About all.", "queryType": ["name": "Root"], "mutationType": nil, "subscriptionType": nil,
        "__typename": "__Schema",
      ])
  }

  @Test("Built-in scalars are listed only where they are used")
  func usedScalars() async throws {
    let result = try await api.run("{ __schema { types { name } } }")
    let names = result.data?["__schema"]?["types"]?.list?.compactMap { $0["name"]?.string } ?? []
    #expect(
      Set(["Root", "Int", "ID", "String", "Boolean", "Date", "__Type", "__DirectiveLocation"]).isSubset(of: names))
    #expect(!names.contains("Float"))
    #expect(Set(names).count == names.count)
  }

  @Test(
    "Each kind of type has the fields of its kind, and null for the others",
    arguments: [
      (
        "Date", "kind specifiedByURL fields { name } enumValues { name } isOneOf",
        [
          "kind": "SCALAR", "specifiedByURL": "https://example.com/date", "fields": nil, "enumValues": nil,
          "isOneOf": nil,
        ]
      ),
      (
        "Dog", "kind interfaces { name } possibleTypes { name } inputFields { name }",
        [
          "kind": "OBJECT", "interfaces": [["name": "Pet"], ["name": "Beast"]], "possibleTypes": nil,
          "inputFields": nil,
        ]
      ),
      (
        "Pet", "kind description interfaces { name } possibleTypes { name }",
        ["kind": "INTERFACE", "description": "An animal.", "interfaces": [], "possibleTypes": [["name": "Dog"]]]
      ),
      (
        "Any", "kind fields { name } possibleTypes { name }",
        ["kind": "UNION", "fields": nil, "possibleTypes": [["name": "Dog"], ["name": "Root"]]]
      ),
      ("Color", "kind enumValues { name }", ["kind": "ENUM", "enumValues": [["name": "RED"]]]),
      (
        "Color", "enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }",
        [
          "enumValues": [
            ["name": "RED", "description": nil, "isDeprecated": false, "deprecationReason": nil],
            [
              "name": "GREEN", "description": "grass", "isDeprecated": true, "deprecationReason": "No longer supported",
            ],
          ]
        ]
      ),
      (
        "Filter", "kind isOneOf inputFields { name defaultValue }",
        [
          "kind": "INPUT_OBJECT", "isOneOf": false,
          "inputFields": [["name": "color", "defaultValue": "RED"], ["name": "names", "defaultValue": #"["a"]"#]],
        ]
      ),
      ("Either", "isOneOf", ["isOneOf": true]),
    ] as [(String, String, GraphQLValue)])
  func kinds(_ name: String, _ selection: String, _ expected: GraphQLValue) async throws {
    #expect(try await type(name, selection) == expected)
  }

  @Test("Wrapped types have kinds of their own")
  func wrappers() async throws {
    let pets = try await type(
      "Root",
      "fields(includeDeprecated: true) { name type { kind name ofType { kind ofType { kind ofType { kind name } } } } }"
    )
    #expect(
      pets?["fields"]?[1] == [
        "name": "pets",
        "type": [
          "kind": "NON_NULL", "name": nil,
          "ofType": ["kind": "LIST", "ofType": ["kind": "NON_NULL", "ofType": ["kind": "INTERFACE", "name": "Pet"]]],
        ],
      ])
  }

  @Test("What is deprecated is listed on request")
  func deprecation() async throws {
    let selection = "fields { name args { name } }"
    #expect(
      try await type("Root", selection) == [
        "fields": [["name": "pet", "args": [["name": "id"]]], ["name": "date", "args": []]]
      ])
    let all = try await type(
      "Root",
      "fields(includeDeprecated: true) { isDeprecated deprecationReason args(includeDeprecated: true) { name } }")
    #expect(all?["fields"]?[0]?["args"] == [["name": "id"], ["name": "old"]])
    #expect(all?["fields"]?[1]?["deprecationReason"] == "Use pet.")
  }

  @Test("Directives are listed with their places")
  func directives() async throws {
    let result = try await api.run("{ __schema { directives { name isRepeatable locations args { name } } } }")
    let directives = result.data?["__schema"]?["directives"]?.list
    #expect(
      directives?.first == [
        "name": "tag", "isRepeatable": true, "locations": ["FIELD", "OBJECT"], "args": [["name": "name"]],
      ])
    #expect(
      Set(directives?.compactMap { $0["name"]?.string } ?? [])
        == ["tag", "include", "skip", "deprecated", "specifiedBy", "oneOf"])
  }

  @Test("An unknown type is null, and a name is required")
  func unknownType() async throws {
    #expect(try await type("Missing", "name") == .null)
    #expect(
      try await api.run("{ __type { name } }").messages
        == [#"Argument "name" of required type "String!" was not provided."#])
  }

  @Test("Every object answers __typename")
  func typename() async throws {
    let result = try await api.run(
      "{ __typename pet { __typename } __schema { queryType { __typename } } }",
      rootValue: ["pet": ["__typename": "Dog"]])
    #expect(
      result.data == [
        "__typename": "Root", "pet": ["__typename": "Dog"], "__schema": ["queryType": ["__typename": "__Type"]],
      ])
  }

  @Test("A schema that uses @link can be introspected, though it does not define the types of the arguments")
  func link() async throws {
    let api = try makeAPI(
      #"""
      schema @link(url: "https://specs.apollo.dev/link/v1.0") { query: Root }
      directive @tag(name: String!) on OBJECT
      type Root { a: Int }
      """#)
    let result = try await api.run(IntrospectionQuery.full.text)
    #expect(result.messages == [])
    let directives = result.data?["__schema"]?["directives"]?.list?.compactMap { $0["name"]?.string }
    #expect(directives?.contains("tag") == true && directives?.contains("link") == false)
  }
}
