import Apollo
import ApolloTestSupport
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer

/// The WebSocket transport, with a server that speaks `graphql-transport-ws`.
struct WebSocketSubject: TransportSubject {
  /// All operations go through a split transport, which sends them here.
  let isSplit: Bool

  let inabilities: [TransportAbility: String] = [
    .statuses: "An operation has no HTTP status.",
    .credentials: "Credentials belong to the connection, which renews them.",
  ]

  func withTransport(
    _ setup: TransportSetup, store: ApolloStore, answer: @escaping @Sendable (Int) -> ServerAnswer,
    _ body: (any NetworkTransport) async throws -> Void
  ) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await Self.serve(connection, answer)
    } _: { server in
      // The client's store becomes that of the transport.
      let transport = WebSocketTransport(
        url: URL(string: server.address)!, configuration: WebSocketTransport.Configuration(connectOnInit: false))
      try await body(
        isSplit
          ? SplitNetworkTransport(
            uploadingNetworkTransport: RequestChainNetworkTransport(
              interceptorProvider: DefaultInterceptorProvider(store: store),
              endpointURL: URL(string: "http://127.0.0.1:9")!),
            webSocketNetworkTransport: transport, usesWebSocket: { _, _ in true })
          : transport)
    }
  }

  private static func serve(
    _ connection: ScriptedConnection, _ answer: @escaping @Sendable (Int) -> ServerAnswer
  ) async throws {
    var endless: [String: Task<Void, any Error>] = [:]
    defer { for task in endless.values { task.cancel() } }
    while true {
      switch try await connection.receive() {
      case .gone, .close: return
      case .text(let text):
        let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
        let id = message.id ?? ""
        switch message.type {
        case "connection_init": connection.send(#"{"type":"connection_ack"}"#)
        case "complete": endless.removeValue(forKey: id)?.cancel()
        case "subscribe":
          let next = { (body: String) in #"{"id":"\#(id)","type":"next","payload":\#(body)}"# }
          switch answer(0) {
          case .response(let body), .status(_, let body):
            connection.send(next(body))
            connection.send(#"{"id":"\#(id)","type":"complete"}"#)
          case .parts(let parts):
            for part in parts { connection.send(next(part)) }
            connection.send(#"{"id":"\#(id)","type":"complete"}"#)
          case .endless(let body):
            endless[id] = Task {
              // (The sleep is the server's rhythm, and no test waits for it.)
              while true {
                connection.send(next(body))
                try await Task.sleep(for: .milliseconds(2))
              }
            }
          case .brokenOff(let body, let count):
            let whole = Array(next(body).utf8)
            let sent = whole.count * count / max(body.utf8.count, 1)
            connection.sendRaw([0x81, 126, UInt8(whole.count >> 8), UInt8(whole.count & 255)] + whole.prefix(sent))
            await connection.flush()
            connection.drop()
            return
          case .never: break
          }
        default: break
        }
      default: break
      }
    }
  }

  private struct Message: Decodable {
    var id: String?
    var type: String
  }
}
