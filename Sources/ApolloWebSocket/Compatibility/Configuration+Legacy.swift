public import Apollo
public import Foundation

extension WebSocketTransport.Configuration {
  /// Makes a configuration with the labels of Apollo iOS 1.
  ///
  /// - Parameters:
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - reconnect: Whether a broken connection is opened again, however often that is needed. The default is true.
  ///   - reconnectionInterval: The first delay in seconds; later delays are longer. The default is 0.5. Below 0, a
  ///     broken connection is not opened again, as in Apollo iOS 2.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  ///   - connectOnInit: Whether the transport connects at once instead of with the first operation. The default is
  ///     true.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestBodyCreator: Makes the JSON object that is sent for an operation.
  ///   - operationMessageIdCreator: Makes the identifiers of operations.
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
      connectingPayload: connectingPayload.map { .value($0) } ?? .none, connectOnInit: connectOnInit,
      requestBodyCreator: requestBodyCreator, operationMessageIdCreator: operationMessageIdCreator,
      clientName: clientName, clientVersion: clientVersion)
    self.reconnect = reconnect
    self.reconnectionInterval = reconnectionInterval
    self.allowSendingDuplicates = allowSendingDuplicates
  }

  /// Makes a configuration with the labels of Apollo iOS 2.4.
  ///
  /// - Parameters:
  ///   - reconnectionInterval: The first delay in seconds before a broken connection is opened again. The default is -1,
  ///     as there: it is not opened again.
  ///   - requestBodyCreator: Makes the JSON object that is sent for an operation.
  ///   - connectingPayload: The payload of `connection_init`; nil, the default, for none.
  ///   - operationMessageIdCreator: Makes the identifiers of operations.
  ///   - pingInterval: After how many seconds a ping asks whether the server is still there; nil, the default: none is
  ///     sent.
  ///   - clientAwarenessMetadata: What the handshake tells the server of the app.
  public init(
    reconnectionInterval: TimeInterval = -1, requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    connectingPayload: JSONEncodableDictionary? = nil,
    operationMessageIdCreator: any OperationMessageIdCreator = ApolloSequencedOperationMessageIdCreator(),
    pingInterval: TimeInterval? = nil, clientAwarenessMetadata: ClientAwarenessMetadata
  ) {
    self.init(
      connectingPayload: connectingPayload.map { .value($0) } ?? .none, requestBodyCreator: requestBodyCreator,
      operationMessageIdCreator: operationMessageIdCreator)
    timeouts.pingInterval = pingInterval.map { .waiting($0) }
    self.reconnectionInterval = reconnectionInterval
    self.clientAwarenessMetadata = clientAwarenessMetadata
  }

  /// What the handshake tells the server of the app, as in Apollo iOS 2: ``clientName`` and ``clientVersion``, of which
  /// an empty text is not sent.
  public var clientAwarenessMetadata: ClientAwarenessMetadata {
    get { ClientAwarenessMetadata(clientApplicationName: clientName, clientApplicationVersion: clientVersion) }
    set {
      clientName = newValue.clientApplicationName ?? ""
      clientVersion = newValue.clientApplicationVersion ?? ""
    }
  }

  /// Whether a broken connection is opened again. Setting it to false sets ``ReconnectionPolicy/never``.
  ///
  /// Setting it to true when it is false removes the limits for attempts; the delay stays as it is.
  public var reconnect: Bool {
    get { !(reconnection.isOff(for: .network) && reconnection.isOff(for: .server)) }
    set {
      guard newValue != reconnect else { return }
      reconnection.maximumAttempts = newValue ? nil : 0
      reconnection.maximumServerFailures = newValue ? nil : 0
    }
  }

  /// The first delay in seconds before a broken connection is opened again; see ``ReconnectionPolicy/initialDelay``.
  ///
  /// Setting it to a number below 0 sets ``reconnect`` to false, as in Apollo iOS 2. Then it is -1, and setting it to
  /// another number brings back what ``reconnect`` was, unless the limits or the delay were set in between.
  public var reconnectionInterval: TimeInterval {
    get { limitsOfInterval != nil ? -1 : reconnection.initialDelay / .seconds(1) }
    set {
      let limits =
        limitsOfInterval
        ?? (attempts: reconnection.maximumAttempts, serverFailures: reconnection.maximumServerFailures)
      reconnection.initialDelay = .waiting(newValue)
      (reconnection.maximumAttempts, reconnection.maximumServerFailures) = limits
      limitsOfInterval = nil
      guard newValue < 0 else { return }
      reconnect = false
      limitsOfInterval = limits
    }
  }
}
