import Foundation
import GraphQLExecution
import StarWarsServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The server over HTTP", .serialized, .timeLimit(.minutes(5)))
struct ServerTests {
  private func post(
    _ body: String, to server: StarWarsServer, method: String = "POST", headers: [String: String] = [:]
  ) async throws -> (status: Int, response: GraphQLValue?) {
    var request = URLRequest(url: server.url)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if method == "POST" { request.httpBody = Data(body.utf8) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, try? GraphQLValue(json: data))
  }

  @Test("Each request is answered and counted")
  func requests() async throws {
    let server = try await StarWarsServer.start()
    for count in 1...3 {
      let (status, response) = try await post(#"{"query":"{ hero { name } }"}"#, to: server)
      #expect(status == 200)
      #expect(response == ["data": ["hero": ["name": "R2-D2"]]])
      #expect(await server.requestCount == count)
    }
    await server.stop()
  }

  @Test(
    "A request that is not GraphQL is refused by its status",
    arguments: [
      ("{", "POST", [:], 400), ("{}", "POST", [:], 400), ("", "GET", [:], 405),
      ("{}", "POST", ["Content-Type": "text/plain"], 415),
      (#"{"query":"{ nope }"}"#, "POST", ["Accept": "application/json"], 200),
      (#"{"query":"{ nope }"}"#, "POST", ["Accept": "application/graphql-response+json"], 400),
      (#"{"query":"subscription { reviewAdded { id } }"}"#, "POST", ["Accept": "application/json"], 200),
    ])
  func statuses(_ body: String, _ method: String, _ headers: [String: String], _ status: Int) async throws {
    let server = try await StarWarsServer.start()
    let answer = try await post(body, to: server, method: method, headers: headers)
    #expect(answer.status == status)
    #expect(answer.response?["data"] == nil)
    await server.stop()
  }

  @Test("Servers have data of their own, and stop taking connections when they are stopped")
  func independence() async throws {
    let (first, second) = (try await StarWarsServer.start(), try await StarWarsServer.start())
    let rename = #"{"query":"mutation { renameCharacter(id: \"2001\", name: \"Artoo\") { name } }"}"#
    #expect(try await post(rename, to: first).response?["errors"] == nil)
    let hero = #"{"query":"{ hero { name } }"}"#
    #expect(try await post(hero, to: first).response?["data"]?["hero"] == ["name": "Artoo"])
    #expect(try await post(hero, to: second).response?["data"]?["hero"] == ["name": "R2-D2"])
    await first.stop()
    await #expect(throws: URLError.self) { try await post(hero, to: first) }
    await second.stop()
  }

  @Test("A port that is taken is an error")
  func takenPort() async throws {
    let server = try await StarWarsServer.start()
    await #expect(throws: (any Error).self) { try await StarWarsServer.start(port: server.port) }
    await server.stop()
  }
}
