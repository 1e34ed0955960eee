@testable import ApolloOperations
import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What an app may get wrong: each is an error that names the value and the operation, and nothing hangs.
@Suite("Wrong settings and wrong interceptors")
struct BadSetupTests {
  private func error(
    at address: String = "http://127.0.0.1:9/", _ configure: (inout ApolloClient.Configuration) -> Void = { _ in }
  ) async throws -> OperationError? {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: address)))
    configure(&configuration)
    let client = ApolloClient(configuration: configuration)
    return await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
  }

  @Test(
    "An address that is none of HTTP, or has no host, is an error that names it",
    arguments: [
      "/graphql", "graphql", "http://", "http:///graphql", "file:///etc/passwd", "ftp://example.com/", "ws://a/",
    ])
  func address(_ address: String) async throws {
    let error = try await error(at: address)
    #expect(error?.code == .invalidRequest && error?.operationName == "Hero", "\(error as Any)")
    #expect(error?.message.contains("'\(address)'") == true, "\(error as Any)")
  }

  @Test(
    "A limit of a client that is negative or not a number is an error that names it", arguments: [-1, -0.001, .nan])
  func deadline(_ seconds: Double) async throws {
    let error = try await error { $0.http.deadline = seconds }
    #expect(error?.code == .invalidRequest && error?.message.contains("deadline") == true, "\(error as Any)")
  }

  @Test("A limit without an end is none")
  func endless() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.http.deadline = .infinity
      #expect(try await ApolloClient(configuration: configuration).fetch(query: HeroQuery()).data?.hero != nil)
    }
  }

  @Test("A header field of a client with a line break is an error that names it")
  func header() async throws {
    let error = try await error { $0.http.additionalHeaders = ["X-Token": "a\r\nX-Admin: 1"] }
    #expect(error?.code == .invalidRequest && error?.message.contains("X-Token") == true, "\(error as Any)")
  }

  /// Sends requests elsewhere.
  private final class Diverter: HTTPInterceptor, HTTPNetworkTransportPreflightDelegate, Sendable {
    let url: URL?

    init(to url: URL?) { self.url = url }

    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      var request = request
      request.url = url
      return try await next(request)
    }
    func networkTransport(_ transport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool { true }
    func networkTransport(_ transport: HTTPNetworkTransport, willSend request: inout URLRequest) { request.url = url }
  }

  @Test(
    "An address that an interceptor or a delegate gives a request is checked before it is sent",
    arguments: [false, true], ["http:///graphql", "/graphql", "ftp://example.com/"])
  func diverted(hasDelegate: Bool, address: String) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let diverter = Diverter(to: URL(string: address))
    var configuration = ApolloClient.Configuration(url: url)
    configuration.http.interceptors = [diverter]
    let client =
      if hasDelegate {
        ApolloClient(networkTransport: HTTPNetworkTransport(url: url, delegate: diverter))
      } else {
        ApolloClient(configuration: configuration)
      }
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
    #expect(error?.code == .invalidRequest && error?.operationName == "Hero", "\(error as Any)")
    #expect(error?.message.contains("'\(address)'") == true, "\(error as Any)")
  }

  @Test("A file that is gone when it is to be sent is an error that names it, and nothing is sent")
  func vanishedFile() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")
      try Data(repeating: 65, count: 3_000_000).write(to: url)
      let file = try GraphQLFile(fieldName: "file", originalName: "a", fileURL: url)
      try FileManager.default.removeItem(at: url)
      let error = await #expect(throws: OperationError.self) {
        try await client(server).upload(operation: RenameMutation(), files: [file])
      }
      #expect(
        error?.operationName == "Rename" && error?.message.contains(url.lastPathComponent) == true, "\(error as Any)")
    }
    #expect(requests.isEmpty)
  }

  /// Does what a closure says with the completion it is called with.
  private final class AnsweringInterceptor: ApolloInterceptor, Sendable {
    let times: Int

    init(times: Int) { self.times = times }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      for number in 0..<times {
        completion(.success(GraphQLResult(data: nil, extensions: ["number": number], errors: [], source: .server)))
      }
    }
  }

  @Test(
    "An interceptor that answers twice gives an awaiting caller one result, and a callback both; one that never does is named"
  )
  func answers() async throws {
    func client(_ times: Int) throws -> ApolloClient {
      ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: CustomProvider(first: [AnsweringInterceptor(times: times)]),
          endpointURL: try #require(URL(string: "http://127.0.0.1:9/"))))
    }
    #expect(try await client(2).fetch(query: HeroQuery()).extensions?["number"] as? Int != nil)
    let numbers = Locked<[Int]>([])
    let twice = try client(2)
    let running = twice.fetch(query: HeroQuery(), queue: .global()) { result in
      let number = (try? result.get().extensions?["number"] as? Int) ?? -1
      numbers.withLock { $0.append(number) }
    }
    try await eventually { numbers.withLock { $0 } == [0, 1] }
    running.cancel()
    let error = await #expect(throws: OperationError.self) { try await client(0).fetch(query: HeroQuery()) }
    #expect(
      error?.message.contains("AnsweringInterceptor") == true && error?.operationName == "Hero", "\(error as Any)")
  }

  @Test("A subscription that a server refuses over HTTP is worth a hint at the WebSocket; whatever else comes is not")
  func subscriptionWithoutWebSocket() {
    func hint<Operation: GraphQLOperation>(
      _ operation: Operation.Type, _ data: Operation.Data?, _ errors: [GraphQLError]?
    ) -> String? {
      JSONResponseParsingInterceptor.hint(
        about: GraphQLResult(data: data, errors: errors, source: .server), of: operation)
    }
    let refusal = GraphQLError("Subscriptions go over WebSockets.")
    #expect(
      hint(CountSubscription.self, nil, [refusal])
        == "The subscription Count was sent to the server over HTTP, and refused (Subscriptions go over WebSockets.). If the "
        + "server has subscriptions over a WebSocket, make the client with ApolloClient(url:webSocketURL:) of ApolloWebSocket."
    )
    #expect(hint(CountSubscription.self, nil, nil) == nil)
    #expect(hint(HeroQuery.self, nil, [refusal]) == nil)
  }
}
