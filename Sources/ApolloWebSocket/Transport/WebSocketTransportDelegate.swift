public import Apollo

/// An object that is told what happens to the connection of a transport.
///
/// Its functions are called one after the other, not on the main thread. All of them have a default implementation that
/// does nothing. The object need not be `Sendable`, because it was not in Apollo iOS 0.x and 1.
public protocol WebSocketTransportDelegate: AnyObject {
  /// Called when the server has acknowledged the first connection.
  func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport)
  /// Called when the server has acknowledged a later connection.
  func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport)
  /// Called when a connection is over, or could not be opened.
  ///
  /// - Parameters:
  ///   - webSocketTransport: The transport.
  ///   - error: Why it is over; nil if the client ended it, or the server closed it in order (with code 1000 or without
  ///     a code).
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?)
  /// Called when the server has sent a ping message, which the transport has answered.
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didReceivePingWithPayload payload: JSONObject?)
  /// Called when the server has answered a ping message.
  func webSocketTransport(_ webSocketTransport: WebSocketTransport, didReceivePongWithPayload payload: JSONObject?)
}

extension WebSocketTransportDelegate {
  /// Does nothing.
  public func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) {}
  /// Does nothing.
  public func webSocketTransportDidReconnect(_ webSocketTransport: WebSocketTransport) {}
  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didDisconnectWithError error: (any Error)?
  ) {}
  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePingWithPayload payload: JSONObject?
  ) {}
  /// Does nothing.
  public func webSocketTransport(
    _ webSocketTransport: WebSocketTransport, didReceivePongWithPayload payload: JSONObject?
  ) {}
}
