import ApolloCache
import ApolloTransport
import Foundation

/// What does something again that has failed: it loads an outbox, or reads what the cache could not read.
struct Reloading {
  /// How often it has failed: what fails while the next try waits counts no more.
  private(set) var failures = 0
  private var timer: Task<Void, Never>?
  /// Whether the timer waits.
  private let isWaiting = Locked(false)
  private var foreground: AppPhaseObserver?

  /// Has something done after a while, and when the app comes to the foreground. Where that waits already, it waits no
  /// longer.
  ///
  /// - Parameters:
  ///   - clock: Measures the while: 2 seconds after the first failure, 4, 8, up to a minute.
  ///   - work: Does it.
  mutating func again(by clock: any ClientClock, _ work: @escaping @Sendable () async -> Void) {
    let waits = isWaiting.withLock { waits in
      defer { waits = true }
      return waits
    }
    if waits { return }
    failures += 1
    let end = clock.instant(after: .seconds(min(60, pow(2, Double(min(failures, 6))))))
    timer = Task.own { [isWaiting] in
      guard (try? await clock.sleep(until: end)) != nil else { return }
      isWaiting.withLock { $0 = false }
      // (What it does ends the timer, and not itself.)
      Task.own { await work() }
    }
    if foreground != nil { return }
    foreground = AppPhaseObserver { phase in
      if phase == .foreground { Task.own { await work() } }
    }
  }

  /// Nothing has to be done any more.
  mutating func end() {
    timer?.cancel()
    self = Reloading()
  }
}
