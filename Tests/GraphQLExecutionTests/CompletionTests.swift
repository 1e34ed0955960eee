import GraphQLExecution
import Testing

/// [6.4.3](https://spec.graphql.org/September2025/#sec-Value-Completion)
@Suite("Completing values")
struct CompletionTests {
  let api: ExecutableSchema

  init() throws {
    api = try makeAPI(
      """
      type Query {
        int: Int, float: Float, string: String, boolean: Boolean, id: ID, color: Color, any: Any, date: Date
        list: [Int], matrix: [[Float!]!], object: Query
      }
      enum Color { RED GREEN }
      scalar Any scalar Date
      """,
      scalars: [
        "Date": ScalarCoercion(result: { value in
          guard case .opaque(let day) = value, let day = day as? Int else { return .null }
          return "day \(day)"
        })
      ])
  }

  @Test(
    "Each scalar gives what the specification says",
    arguments: [
      ("int", 1, "1"), ("int", 2.0, "2"), ("int", true, "1"), ("int", "12", "12"), ("float", 1, "1"),
      ("float", 1.5, "1.5"),
      ("float", false, "0"), ("float", "2.5", "2.5"), ("string", "s", "\"s\""), ("string", true, "\"true\""),
      ("string", 1, "\"1\""), ("string", 1.5, "\"1.5\""), ("boolean", true, "true"), ("boolean", 0, "false"),
      ("boolean", 2.5, "true"),
      ("id", "x", "\"x\""), ("id", 7, "\"7\""), ("color", "RED", "\"RED\""),
      ("any", ["a": [1, nil]], #"{"a":[1,null]}"#),
      ("date", .opaque(3), "\"day 3\""), ("list", [1, nil], "[1,null]"), ("matrix", [[1, 2.5], []], "[[1,2.5],[]]"),
      ("int", nil, "null"), ("list", nil, "null"),
    ] as [(String, GraphQLValue, String)])
  func valid(_ field: String, _ value: GraphQLValue, _ expected: String) async throws {
    let result = try await api.run("{ f: \(field) }", rootValue: .object([field: value]))
    #expect(result.text == "{\"data\":{\"f\":\(expected)}}")
  }

  @Test(
    "A value that does not fit its type is an error",
    arguments: [
      ("int", 1.5, "Int cannot represent non-integer value: 1.5"),
      ("int", "x", "Int cannot represent non-integer value: \"x\""),
      ("int", [1], "Int cannot represent non-integer value: [1]"),
      ("int", 3_000_000_000, "Int cannot represent non 32-bit signed integer value: 3000000000"),
      ("int", .double(.infinity), "Int cannot represent non-integer value: inf"),
      ("float", "x", "Float cannot represent non numeric value: \"x\""),
      ("float", .double(.nan), "Float cannot represent non numeric value: nan"),
      ("string", ["a": 1], "String cannot represent value: { a: 1 }"),
      ("string", [], "String cannot represent value: []"),
      ("boolean", "true", "Boolean cannot represent a non boolean value: \"true\""),
      ("id", 1.5, "ID cannot represent value: 1.5"), ("id", true, "ID cannot represent value: true"),
      ("color", "BLUE", "Enum \"Color\" cannot represent value: \"BLUE\""),
      ("color", 1, "Enum \"Color\" cannot represent value: 1"), ("any", .opaque(1), "Any cannot represent value: 1"),
      ("any", [.opaque(1)], "Any cannot represent value: [1]"), ("date", "x", "Date cannot represent value: \"x\""),
      ("list", 1, "Expected Iterable, but did not find one for field \"Query.list\"."),
      ("list", "12", "Expected Iterable, but did not find one for field \"Query.list\"."),
    ] as [(String, GraphQLValue, String)])
  func invalid(_ field: String, _ value: GraphQLValue, _ message: String) async throws {
    let result = try await api.run("{ \(field) }", rootValue: .object([field: value]))
    #expect(
      result.value == [
        "errors": [
          ["message": .string(message), "locations": [["line": 1, "column": 3]], "path": [.string(field)]]
        ], "data": .object([field: nil]),
      ])
  }

  @Test("A member that is missing is null")
  func missingMember() async throws {
    #expect(
      try await api.run("{ int object { int } }", rootValue: ["object": [:]]).text
        == #"{"data":{"int":null,"object":{"int":null}}}"#)
  }

  @Test("A field of an opaque value needs a resolver, which can look into it")
  func opaqueObjects() async throws {
    struct Person: Sendable { var name: String }
    let api = try makeAPI(
      "type Query { person: Person } type Person { name: String, age: Int, wrong: Int }",
      resolvers: [
        "Query.person": { _ in .opaque(Person(name: "Ada")) },
        "Person.name": { context in .string(try context.source(as: Person.self).name) },
        "Person.wrong": { context in .int(try context.source(as: Int.self)) },
      ])
    let result = try await api.run("{ person { name age wrong } }")
    #expect(result.data == ["person": ["name": "Ada", "age": nil, "wrong": nil]])
    #expect(result.errors.map(\.path) == [["person", "age"], ["person", "wrong"]])
    #expect(result.messages[0] == "Person.age has no resolver, and its object is a Swift value without members.")
    #expect(result.messages[1].hasPrefix("Person.wrong expected its object to be a Int, but it is Person("))
  }

  @Test("Resolvers learn the field and its path")
  func resolverContext() async throws {
    let api = try makeAPI(
      "type Query { list: [Item] } type Item { place: [String] }",
      resolvers: [
        "Query.list": { _ in [[:], [:]] },
        "Item.place": { context in [.string(context.coordinate), .string("\(context.path)")] },
      ])
    let result = try await api.run("{ l: list { p: place } }")
    #expect(result.data?["l"]?[1]?["p"]?[0] == "Item.place")
    #expect(result.data?["l"]?[1]?["p"]?[1]?.string?.contains("index(1)") == true)
  }
}
