#if AsyncHTTP
  import Apollo
  import ApolloAPI
  import Foundation

  /// Ends an exchange in which nothing happens for too long, by the time of the device, as Foundation's sessions do.
  final class IdleTimer: Sendable {
    private let timeout: Duration
    private let clock = SystemClock()
    /// Nil while the client itself is waited for.
    private let deadline: Locked<ContinuousClock.Instant?>

    init(_ seconds: TimeInterval) {
      timeout = .waiting(seconds)
      deadline = Locked(clock.now + timeout)
    }

    /// Something has happened.
    func restart() { deadline.withLock { $0 = clock.now + timeout } }

    /// Does not count the time that `body` takes.
    func pausing(_ body: () async -> Void) async {
      deadline.withLock { $0 = nil }
      await body()
      restart()
    }

    /// Waits until the time is up.
    ///
    /// - Throws: A `URLError`; a `CancellationError` if the task is cancelled before.
    func watch() async throws {
      while true {
        let now = clock.now
        let deadline = deadline.withLock { $0 } ?? now + timeout
        guard deadline > now else { throw URLError(.timedOut) }
        try await clock.sleep(until: deadline)
      }
    }
  }
#endif
