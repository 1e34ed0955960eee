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

  @Test("A mutation of which no field has a value is sent again", arguments: [200, 401])
  func nothingExecuted(_ status: Int) async throws {
    let calls = Locked(0)
    let refusal =
      #"{"errors":[{"message":"who?","path":["pay"],"extensions":{"code":"UNAUTHENTICATED"}}],"#
      + #""data":{"__typename":"Mutation","pay":null,"log":null}}"#
    let requests = try await serve { _, request in
      if request.headers["authorization"] == "Bearer new" { return [.respond(#"{"data":{"pay":"paid","log":"x"}}"#)] }
      return [.respond(refusal, status: status)]
    } _: { server async throws in
      let client = client(server, provider: options(renewing(calls)))
      let result = try await client.perform(mutation: AuthenticationTests.PayMutation())
      #expect(result.data?.pay == "paid" && result.errors == nil)
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
    #expect(calls.withLock { $0 } == 1)
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
