public import Apollo
public import Foundation
import ApolloAPI
import ApolloCache

/// Sends operations over one WebSocket, which they share.
///
///     let transport = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!)
///
/// The connection is opened with the first operation, kept while there are any, opened again when it breaks, and
/// closed some time after the last one. Mostly a ``SplitNetworkTransport`` gives it the subscriptions only.
public final class WebSocketTransport: NetworkTransport {
  private let settings: Locked<ConnectionSettings>
  private let resentOperations: Set<GraphQLOperationType>
  private let resultTimeout: Duration?
  private let store: ApolloStore?
  private let status: Status
  private let inbox: AsyncStream<ConnectionDriver.Input>.Continuation
  private let lastID = Locked(0)

  /// What the connection's task tells the transport, which it must not keep alive.
  private final class Status: Sendable {
    struct Observers {
      weak var transport: WebSocketTransport?
      weak var delegate: (any WebSocketTransportDelegate)?
    }

    let isConnected = Locked(false)
    let observers = Locked(Observers())
  }

  /// - Parameters:
  ///   - url: Where the server is; `https` means `wss`, and `http` means `ws`.
  ///   - headers: Sent with the handshake of each connection.
  ///   - store: Where results are written, unless the cache policy says otherwise; nil for nowhere.
  ///   - engine: Opens the connections; ``defaultEngine`` if nil.
  public init(
    url: URL, headers: [String: String] = [:], store: ApolloStore? = nil,
    configuration: Configuration = Configuration(), engine: (any WebSocketEngine)? = nil
  ) {
    let settings = Locked(
      ConnectionSettings(
        url: url, subprotocols: configuration.subprotocols, engine: engine ?? Self.defaultEngine, headers: headers,
        payload: configuration.connectingPayload, clientName: Self.defaultClientName,
        clientVersion: Self.defaultClientVersion))
    let status = Status()
    self.settings = settings
    self.status = status
    self.store = store
    resentOperations = configuration.resentOperations
    resultTimeout = configuration.timeouts.result
    inbox = ConnectionDriver.start(
      ConnectionMachine(timeouts: configuration.timeouts, reconnection: configuration.reconnection),
      connect: { try await ConnectionSettings.connect(settings) },
      notify: { notice in
        switch notice {
        case .connected, .reconnected: status.isConnected.withLock { $0 = true }
        case .disconnected: status.isConnected.withLock { $0 = false }
        case .ping, .pong: break
        }
        let (transport, delegate) = status.observers.withLock { ($0.transport, $0.delegate) }
        if let transport, let delegate { delegate.take(notice, of: transport) }
      })
    status.observers.withLock { $0.transport = self }
    if configuration.connectOnInit { inbox.yield(.event(.connect)) }
  }

  deinit { inbox.yield(.event(.release)) }

  // MARK: Operations

  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let cached = cachedResult(of: operation, cachePolicy: cachePolicy)
      if let result = cached.result { continuation.yield(with: result) }
      guard cached.sendsRequest else { return continuation.finish() }

      let id = nextID()
      let (payloads, sink) = AsyncThrowingStream<ResponseBytes, any Error>.makeStream()
      // Also when a payload cannot be read: the server is to stop as well. The end of `payloads` ends the task.
      continuation.onTermination = { [inbox] _ in inbox.yield(.event(.cancel(id: id))) }
      Task { [store] in
        do {
          for try await payload in payloads {
            let contents = try ResponseParser.parse(
              payload, of: operation, makesRecords: store != nil && cachePolicy != .fetchIgnoringCacheCompletely)
            // An error leaves null behind where there may be a value: it must not hide what the cache has.
            if let store, let records = contents.records, contents.result.errors?.isEmpty ?? true {
              await store.publish(records, origin: contextIdentifier)
            }
            continuation.yield(contents.result)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      inbox.yield(.start(request(for: operation, id: id, context: context), sink))
    }
  }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    results(of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
      .deliver(on: callbackQueue, to: completionHandler)
  }

  private func request<Operation: GraphQLOperation>(
    for operation: Operation, id: String, context: (any RequestContext)?
  ) -> ConnectionMachine.Operation {
    let type = Operation.operationType
    let timeout =
      (context as? any RequestContextTimeoutConfigurable).map { Duration.seconds($0.requestTimeout) } ?? resultTimeout
    return ConnectionMachine.Operation(
      id: id, type: type, request: RequestBody.json(for: operation),
      isResendable: (context as? any ResendableRequestContext)?.isResendable ?? resentOperations.contains(type),
      deadline: type == .subscription ? nil : timeout.map { .now + $0 })
  }

  /// What the cache has to say before the server, or instead of it.
  private func cachedResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy
  ) -> (result: Result<GraphQLResult<Operation.Data>, any Error>?, sendsRequest: Bool) {
    guard Operation.operationType == .query, let store else { return (nil, true) }
    func load() -> Result<GraphQLResult<Operation.Data>, any Error> {
      store.loadWithDependencies(operation).data.map { GraphQLResult(data: $0, source: .cache) }.mapError { $0 }
    }
    switch cachePolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return (nil, true)
    case .returnCacheDataDontFetch: return (load(), false)
    case .returnCacheDataElseFetch, .returnCacheDataAndFetch:
      guard case .success(let result) = load() else { return (nil, true) }
      return (.success(result), cachePolicy == .returnCacheDataAndFetch)
    }
  }

  private func nextID() -> String {
    lastID.withLock { id in
      id += 1
      return String(id)
    }
  }

  // MARK: The connection

  public var delegate: (any WebSocketTransportDelegate)? {
    get { status.observers.withLock { $0.delegate } }
    set { status.observers.withLock { $0.delegate = newValue } }
  }

  /// Sent with the handshake.
  public var clientName: String {
    get { settings.withLock { $0.clientName } }
    set { settings.withLock { $0.clientName = newValue } }
  }

  public var clientVersion: String {
    get { settings.withLock { $0.clientVersion } }
    set { settings.withLock { $0.clientVersion = newValue } }
  }

  /// True while there is a connection that the server has acknowledged.
  public func isConnected() -> Bool { status.isConnected.withLock { $0 } }

  /// Connects now, and not with the next operation.
  public func initServer() { inbox.yield(.event(.connect)) }

  /// Asks the server for a sign of life, if there is a connection and its protocol has that (`graphql-ws` has not).
  public func ping(payload: JSONObject? = nil) {
    let json = payload.map { payload in
      var writer = JSONWriter()
      writer.writeJSON(payload)
      return writer.bytes
    }
    inbox.yield(.event(.ping(payload: json)))
  }

  /// Closes the connection and ends all operations. The next operation opens another one.
  ///
  /// Subscriptions end without an error; queries and mutations fail.
  public func closeConnection() { inbox.yield(.event(.close)) }

  /// Closes the connection and keeps the subscriptions, for an app that goes to the background.
  ///
  /// New operations wait as well. Queries and mutations that the server has not answered yet fail.
  public func pauseWebSocketConnection() { inbox.yield(.event(.pause)) }

  /// Connects again after ``pauseWebSocketConnection()``, or at once where the next attempt is still to come.
  ///
  /// - Parameter autoReconnect: False to connect only if operations wait.
  public func resumeWebSocketConnection(autoReconnect: Bool = true) {
    inbox.yield(.event(.resume(connects: autoReconnect)))
  }

  /// Changes header fields of the handshake; nil removes one.
  ///
  /// - Parameter reconnectIfConnected: Replace the connection by one with the new fields. Subscriptions go on.
  public func updateHeaderValues(_ values: [String: String?], reconnectIfConnected: Bool = true) {
    settings.withLock { settings in
      for (name, value) in values { settings.headers[name] = value }
    }
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }

  /// Changes the payload of `connection_init`.
  ///
  /// - Parameter reconnectIfConnected: Replace the connection by one with the new payload. Subscriptions go on.
  public func updateConnectingPayload(_ payload: ConnectingPayload, reconnectIfConnected: Bool = true) {
    settings.withLock { $0.payload = payload }
    if reconnectIfConnected { inbox.yield(.event(.reconnect)) }
  }
}

extension WebSocketTransportDelegate {
  fileprivate func take(_ notice: ConnectionMachine.Notice, of transport: WebSocketTransport) {
    func object(_ json: [UInt8]?) -> JSONObject? {
      json.flatMap { try? ResponseReader.jsonValue(ResponseBytes($0)) as? JSONObject }
    }
    switch notice {
    case .connected: webSocketTransportDidConnect(transport)
    case .reconnected: webSocketTransportDidReconnect(transport)
    case .disconnected(let error): webSocketTransport(transport, didDisconnectWithError: error)
    case .ping(let payload): webSocketTransport(transport, didReceivePingWithPayload: object(payload))
    case .pong(let payload): webSocketTransport(transport, didReceivePongWithPayload: object(payload))
    }
  }
}
