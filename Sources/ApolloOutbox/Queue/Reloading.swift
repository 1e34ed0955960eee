import ApolloCache
import Foundation

/// What loads an outbox again that could not be loaded.
struct Reloading {
  /// How often it could not be loaded.
  var failures = 0
  var timer: Task<Void, Never>?
  var foreground: ForegroundObserver?

  /// Nothing has to be loaded any more.
  mutating func end() {
    timer?.cancel()
    self = Reloading()
  }
}

/// Hears that the app comes to the foreground, as long as it lives.
final class ForegroundObserver: Sendable {
  private let center: NotificationCenter
  // Safe: the tokens are only given back to the center that made them.
  nonisolated(unsafe) private let observers: [any NSObjectProtocol]

  init(in center: NotificationCenter = .default, _ body: @escaping @Sendable () -> Void) {
    self.center = center
    observers = AppPhase.notifications.filter { $0.phase == .foreground }.map { name, _ in
      center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in body() }
    }
  }

  deinit { for observer in observers { center.removeObserver(observer) } }
}
