public import Apollo
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Where a server is and which protocol it speaks, as earlier versions of the client take it.
///
///     let socket = WebSocket(url: url, protocol: .graphql_transport_ws)
///     let transport = WebSocketTransport(websocket: socket, store: store)
public struct WebSocket: Sendable {
  public typealias WSProtocol = WebSocketSubprotocol

  /// The address, and the header fields of the handshake.
  public var request: URLRequest
  public let subprotocol: WSProtocol

  public init(request: URLRequest, protocol: WSProtocol) {
    self.request = request
    self.subprotocol = `protocol`
  }

  public init(url: URL, protocol: WSProtocol) {
    self.init(request: URLRequest(url: url), protocol: `protocol`)
  }
}

extension WebSocketSubprotocol {
  public static let graphql_transport_ws = Self.graphqlTransportWS
  public static let graphql_ws = Self.graphqlWS
}

extension WebSocketTransport {
  public convenience init(
    websocket: WebSocket, store: ApolloStore? = nil, config: Configuration = Configuration()
  ) {
    var configuration = config
    configuration.subprotocols = [websocket.subprotocol]
    // A request may be without an address; the first connection then says that it cannot be used.
    self.init(
      url: websocket.request.url ?? URL(fileURLWithPath: "/"), headers: websocket.request.allHTTPHeaderFields ?? [:],
      store: store, configuration: configuration)
  }
}

extension WebSocketTransport.Configuration {
  /// - Parameters:
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  public init(
    reconnect: Bool, reconnectionInterval: TimeInterval = 0.5, connectOnInit: Bool = true,
    connectingPayload: WebSocketTransport.ConnectingPayload = [:]
  ) {
    self.init(
      connectingPayload: connectingPayload,
      reconnection: reconnect
        ? ReconnectionPolicy(maximumAttempts: nil, initialDelay: .seconds(reconnectionInterval)) : .never,
      connectOnInit: connectOnInit)
  }
}
