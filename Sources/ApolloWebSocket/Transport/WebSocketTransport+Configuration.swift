public import Apollo

extension WebSocketTransport {
  /// How a transport connects.
  ///
  /// The defaults are those of Apollo iOS 1: the transport connects at once, sends the payload `{}`, and opens a broken
  /// connection again as often as needed.
  public struct Configuration: @unchecked Sendable {
    // Sendable, except for the two creators, which are objects of the app. Their protocols require that they can be
    // called from any thread.

    /// The protocols that are offered to the server, the preferred one first. The server chooses one of them. The
    /// default is `graphql-transport-ws`.
    public var subprotocols: [WebSocketSubprotocol]
    /// The payload of `connection_init`, which may have credentials, for instance. The default is `{}`.
    public var connectingPayload: ConnectingPayload
    /// Gives each connection its credentials. If the server refuses them, they are renewed and one more attempt is
    /// made. It may be the authenticator that requests over HTTP use. nil, the default: a refusal ends the operations.
    public var authenticator: (any Authenticator)?
    /// Where a connection carries the credentials. The default is header fields of the handshake.
    public var credentialsPlacement: CredentialsPlacement
    /// When a broken connection is opened again.
    public var reconnection: ReconnectionPolicy {
      didSet {
        // What is decided after an interval below 0 is not taken back by the next interval.
        let isSameDecision =
          reconnection.initialDelay == oldValue.initialDelay
          && reconnection.maximumAttempts == oldValue.maximumAttempts
          && reconnection.maximumServerFailures == oldValue.maximumServerFailures
        if !isSameDecision { limitsOfInterval = nil }
      }
    }
    /// How long a connection waits for each kind of answer.
    public var timeouts: WebSocketTimeouts
    /// How much a server may make the connection hold. An engine that the app passes has limits of its own for messages
    /// and frames.
    public var limits: WebSocketLimits
    /// The kinds of operations that are sent again after a connection was lost. Others fail with the error of the
    /// connection.
    ///
    /// The default is subscriptions only. Queries may be added without harm; a mutation might then run twice.
    /// `RequestConfiguration.isRepeatable` overrides it for one operation.
    public var resentOperations: Set<GraphQLOperationType>
    /// What happens to results that the app does not take at once. `RequestConfiguration.buffering` overrides it for
    /// one operation.
    public var buffering: RequestConfiguration.ResultBuffering
    /// Whether the transport connects at once. The default is true; with false it connects with the first operation.
    public var connectOnInit: Bool
    /// Makes the JSON object that is sent for an operation: the payload of `subscribe`, or of `start`.
    public var requestBodyCreator: any RequestBodyCreator
    /// Makes the identifiers of operations.
    public var operationMessageIdCreator: any OperationMessageIdCreator
    /// The name of the app, which the handshake tells the server in `apollographql-client-name`.
    public var clientName: String
    /// The version of the app, which the handshake tells the server in `apollographql-client-version`.
    public var clientVersion: String
    /// The value that an initializer was given. It has no effect: nothing is sent twice on one connection.
    public internal(set) var allowSendingDuplicates = true
    /// The limits of ``reconnection`` before ``reconnectionInterval`` was set below 0; nil: it is not, or the app has
    /// decided since.
    var limitsOfInterval: (attempts: Int?, serverFailures: Int?)?

    /// A configuration with all defaults.
    public static let `default` = Configuration()

    /// Makes a configuration. Arguments that are left out have the defaults of the properties.
    public init(
      connectingPayload: ConnectingPayload = .value([:]), subprotocols: [WebSocketSubprotocol] = [.graphqlTransportWS],
      authenticator: (any Authenticator)? = nil, credentialsPlacement: CredentialsPlacement = .headers,
      reconnection: ReconnectionPolicy = ReconnectionPolicy(), timeouts: WebSocketTimeouts = WebSocketTimeouts(),
      limits: WebSocketLimits = WebSocketLimits(), resentOperations: Set<GraphQLOperationType> = [.subscription],
      buffering: RequestConfiguration.ResultBuffering = .default,
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
      self.limits = limits
      self.resentOperations = resentOperations
      self.buffering = buffering
      self.connectOnInit = connectOnInit
      self.requestBodyCreator = requestBodyCreator
      self.operationMessageIdCreator = operationMessageIdCreator
      self.clientName = clientName
      self.clientVersion = clientVersion
    }
  }

  /// The payload of `connection_init`, with which the client introduces itself.
  public enum ConnectingPayload: Sendable, ExpressibleByDictionaryLiteral {
    /// No payload is sent.
    case none
    /// A JSON object is sent.
    case value(JSONObject)
    /// The payload is computed for each connection, before it is opened.
    ///
    /// If the closure throws, the operations fail with its error. An error of the network counts as a failure of the
    /// connection, which is tried again. The closure may call
    /// ``WebSocketTransport/updateHeaderValues(_:reconnectIfConnected:)``, because header fields are read after it has
    /// returned.
    case perConnection(@Sendable () async throws -> JSONObject?)

    /// A JSON object as a literal. If several members have one name, the last one is used.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
      self = .value(JSONObject(elements) { _, last in last })
    }
  }

  /// Where a connection carries its credentials.
  public enum CredentialsPlacement: Hashable, Sendable {
    /// As header fields of the handshake.
    case headers
    /// As members of the payload of `connection_init`, for servers that look only there.
    case connectingPayload
  }
}
