public import Foundation
import Apollo
import ApolloAPI
import ApolloCache

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Where a server is and which protocol it speaks, as releases up to 1.x of Apollo iOS take it.
///
///     let socket = WebSocket(url: url, protocol: .graphql_transport_ws)
///     let transport = WebSocketTransport(websocket: socket, store: store)
///
/// A transport opens its connections itself, as often as it has to. Without one, ``connect()`` opens a connection, and
/// ``onText`` and the other callbacks, or the ``delegate``, are told of it in either case.
public final class WebSocket: WebSocketClient, Sendable {
  /// By its name in releases 1.x of Apollo iOS.
  public typealias WSProtocol = WebSocketSubprotocol

  /// Names of header fields of a handshake.
  public enum Constants {
    public static let headerWSHostName = "Host"
    public static let headerOriginName = "Origin"
    public static let headerWSProtocolName = "Sec-WebSocket-Protocol"
    public static let headerWSExtensionName = "Sec-WebSocket-Extensions"
  }

  static let protocolHeader = Constants.headerWSProtocolName

  struct State {
    var request: URLRequest
    weak var delegate: (any WebSocketClientDelegate)?
    var callbackQueue = DispatchQueue.main
    var callbacks = Callbacks()
    /// The connection that is open, and its number: one that is over does not end the next one.
    var connection: (any WebSocketConnection)?
    var number = 0
    /// Opens and reads a connection that no transport reads. Its number tells it from those before it.
    var reader: (number: Int, task: Task<Void, Never>)?
    var readerCount = 0
  }

  struct Callbacks {
    var onConnect: (() -> Void)?
    var onDisconnect: (((any Error)?) -> Void)?
    var onText: ((String) -> Void)?
    var onData: ((Data) -> Void)?
    var onPong: ((Data?) -> Void)?
  }

  let state: Locked<State>
  let engine: any WebSocketEngine
  /// The protocol that is offered to the server.
  public let subprotocol: WSProtocol

  /// - Parameters:
  ///   - request: The address, and the header fields of the handshake; `Sec-WebSocket-Protocol` is set here.
  ///   - protocol: Offered to the server.
  ///   - engine: Opens the connections; ``WebSocketTransport/defaultEngine`` if nil.
  public init(request: URLRequest, protocol: WSProtocol, engine: (any WebSocketEngine)? = nil) {
    var request = request
    request.setValue(`protocol`.rawValue, forHTTPHeaderField: Self.protocolHeader)
    state = Locked(State(request: request))
    self.engine = engine ?? WebSocketTransport.defaultEngine
    subprotocol = `protocol`
  }

  /// - Parameters:
  ///   - url: `https` means `wss`, and `http` means `ws`.
  ///   - protocol: Offered to the server.
  public convenience init(url: URL, protocol: WSProtocol) {
    self.init(request: URLRequest(url: url), protocol: `protocol`)
  }

  deinit { state.withLock { $0.reader?.task }?.cancel() }

  /// The address, and the header fields of the handshake, `Sec-WebSocket-Protocol` among them. What is changed holds for the
  /// next connection, also for one of a transport.
  public var request: URLRequest {
    get { state.withLock { $0.request } }
    set { state.withLock { $0.request = newValue } }
  }

  /// The address; nil if the request has none.
  public var currentURL: URL? { request.url }

  /// Told what happens, on the ``callbackQueue``. It is not kept alive.
  public var delegate: (any WebSocketClientDelegate)? {
    get { state.withLock { Handoff($0.delegate) }.value }
    set {
      let delegate = Handoff(newValue)
      state.withLock { $0.delegate = delegate.value }
    }
  }

  /// Where the callbacks and the delegate are called; the main queue unless another one is set.
  public var callbackQueue: DispatchQueue {
    get { state.withLock { $0.callbackQueue } }
    set { state.withLock { $0.callbackQueue = newValue } }
  }

  /// True while there is a connection.
  public var isConnected: Bool { state.withLock { $0.connection != nil } }

  // MARK: Callbacks

  /// Called when a handshake is over.
  public var onConnect: (() -> Void)? {
    get { callback(\.onConnect) }
    set { setCallback(\.onConnect, newValue) }
  }

  /// Called when a connection is over, or an attempt has failed; with nil if it was closed in order.
  public var onDisconnect: (((any Error)?) -> Void)? {
    get { callback(\.onDisconnect) }
    set { setCallback(\.onDisconnect, newValue) }
  }

  /// Called with each message of text.
  public var onText: ((String) -> Void)? {
    get { callback(\.onText) }
    set { setCallback(\.onText, newValue) }
  }

  /// Called with each message of bytes.
  public var onData: ((Data) -> Void)? {
    get { callback(\.onData) }
    set { setCallback(\.onData, newValue) }
  }

  /// Called when the server has answered a ping of ``write(ping:completion:)``, always with nil.
  public var onPong: ((Data?) -> Void)? {
    get { callback(\.onPong) }
    set { setCallback(\.onPong, newValue) }
  }

  private func callback<Value>(_ path: WritableKeyPath<Callbacks, Value>) -> Value {
    let path = Handoff(path)
    return state.withLock { Handoff($0.callbacks[keyPath: path.value]) }.value
  }

  private func setCallback<Value>(_ path: WritableKeyPath<Callbacks, Value>, _ value: Value) {
    let new = Handoff((path: path, value: value))
    state.withLock { $0.callbacks[keyPath: new.value.path] = new.value.value }
  }
}
