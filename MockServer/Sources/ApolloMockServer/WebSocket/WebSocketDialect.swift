import FlyingFox
import GraphQLExecution

/// A protocol of GraphQL over WebSockets, by the name that clients offer.
enum WebSocketDialect: String {
  /// [graphql-transport-ws](https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md)
  case transport = "graphql-transport-ws"
  /// [graphql-ws](https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md), which is older
  case legacy = "graphql-ws"

  /// What a client says.
  enum Message {
    case begin
    case ping(payload: GraphQLValue?)
    case pong
    case start(id: String, GraphQLValue)
    case stop(id: String)
    case terminate
  }

  /// Why a text is not a message.
  struct Invalid: Error {
    var reason: String
  }

  /// Reads what a client says.
  ///
  /// - Throws: ``Invalid``.
  func message(_ text: String) throws(Invalid) -> Message {
    guard let message = try? GraphQLValue(json: Array(text.utf8)), let type = message["type"]?.string else {
      throw Invalid(reason: "A message must be a JSON object with a \"type\"")
    }
    let payload = message["payload"].flatMap { $0.isNull ? nil : $0 }
    if let payload, payload.object == nil { throw Invalid(reason: "\"payload\" must be an object") }
    switch (self, type) {
    case (_, "connection_init"): return .begin
    case (.transport, "ping"): return .ping(payload: payload)
    case (.transport, "pong"): return .pong
    case (.transport, "subscribe"), (.legacy, "start"):
      guard let payload, payload["query"]?.string != nil || payload["extensions"]?["persistedQuery"] != nil else {
        throw Invalid(reason: "\"payload\" must have a \"query\"")
      }
      return .start(id: try id(of: message), payload)
    case (.transport, "complete"), (.legacy, "stop"): return .stop(id: try id(of: message))
    case (.legacy, "connection_terminate"): return .terminate
    default: throw Invalid(reason: "Unknown message type \"\(type.prefix(30))\"")
    }
  }

  private func id(of message: GraphQLValue) throws(Invalid) -> String {
    guard let id = message["id"]?.string, !id.isEmpty else { throw Invalid(reason: "\"id\" must be a string") }
    return id
  }
}

extension WSCloseCode {
  static let unauthorized = WSCloseCode(4401, reason: "Unauthorized")
  static let initialisationTimeout = WSCloseCode(4408, reason: "Connection initialisation timeout")
  static let tooManyInitialisationRequests = WSCloseCode(4429, reason: "Too many initialisation requests")

  // (A reason may have 123 bytes at most.)
  static func invalidMessage(_ reason: String) -> WSCloseCode { WSCloseCode(4400, reason: String(reason.prefix(40))) }
  static func subscriberExists(_ id: String) -> WSCloseCode {
    WSCloseCode(4409, reason: "Subscriber for \(id.prefix(20)) already exists")
  }
}
