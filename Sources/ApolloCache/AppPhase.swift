package import Foundation

/// What the system says of an app as a whole.
package enum AppPhase: Sendable {
  /// It comes to the foreground.
  case foreground
  /// It goes to the background, where the system may end it at any time.
  case background
  /// It is about to end.
  case end

  /// The names of the system's notifications. (They are texts because they belong to frameworks that not every app has:
  /// UIKit, AppKit, WatchKit, and UIKit's part for app extensions.)
  package static let notifications: [(name: String, phase: AppPhase)] = [
    ("UIApplicationWillEnterForegroundNotification", .foreground),
    ("UIApplicationDidEnterBackgroundNotification", .background),
    ("UIApplicationWillTerminateNotification", .end),
    ("NSExtensionHostWillEnterForegroundNotification", .foreground),
    ("NSExtensionHostDidEnterBackgroundNotification", .background),
    ("WKApplicationWillEnterForegroundNotification", .foreground),
    ("WKApplicationDidEnterBackgroundNotification", .background),
    ("NSApplicationDidBecomeActiveNotification", .foreground),
    ("NSApplicationWillTerminateNotification", .end),
  ]
}

/// Hears what the system says of the app, as long as it lives.
package final class AppPhaseObserver: Sendable {
  private let center: NotificationCenter
  // Safe: the tokens are only given back to the center that made them.
  nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

  /// Calls a body with each phase that begins, on the thread on which the system says so.
  package init(in center: NotificationCenter = .default, _ body: @escaping @Sendable (AppPhase) -> Void) {
    self.center = center
    tokens = AppPhase.notifications.map { name, phase in
      center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in body(phase) }
    }
  }

  deinit { for token in tokens { center.removeObserver(token) } }
}
