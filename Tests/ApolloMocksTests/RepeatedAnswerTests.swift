import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@Suite("Answers to more than one request")
struct RepeatedAnswerTests {
  @Test("Each request is sent all parts of an answer")
  func parts() async throws {
    let transport = MockNetworkTransport(), client = makeClient(transport)
    transport.expect(ChangedSubscription.self).respond(
      .parts(["a", "b"].map { String(decoding: ExecutionResult(data: answer($0)).json, as: UTF8.self) }))
    for _ in 0..<2 {
      var names: [String?] = []
      for try await result in client.subscribe(to: ChangedSubscription()) { names.append(result.data?.user?.name) }
      #expect(names == ["a", "b"])
    }
  }

  // MARK: Cassettes

  private static func record(
    _ server: MockNetworkTransport, _ body: (ApolloClient) async throws -> Void,
    checking check: (ApolloClient, String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cassettes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("test.json")
    let cassette = try Cassette(file: file, over: server.session, mode: .record, clock: TestClock())
    try await body(client(cassette))
    try cassette.save()
    let text = try String(contentsOf: file, encoding: .utf8)
    try await check(client(try Cassette(file: file, mode: .replay)), text)
  }

  private static func client(_ cassette: Cassette) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
    configuration.http.session = cassette
    return ApolloClient(configuration: configuration)
  }

  @Test("An answer that broke off is not on a cassette, and the next one is played in its place")
  func brokenOff() async throws {
    let server = MockNetworkTransport()
    server.expect(UserQuery.self).respond(.data(answer("whole")))
    server.expect(UserQuery.self).respond(.cutOff(#"{"data":{"user":null}}"#, after: 9)).once()
    try await Self.record(server) { client in
      _ = try? await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      _ = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
    } checking: { client, _ in
      let played = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(played.data?.user?.name == "whole")
    }
  }

  @Test("Of a response in parts that was not waited for nothing is on a cassette, and of a subscription what came")
  func cancelled() async throws {
    let server = MockNetworkTransport()
    let (parts, firstPart) = AsyncStream<String>.makeStream(), (events, firstEvent) = AsyncStream<String>.makeStream()
    firstPart.yield(#"{"data":{"user":{"__typename":"User","id":"1"}},"hasNext":true}"#)
    firstEvent.yield(String(decoding: ExecutionResult(data: answer("a")).json, as: UTF8.self))
    server.expect(DeferredQuery.self).respond(.parts(parts))
    server.expect(ChangedSubscription.self).respond(.parts(events))
    try await Self.record(server) { client in
      for try await _ in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) { break }
      for try await _ in client.subscribe(to: ChangedSubscription()) { break }
    } checking: { client, text in
      #expect(!text.contains("Deferred"), "\(text)")
      var names: [String?] = []
      for try await result in client.subscribe(to: ChangedSubscription()) {
        names.append(result.data?.user?.name)
        break
      }
      #expect(names == ["a"])
    }
    withExtendedLifetime((firstPart, firstEvent)) {}
  }
}
