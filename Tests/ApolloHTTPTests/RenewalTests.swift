import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

@Suite("Which refusals have credentials renewed, and the operation sent again", .everyStyle)
struct RenewalTests {
  /// Gives the token `old`, and then `new`.
  private func renewing(_ calls: Locked<Int>) -> BearerTokenAuthenticator {
    BearerTokenAuthenticator(token: .init("old")) { _ in
      calls.withLock { $0 += 1 }
      return .init("new")
    }
  }

  private func options(_ authenticator: any Authenticator) -> DefaultInterceptorProvider.Options {
    var options = DefaultInterceptorProvider.Options()
    options.authenticator = authenticator
    return options
  }

  /// A mutation without `data`, or with the fields of `data` that are not null, and its errors.
  struct Answer: CustomTestStringConvertible, Sendable {
    /// The path of each error, and whether it is a refusal.
    var errors: [(path: [String]?, isRefusal: Bool)]
    /// The JSON of the data; nil: there is none.
    var data: String?
    /// Whether nothing can have been executed.
    var isUndone: Bool

    var testDescription: String { body }

    var body: String {
      let errors = errors.map { path, isRefusal in
        let path = path.map { #","path":["# + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" } ?? ""
        return #"{"message":"who?""# + path + (isRefusal ? #","extensions":{"code":"UNAUTHENTICATED"}}"# : "}")
      }
      return "{\"errors\":[\(errors.joined(separator: ","))]" + (data.map { ",\"data\":\($0)" } ?? "") + "}"
    }
  }

  static let answers = [
    Answer(errors: [(nil, true)], isUndone: true), Answer(errors: [(nil, true)], data: "null", isUndone: true),
    Answer(errors: [(nil, true)], data: "{}", isUndone: true),
    // A null without an error may be the value of a field.
    Answer(errors: [(["log"], true)], data: #"{"pay":null,"log":null}"#, isUndone: false),
    Answer(errors: [(["pay"], true)], data: #"{"pay":null,"log":null}"#, isUndone: false),
    Answer(errors: [(nil, true)], data: #"{"pay":null,"log":null}"#, isUndone: false),
    Answer(
      errors: [(["pay"], true), (["log"], true)], data: #"{"__typename":"Mutation","pay":null,"log":null}"#,
      isUndone: true),
    Answer(errors: [(["pay"], true)], data: #"{"pay":null}"#, isUndone: true),
    Answer(errors: [(["log"], true)], data: #"{"pay":"paid","log":null}"#, isUndone: false),
    // A field that has failed for another reason was executed.
    Answer(errors: [(["pay"], false), (["log"], true)], data: #"{"pay":null,"log":null}"#, isUndone: false),
    Answer(errors: [(["pay"], false), (nil, true)], data: "null", isUndone: false),
    // So was one whose value has a field that was refused.
    Answer(errors: [(["pay", "receipt"], true), (["log"], true)], data: #"{"pay":null,"log":null}"#, isUndone: false),
    Answer(errors: [(["pay", "receipt"], true)], data: "null", isUndone: false),
    // Servers may go on after a field without which there is no data.
    Answer(errors: [(["pay"], true)], data: "null", isUndone: false),
    Answer(errors: [(["pay"], true)], isUndone: false),
    Answer(errors: [(["log"], true)], data: "null", isUndone: false),
    Answer(errors: [(["log"], true)], isUndone: false),
    Answer(errors: [(["pay"], true), (["log"], true)], data: "null", isUndone: true),
    // Some leave out nulls.
    Answer(errors: [(["log"], true)], data: "{}", isUndone: false),
    Answer(errors: [(["log"], true)], data: #"{"__typename":"Mutation"}"#, isUndone: false),
    Answer(errors: [(["pay"], true), (["log"], true)], data: "{}", isUndone: true),
  ]

  @Test(
    "A mutation is sent again only if nothing of it can have been executed, whatever the status of the answer",
    arguments: answers, [200, 401])
  func mutation(answer: Answer, status: Int) async throws {
    let calls = Locked(0), hasRenewed = Locked(false)
    let requests = try await serve { _, request in
      if request.headers["authorization"] == "Bearer new" { return [.respond(#"{"data":{"pay":"paid","log":"x"}}"#)] }
      return [.respond(answer.body, status: status)]
    } _: { server async throws in
      let client = client(server, provider: options(renewing(calls)))
      let result = try? await client.perform(mutation: AuthenticationTests.PayMutation())
      hasRenewed.withLock { $0 = result?.data?.pay == "paid" && result?.errors == nil }
    }
    #expect(requests.count == (answer.isUndone ? 2 : 1))
    #expect(hasRenewed.withLock { $0 } == answer.isUndone)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("A single error of an answer whose status is a refusal is that refusal, whatever code it has")
  func expired() async throws {
    let expired =
      #"{"data":null,"errors":[{"message":"","path":["pay"],"extensions":{"code":"TOKEN_EXPIRED"}}]}"#
    let requests = try await serve { _, request in
      request.headers["authorization"] == "Bearer new"
        ? [.respond(#"{"data":{"pay":"paid","log":"x"}}"#)] : [.respond(expired, status: 401)]
    } _: { server async throws in
      let client = client(server, provider: options(renewing(Locked(0))))
      let result = try await client.perform(mutation: OneField())
      #expect(result.data?.pay == "paid")
    }
    #expect(requests.count == 2)
  }

  private struct OneField: GraphQLMutation {
    static let operationName = "Pay"
    static let operationDocument = OperationDocument("mutation Pay { pay { id } }")
    typealias Data = AuthenticationTests.PayMutation.Data
  }

  private struct Fragment: GraphQLMutation {
    static let operationName = "Pay"
    static let operationDocument = OperationDocument("mutation Pay { ...Payment }")
    typealias Data = AuthenticationTests.PayMutation.Data
  }

  private struct Aliased: GraphQLMutation {
    static let operationName = "Pay"
    static let operationDocument = OperationDocument(
      #"mutation Pay($by: By = {way: ")"}) @a(b: {c: 1}) { __typename, first : pay(by: {a: "}"}) @b(c: 1) { d } log }"#)
    typealias Data = AuthenticationTests.PayMutation.Data
  }

  @Test("Which fields a mutation has is known from its text, or taken for unknown")
  func fields() async throws {
    func isSentAgain<Mutation: GraphQLMutation>(_ mutation: Mutation, refusing names: String...) async throws -> Bool {
      let body = Answer(errors: names.map { ([$0], true) }, data: "null", isUndone: true).body
      let requests = try await serve { _, _ in
        [.respond(body)]
      } _: { server async throws in
        _ = try? await client(server, provider: options(renewing(Locked(0)))).perform(mutation: mutation)
      }
      return requests.count == 2
    }
    #expect(try await isSentAgain(OneField(), refusing: "pay"))
    #expect(try await isSentAgain(Aliased(), refusing: "first", "log"))
    #expect(try await !isSentAgain(Aliased(), refusing: "first"))
    #expect(try await !isSentAgain(Aliased(), refusing: "pay", "log"))
    #expect(try await !isSentAgain(Fragment(), refusing: "pay"))
  }

  @Test("Credentials take the place of a header field of the client's default configuration, and are renewed")
  func defaultField() async throws {
    let calls = Locked(0)
    let requests = try await serve { _, request in
      [.respond(hero(), status: request.headers["authorization"] == "Bearer new" ? 200 : 401)]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.authenticator = renewing(calls)
      configuration.defaultRequestConfiguration.headers = ["authorization": "Basic app"]
      let client = ApolloClient(configuration: configuration)
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
      let own = RequestConfiguration(headers: ["Authorization": "Basic own"])
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, requestConfiguration: own)
      }
      #expect(error?.httpStatus == 401)
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new", "Basic own"])
    #expect(calls.withLock { $0 } == 1)
  }

  /// Has credentials until they are renewed: then the user is signed out.
  private struct SignedOut: Authenticator {
    let isRenewed = Locked(false)
    func credentials() -> [String: String] { isRenewed.withLock { $0 } ? [:] : ["Authorization": "Bearer old"] }
    func renew(refused: [String: String]) -> Bool {
      isRenewed.withLock { $0 = true }
      return true
    }
  }

  @Test("Where there are no credentials any more, the header field of the client's default configuration is sent again")
  func noCredentials() async throws {
    let requests = try await serve { _, request in
      [.respond(hero(), status: request.headers["authorization"] == "Bearer old" ? 401 : 200)]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.authenticator = SignedOut()
      configuration.defaultRequestConfiguration.headers = ["authorization": "Basic app"]
      #expect(try await ApolloClient(configuration: configuration).fetch(query: HeroQuery()).data?.hero != nil)
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Basic app"])
  }

  /// Has no credentials until they are renewed.
  private struct Late: Authenticator {
    let isRenewed = Locked(false)
    func credentials() -> [String: String] { isRenewed.withLock { $0 } ? ["Authorization": "Bearer new"] : [:] }
    func renew(refused: [String: String]) -> Bool {
      isRenewed.withLock { $0 = true }
      return true
    }
  }

  @Test(
    "An operation whose own header field stays in place of the first credentials is not sent twice",
    arguments: ["authorization", "x-own"])
  func firstCredentials(_ name: String) async throws {
    let requests = try await serve { _, request in
      [.respond(hero(), status: request.headers["authorization"] == "Bearer new" ? 200 : 401)]
    } _: { server async throws in
      let own = RequestConfiguration(headers: [name: "own"])
      let client = client(server, provider: options(Late()))
      _ = try? await client.fetch(query: HeroQuery(), requestConfiguration: own)
    }
    let sent: [String?] = name == "x-own" ? [nil, "Bearer new"] : ["own"]
    #expect(requests.map { $0.headers["authorization"] } == sent)
  }
}
