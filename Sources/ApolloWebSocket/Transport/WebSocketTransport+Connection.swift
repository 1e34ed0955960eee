public import Apollo
public import ApolloCache
public import Foundation
import ApolloAPI

// The connection, and the functions with which an app controls it.

extension WebSocketTransport {
  /// The object that is told what happens to the connection. It is held weakly; nil for none.
  public var delegate: (any WebSocketTransportDelegate)? {
    get { status.delegate }
    set { status.delegate = newValue }
  }

  /// The name of the app, which the handshake tells the server. Setting it changes the next handshake.
  public var clientName: String {
    get { settings.withLock { $0.clientName } }
    set { settings.withLock { $0.clientName = newValue } }
  }

  /// The version of the app, which the handshake tells the server. Setting it changes the next handshake.
  public var clientVersion: String {
    get { settings.withLock { $0.clientVersion } }
    set { settings.withLock { $0.clientVersion = newValue } }
  }

  /// Whether there is a connection that the server has acknowledged.
  public func isConnected() -> Bool { status.isConnected }

  /// Connects now, instead of with the next operation.
  public func initServer() { inbox.yield(.event(.connect)) }

  /// Connects, and waits until the server has acknowledged the connection. Operations do not need it; it is for an app
  /// that wants to know whether there is a connection before it shows anything. While operations wait for the next
  /// attempt to connect, this waits for it, too.
  ///
  /// - Throws: ``WebSocketError`` if this attempt fails, or `CancellationError`.
  public func connect() async throws {
    let waiter = ConnectionWaiter()
    inbox.yield(.connect(waiter))
    try await waiter.wait()
  }

  /// Sends a ping message, if there is a connection and its protocol has such messages (`graphql-ws` does not).
  ///
  /// The delegate is told when the server answers.
  public func ping(payload: JSONObject? = nil) {
    let json = payload.map { payload in
      var writer = __JSONWriter()
      writer.writeJSON(payload)
      return writer.bytes
    }
    inbox.yield(.event(.ping(payload: json)))
  }

  /// Closes the connection and ends all operations. The next operation opens another connection.
  ///
  /// Subscriptions end without an error; queries and mutations fail.
  public func closeConnection() { inbox.yield(.event(.close)) }

  /// Closes the connection and keeps the subscriptions, for an app that goes to the background.
  ///
  /// Operations that are started meanwhile wait. Queries and mutations that the server has not answered fail.
  public func pauseWebSocketConnection() { inbox.yield(.event(.pause)) }

  /// Connects: after ``pauseWebSocketConnection()``; at once if the transport waits before its next attempt; and if
  /// there is no connection yet.
  ///
  /// - Parameter autoReconnect: Whether a connection that is lost from now on is opened again, as the configuration's
  ///   ``ReconnectionPolicy`` says. With false, its loss is the end of its operations, and the next operation opens
  ///   another connection. It holds until the next call. The default is true.
  public func resumeWebSocketConnection(autoReconnect: Bool = true) {
    inbox.yield(.event(.resume(reopens: autoReconnect)))
  }

  /// Ends the operation with an identifier, as if its sequence had been released.
  ///
  /// - Parameter subscriptionId: The identifier that the configuration's ``OperationMessageIdCreator`` made.
  public func unsubscribe(_ subscriptionId: String) { inbox.yield(.event(.cancel(id: subscriptionId))) }

  // MARK: Settings for the next connection

  /// Changes header fields of the handshake. Names are compared without regard to case.
  ///
  /// - Parameters:
  ///   - values: The new values by name; nil removes a field.
  ///   - reconnectIfConnected: Whether the connection is replaced by one with the new fields. Subscriptions continue.
  ///     The default is true.
  public func updateHeaderValues(_ values: [String: String?], reconnectIfConnected: Bool = true) {
    ConnectionSettings.change(settings, headers: values)
    if reconnectIfConnected { replaceHandshake() }
  }

  /// Changes the payload of `connection_init`.
  ///
  /// - Parameters:
  ///   - payload: The new payload.
  ///   - reconnectIfConnected: Whether the connection is replaced by one with the new payload. Subscriptions continue.
  ///     The default is true.
  public func updateConnectingPayload(_ payload: ConnectingPayload, reconnectIfConnected: Bool = true) {
    settings.withLock { settings in
      settings.payload = payload
      if reconnectIfConnected { settings.payloadChanges.add() }
    }
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }

  /// Changes the address of the server.
  ///
  /// - Parameters:
  ///   - url: The new address.
  ///   - reconnectIfConnected: Whether the connection is replaced by one to the new address. Subscriptions continue.
  ///     The default is true.
  public func updateURL(_ url: URL, reconnectIfConnected: Bool = true) {
    ConnectionSettings.change(settings, url: url)
    if reconnectIfConnected { replaceHandshake() }
  }

  /// Replaces the connection, unless its handshake has the change or will have it.
  private func replaceHandshake() {
    settings.withLock { $0.handshakeChanges.add() }
    inbox.yield(.event(.reconnect))
  }
}

extension WebSocketTransport: UserForgetting {
  /// Closes the connection, and has the authenticator forget its credentials: the user has signed out.
  ///
  /// The next operation opens a connection whose payload is computed anew. A payload and header fields that were set
  /// later than the transport was made are those of the beginning again. Operations that begin before this returns end
  /// as well.
  public func forgetUser() async throws {
    closeConnection()
    let current = ConnectionSettings.forgetUser(settings)
    // Before the credentials: without them, nothing says whose the cookies are.
    removeSessionData(current)
    await current.authenticator?.forgetCredentials()
    await (current.engine as? WebSocketClientEngine)?.forgetUser()
    // A connection that was opened meanwhile may have the credentials of before, and may have brought cookies.
    closeConnection()
    removeSessionData(current)
  }

  /// Removes what the session of the engine keeps of the user.
  private func removeSessionData(_ settings: ConnectionSettings) {
    #if canImport(Darwin)
      let engine = (settings.engine as? WebSocket.Engine)?.socket.engine ?? settings.engine
      if let url = settings.url { (engine as? URLSessionWebSocketEngine)?.forgetUser(of: url) }
    #endif
  }
}

extension WebSocketTransport: ClientAwareTransport {
  package var clientAwarenessMetadata: ClientAwarenessMetadata {
    get { ClientAwarenessMetadata(clientApplicationName: clientName, clientApplicationVersion: clientVersion) }
    set {
      clientName = newValue.clientApplicationName ?? ""
      clientVersion = newValue.clientApplicationVersion ?? ""
    }
  }
}
