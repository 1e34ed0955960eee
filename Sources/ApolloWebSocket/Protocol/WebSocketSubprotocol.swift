/// The protocols for GraphQL over a WebSocket.
public enum WebSocketSubprotocol: String, Hashable, Sendable, CaseIterable {
  /// The protocol of the library graphql-ws, which the field uses today.
  case graphqlTransportWS = "graphql-transport-ws"
  /// The older protocol of subscriptions-transport-ws, whose name is easily confused with that library's.
  case graphqlWS = "graphql-ws"

  /// True if it has messages to ask for a sign of life; else the frames of the WebSocket protocol beneath serve.
  var hasPing: Bool { self == .graphqlTransportWS }

  /// True if the client says that it is going to close.
  var hasTermination: Bool { self == .graphqlWS }
}
