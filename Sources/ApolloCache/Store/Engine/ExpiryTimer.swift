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
    /// The number of the task. A former task may still be reading for an observer.
    var number = 0
    var clock: any ClientClock = .system

    /// Has no task from now on.
    ///
    /// - Returns: The task, which is to be cancelled outside of the lock: it sleeps by a clock of the app.
    mutating func takeTask() -> Task<Void, Never>? {
      defer { task = nil }
      wakesAt = .max
      number += 1
      return task
    }
  }

  /// The time of a device may be set while the task sleeps. After this number of seconds it looks at the clock again,
  /// and at values that had no age.
  private static let longestSleep: UInt32 = 900

  private let state = Locked(State())

  deinit { state.withLock { $0.task }?.cancel() }

  /// By which the task sleeps.
  var clock: any ClientClock {
    get { state.withLock { $0.clock } }
    set { state.replace(\.clock, with: newValue) }
  }

  /// Waits for an observer. What it waited for before is forgotten.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - wait: What it waits for; nil: for nothing.
  ///   - now: Tells the time.
  func set(_ observer: ObserverID, _ wait: Wait?, now: @escaping @Sendable () -> UInt32) {
    let former = state.withLock { state -> Task<Void, Never>? in
      state.waits[observer] = nil
      guard let wait, state.told[observer] != wait.expiry else { return nil }
      state.waits[observer] = wait
      state.queue.insert(observer, at: wait.expiry)
      if state.queue.count > 2 * state.waits.count + 16 {
        state.queue = ExpiryQueue(state.waits.mapValues(\.expiry))
      }
      return wait.expiry < state.wakesAt ? start(&state, at: wait.expiry, now) : nil
    }
    former?.cancel()
  }

  func remove(_ observer: ObserverID) {
    let former = state.withLock { state -> Task<Void, Never>? in
      state.waits[observer] = nil
      state.told[observer] = nil
      guard state.waits.isEmpty else { return nil }
      state.queue = ExpiryQueue()
      return state.takeTask()
    }
    former?.cancel()
  }

  /// Asks another function for the time.
  func setTime(_ now: @escaping @Sendable () -> UInt32) {
    let former = state.withLock { state -> Task<Void, Never>? in
      guard let first = state.queue.first?.expiry else { return nil }
      return start(&state, at: first, now)
    }
    former?.cancel()
  }

  /// Starts a task, in the place of another one.
  ///
  /// - Parameters:
  ///   - state: The state, under the lock.
  ///   - expiry: When the task has to wake up.
  ///   - now: Tells the time.
  /// - Returns: The other one, which is to be cancelled outside of the lock.
  private func start(
    _ state: inout State, at expiry: UInt32, _ now: @escaping @Sendable () -> UInt32
  ) -> Task<Void, Never>? {
    let former = state.takeTask(), number = state.number
    state.wakesAt = expiry
    state.task = Task.detached { [weak self] in
      while !Task.isCancelled {
        // The timer is not kept while the task sleeps.
        // (Before the date is asked for: if time passes in between, it looks too early, which does no harm.)
        guard let clock = self?.clock, case let instant = clock.now, let seconds = self?.tell(now, in: number) else {
          return
        }
        guard (try? await clock.sleep(until: instant + .seconds(Int64(seconds)))) != nil else { return }
      }
    }
    return former
  }

  /// Tells the observers whose time has come.
  ///
  /// - Parameters:
  ///   - time: Tells the time, in seconds since 1970.
  ///   - number: The number of the task that tells them.
  /// - Returns: How many seconds the task may sleep; nil if it is not needed any more.
  private func tell(_ time: @escaping @Sendable () -> UInt32, in number: Int) -> UInt32? {
    let now = time()
    while let (observer, wait) = nextDue(at: now) {
      let expiry = wait.read() ?? min(now, .max - Self.longestSleep) + Self.longestSleep
      let (isExpired, former) = state.withLock { state -> (Bool, Task<Void, Never>?) in
        // The observer may be gone meanwhile, or wait for another time.
        guard state.waits[observer]?.expiry == wait.expiry else { return (false, nil) }
        state.waits[observer]?.expiry = expiry
        guard expiry <= now else {
          state.queue.insert(observer, at: expiry)
          // Another task may have taken the place of this one meanwhile, and not have found this time.
          let isMissed = state.number != number && expiry < state.wakesAt
          return (false, isMissed ? start(&state, at: expiry, time) : nil)
        }
        state.waits[observer] = nil
        state.told[observer] = expiry
        return (true, nil)
      }
      former?.cancel()
      if isExpired { wait.onExpiry() }
    }
    return state.withLock { state in
      guard state.number == number else { return nil }
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
