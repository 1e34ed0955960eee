import ApolloAPI
import Foundation

/// Tells observers when the first of the fields that they have read is older than it may be.
///
/// There is one task, which sleeps until the first of these times. It is there only while something waits for it.
final class ExpiryTimer: Sendable {
  /// What one observer waits for.
  struct Wait: Sendable {
    /// When the first field is too old, in seconds since 1970.
    var expiry: UInt32
    /// Reads again. A response may have confirmed values without changing them, of which no observer is told. nil: they
    /// have no age any more. (A later response may give them one in the same way, so the timer looks again.)
    let read: @Sendable () -> UInt32?
    let onExpiry: @Sendable () -> Void
  }

  private struct State {
    var waits: [ObserverID: Wait] = [:]
    /// The expiries of which observers were told. They are not told twice: otherwise a server that does not answer would
    /// be asked again and again.
    var told: [ObserverID: UInt32] = [:]
    var queue = ExpiryQueue()
    var task: Task<Void, Never>?
    /// When the task wakes up, in seconds since 1970.
    var wakesAt = UInt32.max
    var clock: any ClientClock = .system
  }

  /// The time of a device may be set while the task sleeps. After this number of seconds it looks at the clock again,
  /// and at values that had no age.
  private static let longestSleep: UInt32 = 900

  private let state = Locked(State())

  deinit { state.withLock { $0.task?.cancel() } }

  /// By which the task sleeps.
  var clock: any ClientClock {
    get { state.withLock { $0.clock } }
    set { state.withLock { $0.clock = newValue } }
  }

  /// Waits for an observer. What it waited for before is forgotten.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - wait: What it waits for; nil: for nothing.
  ///   - now: Tells the time.
  func set(_ observer: ObserverID, _ wait: Wait?, now: @escaping @Sendable () -> UInt32) {
    state.withLock { state in
      state.waits[observer] = nil
      guard let wait, state.told[observer] != wait.expiry else { return }
      state.waits[observer] = wait
      state.queue.insert(observer, at: wait.expiry)
      if state.queue.count > 2 * state.waits.count + 16 {
        state.queue = ExpiryQueue(state.waits.mapValues(\.expiry))
      }
      if wait.expiry < state.wakesAt { start(&state, at: wait.expiry, now) }
    }
  }

  func remove(_ observer: ObserverID) {
    state.withLock { state in
      state.waits[observer] = nil
      state.told[observer] = nil
      guard state.waits.isEmpty else { return }
      state.queue = ExpiryQueue()
      state.wakesAt = .max
      state.task?.cancel()
      state.task = nil
    }
  }

  /// Asks another function for the time.
  func setTime(_ now: @escaping @Sendable () -> UInt32) {
    state.withLock { state in
      if let first = state.queue.first?.expiry { start(&state, at: first, now) }
    }
  }

  private func start(_ state: inout State, at expiry: UInt32, _ now: @escaping @Sendable () -> UInt32) {
    state.wakesAt = expiry
    state.task?.cancel()
    state.task = Task.detached { [weak self] in
      while !Task.isCancelled {
        // The timer is not kept while the task sleeps.
        // (Before the date is asked for: if time passes in between, it looks too early, which does no harm.)
        guard let clock = self?.clock, case let instant = clock.now, let seconds = self?.tell(at: now()) else { return }
        guard (try? await clock.sleep(until: instant + .seconds(Int64(seconds)))) != nil else { return }
      }
    }
  }

  /// Tells the observers whose time has come.
  ///
  /// - Parameter now: The time, in seconds since 1970.
  /// - Returns: How many seconds the task may sleep; nil if it is not needed any more.
  private func tell(at now: UInt32) -> UInt32? {
    while let (observer, wait) = nextDue(at: now) {
      let expiry = wait.read() ?? min(now, .max - Self.longestSleep) + Self.longestSleep
      let isExpired = state.withLock { state in
        // The observer may be gone meanwhile, or wait for another time.
        guard state.waits[observer]?.expiry == wait.expiry else { return false }
        state.waits[observer]?.expiry = expiry
        guard expiry <= now else {
          state.queue.insert(observer, at: expiry)
          return false
        }
        state.waits[observer] = nil
        state.told[observer] = expiry
        return true
      }
      if isExpired { wait.onExpiry() }
    }
    return state.withLock { state in
      guard !Task.isCancelled else { return nil }
      guard let next = state.queue.first else {
        state.wakesAt = .max
        state.task = nil
        return nil
      }
      state.wakesAt = next.expiry
      return min(next.expiry - min(next.expiry, now), Self.longestSleep)
    }
  }

  /// Takes the observer out of the queue whose time has come first.
  private func nextDue(at now: UInt32) -> (ObserverID, Wait)? {
    state.withLock { state in
      while let first = state.queue.first {
        let wait = state.waits[first.observer]
        // The observer may be gone, or wait for another time.
        guard let wait, wait.expiry == first.expiry else {
          state.queue.removeFirst()
          continue
        }
        guard first.expiry <= now else { return nil }
        state.queue.removeFirst()
        return (first.observer, wait)
      }
      return nil
    }
  }
}

/// Observers, of which the one whose expiry is next is found at once: a binary heap.
struct ExpiryQueue {
  private var entries: [(expiry: UInt32, observer: ObserverID)] = []

  init() {}

  init(_ expiries: [ObserverID: UInt32]) {
    for (observer, expiry) in expiries { insert(observer, at: expiry) }
  }

  var count: Int { entries.count }
  var first: (expiry: UInt32, observer: ObserverID)? { entries.first }

  mutating func insert(_ observer: ObserverID, at expiry: UInt32) {
    entries.append((expiry, observer))
    var child = entries.count - 1
    while child > 0, entries[child].expiry < entries[(child - 1) / 2].expiry {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      let children = (2 * parent + 1)..<min(2 * parent + 3, max(entries.count, 2 * parent + 1))
      guard let child = children.min(by: { entries[$0].expiry < entries[$1].expiry }),
        entries[child].expiry < entries[parent].expiry
      else { return }
      entries.swapAt(child, parent)
      parent = child
    }
  }
}
