public import Foundation

/// Opens WebSocket connections (RFC 6455).
public protocol WebSocketEngine: Sendable {
  /// Opens a connection. Cancelling the task stops it.
  ///
  /// - Parameters:
  ///   - url: The address, with the scheme `ws` or `wss`.
  ///   - headers: Header fields of the handshake.
  ///   - subprotocols: The protocols that are offered to the server, the preferred one first.
  /// - Returns: The open connection.
  /// - Throws: ``WebSocketError``, which has the HTTP status if the server answered with one.
  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection
}

/// An open connection.
public protocol WebSocketConnection: Sendable {
  /// The protocol that the server chose; nil if it chose none.
  var subprotocol: String? { get }

  /// The messages of the server, whole and in order. They can be iterated once.
  ///
  /// The sequence ends by throwing ``WebSocketError``: `closed` with the code and the reason, or `networkError`. Pings
  /// of the server are answered and are not in the sequence.
  var messages: AsyncThrowingStream<WebSocketMessage, any Error> { get }

  /// Sends a message. Messages are sent in the order of the calls. If sending fails, ``messages`` ends.
  func send(_ message: WebSocketMessage)

  /// Sends a message, and tells when the network has taken it. So the client knows how much the server has not read, and
  /// keeps to ``WebSocketLimits/unreadBytes``.
  ///
  /// The default implementation calls ``send(_:)``, and acts as if the network had taken the message at once.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - taken: To be called once, on any thread, when the network has taken the message, or the connection is over.
  func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void)

  /// Sends a ping frame (RFC 6455, section 5.5.2).
  ///
  /// An engine without such frames need not implement it. The default implementation calls `answered` at once, and so
  /// may an engine that learns nothing of pongs: a call inside of this function is not a sign of life of the server.
  /// See ``WebSocketTimeouts/keepAlive``.
  ///
  /// - Parameter answered: To be called on any thread when the server's pong has come. A pong that answers another ping,
  ///   or none, does not count.
  func ping(answered: @escaping @Sendable () -> Void)

  /// Sends a close frame, waits a moment for that of the server, and ends the connection.
  ///
  /// - Parameters:
  ///   - code: Why the connection is closed.
  ///   - reason: A text for the server, at most 123 bytes of UTF-8. The rest is cut off.
  func close(code: WebSocketCloseCode, reason: String)
}

/// A connection that learns of bytes before they are a whole message.
protocol ByteWatching: WebSocketConnection {
  /// Whether bytes have come since this was last asked.
  func haveBytesCome() -> Bool
}

extension WebSocketConnection {
  /// Sends a message, and acts as if the network had taken it at once, for engines that do not know.
  public func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void) {
    send(message)
    taken()
  }

  /// Calls `answered` at once, for engines without ping frames, so that no answer is waited for.
  public func ping(answered: @escaping @Sendable () -> Void) { answered() }
}

/// A message of the WebSocket protocol (RFC 6455, section 5.6).
public enum WebSocketMessage: Hashable, Sendable {
  /// A text message.
  case text(String)
  /// A binary message.
  case binary([UInt8])
}

extension WebSocketMessage {
  /// The length of the message.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

extension String {
  /// The beginning of the text that fits into a close frame (RFC 6455, section 5.5).
  var asCloseReason: String {
    guard utf8.count > 123 else { return self }
    var end = utf8.index(startIndex, offsetBy: 123)
    // Goes back to the start of a character, because a part of one would not be UTF-8.
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}
