import Apollo
import ApolloAPI

/// Where the results of one operation go. Its functions are called one after the other.
protocol OperationSink: Sendable {
  /// Returns when the result is decoded; it does not wait for whoever wants it.
  func receive(_ payload: ResponseBytes) async
  func report(_ state: SubscriptionState)
  /// Called once; nothing follows.
  func finish(_ error: WebSocketError?)
}
