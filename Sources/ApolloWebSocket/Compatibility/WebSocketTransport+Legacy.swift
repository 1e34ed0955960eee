public import Apollo
public import Foundation
import ApolloAPI
import ApolloCache

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// How a transport is made and asked in releases up to 1.x of Apollo iOS.

extension WebSocketSubprotocol: CustomStringConvertible {
  public static let graphql_transport_ws = Self.graphqlTransportWS
  public static let graphql_ws = Self.graphqlWS

  /// As it stands in the header field `Sec-WebSocket-Protocol`.
  public var description: String { rawValue }
}

extension WebSocketTransport {
  /// A transport over a ``WebSocket``, or over a socket of the app's own.
  ///
  /// - Parameters:
  ///   - websocket: Has the address, the header fields of the handshake, and the protocol in one of them.
  ///   - store: Where results are written, unless the cache policy says otherwise; nil for nowhere.
  ///   - config: Its `subprotocols` are replaced by that of the socket.
  public convenience init(
    websocket: any WebSocketClient, store: ApolloStore? = nil, config: Configuration = Configuration()
  ) {
    let request = websocket.request
    var configuration = config
    configuration.subprotocols = [
      request.value(forHTTPHeaderField: WebSocket.protocolHeader).flatMap(WebSocketSubprotocol.init(rawValue:))
        ?? .graphqlTransportWS
    ]
    let engine: any WebSocketEngine =
      (websocket as? WebSocket).map(WebSocket.Engine.init) ?? WebSocketClientEngine(websocket)
    self.init(
      ConnectionSettings(.websocket(Handoff(websocket)), engine: engine, configuration), store, configuration)
  }

  /// A transport as releases 0.4x and 0.5x make it.
  ///
  /// - Parameters:
  ///   - websocket: Has the address, the header fields of the handshake, and the protocol in one of them.
  ///   - store: Where results are written, unless the cache policy says otherwise; nil for nowhere.
  ///   - sendOperationIdentifiers: Send the identifier of a document in place of its text.
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  ///   - connectOnInit: Connect at once instead of with the first operation.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestBodyCreator: Makes what is sent for an operation, unless identifiers are sent.
  ///   - operationMessageIdCreator: Makes the ids of operations.
  @_disfavoredOverload
  public convenience init(
    websocket: any WebSocketClient, store: ApolloStore? = nil,
    clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true, reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true,
    connectOnInit: Bool = true, connectingPayload: JSONEncodableDictionary? = [:],
    requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    operationMessageIdCreator: any OperationMessageIdCreator = ApolloSequencedOperationMessageIdCreator()
  ) {
    self.init(
      websocket: websocket, store: store,
      config: Configuration(
        clientName: clientName, clientVersion: clientVersion, reconnect: reconnect,
        reconnectionInterval: reconnectionInterval, allowSendingDuplicates: allowSendingDuplicates,
        connectOnInit: connectOnInit, connectingPayload: connectingPayload,
        requestBodyCreator: sendOperationIdentifiers ? OperationIdentifierBodyCreator() : requestBodyCreator,
        operationMessageIdCreator: operationMessageIdCreator))
  }

  /// A transport for the protocol `graphql-ws`, as releases up to 0.3x make it.
  ///
  /// - Parameters:
  ///   - request: Has the address, and the header fields of the handshake.
  ///   - sendOperationIdentifiers: Send the identifier of a document in place of its text.
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  public convenience init(
    request: URLRequest, clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true, reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true,
    connectingPayload: JSONEncodableDictionary? = [:]
  ) {
    self.init(
      websocket: WebSocket(request: request, protocol: .graphql_ws), clientName: clientName,
      clientVersion: clientVersion, sendOperationIdentifiers: sendOperationIdentifiers, reconnect: reconnect,
      reconnectionInterval: reconnectionInterval, allowSendingDuplicates: allowSendingDuplicates,
      connectingPayload: connectingPayload)
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
  /// By the label of releases up to 0.3x.
  public convenience init(
    httpNetworkTransport: any NetworkTransport, webSocketNetworkTransport: any NetworkTransport
  ) {
    self.init(
      uploadingNetworkTransport: httpNetworkTransport, webSocketNetworkTransport: webSocketNetworkTransport)
  }
}
