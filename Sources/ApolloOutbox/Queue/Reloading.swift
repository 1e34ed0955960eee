import ApolloCache
import ApolloTransport
import Foundation

/// What does something again that has failed: it loads an outbox, or reads what the cache could not read.
struct Reloading {
  /// How often it has failed.
  private(set) var failures = 0
  private var timer: Task<Void, Never>?
  private var foreground: AppPhaseObserver?

  /// Has something done after a while, and when the app comes to the foreground.
  ///
  /// - Parameters:
  ///   - clock: Measures the while: 2 seconds after the first failure, 4, 8, up to a minute.
  ///   - work: Does it.
  mutating func again(by clock: any ClientClock, _ work: @escaping @Sendable () async -> Void) {
    failures += 1
    let end = clock.instant(after: .seconds(min(60, pow(2, Double(min(failures, 6))))))
    timer?.cancel()
    timer = Task.own {
      guard (try? await clock.sleep(until: end)) != nil else { return }
      // (The next failure ends the timer, and not the work.)
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
