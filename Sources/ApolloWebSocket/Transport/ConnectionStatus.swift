import Apollo
import ApolloAPI

/// What a connection's task tells its transport, which it must not keep alive.
final class ConnectionStatus: Sendable {
  private struct Contents {
    weak var transport: WebSocketTransport?
    weak var delegate: (any WebSocketTransportDelegate)?
    var isConnected = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    var lastWaiter = 0
  }

  private let contents = Locked(Contents())

  var isConnected: Bool { contents.withLock { $0.isConnected } }

  var delegate: (any WebSocketTransportDelegate)? {
    get { contents.withLock { $0.delegate } }
    set { contents.withLock { $0.delegate = newValue } }
  }

  func observe(for transport: WebSocketTransport) { contents.withLock { $0.transport = transport } }

  func take(_ notice: ConnectionMachine.Notice) {
    switch notice {
    case .connected, .reconnected: settle(isConnected: true, .success(()))
    case .disconnected(let error):
      settle(isConnected: false, .failure(error ?? WebSocketError(.closedByClient)))
    case .ping, .pong: break
    }
    let (transport, delegate) = contents.withLock { ($0.transport, $0.delegate) }
    if let transport, let delegate { delegate.take(notice, of: transport) }
  }

  private func settle(isConnected: Bool, _ outcome: Result<Void, any Error>) {
    let waiters = contents.withLock { contents in
      contents.isConnected = isConnected
      defer { contents.waiters = [:] }
      return contents.waiters.values
    }
    for waiter in waiters { waiter.resume(with: outcome) }
  }

  /// Waits for a connection, or for the end of the attempt that `begin` starts.
  func nextOutcome(_ begin: () -> Void) async throws {
    let id = contents.withLock { contents in
      contents.lastWaiter += 1
      return contents.lastWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isConnected = contents.withLock { contents in
          if !contents.isConnected { contents.waiters[id] = continuation }
          return contents.isConnected
        }
        if isConnected { return continuation.resume() }
        // Cancelled before the continuation was there.
        if Task.isCancelled { return forget(id) }
        begin()
      }
    } onCancel: {
      forget(id)
    }
  }

  private func forget(_ id: Int) {
    contents.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
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
