import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.1.2](https://spec.graphql.org/September2025/#sec-Coercing-Variable-Values)
@Suite("Variables")
struct VariableTests {
  let api: ExecutableSchema

  init() throws {
    api = try makeAPI(
      """
      type Query {
        echo(int: Int, float: Float, string: String, boolean: Boolean, id: ID, color: Color, list: [Int!], nested: [[Int]]
          input: Input, pet: Pet, even: Even, any: Any): Echo
      }
      scalar Echo scalar Even scalar Any
      enum Color { RED GREEN }
      input Input { required: String!, withDefault: Int = 5, color: Color, inner: Input }
      input Pet @oneOf { cat: String, dog: String }
      """,
      resolvers: ["Query.echo": { context in .object(context.arguments) }],
      scalars: [
        "Even": ScalarCoercion(
          input: { value in
            struct Odd: Error, CustomStringConvertible { var description: String { "It is odd." } }
            guard let int = value.int else { throw ExecutionError("Even cannot represent \(value)") }
            if int % 2 == 1 { throw Odd() }
            return .opaque(int)
          }, result: { $0 })
      ])
  }

  /// What the resolver receives for a variable of this type.
  private func run(
    _ argument: String, _ type: String, _ variables: GraphQLValue.Object
  ) async throws -> ExecutionResult {
    try await api.run("query ($v: \(type)) { echo(\(argument): $v) }", variables: variables)
  }

  @Test(
    "Each type takes the values that the specification says",
    arguments: [
      ("int", "Int", 1, 1), ("int", "Int", 1.0, 1), ("float", "Float", 1, 1.0), ("string", "String", "s", "s"),
      ("boolean", "Boolean", true, true), ("id", "ID", 4, "4"), ("id", "ID", "x", "x"),
      ("color", "Color", "RED", "RED"),
      ("list", "[Int!]", [1, 2], [1, 2]), ("list", "[Int!]", 1, [1]),
      ("nested", "[[Int]]", [1, [2, nil]], [[1], [2, nil]]),
      ("nested", "[[Int]]", 1, [[1]]), ("any", "Any", ["a": [1]], ["a": [1]]),
      ("pet", "Pet", ["cat": "C"], ["cat": "C"]),
      ("input", "Input", ["required": "r"], ["required": "r", "withDefault": 5]),
      (
        "input", "Input", ["required": "r", "withDefault": nil, "inner": ["required": "i", "color": "GREEN"]],
        ["required": "r", "withDefault": nil, "inner": ["required": "i", "withDefault": 5, "color": "GREEN"]]
      ),
    ] as [(String, String, GraphQLValue, GraphQLValue)])
  func valid(_ argument: String, _ type: String, _ value: GraphQLValue, _ expected: GraphQLValue) async throws {
    let result = try await run(argument, type, ["v": value])
    #expect(result.messages == [])
    #expect(result.data?["echo"] == .object([argument: expected]))
  }

  @Test(
    "Each kind of bad value is refused with the place and the reason",
    arguments: [
      ("int", "Int", "x", #""x"; Int cannot represent non-integer value: "x""#),
      ("int", "Int", 1.5, "1.5; Int cannot represent non-integer value: 1.5"),
      ("int", "Int", true, "true; Int cannot represent non-integer value: true"),
      (
        "int", "Int", 2_147_483_648,
        "2147483648; Int cannot represent non 32-bit signed integer value: 2147483648"
      ),
      ("float", "Float", "1", #""1"; Float cannot represent non numeric value: "1""#),
      ("string", "String", 1, "1; String cannot represent a non string value: 1"),
      ("string", "String", ["a", 1], #"["a", 1]; String cannot represent a non string value: ["a", 1]"#),
      ("boolean", "Boolean", 0, "0; Boolean cannot represent a non boolean value: 0"),
      ("id", "ID", 1.5, "1.5; ID cannot represent value: 1.5"),
      (
        "color", "Color", "RDE",
        #""RDE"; Value "RDE" does not exist in "Color" enum. Did you mean the enum value "RED"?"#
      ),
      ("color", "Color", 1, #"1; Enum "Color" cannot represent non-string value: 1."#),
      ("list", "[Int!]", [1, nil], #"null at "v[1]"; Expected non-nullable type "Int!" not to be null."#),
      ("input", "Input", "x", #""x"; Expected type "Input" to be an object."#),
      ("input", "Input", [:], #"{}; Field "required" of required type "String!" was not provided."#),
      (
        "input", "Input", ["required": "r", "requird": 1],
        #"{ required: "r", requird: 1 }; Field "requird" is not defined by type "Input". Did you mean "required"?"#
      ),
      (
        "input", "Input", ["required": "r", "inner": ["required": nil]],
        #"null at "v.inner.required"; Expected non-nullable type "String!" not to be null."#
      ),
      (
        "pet", "Pet", ["cat": "C", "dog": "D"],
        #"{ cat: "C", dog: "D" }; Exactly one key must be specified for OneOf type "Pet"."#
      ),
      ("pet", "Pet", [:], #"{}; Exactly one key must be specified for OneOf type "Pet"."#),
      ("pet", "Pet", ["cat": nil], #"null at "v.cat"; Field "cat" must be non-null."#),
      ("even", "Even", "x", #""x"; Even cannot represent "x""#),
      ("even", "Even", 3, #"3; Expected type "Even". It is odd."#),
    ] as [(String, String, GraphQLValue, String)])
  func invalid(_ argument: String, _ type: String, _ value: GraphQLValue, _ reason: String) async throws {
    let result = try await run(argument, type, ["v": value])
    #expect(result.data == nil)
    #expect(result.messages == ["Variable \"$v\" got invalid value \(reason)"])
    #expect(result.errors.map(\.locations) == [[.init(line: 1, column: 8)]])
  }

  @Test("A required variable must be given, and not as null")
  func required() async throws {
    #expect(try await run("int", "Int!", [:]).messages == [#"Variable "$v" of required type "Int!" was not provided."#])
    #expect(
      try await run("int", "Int!", ["v": nil]).messages == [#"Variable "$v" of non-null type "Int!" must not be null."#]
    )
  }

  @Test("A default stands for a variable that is not given, but not for null")
  func defaults() async throws {
    #expect(try await run("int", "Int = 7", [:]).data?["echo"] == ["int": 7])
    #expect(try await run("int", "Int = 7", ["v": nil]).data?["echo"] == ["int": nil])
    #expect(try await run("int", "Int! = 7", [:]).data?["echo"] == ["int": 7])
    #expect(try await run("input", "Input = {required: \"d\"}", [:]).data?["echo"]?["input"]?["withDefault"] == 5)
  }

  @Test("A variable that is not given leaves its argument absent")
  func absent() async throws {
    #expect(try await run("int", "Int", [:]).data?["echo"] == [:])
    #expect(try await run("int", "Int", ["v": nil]).data?["echo"] == ["int": nil])
  }

  @Test("A variable of an output type or of no type is refused", arguments: ["Query!", "[Missing]"])
  func outputTypes(_ type: String) async throws {
    #expect(
      try await run("int", type, [:]).messages
        == ["Variable \"$v\" expected value of type \"\(type)\" which cannot be used as an input type."])
  }

  @Test("All bad variables are reported, up to a limit")
  func manyErrors() async throws {
    let two = try await api.run("query ($a: Int, $b: Int) { echo }", variables: ["a": "x", "b": "y"])
    #expect(two.errors.count == 2)
    let many = try await run("list", "[Int!]", ["v": .list(Array(repeating: "x", count: 100))])
    #expect(many.errors.count == 51)
    #expect(many.messages.last == "Too many errors processing variables, error limit reached. Execution aborted.")
  }
}
