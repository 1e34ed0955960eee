public import Apollo

/// Is told what happens to the connection of a transport.
///
/// The methods are called one after the other, not on the main thread, and all of them are optional. A plain class conforms,
/// as in releases 0.x and 1.x of Apollo iOS; it need not be `Sendable`.
public protocol WebSocketTransportDelegate: AnyObject {
  /// The server acknowledged the first connection.
  func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport)
  /// The server acknowledged a later connection.
  func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport)
  /// A connection ended, or an attempt to open one failed.
  ///
  /// - Parameter error: nil if this side ended it on purpose, or the server closed it in order (1000, or without a code).
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?)
  /// The server asked for a sign of life, and was answered.
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didReceivePingWithPayload payload: JSONObject?)
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didReceivePongWithPayload payload: JSONObject?)
}

extension WebSocketTransportDelegate {
  public func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) {}
  public func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport) {}
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?
  ) {}
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePingWithPayload payload: JSONObject?
  ) {}
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePongWithPayload payload: JSONObject?
  ) {}
}
