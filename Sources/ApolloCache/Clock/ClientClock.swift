public import Foundation

/// The time that a client goes by: every date and every wait of the client, its cache, its transports and its outbox.
///
/// `ApolloClient.Configuration.clock` takes one. Tests give it the `TestClock` of `ApolloTestSupport`, whose time passes when
/// the test says so.
public protocol ClientClock: Sendable {
  /// The date. The ages of values, the expiry of tokens and mutations, and the dates in files go by it.
  var date: Date { get }
  /// The time by which waits and durations are measured. It never goes back, also when the date of the device is set.
  var now: ContinuousClock.Instant { get }
  /// Waits until a time.
  ///
  /// - Parameter deadline: When to return. The function returns at once if that has passed.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until deadline: ContinuousClock.Instant) async throws
}

/// The time of the device.
public struct SystemClock: ClientClock {
  /// Makes a clock. All of them are alike.
  public init() {}

  /// The date of the device.
  public var date: Date { Date() }

  /// The time since the device was started, which goes on while the device sleeps.
  public var now: ContinuousClock.Instant { .now }

  /// Waits until a time.
  ///
  /// - Parameter deadline: When to return.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: ContinuousClock.Instant) async throws {
    try await Task.sleep(until: deadline, clock: .continuous)
  }
}

extension ClientClock where Self == SystemClock {
  /// The time of the device.
  public static var system: SystemClock { SystemClock() }
}

extension ClientClock {
  /// Waits for a time, at most a year.
  package func sleep(for duration: Duration) async throws { try await sleep(until: instant(after: duration)) }

  /// When a time is over, at most in a year. A task that is made to wait is given this, because it may begin later.
  package func instant(after duration: Duration) -> ContinuousClock.Instant { now + min(duration, .longest) }

  /// How many seconds there are until a date; negative if it has passed.
  package func seconds(until date: Date) -> TimeInterval { date.timeIntervalSince(self.date) }
}

extension Duration {
  /// A time to wait, at least zero and at most a year. NaN is read as zero.
  package static func waiting(_ seconds: TimeInterval) -> Duration { .seconds(seconds.limitedToYear) }

  /// The longest time to wait: a year. Clocks cannot add much longer times to the current one.
  package static let longest = Duration.seconds(365 * 24 * 3600)
}

extension TimeInterval {
  /// The time, at least zero and at most a year. NaN is read as zero.
  package var limitedToYear: TimeInterval { isNaN ? 0 : Swift.max(0, Swift.min(self, 365 * 24 * 3600)) }
}

/// What goes by the clock of the client that uses it: transports, caches on disk, authenticators.
package protocol ClockUsing {
  /// Goes by another clock from now on.
  func use(_ clock: any ClientClock)
}
