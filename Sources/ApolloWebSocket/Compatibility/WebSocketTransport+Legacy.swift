public import Apollo
public import Foundation
import ApolloAPI
import ApolloCache

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Declarations with which Apollo iOS 1 and earlier make and use a transport.

extension WebSocketSubprotocol: CustomStringConvertible {
  /// The protocol `graphql-transport-ws`, under its name in Apollo iOS 1.
  public static let graphql_transport_ws = Self.graphqlTransportWS
  /// The protocol `graphql-ws`, under its name in Apollo iOS 1.
  public static let graphql_ws = Self.graphqlWS

  /// The name of the protocol in the header field `Sec-WebSocket-Protocol`.
  public var description: String { rawValue }
}

extension WebSocketTransport {
  /// Makes a transport over a ``WebSocket``, or over a socket that the app has made.
  ///
  /// The address of a socket that the app has made is read once; ``updateURL(_:reconnectIfConnected:)`` changes it. A
  /// header field that the app sets on the socket's request counts until the next connection after
  /// ``updateHeaderValues(_:reconnectIfConnected:)`` was called for it, until the authenticator has another value for
  /// it, and until ``forgetUser()``.
  ///
  /// - Parameters:
  ///   - websocket: The socket. Its request has the address, the header fields of the handshake, and the protocol in
  ///     one of them.
  ///   - store: The cache that results are written to, if the cache policy allows it. nil, the default: that of the
  ///     client that uses the transport.
  ///   - config: How the transport connects. Its `subprotocols` are replaced by the protocol of the socket.
  public convenience init(
    websocket: any WebSocketClient, store: ApolloStore? = nil, config: Configuration = Configuration()
  ) {
    let request = websocket.request
    var configuration = config
    configuration.subprotocols = [
      request.value(forHTTPHeaderField: WebSocket.protocolHeader).flatMap(WebSocketSubprotocol.init(rawValue:))
        ?? .graphqlTransportWS
    ]
    let settings: ConnectionSettings
    if let socket = websocket as? WebSocket {
      settings = ConnectionSettings(.websocket(socket), engine: WebSocket.Engine(socket: socket), configuration)
    } else {
      // Only the engine uses such a socket from here on, on its queue.
      var headers = request.allHTTPHeaderFields ?? [:]
      headers.setHeader(WebSocket.protocolHeader, to: nil)
      settings = ConnectionSettings(
        .own(request.url, headers: headers), engine: WebSocketClientEngine(websocket, config.limits), configuration)
    }
    self.init(settings, store: store, configuration: configuration)
  }

  /// Makes a transport, with the parameters of Apollo iOS 0.4x and 0.5x.
  ///
  /// - Parameters:
  ///   - websocket: The socket. Its request has the address, the header fields of the handshake, and the protocol in
  ///     one of them.
  ///   - store: The cache that results are written to, if the cache policy allows it. nil, the default: that of the
  ///     client that uses the transport.
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - sendOperationIdentifiers: Whether the identifier of a document is sent in place of its text. The default is
  ///     false.
  ///   - reconnect: Whether a broken connection is opened again, however often that is needed. The default is true.
  ///   - reconnectionInterval: The first delay in seconds; later delays are longer. The default is 0.5. Below 0, a
  ///     broken connection is not opened again.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  ///   - connectOnInit: Whether the transport connects at once instead of with the first operation. The default is
  ///     true.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestBodyCreator: Makes the JSON object that is sent for an operation. It is asked for one with an
  ///     identifier if these are sent.
  ///   - operationMessageIdCreator: Makes the identifiers of operations.
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
        requestBodyCreator: RequestBody.creator(
          sendingIdentifiers: sendOperationIdentifiers, otherwise: requestBodyCreator),
        operationMessageIdCreator: operationMessageIdCreator))
  }

  /// Makes a transport for the protocol `graphql-ws`, with the parameters of Apollo iOS 0.3x and earlier.
  ///
  /// - Parameters:
  ///   - request: The address, and the header fields of the handshake.
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - sendOperationIdentifiers: Whether the identifier of a document is sent in place of its text. The default is
  ///     false.
  ///   - reconnect: Whether a broken connection is opened again, however often that is needed. The default is true.
  ///   - reconnectionInterval: The first delay in seconds; later delays are longer. The default is 0.5. Below 0, a
  ///     broken connection is not opened again.
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

  /// Sets the payload of `connection_init` to a dictionary. By default it replaces the connection, so that the payload
  /// is used at once.
  @_disfavoredOverload
  public func updateConnectingPayload(_ payload: JSONEncodableDictionary, reconnectIfConnected: Bool = true) {
    updateConnectingPayload(.value(payload), reconnectIfConnected: reconnectIfConnected)
  }

  /// Sends a ping message to the server.
  ///
  /// - Parameters:
  ///   - data: A JSON object that the server sends back. Other data is left out.
  ///   - completionHandler: Called before this returns. nil, the default: none.
  public func ping(data: Data, completionHandler: (() -> Void)? = nil) {
    ping(payload: (try? ResponseReader.jsonValue(ResponseBytes(data))) as? JSONObject)
    completionHandler?()
  }

  /// Sets the ``delegate``, as in Apollo iOS 2. It is held weakly; nil for none.
  public func setDelegate(_ delegate: (any WebSocketTransportDelegate)?) { self.delegate = delegate }

  /// Closes the connection and keeps the subscriptions, as in Apollo iOS 2: ``pauseWebSocketConnection()``.
  public func pause() { pauseWebSocketConnection() }

  /// Connects, as in Apollo iOS 2: ``resumeWebSocketConnection(autoReconnect:)``.
  public func resume() { resumeWebSocketConnection() }
}

extension SplitNetworkTransport {
  /// Makes a transport, with the label of Apollo iOS 0.3x and earlier for the transport over HTTP.
  public convenience init(
    httpNetworkTransport: any NetworkTransport, webSocketNetworkTransport: any NetworkTransport
  ) {
    self.init(
      uploadingNetworkTransport: httpNetworkTransport, webSocketNetworkTransport: webSocketNetworkTransport)
  }
}
