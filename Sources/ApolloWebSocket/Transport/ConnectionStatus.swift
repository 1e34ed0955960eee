import ApolloConcurrency
import Apollo
import ApolloAPI
import ApolloCache
import Foundation

/// The state that the task of a connection shares with its transport, without keeping the transport alive.
final class ConnectionStatus: Sendable {
  private struct Contents {
    weak var transport: WebSocketTransport?
    weak var delegate: (any WebSocketTransportDelegate)?
    var isConnected = false
    /// The listeners of the clients that use the transport.
    var events: [WeakHub] = []
  }

  private struct WeakHub {
    weak var hub: EventHub?
  }

  private let contents = Locked(Contents())

  var isConnected: Bool { contents.withLock { $0.isConnected } }

  var delegate: (any WebSocketTransportDelegate)? {
    get { contents.withLock { Handoff($0.delegate) }.value }
    set {
      // Safe: an app's delegate (see Handoff), which goes into the lock.
      nonisolated(unsafe) let delegate = newValue
      contents.withLock { $0.delegate = delegate }
    }
  }

  func observe(for transport: WebSocketTransport) { contents.withLock { $0.transport = transport } }

  func report(to events: EventHub) {
    contents.withLock { contents in
      contents.events.removeAll { $0.hub == nil }
      contents.events.append(WeakHub(hub: events))
    }
  }

  /// - Parameters:
  ///   - notice: What has happened.
  ///   - url: Where the server is.
  func take(_ notice: ConnectionMachine.Notice, at url: URL?) {
    for hub in contents.withLock({ $0.events.compactMap(\.hub) }) {
      hub.tell(
        notice.state.map { .socket(ClientEvent.Socket(address: url?.placeDescription ?? "", state: $0)) })
    }
    switch notice {
    case .connected, .reconnected: contents.withLock { $0.isConnected = true }
    case .disconnected: contents.withLock { $0.isConnected = false }
    case .ping, .pong: break
    }
    if let transport = contents.withLock({ $0.transport }), let delegate { delegate.take(notice, of: transport) }
  }
}

extension ConnectionMachine.Notice {
  /// What the listeners of a client are told; nil: nothing.
  fileprivate var state: ClientEvent.Socket.State? {
    switch self {
    case .connected: .connected
    case .reconnected: .reconnected
    case .disconnected(let error): .disconnected(error?.isOrderlyClose == true ? nil : error)
    case .ping, .pong: nil
    }
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
    case .disconnected(let error):
      webSocketTransport(transport, didDisconnectWithError: error?.isOrderlyClose == true ? nil : error)
    case .ping(let payload): webSocketTransport(transport, didReceivePingWithPayload: object(payload))
    case .pong(let payload): webSocketTransport(transport, didReceivePongWithPayload: object(payload))
    }
  }
}
