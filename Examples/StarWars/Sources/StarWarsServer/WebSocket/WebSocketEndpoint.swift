import FlyingFox
import Foundation

/// Turns connections into WebSockets that speak
/// [`graphql-transport-ws`](https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
struct WebSocketEndpoint: HTTPHandler {
  static let subprotocol = "graphql-transport-ws"
  private static let subprotocolHeader = HTTPHeader("Sec-WebSocket-Protocol")

  let service: GraphQLService

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let offered = request.headers[Self.subprotocolHeader]?.split(separator: ",") ?? []
    guard offered.contains(where: { $0.trimmingCharacters(in: .whitespaces) == Self.subprotocol }) else {
      // A refused handshake has no close code: the connection is opened to be closed with one.
      let handler = MessageFrameWSHandler(handler: Refusal())
      return try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
    }
    let handler = MessageFrameWSHandler(handler: SessionHandler(service: service))
    var response = try await WebSocketHTTPHandler(handler: handler).handleRequest(request)
    if response.statusCode == .switchingProtocols { response.headers[Self.subprotocolHeader] = Self.subprotocol }
    return response
  }

  private struct Refusal: WSMessageHandler {
    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
      AsyncStream { continuation in
        continuation.yield(.close(.subprotocolNotAcceptable))
        continuation.finish()
      }
    }
  }
}

/// Runs one session for each connection.
struct SessionHandler: WSMessageHandler {
  let service: GraphQLService
  /// How long a client may take to send `connection_init`.
  var initialisationTimeout: Duration = .seconds(3)

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, continuation) = AsyncStream<WSMessage>.makeStream()
    let session = WebSocketSession(service: service, output: continuation)
    let task = Task { [initialisationTimeout] in
      await session.run(client, initialisationTimeout: initialisationTimeout)
    }
    continuation.onTermination = { _ in task.cancel() }
    return messages
  }
}

extension WSCloseCode {
  static let unauthorized = WSCloseCode(4401, reason: "Unauthorized")
  static let subprotocolNotAcceptable = WSCloseCode(4406, reason: "Subprotocol not acceptable")
  static let initialisationTimeout = WSCloseCode(4408, reason: "Connection initialisation timeout")
  static let tooManyInitialisationRequests = WSCloseCode(4429, reason: "Too many initialisation requests")

  static func invalidMessage(_ reason: String) -> WSCloseCode { WSCloseCode(4400, reason: reason) }
  static func subscriberExists(_ id: String) -> WSCloseCode {
    // The reason may have 123 bytes at most.
    WSCloseCode(4409, reason: "Subscriber for \(id.prefix(20)) already exists")
  }
}
