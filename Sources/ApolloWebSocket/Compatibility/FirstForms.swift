public import Apollo
public import Foundation
import ApolloAPI

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Declarations with which Apollo iOS 0.27 to 0.50 make a socket and a transport. Those releases know one protocol,
// `graphql-ws`.

/// A ``WebSocket`` under its name in Apollo iOS 0.44 to 0.46.
public typealias DefaultWebSocket = WebSocket

extension WebSocket {
  /// Makes a socket for the protocol `graphql-ws`.
  ///
  /// - Parameter request: The address, and the header fields of the handshake.
  public convenience init(request: URLRequest) { self.init(request: request, protocol: .graphqlWS) }

  /// Makes a socket for the protocol `graphql-ws`.
  ///
  /// - Parameter url: The address of the server. `https` is read as `wss`, and `http` as `ws`.
  public convenience init(url: URL) { self.init(url: url, protocol: .graphqlWS) }

  /// Not available: check the name of the host in the engine.
  @available(
    *, unavailable,
    message:
      "Check a server's certificate in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(verify:))'."
  )
  public var overrideTrustHostname: Bool {
    get { false }
    set {}
  }

  /// Not available: check the name of the host in the engine.
  @available(
    *, unavailable,
    message:
      "Check a server's certificate in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(verify:))'."
  )
  public var desiredTrustHostname: String? {
    get { nil }
    set {}
  }
}

extension WebSocketTransport {
  /// Makes a transport for the protocol `graphql-ws`, with the parameters of Apollo iOS 0.43.
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
  ///   - connectOnInit: Whether the transport connects at once instead of with the first operation. The default is
  ///     true.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestBodyCreator: Makes the JSON object that is sent for an operation.
  @_disfavoredOverload
  public convenience init(
    request: URLRequest, clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true, reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true,
    connectOnInit: Bool = true, connectingPayload: JSONEncodableDictionary? = [:],
    requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator()
  ) {
    self.init(
      websocket: WebSocket(request: request), clientName: clientName, clientVersion: clientVersion,
      sendOperationIdentifiers: sendOperationIdentifiers, reconnect: reconnect,
      reconnectionInterval: reconnectionInterval, allowSendingDuplicates: allowSendingDuplicates,
      connectOnInit: connectOnInit, connectingPayload: connectingPayload, requestBodyCreator: requestBodyCreator)
  }

  /// Makes a transport for the protocol `graphql-ws`, with the parameters of Apollo iOS 0.27 to 0.42.
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
  ///   - connectOnInit: Whether the transport connects at once instead of with the first operation. The default is
  ///     true.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestCreator: Makes the JSON object that is sent for an operation.
  public convenience init(
    request: URLRequest, clientName: String = WebSocketTransport.defaultClientName,
    clientVersion: String = WebSocketTransport.defaultClientVersion, sendOperationIdentifiers: Bool = false,
    reconnect: Bool = true, reconnectionInterval: TimeInterval = 0.5, allowSendingDuplicates: Bool = true,
    connectOnInit: Bool = true, connectingPayload: JSONEncodableDictionary? = [:],
    requestCreator: any RequestCreator
  ) {
    self.init(
      request: request, clientName: clientName, clientVersion: clientVersion,
      sendOperationIdentifiers: sendOperationIdentifiers, reconnect: reconnect,
      reconnectionInterval: reconnectionInterval, allowSendingDuplicates: allowSendingDuplicates,
      connectOnInit: connectOnInit, connectingPayload: connectingPayload, requestBodyCreator: requestCreator)
  }
}
