public import Foundation
import ApolloAPI

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A WebSocket that an app has made, as Apollo iOS 0.4x to 1 take one: for example a mock in tests, or a wrapper around
/// another library.
///
///     let transport = WebSocketTransport(websocket: MyWebSocket(request: request))
///
/// Only the transport calls it, always on one queue, which it sets as ``callbackQueue``. New code conforms to
/// ``WebSocketEngine``, which is also told close codes and the protocol that the server chose.
public protocol WebSocketClient: AnyObject {
  /// The address and the header fields of the handshake. The header field `Sec-WebSocket-Protocol` names the protocol:
  /// `graphql-transport-ws`, which is also used without the field, or `graphql-ws`. It is set before each connection.
  var request: URLRequest { get set }
  /// The object that is told what happens. It must be held weakly.
  var delegate: (any WebSocketClientDelegate)? { get set }
  /// Where the delegate must be called.
  var callbackQueue: DispatchQueue { get set }

  /// Opens a connection. The delegate must be told when it is open, or that it failed. It may be called again after a
  /// connection is over.
  func connect()

  /// Ends the connection. The delegate must be told.
  ///
  /// - Parameter forceTimeout: How many seconds to wait for the server. nil: as long as it takes.
  func disconnect(forceTimeout: TimeInterval?)

  /// Sends a ping frame.
  ///
  /// - Parameters:
  ///   - ping: The payload of the frame.
  ///   - completion: To be called after the frame was sent. nil: none.
  func write(ping: Data, completion: (() -> Void)?)

  /// Sends a text message.
  func write(string: String)
}

/// An object that is told what happens to a ``WebSocketClient``.
public protocol WebSocketClientDelegate: AnyObject {
  /// Called when a connection is open.
  func websocketDidConnect(socket: any WebSocketClient)
  /// Called when a connection is over, or could not be opened.
  ///
  /// - Parameters:
  ///   - socket: The socket.
  ///   - error: Why it is over; nil if it was closed in order.
  func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?)
  /// Called with each text message.
  func websocketDidReceiveMessage(socket: any WebSocketClient, text: String)
  /// Called with each binary message.
  func websocketDidReceiveData(socket: any WebSocketClient, data: Data)
}

/// The transport is the delegate of an app's ``WebSocketClient``. An app that makes another object the delegate, to see
/// what happens, must call these functions from there.
extension WebSocketTransport: WebSocketClientDelegate {
  /// Tells the transport that a connection is open.
  public func websocketDidConnect(socket: any WebSocketClient) { clientEngine?.websocketDidConnect(socket: socket) }

  /// Tells the transport that a connection is over.
  public func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?) {
    clientEngine?.websocketDidDisconnect(socket: socket, error: error)
  }

  /// Tells the transport that a text message has come.
  public func websocketDidReceiveMessage(socket: any WebSocketClient, text: String) {
    clientEngine?.websocketDidReceiveMessage(socket: socket, text: text)
  }

  /// Tells the transport that a binary message has come.
  public func websocketDidReceiveData(socket: any WebSocketClient, data: Data) {
    clientEngine?.websocketDidReceiveData(socket: socket, data: data)
  }

  private var clientEngine: WebSocketClientEngine? { settings.withLock { $0.engine as? WebSocketClientEngine } }
}
