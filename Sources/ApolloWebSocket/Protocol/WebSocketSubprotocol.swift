/// The protocols for GraphQL over a WebSocket.
public enum WebSocketSubprotocol: String, Hashable, Sendable, CaseIterable {
  /// The protocol of the library graphql-ws, which most servers support today.
  case graphqlTransportWS = "graphql-transport-ws"
  /// The older protocol of the library subscriptions-transport-ws. Its name is, confusingly, that of the newer library.
  case graphqlWS = "graphql-ws"

  /// Whether it has ping messages. If not, ping frames of the WebSocket protocol are sent.
  var hasPing: Bool { self == .graphqlTransportWS }

  /// Whether the client sends a message before it closes the connection.
  var hasTermination: Bool { self == .graphqlWS }
}
