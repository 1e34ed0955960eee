import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

/// What a client knows about its network: by a monitor, and by what became of its requests.
///
/// A response outranks a monitor that says "no", as that of a simulator or a VPN may: until the monitor changes, the client
/// goes by its requests alone.
///
/// After a failure of the network, a client whose monitor does not know waits for a while before it believes in the network
/// again: one second, two, four, up to a minute. A response of any kind ends that at once.
package final class Connectivity: Sendable {
  private struct State {
    /// How many requests have failed since the last response.
    var failures = 0
    /// Until when it is believed that there is no network.
    var offlineUntil: ContinuousClock.Instant?
    /// Whether a response has come although the monitor says that there is no network.
    var isMonitorWrong = false
    var listeners: [Int: @Sendable (_ isBack: Bool) -> Void] = [:]
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
      for await isOnline in changes { self?.monitorChanged(isOnline) }
    }
    listening.withLock { $0 = task }
  }

  deinit { listening.withLock { $0?.cancel() } }

  /// What the monitor says, unless a response has shown that it is wrong.
  private var known: Bool? {
    let said = monitor.isOnline
    return said == false && state.withLock({ $0.isMonitorWrong }) ? nil : said
  }

  /// Whether there is no network, as far as it is known.
  var isOffline: Bool { known.map { !$0 } ?? (wait != nil) }

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
  private var isKnownOffline: Bool { known == false }

  /// There was a response, so there is a network.
  func noteResponse() {
    let isMonitorWrong = monitor.isOnline == false
    let wasOffline = state.withLock { state in
      defer { (state.failures, state.offlineUntil, state.isMonitorWrong) = (0, nil, isMonitorWrong) }
      return state.failures > 0 || isMonitorWrong && !state.isMonitorWrong
    }
    if wasOffline { tell(isBack: true) }
  }

  /// A request has failed because of the network.
  func noteFailure() {
    let now = clock.now
    let isNew = state.withLock { state in
      // What fails together counts once.
      if let end = state.offlineUntil, end > now { return false }
      state.failures += 1
      let seconds = min(Self.longestWait, pow(2, Double(min(state.failures, 7) - 1)))
      state.offlineUntil = now + .seconds(Double.random(in: seconds / 2...seconds))
      return true
    }
    if isNew { tell(isBack: false) }
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

  private func monitorChanged(_ isOnline: Bool) {
    state.withLock { state in
      state.isMonitorWrong = false
      if isOnline { (state.failures, state.offlineUntil) = (0, nil) }
    }
    tell(isBack: isOnline)
  }

  private func tell(isBack: Bool) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener(isBack) }
  }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Calls a body whenever there is a network again, and whenever there is none any more.
  ///
  /// - Parameters:
  ///   - hasFailed: Whether a request of an earlier launch waits for the network, so that the next response is told.
  ///   - body: Called with true if there is a network again.
  /// - Returns: Ends it.
  package func onChange(
    hasFailed: Bool = false, _ body: @escaping @Sendable (_ isBack: Bool) -> Void
  ) -> @Sendable () -> Void {
    let number = state.withLock { state in
      if hasFailed { state.failures = max(1, state.failures) }
      state.nextListener += 1
      state.listeners[state.nextListener] = body
      return state.nextListener
    }
    return { [weak self] in self?.state.takeOut { $0.listeners.removeValue(forKey: number) } }
  }

  /// Waits until a request may be tried, as far as it is known.
  ///
  /// - Throws: `CancellationError`.
  func waitUntilWorthTrying() async throws {
    while !isWorthTrying {
      let (returns, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let endListening = onChange { if $0 { continuation.yield() } }
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
