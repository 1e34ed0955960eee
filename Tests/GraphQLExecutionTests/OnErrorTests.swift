import GraphQLExecution
import GraphQLSyntax
import Testing

/// [The proposal](https://github.com/graphql/graphql-spec/pull/1163), by the cases of its implementation in graphql-js.
@Suite("What an error of a field does to the response")
struct OnErrorTests {
  let api: ExecutableSchema

  init() throws {
    let fail: ExecutableSchema.Resolver = { _ in throw ExecutionError("bad") }
    api = try makeAPI(
      """
      type Query { ok: String, fails: String, failsNonNull: String!, nothing: String!, node: Node!, list: [Int!]! }
      type Node { ok: String, failsNonNull: String!, node: Node! }
      type Mutation { first: String, second: String!, third: String }
      type Subscription { event: String! }
      """,
      resolvers: [
        "Query.ok": { _ in "yes" }, "Query.fails": fail, "Query.failsNonNull": fail, "Query.nothing": { _ in .null },
        "Query.node": { _ in [:] }, "Query.list": { _ in [1, .null, 3] },
        "Node.ok": { _ in "yes" }, "Node.failsNonNull": fail, "Node.node": { _ in [:] },
        "Mutation.first": { _ in "1" }, "Mutation.second": fail, "Mutation.third": { _ in "3" },
      ])
  }

  private func respond(_ query: String, onError: ErrorBehavior?) async throws -> ExecutionResult {
    guard case .result(let result) = await api.respond(to: ExecutionRequest(query: query, onError: onError)) else {
      throw ExecutionError("a stream")
    }
    return result
  }

  @Test("NULL: the field alone is null, and the error says where")
  func null() async throws {
    let result = try await respond("{ ok failsNonNull node { ok failsNonNull node { failsNonNull } } }", onError: .null)
    #expect(
      result.data == [
        "ok": "yes", "failsNonNull": nil,
        "node": ["ok": "yes", "failsNonNull": nil, "node": ["failsNonNull": nil]],
      ])
    #expect(
      result.errors.map(\.path) == [
        ["failsNonNull"], ["node", "failsNonNull"], ["node", "node", "failsNonNull"],
      ])
    // A null that may not be one is still an error, once for each place.
    let nothing = try await respond("{ nothing list }", onError: .null)
    #expect(nothing.data == ["nothing": nil, "list": [1, nil, 3]])
    #expect(nothing.errors.map(\.path) == [["nothing"], ["list", 1]])
  }

  @Test(
    "PROPAGATE, or nothing: the null goes up to the nearest place where it may stand",
    arguments: [ErrorBehavior.propagate, nil])
  func propagate(_ behavior: ErrorBehavior?) async throws {
    #expect(try await respond("{ ok node { ok failsNonNull } }", onError: behavior).data == .null)
    #expect(try await respond("{ ok fails }", onError: behavior).data == ["ok": "yes", "fails": nil])
  }

  @Test("HALT: there is no data, and only one error")
  func halt() async throws {
    for query in ["{ ok fails failsNonNull }", "{ ok fails }", "{ list ok nothing }"] {
      let result = try await respond(query, onError: .halt)
      #expect(result.data == .null && result.errors.count == 1)
    }
    #expect(try await respond("{ ok }", onError: .halt).data == ["ok": "yes"])
    // A mutation that failed is the last one.
    let mutation = try await respond("mutation { first second third }", onError: .halt)
    #expect(mutation.data == .null && mutation.errors.map(\.path) == [["second"]])
    let others = try await respond("mutation { first second third }", onError: .null)
    #expect(others.data == ["first": "1", "second": nil, "third": "3"])
  }

  @Test("A request names the behavior, and any other text is an error of the request")
  func requests() async throws {
    func data(_ member: String) async -> String {
      String(decoding: await api.respond(toJSON: Array(#"{"query":"{ ok nothing }"\#(member)}"#.utf8)), as: UTF8.self)
    }
    #expect(await data(#","onError":"NULL""#).contains(#""data":{"ok":"yes","nothing":null}"#))
    #expect(await data(#","onError":"HALT""#).contains(#""data":null"#))
    #expect(await data(#","onError":null"#).contains(#""data":null"#))
    for wrong in [#""null""#, #""""#, "1", "[]"] {
      let answer = await data(",\"onError\":\(wrong)")
      #expect(answer.contains("onError") && !answer.contains("data"))
    }
  }
}
