import ApolloConcurrency
public import Foundation
import Apollo
import ApolloAPI
import ApolloCache

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A socket: the address of a server and the protocol to speak, as Apollo iOS 1 and earlier pass them to a transport.
///
///     let socket = WebSocket(url: url, protocol: .graphql_transport_ws)
///     let transport = WebSocketTransport(websocket: socket, store: store)
///
/// A transport opens connections itself, as often as needed. Without a transport, ``connect()`` opens a connection. In
/// both cases ``onText`` and the other callbacks, and the ``delegate``, are told what happens.
public final class WebSocket: WebSocketClient, Sendable {
  /// The protocol to speak, under its name in Apollo iOS 1.
  public typealias WSProtocol = WebSocketSubprotocol

  /// The names of header fields of a handshake.
  public enum Constants {
    /// The header field for the server's name.
    public static let headerWSHostName = "Host"
    /// The header field for the origin of a web page.
    public static let headerOriginName = "Origin"
    /// The header field for the offered protocols.
    public static let headerWSProtocolName = "Sec-WebSocket-Protocol"
    /// The header field for the offered extensions.
    public static let headerWSExtensionName = "Sec-WebSocket-Extensions"
  }

  static let protocolHeader = Constants.headerWSProtocolName

  struct State {
    var request: URLRequest
    weak var delegate: (any WebSocketClientDelegate)?
    var callbackQueue = DispatchQueue.main
    var callbacks = Callbacks()
    /// The open connection, and its number, so that the end of an earlier connection is not taken for its end.
    var connection: (any WebSocketConnection)?
    var number = 0
    /// The number of the reader that the open connection is for; nil for that of a transport.
    var connectionReader: Int?
    /// What the app wrote and the server has not read.
    var unread: UnreadBytes
    /// Opens and reads a connection that no transport reads. The number distinguishes it from earlier ones.
    var reader: (number: Int, task: Task<Void, Never>)?
    var readerCount = 0

    func isOpen(_ number: Int) -> Bool { self.number == number && connection != nil }
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
  let limits: WebSocketLimits
  /// Holds up the reading while callbacks are behind.
  let gate: CallbackGate
  /// The protocol that is offered to the server.
  public let subprotocol: WSProtocol

  /// Makes a socket.
  ///
  /// - Parameters:
  ///   - request: The address, and the header fields of the handshake. `Sec-WebSocket-Protocol` is set here, and `Origin` to
  ///     the beginning of the address if the request has none.
  ///   - protocol: The protocol that is offered to the server.
  ///   - engine: Opens the connections. nil, the default: ``WebSocketTransport/defaultEngine``, with `limits`.
  ///   - limits: How much a server may make the socket hold. `waitingBytes` is for messages with which callbacks were not
  ///     called yet: no more are read meanwhile.
  public init(
    request: URLRequest, protocol: WSProtocol, engine: (any WebSocketEngine)? = nil,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    var request = request
    request.setValue(`protocol`.rawValue, forHTTPHeaderField: Self.protocolHeader)
    if request.value(forHTTPHeaderField: Constants.headerOriginName) == nil, let url = request.url,
      let root = URL(string: "/", relativeTo: url)?.absoluteString
    {
      request.setValue(String(root.dropLast()), forHTTPHeaderField: Constants.headerOriginName)
    }
    state = Locked(State(request: request, unread: UnreadBytes(limit: limits.unreadBytes)))
    self.engine = engine ?? WebSocketTransport.defaultEngine(limits)
    self.limits = limits
    gate = CallbackGate(limit: limits.waitingBytes)
    subprotocol = `protocol`
  }

  /// Makes a socket.
  ///
  /// - Parameters:
  ///   - url: The address of the server. `https` is read as `wss`, and `http` as `ws`.
  ///   - protocol: The protocol that is offered to the server.
  public convenience init(url: URL, protocol: WSProtocol) {
    self.init(request: URLRequest(url: url), protocol: `protocol`)
  }

  deinit {
    let (reader, connection) = state.withLock { ($0.reader?.task, $0.connection) }
    reader?.cancel()
    // Not every engine notices that its reader was cancelled.
    connection?.close(code: .goingAway, reason: "")
  }

  /// The address, and the header fields of the handshake, including `Sec-WebSocket-Protocol`. A change is used for the
  /// next connection, including the next connection of a transport.
  public var request: URLRequest {
    get { state.withLock { $0.request } }
    set { state.withLock { $0.request = newValue } }
  }

  /// Changes the request. What another thread changes at the same time stays, as it would not if a copy were set.
  func changeRequest(_ body: (inout URLRequest) -> Void) { state.withLock { body(&$0.request) } }

  /// The address of the server; nil if the request has none.
  public var currentURL: URL? { request.url }

  /// The object that is told what happens, on the ``callbackQueue``. It is held weakly; nil for none.
  public var delegate: (any WebSocketClientDelegate)? {
    get { state.withLock { Handoff($0.delegate) }.value }
    set {
      // Safe: an app's delegate (see Handoff), which goes into the lock.
      nonisolated(unsafe) let delegate = newValue
      state.withLock { $0.delegate = delegate }
    }
  }

  /// Where the callbacks and the delegate are called. The default is the main queue.
  public var callbackQueue: DispatchQueue {
    get { state.withLock { $0.callbackQueue } }
    set { state.withLock { $0.callbackQueue = newValue } }
  }

  /// Whether there is an open connection.
  public var isConnected: Bool { state.withLock { $0.connection != nil } }

  // MARK: Callbacks

  /// Called when a connection is open; nil for none.
  public var onConnect: (() -> Void)? {
    get { callback(\.onConnect) }
    set { setCallback(\.onConnect, newValue) }
  }

  /// Called when a connection is over, or could not be opened; with nil if it was closed in order.
  public var onDisconnect: (((any Error)?) -> Void)? {
    get { callback(\.onDisconnect) }
    set { setCallback(\.onDisconnect, newValue) }
  }

  /// Called with each text message; nil for none.
  public var onText: ((String) -> Void)? {
    get { callback(\.onText) }
    set { setCallback(\.onText, newValue) }
  }

  /// Called with each binary message; nil for none.
  public var onData: ((Data) -> Void)? {
    get { callback(\.onData) }
    set { setCallback(\.onData, newValue) }
  }

  /// Called with nil when the server answers a ping of ``write(ping:completion:)``; nil for none.
  public var onPong: ((Data?) -> Void)? {
    get { callback(\.onPong) }
    set { setCallback(\.onPong, newValue) }
  }

  private func callback<Value>(_ path: WritableKeyPath<Callbacks, Value>) -> Value {
    // Safe: a key path of this type holds no value.
    nonisolated(unsafe) let path = path
    return state.withLock { Handoff($0.callbacks[keyPath: path]) }.value
  }

  private func setCallback<Value>(_ path: WritableKeyPath<Callbacks, Value>, _ value: Value) {
    // Safe: a key path of this type holds no value, and the other is an app's handler (see Handoff).
    nonisolated(unsafe) let new = (path: path, value: value)
    state.takeOut { state in
      defer { state.callbacks[keyPath: new.path] = new.value }
      return state.callbacks[keyPath: new.path]
    }
  }
}
