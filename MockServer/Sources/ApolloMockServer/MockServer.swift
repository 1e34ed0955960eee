public import Apollo
public import ApolloMocks
import FlyingFox
import FlyingSocks
public import Foundation

/// A server on this machine that answers what a mock answers, for UI tests and for other programs.
///
///     let server = try await MockServer.start(MockSchema(contentsOf: file))
///     app.launchEnvironment["APOLLO_URL"] = server.url.absoluteString
///     …
///     await server.stop()
///
/// It speaks [GraphQL over HTTP](https://graphql.github.io/graphql-over-http/draft/) with `POST` and `GET`, lists of
/// operations, persisted queries, files, and parts: event streams, and `multipart/mixed` for `@defer` and subscriptions. Over
/// WebSockets it speaks
/// [`graphql-transport-ws`](https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md) and the older
/// [`graphql-ws`](https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md). A browser that opens
/// its address is shown a page to try operations. Only programs on this machine can reach it.
public final class MockServer: Sendable {
  /// The port on the loopback interface.
  public let port: UInt16
  private let server: HTTPServer
  private let running: Task<Void, any Error>

  /// Starts a server that is made of a schema, and returns when it takes connections.
  ///
  /// - Parameters:
  ///   - schema: Answers all operations.
  ///   - port: The port. 0, the default: a free one.
  /// - Returns: The server, which runs until ``stop()`` or until it is released.
  /// - Throws: When the port is taken.
  public static func start(_ schema: MockSchema, port: UInt16 = 0) async throws -> MockServer {
    try await start(MockNetworkTransport(.schema(schema)), port: port)
  }

  /// Starts a server that answers what a transport is told to answer, and returns when it takes connections.
  ///
  /// - Parameters:
  ///   - transport: Has the expectations, and keeps the requests.
  ///   - port: The port. 0, the default: a free one.
  /// - Returns: The server, which runs until ``stop()`` or until it is released.
  /// - Throws: When the port is taken.
  public static func start(_ transport: MockNetworkTransport, port: UInt16 = 0) async throws -> MockServer {
    try await start(answering: transport.session, port: port)
  }

  /// Starts a server in front of any session, such as a ``Cassette``, and returns when it takes connections.
  ///
  /// - Parameters:
  ///   - session: Is given each request. Operations over WebSockets are requests that accept an event stream, with the
  ///     header fields of the handshake; it is not given the payload of `connection_init`.
  ///   - port: The port. 0, the default: a free one.
  /// - Returns: The server, which runs until ``stop()`` or until it is released.
  /// - Throws: When the port is taken.
  public static func start(answering session: any ApolloURLSession, port: UInt16 = 0) async throws -> MockServer {
    // An answer may wait for as long as a test lets it.
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: 24 * 3600, logger: .disabled,
      handler: Router(session: session))
    let listening = Task { try await server.waitUntilListening() }
    let running = Task {
      defer { listening.cancel() }
      try await server.run()
    }
    do {
      try await listening.value
      guard case .ip4(_, let port)? = await server.listeningAddress else { throw SocketError.disconnected }
      return MockServer(port, server, running)
    } catch {
      // Why it ended says more than that it does not listen.
      running.cancel()
      try await running.value
      throw error
    }
  }

  private init(_ port: UInt16, _ server: HTTPServer, _ running: Task<Void, any Error>) {
    self.port = port
    self.server = server
    self.running = running
  }

  deinit { running.cancel() }

  /// Closes all connections.
  public func stop() async {
    await server.stop()
    running.cancel()
    _ = await running.result
  }

  /// Where to send operations over HTTP. (Every other path does as well.)
  public var url: URL { endpoint("http") }

  /// Where to open WebSockets.
  public var webSocketURL: URL { endpoint("ws") }

  private func endpoint(_ scheme: String) -> URL {
    URL(string: "\(scheme)://127.0.0.1:\(port)/graphql") ?? URL(fileURLWithPath: "/")
  }
}

/// One path for everything, as clients expect it.
private struct Router: HTTPHandler {
  let session: any ApolloURLSession

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.method == .GET, request.headers[.upgrade]?.lowercased() == "websocket" {
      return try await WebSocketEndpoint(session: session).handleRequest(request)
    }
    return try await HTTPEndpoint(session: session).handleRequest(request)
  }
}

// (The client has types of these names as well.)
typealias HTTPRequest = FlyingFox.HTTPRequest
typealias HTTPResponse = FlyingFox.HTTPResponse
