/// How long a connection waits for each kind of answer.
public struct WebSocketTimeouts: Hashable, Sendable {
  /// For the handshake, and for the closure that computes the connection payload. The default is 10 seconds.
  public var connection: Duration
  /// For the server's `connection_ack`. The default is 10 seconds.
  public var acknowledgement: Duration
  /// For the result of a query or a mutation, including the time to connect, and for each next part of a result in
  /// parts. nil: no limit. The default is one minute.
  ///
  /// `RequestConfiguration.requestTimeout` overrides it for one operation.
  public var result: Duration?
  /// How long a connection without operations is kept open. nil: it is not closed. The default is one minute.
  public var idle: Duration?
  /// The time between two pings while there is a connection. nil: no pings are sent. The default is 30 seconds.
  ///
  /// Without pings, a connection that silently drops everything would never be noticed. The protocol `graphql-ws` has
  /// no ping messages; there, ping frames of the WebSocket protocol are sent, which every server answers.
  public var pingInterval: Duration?
  /// How long after a ping some message must come; otherwise the connection counts as broken. The default is 5 seconds.
  ///
  /// With the engine of SwiftNIO, any bytes count, also those of a message that is not whole yet. Apple's systems do
  /// not tell of them: there, a message that takes longer than ``pingInterval`` and this time together never arrives.
  /// Choose a longer time for large results over slow networks.
  public var pong: Duration
  /// How long after a `ka` message the next message must come, or any bytes with the engine of SwiftNIO; otherwise a
  /// ping asks whether the server is still there. Without pings (see ``pingInterval``) the connection counts as broken
  /// then. Over a socket that does not tell of answers to them, such as a ``WebSocketClient`` of the app, it counts as
  /// broken after twice this time. The default is 30 seconds; less than one second counts as one.
  ///
  /// It is for the protocol `graphql-ws`, and is used after the server has sent a first `ka`. A server that announces
  /// its longest silence (`connectionTimeoutMs`, AWS AppSync) replaces it, and that time is not doubled.
  public var keepAlive: Duration

  /// Makes timeouts. Arguments that are left out have the defaults of the properties.
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
