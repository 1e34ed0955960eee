public import Apollo

extension WebSocketTransport {
  /// How a transport connects.
  public struct Configuration: Sendable {
    /// Offered to the server, the preferred one first; it chooses one.
    public var subprotocols: [WebSocketSubprotocol]
    /// Introduces the client to the server, with credentials for instance.
    public var connectingPayload: ConnectingPayload
    /// When a broken connection is opened again.
    public var reconnection: ReconnectionPolicy
    public var timeouts: WebSocketTimeouts
    /// The kinds of operations that are sent again after a connection was lost; others fail with its error.
    ///
    /// By default subscriptions only. A query may be added without harm; a mutation might then run twice.
    /// ``ResendableRequestContext`` decides for one operation.
    public var resentOperations: Set<GraphQLOperationType>
    /// Connect at once instead of with the first operation.
    public var connectOnInit: Bool

    public init(
      connectingPayload: ConnectingPayload = .none, subprotocols: [WebSocketSubprotocol] = [.graphqlTransportWS],
      reconnection: ReconnectionPolicy = ReconnectionPolicy(), timeouts: WebSocketTimeouts = WebSocketTimeouts(),
      resentOperations: Set<GraphQLOperationType> = [.subscription], connectOnInit: Bool = false
    ) {
      self.connectingPayload = connectingPayload
      self.subprotocols = subprotocols
      self.reconnection = reconnection
      self.timeouts = timeouts
      self.resentOperations = resentOperations
      self.connectOnInit = connectOnInit
    }
  }

  /// The payload of `connection_init`.
  public enum ConnectingPayload: Sendable, ExpressibleByDictionaryLiteral {
    case none
    case value(JSONObject)
    /// Computed anew for each connection, before it is opened.
    ///
    /// If the closure throws, the operations fail with its error and nothing is tried again. It may call
    /// ``WebSocketTransport/updateHeaderValues(_:reconnectIfConnected:)``: header fields are read afterwards.
    case perConnection(@Sendable () async throws -> JSONObject?)

    public init(dictionaryLiteral elements: (String, any Sendable)...) {
      self = .value(JSONObject(elements) { _, last in last })
    }
  }
}

/// A context that says whether an operation may be sent again after the connection was lost.
public protocol ResendableRequestContext: RequestContext {
  /// True if it does no harm to run the operation twice.
  var isResendable: Bool { get }
}
