import Apollo
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bodies in parts that are not read to their ends.
@Suite("Abandoned bodies", .timeLimit(.minutes(5)))
struct AbandonedBodyTests {
  @Test("A part that cannot be read is the end of a fetch, whatever comes after it", arguments: [true, false])
  func failingPart(isFollowed: Bool) async throws {
    let parts = [
      #"{"data":{"hero":{"__typename":"Droid"}},"hasNext":true}"#,
      #"{"incremental":[{"path":["hero"],"data":{"id":"1","name":"R2-D2","height":1}}],"hasNext":false}"#,
    ].map { "\r\n--b\r\ncontent-type: application/json\r\n\r\n\($0)\r\n--b" }
    try await ScriptedServer.with { _ in
      [.begin(contentType: "multipart/mixed;boundary=b"), .write(parts[0])]
        + (isFollowed ? [.write(parts[1].dropFirst(4) + "--"), .close] : [.wait(.init())])
    } _: { server async throws in
      let store = ApolloStore(), session = URLSessionClient(sessionConfiguration: Self.patient)
      defer { session.invalidate() }
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: DefaultInterceptorProvider(client: session, store: store),
          endpointURL: URL(string: server.address)!), store: store)
      do {
        let result = try await client.fetch(query: HeroQuery())
        Issue.record("There is a result: \(result)")
      } catch let error as OperationError {
        #expect(error.code == .invalidResponse)
        #expect(error.message.contains("id"))
      }
      try await server.until(connectionCount: 0)
    }
  }

  /// With the default, a request that was left behind ends after a minute, and its test passes.
  private static var patient: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 3_600
    return configuration
  }

  @Test("Letting go of a body, read in part or not at all, closes its connection", arguments: [false, true], [0, 1])
  func lettingGo(isOwn: Bool, reads: Int) async throws {
    try await ScriptedServer.with { _ in
      [.begin(contentType: "multipart/mixed;boundary=b"), .write("--b\r\n\r\n{}\r\n--b\r\n"), .wait(.init())]
    } _: { server async throws in
      let own = URLSessionClient(sessionConfiguration: Self.patient)
      let system = URLSession(configuration: Self.patient)
      defer {
        own.invalidate()
        system.invalidateAndCancel()
      }
      let request = URLRequest(url: URL(string: server.address)!)
      let session: any ApolloURLSession = isOwn ? own : system
      do {
        let (chunks, _) = try await session.chunks(for: request)
        var iterator = chunks.makeAsyncIterator()
        for _ in 0..<reads { #expect(try await iterator.next() != nil) }
      }
      try await server.until(connectionCount: 0)
    }
  }
}
