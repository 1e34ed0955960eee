import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

/// What a client knows about its network: by a monitor, and by what became of its requests.
///
/// After a failure of the network, a client whose monitor does not know waits for a while before it believes in the network
/// again: one second, two, four, up to a minute. A response of any kind ends that at once.
package final class Connectivity: Sendable {
  private struct State {
    /// How many requests have failed since the last response.
    var failures = 0
    /// Until when it is believed that there is no network.
    var offlineUntil: ContinuousClock.Instant?
    var listeners: [Int: @Sendable () -> Void] = [:]
    var nextListener = 0
  }

  private let monitor: any NetworkMonitor
  private let clock: any ClientClock
  private let state = Locked(State())
  private let listening = Locked<Task<Void, Never>?>(nil)
  private static let longestWait = 60.0

  /// Whether only an outbox uses it. Otherwise the client notes what becomes of all of its requests.
  private let isOfOutbox: Bool

  init(_ monitor: any NetworkMonitor, _ clock: any ClientClock, isOfOutbox: Bool = false) {
    self.monitor = monitor
    self.isOfOutbox = isOfOutbox
    self.clock = clock
    let changes = monitor.changes()
    let task = Task { [weak self] in
      for await isOnline in changes where isOnline { self?.isBack() }
    }
    listening.withLock { $0 = task }
  }

  deinit { listening.withLock { $0?.cancel() } }

  /// Whether there is no network, as far as it is known.
  var isOffline: Bool { monitor.isOnline.map { !$0 } ?? (wait != nil) }

  /// Whether a request has a chance, as far as it is known.
  private var isWorthTrying: Bool { !isKnownOffline && wait == nil }

  /// How long to wait after a failure of the network; nil: a request may be tried.
  var wait: Duration? {
    guard let end = state.withLock({ $0.offlineUntil }) else { return nil }
    let wait = end - clock.now
    return wait > .zero ? wait : nil
  }

  /// When to look again, if nothing is heard until then.
  private var nextLook: ContinuousClock.Instant {
    let now = clock.now
    guard let end = state.withLock({ $0.offlineUntil }), end > now else { return now + .seconds(Self.longestWait) }
    return end
  }

  /// When to look again for a network, if nothing is heard until then; nil if there is one, as far as it is known.
  package var offlineUntil: ContinuousClock.Instant? { isOffline ? nextLook : nil }

  /// Whether the monitor knows that there is no network.
  private var isKnownOffline: Bool { monitor.isOnline == false }

  /// There was a response, so there is a network.
  func noteResponse() {
    let wasOffline = state.withLock { state in
      defer { (state.failures, state.offlineUntil) = (0, nil) }
      return state.failures > 0
    }
    if wasOffline { tell() }
  }

  /// A request has failed because of the network.
  func noteFailure() {
    let now = clock.now
    state.withLock { state in
      // What fails together counts once.
      if let end = state.offlineUntil, end > now { return }
      state.failures += 1
      let seconds = min(Self.longestWait, pow(2, Double(min(state.failures, 7) - 1)))
      state.offlineUntil = now + .seconds(Double.random(in: seconds / 2...seconds))
    }
  }

  /// Has the next request tried at once.
  package func forgetFailures() { state.withLock { ($0.failures, $0.offlineUntil) = (0, nil) } }

  /// Notes what became of a request.
  func note(_ error: (any Error)?) {
    guard let error else { return noteResponse() }
    if error.isNetworkFailure { return noteFailure() }
    guard let error = error as? any ApolloError else { return }
    // Other errors are of the client itself, which says nothing about the network.
    if error.httpStatus != nil || [.invalidResponse, .operationRefused].contains(error.code) { noteResponse() }
  }

  /// Notes what became of a mutation of an outbox, unless the client does that.
  ///
  /// - Parameter error: Why there was no answer; nil if there was one.
  package func noteQueued(_ error: (any Error)?) {
    if isOfOutbox { note(error) }
  }

  private func isBack() {
    state.withLock { ($0.failures, $0.offlineUntil) = (0, nil) }
    tell()
  }

  private func tell() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
  }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Calls a body whenever there is a network again.
  ///
  /// - Parameter body: The body.
  /// - Returns: Ends it.
  package func onReturn(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = body
      return state.nextListener
    }
    return { [weak self] in self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
  }

  /// Waits until a request may be tried, as far as it is known.
  ///
  /// - Throws: `CancellationError`.
  func waitUntilWorthTrying() async throws {
    while !isWorthTrying {
      let (returns, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let endListening = onReturn { continuation.yield() }
      defer { endListening() }
      guard !isWorthTrying else { return }
      let end = nextLook
      let timer = Task { [clock] in
        try? await clock.sleep(until: end)
        continuation.yield()
      }
      defer { timer.cancel() }
      for await _ in returns { break }
      try Task.checkCancellation()
    }
  }
}
