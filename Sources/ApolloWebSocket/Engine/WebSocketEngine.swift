public import Foundation

/// Opens WebSocket connections (RFC 6455).
public protocol WebSocketEngine: Sendable {
  /// Opens a connection. Cancelling the task gives up.
  ///
  /// - Parameters:
  ///   - url: With the scheme `ws` or `wss`.
  ///   - headers: Sent with the handshake.
  ///   - subprotocols: Offered to the server, the preferred one first.
  /// - Throws: ``WebSocketError``, which has the HTTP status if the server answered with one.
  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection
}

/// An open connection.
public protocol WebSocketConnection: Sendable {
  /// What the server chose of the subprotocols; nil if nothing.
  var subprotocol: String? { get }

  /// The messages of the server, whole and in order, to be iterated once.
  ///
  /// It ends by throwing ``WebSocketError``: `closed` with the code and the reason, or `networkError`. Pings of the
  /// server are answered and not shown.
  var messages: AsyncThrowingStream<WebSocketMessage, any Error> { get }

  /// Sends a message, in the order of the calls. If that fails, ``messages`` ends.
  func send(_ message: WebSocketMessage)

  /// Sends a ping frame (RFC 6455, section 5.5.2).
  ///
  /// An engine that has no such frames need not implement it: then nothing is expected of the server either.
  ///
  /// - Parameter answered: Called when the server's pong has come, on any thread.
  func ping(answered: @escaping @Sendable () -> Void)

  /// Sends a close frame, waits for the server's for a moment, and ends the connection.
  ///
  /// - Parameter reason: At most 123 bytes of UTF-8; the rest is cut off.
  func close(code: WebSocketCloseCode, reason: String)
}

extension WebSocketConnection {
  public func ping(answered: @escaping @Sendable () -> Void) { answered() }
}

/// A message of the WebSocket protocol.
public enum WebSocketMessage: Hashable, Sendable {
  case text(String)
  case binary([UInt8])
}

extension String {
  /// As much of the text as fits into a close frame (RFC 6455, section 5.5).
  var asCloseReason: String {
    guard utf8.count > 123 else { return self }
    var end = utf8.index(startIndex, offsetBy: 123)
    // Back to the start of a character: half of one would not be UTF-8.
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}
