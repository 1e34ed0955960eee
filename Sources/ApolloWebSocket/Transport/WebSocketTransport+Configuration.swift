public import Apollo

extension WebSocketTransport {
  /// How a transport connects.
  ///
  /// What is not named is as in releases 1.x of Apollo iOS, whichever labels are used: the transport connects at once,
  /// introduces itself with the payload `{}`, and opens a broken connection again as often as it takes.
  public struct Configuration: @unchecked Sendable {
    // Sendable but for the two creators, which are objects of the app: their protocols say that they are called from any
    // thread.

    /// Offered to the server, the preferred one first; it chooses one.
    public var subprotocols: [WebSocketSubprotocol]
    /// Introduces the client to the server, with credentials for instance.
    public var connectingPayload: ConnectingPayload
    /// Gives each connection its credentials. If the server refuses them, they are renewed and one more attempt is
    /// made; without it, a refusal ends the operations. It may be the one that requests over HTTP use.
    public var authenticator: (any Authenticator)?
    /// Where the credentials go.
    public var credentialsPlacement: CredentialsPlacement
    /// When a broken connection is opened again.
    public var reconnection: ReconnectionPolicy
    public var timeouts: WebSocketTimeouts
    /// The kinds of operations that are sent again after a connection was lost; others fail with its error.
    ///
    /// By default subscriptions only. A query may be added without harm; a mutation might then run twice.
    /// `RequestConfiguration.isRepeatable` decides for one operation.
    public var resentOperations: Set<GraphQLOperationType>
    /// For results that the app does not take at once. `RequestConfiguration.buffering` decides for one operation.
    public var buffering: ResultBuffering
    /// Connect at once, as by default, or with the first operation.
    public var connectOnInit: Bool
    /// Makes what is sent for an operation: the payload of `subscribe`, or of `start`.
    public var requestBodyCreator: any RequestBodyCreator
    /// Makes the ids of operations.
    public var operationMessageIdCreator: any OperationMessageIdCreator
    /// Sent with the handshake, as `apollographql-client-name` and `apollographql-client-version`.
    public var clientName: String
    public var clientVersion: String
    /// As it was given. It has no effect: nothing is sent twice on one connection.
    public internal(set) var allowSendingDuplicates = true

    /// A configuration without any settings.
    public static let `default` = Configuration()

    public init(
      connectingPayload: ConnectingPayload = .value([:]), subprotocols: [WebSocketSubprotocol] = [.graphqlTransportWS],
      authenticator: (any Authenticator)? = nil, credentialsPlacement: CredentialsPlacement = .headers,
      reconnection: ReconnectionPolicy = ReconnectionPolicy(), timeouts: WebSocketTimeouts = WebSocketTimeouts(),
      resentOperations: Set<GraphQLOperationType> = [.subscription], buffering: ResultBuffering = .default,
      connectOnInit: Bool = true, requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
      operationMessageIdCreator: any OperationMessageIdCreator = ApolloSequencedOperationMessageIdCreator(),
      clientName: String = WebSocketTransport.defaultClientName,
      clientVersion: String = WebSocketTransport.defaultClientVersion
    ) {
      self.connectingPayload = connectingPayload
      self.subprotocols = subprotocols
      self.authenticator = authenticator
      self.credentialsPlacement = credentialsPlacement
      self.reconnection = reconnection
      self.timeouts = timeouts
      self.resentOperations = resentOperations
      self.buffering = buffering
      self.connectOnInit = connectOnInit
      self.requestBodyCreator = requestBodyCreator
      self.operationMessageIdCreator = operationMessageIdCreator
      self.clientName = clientName
      self.clientVersion = clientVersion
    }
  }

  /// The payload of `connection_init`.
  public enum ConnectingPayload: Sendable, ExpressibleByDictionaryLiteral {
    case none
    case value(JSONObject)
    /// Computed anew for each connection, before it is opened.
    ///
    /// If the closure throws, the operations fail with its error; an error of the network counts as one of the
    /// connection, which is tried again. The closure may call
    /// ``WebSocketTransport/updateHeaderValues(_:reconnectIfConnected:)``: header fields are read afterwards.
    case perConnection(@Sendable () async throws -> JSONObject?)

    public init(dictionaryLiteral elements: (String, any Sendable)...) {
      self = .value(JSONObject(elements) { _, last in last })
    }
  }

  /// Where a connection carries its credentials.
  public enum CredentialsPlacement: Hashable, Sendable {
    /// As header fields of the handshake.
    case headers
    /// As members of the payload of `connection_init`, for servers that look there only.
    case connectingPayload
  }
}
