import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.1](https://spec.graphql.org/September2025/#sec-Executing-Requests)
@Suite("Choosing the operation")
struct OperationTests {
  let api: ExecutableSchema

  init() throws { api = try makeAPI("type Query { a: String }", resolvers: ["Query.a": { _ in "A" }]) }

  @Test("The only operation needs no name")
  func onlyOperation() async throws {
    #expect(try await api.run("query Any { a }").text == #"{"data":{"a":"A"}}"#)
    #expect(try await api.run("{ a }").text == #"{"data":{"a":"A"}}"#)
  }

  @Test("A name chooses among several operations")
  func namedOperation() async throws {
    let result = try await api.run("query One { one: a } query Two { two: a }", operationName: "Two")
    #expect(result.value == ["data": ["two": "A"]])
  }

  @Test(
    "A request whose operation is not clear is not executed",
    arguments: [
      ("query One { a } query Two { a }", nil, "Must provide operation name if query contains multiple operations."),
      ("query One { a }", "Other", "Unknown operation named \"Other\"."),
      ("query One { a }", "", "Unknown operation named \"\"."),
      ("fragment F on Query { a }", nil, "Must provide an operation."),
    ] as [(String, String?, String)])
  func unclearOperation(_ query: String, _ name: String?, _ message: String) async throws {
    let result = try await api.run(query, operationName: name)
    #expect(result.data == nil)
    #expect(result.messages == [message])
  }

  @Test("An operation that the schema has no root type for yields an error at the operation")
  func unsupportedOperation() async throws {
    let result = try await api.run("\n mutation { a }")
    #expect(
      result.value == [
        "errors": [
          [
            "message": "Schema is not configured to execute mutation operation.",
            "locations": [["line": 2, "column": 2]],
          ]
        ], "data": nil,
      ])
  }

  @Test("The root value and the context reach the resolvers")
  func rootValue() async throws {
    let api = try makeAPI(
      "type Query { root: String, user: String }",
      resolvers: ["Query.user": { context in .string(context.context as? String ?? "nobody") }])
    let document = Parser.parse("{ root user }").value
    let result = await api.execute(document, rootValue: ["root": "R"], context: "ada")
    #expect(result.text == #"{"data":{"root":"R","user":"ada"}}"#)
  }

  @Test("A document that was built in code has errors without locations")
  func documentWithoutSource() async throws {
    let document = Document(definitions: Parser.parse("mutation { a }").value.definitions)
    #expect(await api.execute(document).errors.map(\.locations) == [[]])
  }
}
