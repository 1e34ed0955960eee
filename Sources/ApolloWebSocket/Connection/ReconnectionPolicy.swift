import Apollo

/// How often a broken connection is opened again, and after how long.
///
/// The delay doubles with each attempt that fails. It starts again with the first delay after a connection has lasted
/// for ``stableAfter``. So a server that acknowledges connections and then closes them is asked less and less often.
/// Connections are opened again only for operations that are still running.
public struct ReconnectionPolicy: Hashable, Sendable {
  /// The number of attempts after which the operations fail, if the network fails: there is no answer, or the
  /// connection breaks. nil, the default: no limit, because a phone may be out of reach for hours. 0: no attempt.
  public var maximumAttempts: Int?
  /// The number of attempts after which the operations fail, if the server ends or refuses connections: with a close
  /// code, with an HTTP status such as 503, by never acknowledging them, or by refusing renewed credentials that
  /// it took a moment ago. nil, the default: no limit, as in Apollo iOS 1. 0: no attempt.
  public var maximumServerFailures: Int?
  /// The delay before the first attempt. The default is half a second.
  ///
  /// With less than ten milliseconds, later delays are as with ten, so that they grow even if the first one is zero.
  public var initialDelay: Duration
  /// The longest delay. The default is 30 seconds.
  public var maximumDelay: Duration
  /// The part of each delay that is random, from 0 to 1, so that clients do not all return at one moment. The default
  /// is 0.5.
  public var jitter: Double
  /// How long a connection has to last after the server's acknowledgement to count as a success. Then the attempts are
  /// counted from 0 again. The default is 10 seconds; with `.zero` every acknowledged connection is a success.
  public var stableAfter: Duration

  /// Makes a policy. By default, attempts are made after half a second, one second, two seconds, and so on up to 30
  /// seconds, each shortened by up to a half.
  public init(
    maximumAttempts: Int? = nil, maximumServerFailures: Int? = nil, initialDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(30), jitter: Double = 0.5, stableAfter: Duration = .seconds(10)
  ) {
    self.maximumAttempts = maximumAttempts
    self.maximumServerFailures = maximumServerFailures
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.jitter = jitter
    self.stableAfter = stableAfter
  }

  /// A policy without attempts. A connection that the server closes in order (with code 1000 or without a code) ends
  /// its subscriptions without an error.
  public static let never = ReconnectionPolicy().withoutAttempts

  /// The policy with no attempts.
  var withoutAttempts: ReconnectionPolicy {
    var policy = self
    (policy.maximumAttempts, policy.maximumServerFailures) = (0, 0)
    return policy
  }

  /// Whether no attempt is made after a loss of this kind.
  func isOff(for nature: Nature) -> Bool {
    switch nature {
    case .network: maximumAttempts == 0
    case .server: maximumServerFailures == 0
    }
  }

  /// What caused the loss of a connection.
  enum Nature: Sendable {
    case network
    case server
  }

  /// The attempts that have failed since the last connection that lasted.
  struct Failures: Hashable, Sendable {
    var network = 0
    var server = 0
    /// When the credentials were renewed meanwhile; nil if they were not.
    var renewedAt: ContinuousClock.Instant?

    var count: Int { network + server }

    mutating func add(_ nature: Nature) {
      switch nature {
      case .network: network += 1
      case .server: server += 1
      }
    }
  }

  /// The delay before the next attempt.
  ///
  /// - Parameters:
  ///   - failures: The attempts that have failed.
  ///   - nature: What caused the last loss.
  ///   - random: A random number from 0 up to 1.
  /// - Returns: The delay; nil if no attempt is to be made.
  func delay(after failures: Failures, _ nature: Nature, random: Double) -> Duration? {
    let (limit, count) =
      switch nature {
      case .network: (maximumAttempts, failures.network)
      case .server: (maximumServerFailures, failures.server)
      }
    if let limit, count >= limit { return nil }
    // Zero would stay zero, however often it is doubled.
    let first = failures.count == 0 ? initialDelay : max(initialDelay, .milliseconds(10))
    // After 30 doublings every delay has reached its maximum. Shifting further would overflow, and so would longer
    // times.
    let delay = min(min(first, .longest) * (1 << min(failures.count, 30)), min(maximumDelay, .longest))
    let randomPart = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    return delay - delay * (randomPart * random)
  }
}
