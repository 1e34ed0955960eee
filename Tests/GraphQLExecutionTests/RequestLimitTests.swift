import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Limits of requests") struct RequestLimitTests {
  private static let schema = Schema.build(from: [Source("type Query { me: User } type User { id: ID!, me: User }")])
    .value

  private func answer(_ query: String, by api: ExecutableSchema) async -> String {
    switch await api.respond(to: ExecutionRequest(query: query)) {
    case .result(let result): String(decoding: result.json, as: UTF8.self)
    case .stream: "a stream"
    }
  }

  private static let nothing = #"{"data":{"me":null}}"#

  @Test("A document with more than 15,000 tokens is an error that names the limit, which can be changed")
  func tokens() async throws {
    var api = try ExecutableSchema(Self.schema)
    // (There are six others.)
    let fields = { (count: Int) in "{ me {" + String(repeating: " id", count: count) + " } }" }
    #expect(await answer(fields(14_990), by: api) == Self.nothing)
    #expect(await answer(fields(15_000), by: api).contains("more than 15000 tokens"))
    #expect(Parser.parse(Source(fields(15_000)), options: .fromOutside).diagnostics.map(\.code) == [.tooManyTokens])
    api.limits.maximumTokens = nil
    #expect(await answer(fields(15_000), by: api) == Self.nothing)
  }

  @Test("A document that nests too deep through its fragments is an error that names the limit, which can be changed")
  func depth() async throws {
    var api = try ExecutableSchema(Self.schema)
    let maximum = api.limits.maximumDepth
    func chain(_ count: Int) -> String {
      let fragments = (0..<count).map { "fragment F\($0) on User { ...F\($0 + 1) }" }.joined(separator: "\n")
      return "{ me { ...F0 } }\n\(fragments)\nfragment F\(count) on User { id }"
    }
    // The operation has two levels, and the last fragment one.
    #expect(await answer(chain(maximum - 3), by: api) == Self.nothing)
    #expect(await answer(chain(maximum - 2), by: api).contains("more than \(maximum) levels deep"))
    // (Without the limit of tokens, which comes first.)
    api.limits.maximumTokens = nil
    #expect(await answer(chain(20_000), by: api).contains("more than \(maximum) levels deep"))
    api.limits.maximumDepth = maximum + 10
    #expect(await answer(chain(maximum), by: api) == Self.nothing)
    let direct = await api.execute(Parser.parse(chain(20_000)).value)
    #expect(String(decoding: direct.json, as: UTF8.self).contains("more than \(maximum + 10) levels deep"))
  }
}
