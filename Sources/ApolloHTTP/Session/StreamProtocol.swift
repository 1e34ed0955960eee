package import ApolloAPI

/// The protocol in which a response in parts is sent.
public enum StreamProtocol: Hashable, Sendable {
  /// Either: the server chooses.
  case any
  /// `multipart/mixed`: incremental delivery, and Apollo's protocol for subscriptions.
  case multipart
  /// `text/event-stream`: GraphQL over SSE in the distinct connections mode. It is the only media type in the
  /// `Accept` field, because some servers require that.
  case eventStream
}

extension StreamProtocol {
  /// The media types in the `Accept` field of requests (GraphQL over HTTP, section 6.1).
  package func accepted<Operation: GraphQLOperation>(for type: Operation.Type) -> String {
    let plain = "application/graphql-response+json,application/json"
    let isSubscription = Operation.operationType == .subscription
    guard isSubscription || Operation.hasDeferredFragments else { return plain }
    // Some servers read only the first media type. Some use it for every response, so the type for parts is sent only
    // if parts are wanted.
    let multipart =
      isSubscription
      ? "multipart/mixed;subscriptionSpec=1.0"
      : "multipart/mixed;incrementalSpec=v0.2,multipart/mixed;deferSpec=20220824"
    switch self {
    case .any: return multipart + (isSubscription ? ",text/event-stream," : ",") + plain
    case .multipart: return multipart + "," + plain
    case .eventStream: return "text/event-stream"
    }
  }
}
