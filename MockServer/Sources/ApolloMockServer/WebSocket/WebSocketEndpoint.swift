import Apollo
import FlyingFox
import Foundation

/// Turns connections into WebSockets that speak one of two protocols.
struct WebSocketEndpoint: HTTPHandler {
  private static let field = HTTPHeader("Sec-WebSocket-Protocol")
  let session: any ApolloURLSession

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let offered = request.headers[Self.field]?.split(separator: ",") ?? []
    let dialects = offered.lazy.compactMap { WebSocketDialect(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
    guard let dialect = dialects.first else {
      // A refused handshake has no close code: the connection is opened to be closed with one.
      return try await WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: Refusal())).handleRequest(request)
    }
    let connection = Handler(session: session, dialect: dialect, headers: request.fieldsOfOperations)
    let handler = MessageFrameWSHandler(handler: connection)
    var response = try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
    if response.statusCode == .switchingProtocols { response.headers[Self.field] = dialect.rawValue }
    return response
  }

  private struct Refusal: WSMessageHandler {
    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
      AsyncStream { continuation in
        continuation.yield(.close(WSCloseCode(4406, reason: "Subprotocol not acceptable")))
        continuation.finish()
      }
    }
  }

  /// Runs one session for each connection.
  private struct Handler: WSMessageHandler {
    let session: any ApolloURLSession
    let dialect: WebSocketDialect
    let headers: HTTPHeaders

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
      let (messages, continuation) = AsyncStream<WSMessage>.makeStream()
      let connection = WebSocketSession(session, dialect, headers: headers, output: continuation)
      let task = Task { await connection.run(client) }
      continuation.onTermination = { _ in task.cancel() }
      return messages
    }
  }
}

extension HTTPRequest {
  /// The header fields of a handshake that are meant for each operation, and not for the connection.
  fileprivate var fieldsOfOperations: HTTPHeaders {
    let ofConnection: Set<HTTPHeader> = [.host, .connection, .upgrade, .contentLength]
    var fields = headers
    for name in headers.keys
    where ofConnection.contains(name) || name.rawValue.lowercased().hasPrefix("sec-websocket-") {
      fields.removeValue(name)
    }
    return fields
  }
}
