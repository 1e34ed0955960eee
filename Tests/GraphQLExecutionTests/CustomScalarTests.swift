import GraphQLExecution
import GraphQLSyntax
import Testing

/// [5.6.1](https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type)
@Suite("Literals for scalars of a server")
struct CustomScalarTests {
  private let api: ExecutableSchema
  private let log: Log

  init() throws {
    let log = Log()
    self.log = log
    api = try makeAPI(
      """
      type Query { echo(date: Date, dates: [Date!], range: Range, any: Any, count: Int): Any }
      type Mutation { set(date: Date!): Boolean }
      scalar Date scalar Any
      input Range { from: Date!, to: Date }
      """,
      resolvers: [
        "Query.echo": { .object($0.arguments) },
        "Mutation.set": { context in
          await log.append(context.arguments["date"]?.string ?? "")
          return true
        },
      ],
      scalars: [
        "Date": ScalarCoercion(input: { value in
          guard value.string?.hasPrefix("2") == true else { throw ExecutionError("A date begins with 2.") }
          return value
        })
      ])
  }

  private func respond(_ query: String, _ variables: GraphQLValue.Object = [:]) async throws -> ExecutionResult {
    let response = await api.respond(to: ExecutionRequest(query: query, variables: variables))
    guard case .result(let result) = response else { throw ExecutionError("There are many responses.") }
    return result
  }

  @Test(
    "What a scalar refuses is an error of the request, with what the scalar says and its place",
    arguments: [
      (#"{ echo(date: "x") }"#, #""Date", found "x""#, 14),
      (#"{ echo(date: {y: 2}) }"#, #""Date", found { y: 2 }"#, 14),
      (#"{ echo(dates: ["2", "x"]) }"#, #""Date!", found "x""#, 21),
      (#"{ echo(dates: 1) }"#, #""[Date!]", found 1"#, 15),
      (#"{ echo(range: {from: "2", to: "x"}) }"#, #""Date", found "x""#, 31),
      (#"query ($d: Date = "x") { echo(date: $d) }"#, #""Date", found "x""#, 19),
    ])
  func refused(_ query: String, _ found: String, _ column: Int) async throws {
    let result = try await respond(query)
    #expect(result.data == nil)
    #expect(result.messages == ["Expected value of type \(found); A date begins with 2."])
    #expect(result.errors.map(\.locations) == [[.init(line: 1, column: column)]])
  }

  @Test("A mutation with such a literal executes none of its fields")
  func mutation() async throws {
    let result = try await respond(#"mutation { a: set(date: "2024") b: set(date: "x") }"#)
    #expect(result.data == nil && result.errors.count == 1)
    #expect(await log.entries == [])
  }

  @Test("What a scalar takes is executed, null too; what has variables is looked at then")
  func taken() async throws {
    let query = #"query ($d: Date!, $n: Int) { echo(date: null, dates: ["2", $d], any: {x: [1, $n], y: $n}) }"#
    let result = try await respond(query, ["d": "22"])
    #expect(result.messages == [])
    #expect(result.data?["echo"] == ["date": nil, "dates": ["2", "22"], "any": ["x": [1, nil]]])
  }

  @Test("In a document that was not validated, the error of the field has what the scalar says")
  func execution() async throws {
    let field = try await api.run(#"{ echo(date: "x") }"#)
    #expect(field.data == ["echo": nil])
    #expect(field.messages == [#"Argument "date" has invalid value "x"; A date begins with 2."#])
    let variable = try await api.run(#"query ($d: Date = "x") { echo(date: $d) }"#)
    #expect(variable.messages == [#"Variable "$d" has invalid default value "x"; A date begins with 2."#])
  }

  @Test("Of very many such literals the first ones are reported")
  func many() async throws {
    let list = Array(repeating: "1", count: 500).joined(separator: ", ")
    #expect(try await respond("{ echo(dates: [\(list)]) }").errors.count == 50)
  }
}
