/// The state of a subscription, for a user interface to show.
public enum SubscriptionState: Sendable, Equatable, CustomStringConvertible {
  /// There is no connection to the server yet, or the server has not answered yet.
  case pending
  /// The subscription is established: events come as they happen.
  case active
  /// The app paused the connection. Events that happen meanwhile are lost.
  case paused
  /// The connection broke. Events that happen meanwhile are lost.
  ///
  /// `attempt` is the number of the attempt to reconnect since the last connection that lasted, from 1. `delay` is how
  /// long the transport waits before that attempt.
  case reconnecting(attempt: Int, delay: Duration)
  /// The subscription has ended.
  case finished(FinishReason)

  /// Another name of ``pending``, for comparisons and for patterns. A `switch` without a default needs ``pending``.
  public static var connecting: Self { .pending }

  /// Why a subscription has ended.
  public enum FinishReason: Sendable, Equatable {
    /// The server ended the subscription, or the app closed the connection.
    case completed
    /// The app stopped listening.
    case cancelled
    /// An error ended the subscription.
    case error(any Error)

    /// Whether both are the same reason. Two errors are, whatever they say, since an error cannot be compared.
    public static func == (one: Self, other: Self) -> Bool {
      switch (one, other) {
      case (.completed, .completed), (.cancelled, .cancelled), (.error, .error): true
      default: false
      }
    }
  }

  /// The state in English words, such as `reconnecting, attempt 2 after 4.0 seconds`.
  public var description: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .paused: "paused"
    case .reconnecting(let attempt, let delay): "reconnecting, attempt \(attempt) after \(Self.text(delay))"
    case .finished(.completed): "finished"
    case .finished(.cancelled): "cancelled"
    case .finished(.error(let error)): "failed: \(error)"
    }
  }

  /// A time in hundredths of a second: delays have a part that is random.
  package static func text(_ delay: Duration) -> String {
    "\((delay / .milliseconds(10)).rounded() / 100) seconds"
  }
}
