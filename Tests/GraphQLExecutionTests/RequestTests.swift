import GraphQLExecution
import Testing

@Suite("Requests in JSON")
struct RequestTests {
  let api: ExecutableSchema

  init() throws {
    api = try makeAPI(
      "type Query { echo(x: Int): Int } type Subscription { ticks: Int }",
      resolvers: ["Query.echo": { $0.arguments["x"] ?? .null }],
      subscriptions: [
        "Subscription.ticks": { _ in
          EventStream(
            AsyncStream { continuation in
              continuation.yield(["ticks": 1])
              continuation.finish()
            })
        }
      ])
  }

  private func respond(_ text: String) async -> String {
    String(decoding: await api.respond(toJSON: text.utf8), as: UTF8.self)
  }

  @Test("A request has a query, and may have an operation name and variables")
  func valid() async {
    #expect(await respond(#"{"query":"{ echo(x: 1) }"}"#) == #"{"data":{"echo":1}}"#)
    #expect(
      await respond(
        #"{"query":"query A { a: echo } query B($x: Int) { b: echo(x: $x) }","operationName":"B","variables":{"x":2},"extensions":{},"other":1}"#
      )
        == #"{"data":{"b":2}}"#)
    #expect(
      await respond(#"{"query":"{ echo }","operationName":null,"variables":null}"#) == #"{"data":{"echo":null}}"#)
  }

  @Test(
    "Whatever is wrong with a request is said in a response without data",
    arguments: [
      ("{", "A request must be JSON; line 1, column 2: Expected the name of a member, but the text ends."),
      ("[]", "A request must be a JSON object."),
      ("{}", #"A request must have a member \"query\"."#),
      (#"{"query":1}"#, #"The member \"query\" of a request must be a string."#),
      (#"{"query":"{ echo }","variables":[]}"#, #"The member \"variables\" of a request must be an object."#),
      (#"{"query":"{ echo }","operationName":1}"#, #"The member \"operationName\" of a request must be a string."#),
      (#"{"query":"{ echo }","extensions":"x"}"#, #"The member \"extensions\" of a request must be an object."#),
      (#"{"query":"subscription { ticks }"}"#, "A subscription has many responses: it cannot be answered with one."),
    ])
  func invalid(_ text: String, _ message: String) async {
    #expect(await respond(text) == #"{"errors":[{"message":"\#(message)"}]}"#)
  }

  @Test("Syntax errors have the place in the document")
  func syntaxErrors() async {
    #expect(
      await respond(#"{"query":"query {\n  {"}"#)
        == #"{"errors":[{"message":"Syntax Error: Expected Name, found \"{\".","locations":[{"line":2,"column":3}]}]}"#)
  }

  @Test("A document that is not valid is not executed, and every finding has its places")
  func validation() async {
    #expect(
      await respond(#"{"query":"{ ech e: echo(x: \"1\") e: echo }"}"#)
        == #"{"errors":[{"message":"Cannot query field \"ech\" on type \"Query\". Did you mean \"echo\"?","locations":[{"line":1,"column":3}]},"#
        + #"{"message":"Fields \"e\" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional.","locations":[{"line":1,"column":7},{"line":1,"column":23}]},"#
        + #"{"message":"Int cannot represent non-integer value: \"1\"","locations":[{"line":1,"column":18}]}]}"#)
  }

  @Test("A subscription is answered with a stream, anything else with a result")
  func kinds() async throws {
    guard case .stream(let stream) = await api.respond(to: ExecutionRequest(query: "subscription { ticks }")) else {
      Issue.record("no stream")
      return
    }
    var texts: [String] = []
    for await result in stream { texts.append(result.text) }
    #expect(texts == [#"{"data":{"ticks":1}}"#])
    guard case .result(let result) = await api.respond(to: ExecutionRequest(query: "subscription { ticks(")) else {
      Issue.record("no result")
      return
    }
    #expect(result.data == nil)
  }
}
