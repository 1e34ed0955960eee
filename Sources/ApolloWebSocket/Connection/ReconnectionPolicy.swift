import Apollo

/// How often, and after how long, a broken connection is opened again.
///
/// The delay doubles with each attempt that fails, and starts anew once a connection has lasted for ``stableAfter``: a
/// server that acknowledges connections and closes them again is left alone for longer and longer. Connections are opened
/// again only for operations that are still running.
public struct ReconnectionPolicy: Hashable, Sendable {
  /// The attempts after which the operations fail, as long as it is the network that fails: nobody answers, or the
  /// connection breaks. nil, the default, for no limit: a phone may be out of reach for hours. 0 for no attempt.
  public var maximumAttempts: Int?
  /// The attempts after which the operations fail, if it is the server that ends or refuses connections: by a close
  /// code, an HTTP status such as 503, or by never acknowledging them. nil, the default, for no limit, as in releases 1.x of
  /// Apollo iOS: a server may be away for as long as it takes to repair it.
  public var maximumServerFailures: Int?
  /// The delay before the first attempt.
  public var initialDelay: Duration
  /// The longest delay.
  public var maximumDelay: Duration
  /// The part of each delay that is random, from 0 to 1, so that clients do not return all at once.
  public var jitter: Double
  /// How long a connection has to last after the server's acknowledgement to count as a success, after which the count of
  /// attempts starts anew. 10 seconds by default; `.zero` for any acknowledged connection.
  public var stableAfter: Duration

  /// By default after half a second, a second, two, and so on up to 30 seconds, each shortened by up to a half.
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

  /// Never connects again by itself. A connection that the server closes in order (1000, or without a code) ends its
  /// subscriptions without an error.
  public static let never = ReconnectionPolicy(maximumAttempts: 0, maximumServerFailures: 0)

  /// True if there is no attempt after a loss of this kind.
  func isOff(for nature: Nature) -> Bool {
    switch nature {
    case .network: maximumAttempts == 0
    case .server: maximumServerFailures == 0
    }
  }

  /// Whose fault it is that a connection is lost.
  enum Nature: Sendable {
    case network
    case server
  }

  /// The attempts that have failed since the last connection that lasted.
  struct Failures: Hashable, Sendable {
    var network = 0
    var server = 0

    var count: Int { network + server }

    mutating func add(_ nature: Nature) {
      switch nature {
      case .network: network += 1
      case .server: server += 1
      }
    }
  }

  /// - Parameter random: From 0 up to 1.
  /// - Returns: The delay before the next attempt; nil if there is to be none.
  func delay(after failures: Failures, _ nature: Nature, random: Double) -> Duration? {
    let (limit, count) =
      switch nature {
      case .network: (maximumAttempts, failures.network)
      case .server: (maximumServerFailures, failures.server)
      }
    if let limit, count >= limit { return nil }
    // Beyond 30 doublings any delay has passed its maximum; shifting further would overflow, as longer times would.
    let delay = min(min(initialDelay, .longest) * (1 << min(failures.count, 30)), min(maximumDelay, .longest))
    let randomPart = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    return delay - delay * (randomPart * random)
  }
}
