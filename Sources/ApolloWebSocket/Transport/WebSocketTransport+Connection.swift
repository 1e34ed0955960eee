public import Apollo
public import Foundation
import ApolloAPI

// The connection, and what the app may do about it.

extension WebSocketTransport {
  /// Is told what happens to the connection. The transport does not keep it alive.
  public var delegate: (any WebSocketTransportDelegate)? {
    get { status.delegate }
    set { status.delegate = newValue }
  }

  /// Sent with the handshake.
  public var clientName: String {
    get { settings.withLock { $0.clientName } }
    set { settings.withLock { $0.clientName = newValue } }
  }

  public var clientVersion: String {
    get { settings.withLock { $0.clientVersion } }
    set { settings.withLock { $0.clientVersion = newValue } }
  }

  /// True while there is a connection that the server has acknowledged.
  public func isConnected() -> Bool { status.isConnected }

  /// Connects now, and not with the next operation.
  public func initServer() { inbox.yield(.event(.connect)) }

  /// Connects, and waits until the server has acknowledged the connection.
  ///
  /// - Throws: ``WebSocketError`` if this attempt fails, or `CancellationError`. For an app that wants to know before
  ///   it shows anything; operations need no call of this.
  public func connect() async throws {
    let waiter = ConnectionWaiter()
    inbox.yield(.connect(waiter))
    try await waiter.wait()
  }

  /// Asks the server for a sign of life, if there is a connection and its protocol has that (`graphql-ws` has not).
  ///
  /// The delegate is told of the answer.
  public func ping(payload: JSONObject? = nil) {
    let json = payload.map { payload in
      var writer = JSONWriter()
      writer.writeJSON(payload)
      return writer.bytes
    }
    inbox.yield(.event(.ping(payload: json)))
  }

  /// Closes the connection and ends all operations. The next operation opens another one.
  ///
  /// Subscriptions end without an error; queries and mutations fail.
  public func closeConnection() { inbox.yield(.event(.close)) }

  /// Closes the connection and keeps the subscriptions, for an app that goes to the background.
  ///
  /// New operations wait as well. Queries and mutations that the server has not answered yet fail.
  public func pauseWebSocketConnection() { inbox.yield(.event(.pause)) }

  /// Connects: after ``pauseWebSocketConnection()``, at once where the next attempt is still to come, and where there is no
  /// connection yet.
  ///
  /// - Parameter autoReconnect: False to connect only if operations wait.
  public func resumeWebSocketConnection(autoReconnect: Bool = true) {
    inbox.yield(.event(.resume(connects: autoReconnect)))
  }

  /// Ends the operation of an id, as if its stream had been dropped.
  ///
  /// - Parameter subscriptionId: As the configuration's ``OperationMessageIdCreator`` made it.
  public func unsubscribe(_ subscriptionId: String) { inbox.yield(.event(.cancel(id: subscriptionId))) }

  // MARK: What the next connection is opened with

  /// Changes header fields of the handshake; nil removes one. Names are the same in letters of whatever case.
  ///
  /// - Parameter reconnectIfConnected: Replace the connection by one with the new fields. Subscriptions go on.
  public func updateHeaderValues(_ values: [String: String?], reconnectIfConnected: Bool = true) {
    ConnectionSettings.change(settings, headers: values)
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }

  /// Changes the payload of `connection_init`.
  ///
  /// - Parameter reconnectIfConnected: Replace the connection by one with the new payload. Subscriptions go on.
  public func updateConnectingPayload(_ payload: ConnectingPayload, reconnectIfConnected: Bool = true) {
    settings.withLock { $0.payload = payload }
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }

  /// Changes the address.
  ///
  /// - Parameter reconnectIfConnected: Replace the connection by one to the new address. Subscriptions go on.
  public func updateURL(_ url: URL, reconnectIfConnected: Bool = true) {
    ConnectionSettings.change(settings, url: url)
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }
}
