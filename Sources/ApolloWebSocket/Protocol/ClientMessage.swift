import ApolloAPI

/// A message of a client. Payloads are JSON text.
enum ClientMessage: Sendable {
  case connectionInit(payload: [UInt8]?)
  case subscribe(id: String, payload: [UInt8])
  case complete(id: String)
  case ping(payload: [UInt8]?)
  case pong(payload: [UInt8]?)
  case connectionTerminate

  /// The text of the message; nil where the protocol has no such message.
  func text(in subprotocol: WebSocketSubprotocol) -> String? {
    switch (self, subprotocol) {
    case (.connectionInit(let payload), _): text("connection_init", payload: payload)
    case (.subscribe(let id, let payload), .graphqlTransportWS): text("subscribe", id: id, payload: payload)
    case (.subscribe(let id, let payload), .graphqlWS): text("start", id: id, payload: payload)
    case (.complete(let id), .graphqlTransportWS): text("complete", id: id)
    case (.complete(let id), .graphqlWS): text("stop", id: id)
    case (.ping(let payload), .graphqlTransportWS): text("ping", payload: payload)
    case (.pong(let payload), .graphqlTransportWS): text("pong", payload: payload)
    case (.connectionTerminate, .graphqlWS): text("connection_terminate")
    case (.ping, .graphqlWS), (.pong, .graphqlWS), (.connectionTerminate, .graphqlTransportWS): nil
    }
  }

  /// What a message weighs while the server does not read it.
  struct Weight: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// It may be sent later.
      case operation
      /// Only the latest one has to be sent.
      case pong
      case other
    }

    let kind: Kind
    /// About the length of the text.
    let bytes: Int
  }

  var weight: Weight {
    let envelope = 64
    return switch self {
    case .subscribe(let id, let payload): Weight(kind: .operation, bytes: payload.count + id.utf8.count + envelope)
    case .pong(let payload): Weight(kind: .pong, bytes: (payload?.count ?? 0) + envelope)
    case .connectionInit(let payload), .ping(let payload):
      Weight(kind: .other, bytes: (payload?.count ?? 0) + envelope)
    case .complete(let id): Weight(kind: .other, bytes: id.utf8.count + envelope)
    case .connectionTerminate: Weight(kind: .other, bytes: envelope)
    }
  }

  private func text(_ type: String, id: String? = nil, payload: [UInt8]? = nil) -> String {
    var writer = __JSONWriter()
    writer.writeObject { writer in
      if let id { writer.write("id", id) }
      writer.write("type", type)
      if let payload { writer.write("payload", RawJSON(bytes: payload)) }
    }
    return writer.text
  }

  private struct RawJSON: __JSONWritable {
    let bytes: [UInt8]
    func __write(to writer: inout __JSONWriter) { writer.writeRaw(bytes) }
  }
}
