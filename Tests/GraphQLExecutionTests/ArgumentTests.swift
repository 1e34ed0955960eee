import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.4.1](https://spec.graphql.org/September2025/#sec-Coercing-Field-Arguments)
@Suite("Arguments")
struct ArgumentTests {
  let api: ExecutableSchema

  init() throws {
    let resolver: ExecutableSchema.Resolver = { context in .object(context.arguments) }
    api = try makeAPI(
      """
      type Query {
        echo(int: Int, float: Float, string: String, boolean: Boolean, id: ID, color: Color, list: [Int!], opt: [Int]
          input: Input, pet: Pet, any: Any): Any
        needs(value: Int!): Any
        defaults(value: Int! = 1, optional: Int = 2): Any
      }
      scalar Any
      enum Color { RED GREEN }
      input Input { required: String!, withDefault: Int = 5, list: [Int] }
      input Pet @oneOf { cat: String, dog: String }
      """,
      resolvers: [
        "Query.echo": resolver, "Query.needs": resolver, "Query.defaults": resolver,
      ])
  }

  @Test(
    "Each type takes the literals that the specification says",
    arguments: [
      ("int: 1", ["int": 1]), ("float: 1", ["float": 1]), ("float: 1.5", ["float": 1.5]),
      ("string: \"s\"", ["string": "s"]),
      ("string: \"\"\"b\"\"\"", ["string": "b"]), ("boolean: true", ["boolean": true]), ("id: 4", ["id": "4"]),
      ("id: 99999999999999999999", ["id": "99999999999999999999"]), ("id: \"x\"", ["id": "x"]),
      ("color: RED", ["color": "RED"]),
      ("list: [1, 2]", ["list": [1, 2]]), ("list: 1", ["list": [1]]), ("list: null", ["list": nil]),
      ("pet: {cat: \"C\"}", ["pet": ["cat": "C"]]),
      ("input: {required: \"r\"}", ["input": ["required": "r", "withDefault": 5]]),
      ("any: {a: [1, RED, \"s\", null, 1.5, true]}", ["any": ["a": [1, "RED", "s", nil, 1.5, true]]]),
      ("", [:]),
    ] as [(String, GraphQLValue)])
  func valid(_ argument: String, _ expected: GraphQLValue) async throws {
    let result = try await api.run(argument.isEmpty ? "{ echo }" : "{ echo(\(argument)) }")
    #expect(result.messages == [])
    #expect(result.data?["echo"] == expected)
  }

  @Test(
    "A literal of the wrong kind fails the field alone",
    arguments: [
      ("int", "1.5"), ("int", "2147483648"), ("int", "\"1\""), ("int", "RED"), ("float", "\"1\""), ("string", "1"),
      ("string", "RED"), ("boolean", "1"), ("id", "1.5"), ("color", "\"RED\""), ("color", "BLUE"),
      ("list", "[1, null]"),
      ("input", "{}"), ("input", "{required: null}"), ("input", "{required: \"r\", other: 1}"), ("input", "\"r\""),
      ("pet", "{}"), ("pet", "{cat: null}"), ("pet", "{cat: \"C\", dog: \"D\"}"),
    ])
  func invalid(_ argument: String, _ literal: String) async throws {
    let result = try await api.run("{ ok: __typename echo(\(argument): \(literal)) }")
    #expect(result.data == ["ok": "Query", "echo": nil])
    #expect(result.errors.count == 1)
    #expect(result.errors[0].message.hasPrefix("Argument \"\(argument)\" has invalid value "))
    #expect(result.errors[0].locations == [.init(line: 1, column: 25 + argument.utf8.count)])
    #expect(result.errors[0].path == ["echo"])
  }

  @Test(
    "A required argument must be given, and not as null",
    arguments: [
      ("{ needs }", #"Argument "value" of required type "Int!" was not provided."#, 3),
      ("{ needs(value: null) }", #"Argument "value" of non-null type "Int!" must not be null."#, 16),
      (
        "query ($v: Int) { needs(value: $v) }",
        #"Argument "value" of required type "Int!" was provided the variable "$v" which was not provided a runtime value."#,
        32
      ),
    ])
  func required(_ query: String, _ message: String, _ column: Int) async throws {
    let result = try await api.run(query)
    #expect(result.messages == [message])
    #expect(result.errors[0].locations == [.init(line: 1, column: column)])
  }

  @Test("A null variable does not fill a non-null argument")
  func nullVariable() async throws {
    let result = try await api.run("query ($v: Int) { needs(value: $v) }", variables: ["v": nil])
    #expect(result.messages == [#"Argument "value" of non-null type "Int!" must not be null."#])
  }

  @Test("Defaults stand for what is absent, not for null")
  func defaults() async throws {
    let query =
      "query ($v: Int) { a: defaults b: defaults(value: $v, optional: $v) c: defaults(value: 3, optional: null) }"
    let result = try await api.run(query)
    #expect(result.messages == [])
    #expect(
      result.data == [
        "a": ["value": 1, "optional": 2], "b": ["value": 1, "optional": 2], "c": ["value": 3, "optional": nil],
      ])
  }

  @Test("Variables stand inside lists and objects; an absent one is null in a list and absent in an object")
  func nestedVariables() async throws {
    let query = """
      query ($r: String!, $d: Int, $i: Int) {
        echo(input: {required: $r, withDefault: $d, list: [1, $i]}, opt: [$i], any: {x: $r, y: [$i], z: $i})
      }
      """
    let result = try await api.run(query, variables: ["r": "R"])
    #expect(result.messages == [])
    #expect(
      result.data?["echo"] == [
        "input": ["required": "R", "withDefault": 5, "list": [1, nil]], "opt": [nil], "any": ["x": "R", "y": [nil]],
      ])
  }

  @Test("A absent variable in a list of non-null elements makes the argument invalid")
  func absentElement() async throws {
    let result = try await api.run("query ($i: Int) { echo(list: [$i]) }")
    #expect(result.messages == [#"Argument "list" has invalid value [$i]."#])
  }
}
