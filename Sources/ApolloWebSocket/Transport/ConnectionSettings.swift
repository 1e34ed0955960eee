import Apollo
import ApolloAPI
import Foundation

/// What each new connection is opened with. The app may change it at any time.
struct ConnectionSettings: Sendable {
  let url: URL
  let subprotocols: [WebSocketSubprotocol]
  let engine: any WebSocketEngine
  var headers: [String: String]
  var payload: WebSocketTransport.ConnectingPayload
  var clientName: String
  var clientVersion: String

  private var handshakeHeaders: [String: String] {
    let names = ["apollographql-client-name": clientName, "apollographql-client-version": clientVersion]
    return names.merging(headers) { _, own in own }
  }

  static func connect(_ settings: Locked<ConnectionSettings>) async throws -> ConnectionDriver.OpenConnection {
    let payload = try await payloadJSON(settings.withLock { $0.payload })
    let current = settings.withLock { $0 }
    let connection = try await current.engine.connect(
      to: current.socketURL(), headers: current.handshakeHeaders, subprotocols: current.subprotocols.map(\.rawValue))
    guard let chosen = connection.subprotocol.flatMap(WebSocketSubprotocol.init(rawValue:)),
      current.subprotocols.contains(chosen)
    else {
      connection.close(code: .protocolError, reason: "Subprotocol not acceptable")
      throw WebSocketError(.subprotocolMismatch(chosen: connection.subprotocol))
    }
    return ConnectionDriver.OpenConnection(connection: connection, subprotocol: chosen, payload: payload)
  }

  private static func payloadJSON(_ payload: WebSocketTransport.ConnectingPayload) async throws -> [UInt8]? {
    do {
      let object =
        switch payload {
        case .none: JSONObject?.none
        case .value(let object): object
        case .perConnection(let compute): try await compute()
        }
      return object.map { object in
        var writer = JSONWriter()
        writer.writeJSON(object)
        return writer.bytes
      }
    } catch {
      throw WebSocketError(.connectingPayload, error: error)
    }
  }

  /// The address, which may be the one that HTTP uses.
  private func socketURL() throws -> URL {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    switch parts?.scheme?.lowercased() {
    case "ws", "http": parts?.scheme = "ws"
    case "wss", "https": parts?.scheme = "wss"
    default: parts = nil
    }
    guard let url = parts?.url, url.host?.isEmpty == false else {
      throw WebSocketError(.unsupportedURL("'\(self.url.absoluteString)' is no address of a WebSocket (ws, wss)."))
    }
    return url
  }
}
