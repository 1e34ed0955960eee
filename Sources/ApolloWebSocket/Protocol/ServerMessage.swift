import ApolloAPI

/// A message of a server.
enum ServerMessage: Sendable {
  /// The time is the longest silence that the server announces (`graphql-ws` of AWS AppSync).
  case connectionAck(longestSilence: Duration? = nil)
  /// The server refuses the connection, or, later on, a message (`graphql-ws` only).
  case connectionError(payload: JSONValue?)
  /// A sign that the server is alive, which needs no answer (`graphql-ws` only).
  case keepAlive
  case ping(payload: [UInt8]?)
  case pong(payload: [UInt8]?)
  /// A result; the payload is nil if the message has none.
  case next(id: String, payload: ResponseBytes?)
  case error(id: String, [GraphQLError])
  case complete(id: String)
  /// A message of an unknown type, which is ignored.
  case unknown(type: String)
  /// Not a message of the protocol. The text says why.
  case invalid(String)

  init(_ text: String, in subprotocol: WebSocketSubprotocol) {
    do throws(ResponseDecodingError) {
      self.init(try JSONMembers(ResponseBytes(text.utf8)), in: subprotocol)
    } catch {
      self = .invalid("it is not a JSON object: \(error)")
    }
  }

  /// Reads a message that a server sends as binary. It must be the text of a message.
  init(binary bytes: [UInt8], in subprotocol: WebSocketSubprotocol) {
    var checker = UTF8Checker()
    guard checker.accepts(bytes), checker.isComplete else {
      self = .invalid("it is binary, and not text in UTF-8")
      return
    }
    self.init(String(decoding: bytes, as: UTF8.self), in: subprotocol)
  }

  private init(_ members: JSONMembers, in subprotocol: WebSocketSubprotocol) {
    guard let type = members.value(of: "type") as? String else {
      self = .invalid("it has no type")
      return
    }
    switch (type, subprotocol) {
    case ("connection_ack", .graphqlTransportWS): self = .connectionAck()
    case ("connection_ack", .graphqlWS): self = .connectionAck(longestSilence: members.connectionTimeout)
    case ("ping", .graphqlTransportWS): self = .ping(payload: members.bytes(of: "payload"))
    case ("pong", .graphqlTransportWS): self = .pong(payload: members.bytes(of: "payload"))
    case ("ka", .graphqlWS): self = .keepAlive
    case ("connection_error", .graphqlWS): self = .connectionError(payload: members.value(of: "payload"))
    case ("next", .graphqlTransportWS), ("data", .graphqlWS):
      self = members.about(type) { .next(id: $0, payload: members.text(of: "payload")) }
    // An error without an operation: AWS AppSync sends it in place of `connection_error`.
    case ("error", .graphqlWS) where !members.hasID:
      self = .connectionError(payload: members.value(of: "payload"))
    case ("error", _): self = members.about(type) { .error(id: $0, members.graphQLErrors) }
    case ("complete", _): self = members.about(type) { .complete(id: $0) }
    default: self = .unknown(type: type)
    }
  }
}

extension JSONMembers {
  /// A message about one operation.
  fileprivate func about(_ type: String, _ make: (String) -> ServerMessage) -> ServerMessage {
    // The specification requires a string, but some servers return a number.
    let value = value(of: "id")
    guard let id = value as? String ?? wholeNumber(value).map(String.init), !id.isEmpty else {
      return .invalid("its type is '\(type)' and it has no id")
    }
    return make(id)
  }

  fileprivate var hasID: Bool { value(of: "id").map { !($0 is JSONNull) } ?? false }

  fileprivate func bytes(of name: String) -> [UInt8]? { text(of: name).map { Array($0.text.utf8) } }

  fileprivate var connectionTimeout: Duration? {
    guard let time = wholeNumber((value(of: "payload") as? JSONObject)?["connectionTimeoutMs"]), time > 0 else {
      return nil
    }
    return .milliseconds(time)
  }

  /// A list of errors; in `graphql-ws` one error, and from some servers a response with `errors`.
  fileprivate var graphQLErrors: [GraphQLError] {
    let payload = value(of: "payload")
    let response = payload as? JSONObject
    let reported: JSONValue? = if let errors = response?["errors"] { errors } else { payload }
    switch reported {
    case nil, is JSONNull: return []
    case let list as [JSONValue]: return list.map { GraphQLError(anyValue: $0) }
    case let value?: return [GraphQLError(anyValue: value)]
    }
  }
}
