/// Where a subscription stands, for a user interface to show.
public enum SubscriptionState: Sendable, CustomStringConvertible {
  /// There is no connection to the server yet, or the server has not answered yet.
  case connecting
  /// Events come as they happen.
  case active
  /// The app paused the connection; events that happen meanwhile are lost.
  case paused
  /// The connection broke. Events that happen meanwhile are lost.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt to come, or under way, since the last connection that lasted; from 1.
  ///   - delay: How long the transport waits before that attempt.
  case reconnecting(attempt: Int, delay: Duration)
  /// Nothing more will come.
  case finished(FinishReason)

  public enum FinishReason: Sendable {
    /// The server ended the subscription, or the app closed the connection.
    case completed
    /// The app no longer listens.
    case cancelled
    case error(any Error)
  }

  public var description: String {
    switch self {
    case .connecting: "connecting"
    case .active: "active"
    case .paused: "paused"
    case .reconnecting(let attempt, let delay): "reconnecting, attempt \(attempt) after \(delay)"
    case .finished(.completed): "finished"
    case .finished(.cancelled): "cancelled"
    case .finished(.error(let error)): "failed: \(error)"
    }
  }
}
