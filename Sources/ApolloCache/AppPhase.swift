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
