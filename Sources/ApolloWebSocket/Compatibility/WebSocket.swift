public import Apollo
public import Foundation
import ApolloAPI

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Where a server is and which protocol it speaks, as earlier versions of the client take it.
///
///     let socket = WebSocket(url: url, protocol: .graphql_transport_ws)
///     let transport = WebSocketTransport(websocket: socket, store: store)
public struct WebSocket: Sendable {
  public typealias WSProtocol = WebSocketSubprotocol

  /// The address, and the header fields of the handshake, `Sec-WebSocket-Protocol` among them.
  public var request: URLRequest
  public let subprotocol: WSProtocol

  public init(request: URLRequest, protocol: WSProtocol) {
    self.request = request
    self.request.setValue(`protocol`.rawValue, forHTTPHeaderField: Self.protocolHeader)
    self.subprotocol = `protocol`
  }

  public init(url: URL, protocol: WSProtocol) {
    self.init(request: URLRequest(url: url), protocol: `protocol`)
  }

  fileprivate static let protocolHeader = "Sec-WebSocket-Protocol"
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
    // The engine adds it once more.
    var headers = websocket.request.allHTTPHeaderFields ?? [:]
    headers.setHeader(WebSocket.protocolHeader, to: nil)
    // A request may be without an address; the first connection then says that it cannot be used.
    self.init(
      url: websocket.request.url ?? URL(fileURLWithPath: "/"), headers: headers, store: store,
      configuration: configuration)
  }
}

extension WebSocketTransport {
  /// A transport for the protocol `graphql-ws`, as before there was another one.
  ///
  /// - Parameters:
  ///   - request: Has the address, and the header fields of the handshake.
  ///   - sendOperationIdentifiers: Send the identifier of a document in place of its text.
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  public convenience init(
    request: URLRequest, clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true, reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true,
    connectingPayload: JSONEncodableDictionary? = [:]
  ) {
    self.init(
      websocket: WebSocket(request: request, protocol: .graphql_ws),
      config: Configuration(
        clientName: clientName, clientVersion: clientVersion, reconnect: reconnect,
        reconnectionInterval: reconnectionInterval, connectingPayload: connectingPayload,
        requestBodyCreator: sendOperationIdentifiers ? OperationIdentifierBodyCreator() : ApolloRequestBodyCreator()))
  }

  /// Changes the payload of `connection_init` to a dictionary.
  @_disfavoredOverload
  public func updateConnectingPayload(_ payload: JSONEncodableDictionary, reconnectIfConnected: Bool = true) {
    updateConnectingPayload(.value(payload), reconnectIfConnected: reconnectIfConnected)
  }

  /// Asks the server for a sign of life.
  ///
  /// - Parameters:
  ///   - data: The JSON object that the server sends back; anything else is left out.
  ///   - completionHandler: Called when the request is on its way.
  public func ping(data: Data, completionHandler: (() -> Void)? = nil) {
    ping(payload: (try? ResponseReader.jsonValue(ResponseBytes(data))) as? JSONObject)
    completionHandler?()
  }
}

extension SplitNetworkTransport {
  public convenience init(
    httpNetworkTransport: any NetworkTransport, webSocketNetworkTransport: any NetworkTransport
  ) {
    self.init(
      uploadingNetworkTransport: httpNetworkTransport, webSocketNetworkTransport: webSocketNetworkTransport)
  }
}

extension WebSocketTransport.Configuration {
  /// The configuration of releases 1.x without any labels: it connects at once, introduces itself with the payload `{}`, and
  /// opens a broken connection again as often as it takes.
  ///
  /// With a label that only this release has (`subprotocols:`, `timeouts:`, …) the defaults are those of
  /// ``WebSocketTransport/Configuration/default``.
  public init() { self.init(reconnect: true) }

  /// - Parameters:
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  @_disfavoredOverload
  public init(
    clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, reconnect: Bool = true,
    reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true, connectOnInit: Bool = true,
    connectingPayload: JSONEncodableDictionary? = [:],
    requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    operationMessageIdCreator: any OperationMessageIdCreator = ApolloSequencedOperationMessageIdCreator()
  ) {
    self.init(
      connectingPayload: connectingPayload.map { .value($0) } ?? .none,
      reconnection: reconnect
        ? ReconnectionPolicy(maximumServerFailures: nil, initialDelay: .waiting(reconnectionInterval)) : .never,
      connectOnInit: connectOnInit, requestBodyCreator: requestBodyCreator,
      operationMessageIdCreator: operationMessageIdCreator, clientName: clientName, clientVersion: clientVersion)
  }
}
