public import Foundation
import ApolloAPI

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A WebSocket of the app's own, as releases 0.4x to 1.x of Apollo iOS take one: for example a mock in tests, or a wrapper of
/// another library.
///
///     let transport = WebSocketTransport(websocket: MyWebSocket(request: request))
///
/// The transport is the only one to call it, always on one queue, which it sets as ``callbackQueue``. New code conforms to
/// ``WebSocketEngine``, which is told close codes and which protocol the server chose.
public protocol WebSocketClient: AnyObject {
  /// The address and the header fields of the handshake. The header field `Sec-WebSocket-Protocol` says which protocol is
  /// spoken: `graphql-transport-ws`, also where there is no such field, or `graphql-ws`.
  var request: URLRequest { get set }
  /// Who is told what happens. An implementation must not keep it alive.
  var delegate: (any WebSocketClientDelegate)? { get set }
  /// Where the delegate is told.
  var callbackQueue: DispatchQueue { get set }

  /// Opens a connection; the delegate is told when it is open, or that it failed. It may be called again after an end.
  func connect()

  /// Ends the connection; the delegate is told.
  ///
  /// - Parameter forceTimeout: How many seconds to wait for the server; nil for as long as it takes.
  func disconnect(forceTimeout: TimeInterval?)

  /// Sends a ping frame.
  ///
  /// - Parameter completion: Called once it is on its way.
  func write(ping: Data, completion: (() -> Void)?)

  /// Sends a message of text.
  func write(string: String)
}

/// Is told what happens to a ``WebSocketClient``.
public protocol WebSocketClientDelegate: AnyObject {
  /// The handshake is over.
  func websocketDidConnect(socket: any WebSocketClient)
  /// The connection is over, or there never was one.
  ///
  /// - Parameter error: Why; nil if it was closed in order.
  func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?)
  /// The server sent a message of text.
  func websocketDidReceiveMessage(socket: any WebSocketClient, text: String)
  /// The server sent a message of bytes.
  func websocketDidReceiveData(socket: any WebSocketClient, data: Data)
}

/// A transport with a ``WebSocketClient`` of the app's is told what happens to it by the client's delegate. An app that makes
/// another object the delegate, to see what happens, calls these.
extension WebSocketTransport: WebSocketClientDelegate {
  public func websocketDidConnect(socket: any WebSocketClient) { clientEngine?.websocketDidConnect(socket: socket) }

  public func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?) {
    clientEngine?.websocketDidDisconnect(socket: socket, error: error)
  }

  public func websocketDidReceiveMessage(socket: any WebSocketClient, text: String) {
    clientEngine?.websocketDidReceiveMessage(socket: socket, text: text)
  }

  public func websocketDidReceiveData(socket: any WebSocketClient, data: Data) {
    clientEngine?.websocketDidReceiveData(socket: socket, data: data)
  }

  private var clientEngine: WebSocketClientEngine? { settings.withLock { $0.engine as? WebSocketClientEngine } }
}
