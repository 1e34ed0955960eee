import ApolloAPI

extension RequestChainNetworkTransport {
  /// What carries a response that comes in parts.
  public enum StreamProtocol: Hashable, Sendable {
    /// Either: the server chooses.
    case any
    /// `multipart/mixed`: incremental delivery, and Apollo's protocol for subscriptions.
    case multipart
    /// `text/event-stream`: GraphQL over SSE in the distinct connections mode, whose servers want to be asked for nothing else.
    case eventStream
  }
}

/// The media types that are asked for (GraphQL over HTTP, section 6.1).
enum AcceptHeader {
  static func value<Operation: GraphQLOperation>(
    for type: Operation.Type, in streamProtocol: RequestChainNetworkTransport.StreamProtocol
  ) -> String {
    let plain = "application/graphql-response+json,application/json"
    let isSubscription = Operation.operationType == .subscription
    guard isSubscription || Operation.hasDeferredFragments else { return plain }
    // (Some servers look at the first one only. Some take it for every result, in parts or not, so that it is not asked for
    // where no parts are wanted.)
    let multipart =
      isSubscription
      ? "multipart/mixed;subscriptionSpec=1.0"
      : "multipart/mixed;incrementalSpec=v0.2,multipart/mixed;deferSpec=20220824"
    switch streamProtocol {
    case .any: return multipart + (isSubscription ? ",text/event-stream," : ",") + plain
    case .multipart: return multipart + "," + plain
    case .eventStream: return "text/event-stream"
    }
  }
}
