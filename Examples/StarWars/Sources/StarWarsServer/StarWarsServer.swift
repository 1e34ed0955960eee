import FlyingFox
import FlyingSocks
public import Foundation
import GraphQLExecution

/// A GraphQL server for the Star Wars schema inside this process, with its data in memory.
///
/// ```swift
/// let server = try await StarWarsServer.start()
/// print(server.url)  // http://127.0.0.1:49152/graphql
/// await server.stop()
/// ```
public final class StarWarsServer: Sendable {
  /// The text of the schema, in the schema definition language.
  public static var schema: String { String(decoding: PackageResources.schema_graphqls, as: UTF8.self) }

  /// The port on the loopback interface.
  public let port: UInt16

  private let server: HTTPServer
  private let running: Task<Void, any Error>
  private let service: GraphQLService
  private let galaxy: Galaxy

  /// Starts a server with fresh data and returns when it takes connections.
  ///
  /// - Parameter port: 0 chooses a free one.
  /// - Throws: When the port is taken.
  public static func start(port: UInt16 = 0) async throws -> StarWarsServer {
    let galaxy = Galaxy()
    let service = GraphQLService(try StarWarsAPI.make(galaxy))
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    await server.appendRoute("/graphql", to: Router(service: service))
    let listening = Task { try await server.waitUntilListening() }
    let running = Task {
      defer { listening.cancel() }
      try await server.run()
    }
    do {
      try await listening.value
      guard case .ip4(_, let port)? = await server.listeningAddress else { throw SocketError.disconnected }
      return StarWarsServer(port: port, server: server, running: running, service: service, galaxy: galaxy)
    } catch {
      // Why it ended says more than that it does not listen.
      running.cancel()
      try await running.value
      throw error
    }
  }

  private init(
    port: UInt16, server: HTTPServer, running: Task<Void, any Error>, service: GraphQLService, galaxy: Galaxy
  ) {
    self.port = port
    self.server = server
    self.running = running
    self.service = service
    self.galaxy = galaxy
  }

  deinit { running.cancel() }

  /// Closes all connections.
  public func stop() async {
    await server.stop()
    running.cancel()
    _ = await running.result
  }

  /// Where to send queries and mutations with `POST`.
  public var url: URL { endpoint(scheme: "http") }

  /// Where to open WebSockets that speak `graphql-transport-ws`.
  public var webSocketURL: URL { endpoint(scheme: "ws") }

  private func endpoint(scheme: String) -> URL {
    var components = URLComponents()
    components.scheme = scheme
    components.host = "127.0.0.1"
    components.port = Int(port)
    components.path = "/graphql"
    return components.url ?? URL(fileURLWithPath: "/")
  }

  // MARK: - What has happened

  /// How many operations have arrived, over HTTP and WebSocket. One that a cache answers never does.
  public var requestCount: Int { get async { await service.requestCount } }

  /// How many subscriptions there are now.
  public var subscriptionCount: Int { get async { await galaxy.listenerCount } }

  /// Waits until there are this many subscriptions. The protocol has no message that says that one has started.
  public func waitForSubscriptions(_ count: Int = 1) async { await galaxy.waitForListeners(count) }
}

/// One path for both transports, as clients expect it.
private struct Router: HTTPHandler {
  let service: GraphQLService

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.method == .GET, request.headers[.upgrade]?.lowercased() == "websocket" {
      return try await WebSocketEndpoint(service: service).handleRequest(request)
    }
    return try await HTTPEndpoint(service: service).handleRequest(request)
  }
}
