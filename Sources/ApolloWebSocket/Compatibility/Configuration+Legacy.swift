public import Apollo
public import Foundation

extension WebSocketTransport.Configuration {
  /// A configuration by the labels of releases 1.x of Apollo iOS. What is not named is as in the other initializer.
  ///
  /// - Parameters:
  ///   - reconnect: Whether a broken connection is opened again, as often as it takes.
  ///   - reconnectionInterval: The first delay in seconds; later ones are longer.
  ///   - allowSendingDuplicates: Has no effect: nothing is sent twice on one connection.
  ///   - connectOnInit: Connect at once instead of with the first operation.
  ///   - connectingPayload: The payload of `connection_init`; nil for none.
  ///   - requestBodyCreator: Makes what is sent for an operation.
  ///   - operationMessageIdCreator: Makes the ids of operations.
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
    self.reconnectionInterval = reconnectionInterval
    self.reconnect = reconnect
    self.allowSendingDuplicates = allowSendingDuplicates
  }

  /// Whether a broken connection is opened again: false for ``ReconnectionPolicy/never``, which it sets as well.
  ///
  /// To set it to true where it is false gives the policy without limits, with the same delay as before.
  public var reconnect: Bool {
    get { !(reconnection.isOff(for: .network) && reconnection.isOff(for: .server)) }
    set {
      guard newValue != reconnect else { return }
      reconnection.maximumAttempts = newValue ? nil : 0
      reconnection.maximumServerFailures = newValue ? nil : 0
    }
  }

  /// The first delay before a broken connection is opened again, in seconds: ``ReconnectionPolicy/initialDelay``.
  public var reconnectionInterval: TimeInterval {
    get { reconnection.initialDelay / .seconds(1) }
    set { reconnection.initialDelay = .waiting(newValue) }
  }
}
