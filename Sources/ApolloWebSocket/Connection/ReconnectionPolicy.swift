/// How often, and after how long, a broken connection is opened again.
///
/// The delay doubles with each attempt that fails, and starts anew once the server has acknowledged a connection.
/// Connections are opened again only for operations that are still running.
public struct ReconnectionPolicy: Hashable, Sendable {
  /// The attempts after which the operations fail; nil for no limit, 0 for no attempt.
  public var maximumAttempts: Int?
  /// The delay before the first attempt.
  public var initialDelay: Duration
  /// The longest delay.
  public var maximumDelay: Duration
  /// The part of each delay that is random, from 0 to 1, so that clients do not return all at once.
  public var jitter: Double

  /// By default ten attempts within some two minutes: half a second, a second, two, and so on up to 30 seconds.
  public init(
    maximumAttempts: Int? = 10, initialDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
    jitter: Double = 0.5
  ) {
    self.maximumAttempts = maximumAttempts
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.jitter = jitter
  }

  /// Never connects again by itself.
  public static let never = ReconnectionPolicy(maximumAttempts: 0)

  /// - Parameters:
  ///   - failures: The attempts that have failed since the last acknowledged connection.
  ///   - random: From 0 up to 1.
  /// - Returns: The delay before the next attempt; nil if there is to be none.
  func delay(afterFailures failures: Int, random: Double) -> Duration? {
    if let maximumAttempts, failures >= maximumAttempts { return nil }
    // Beyond 30 doublings any delay has passed its maximum; shifting further would overflow.
    let delay = min(initialDelay * (1 << min(failures, 30)), maximumDelay)
    return delay - delay * (min(max(jitter, 0), 1) * random)
  }
}
