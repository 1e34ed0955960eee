/// How long a connection waits for what.
public struct WebSocketTimeouts: Hashable, Sendable {
  /// For the handshake, and for what computes the connection payload. 10 seconds by default.
  public var connection: Duration
  /// For the server's `connection_ack`. 10 seconds by default.
  public var acknowledgement: Duration
  /// For the result of a query or a mutation, the time to connect included; nil for ever. A minute by default.
  ///
  /// `RequestConfiguration.requestTimeout` decides for one operation.
  public var result: Duration?
  /// Without any operation, before the connection is closed; nil for ever. A minute by default.
  public var idle: Duration?
  /// Between one ping and the next, while there is a connection; nil for no pings. 30 seconds by default.
  ///
  /// Without pings, a connection that drops everything silently would never be noticed. The protocol `graphql-ws` has
  /// no such message; there the ping frames of the WebSocket protocol serve, which every server answers.
  public var pingInterval: Duration?
  /// From a ping to any message, else the connection counts as broken. 5 seconds by default.
  public var pong: Duration
  /// For the next message after a `ka`, else the connection counts as broken. 30 seconds by default.
  ///
  /// Of the protocol `graphql-ws`; it matters once the server has sent a first `ka`.
  public var keepAlive: Duration

  public init(
    connection: Duration = .seconds(10), acknowledgement: Duration = .seconds(10), result: Duration? = .seconds(60),
    idle: Duration? = .seconds(60), pingInterval: Duration? = .seconds(30), pong: Duration = .seconds(5),
    keepAlive: Duration = .seconds(30)
  ) {
    self.connection = connection
    self.acknowledgement = acknowledgement
    self.result = result
    self.idle = idle
    self.pingInterval = pingInterval
    self.pong = pong
    self.keepAlive = keepAlive
  }
}
