import ApolloCache
import Foundation

/// Writes what waits when an app goes into the background, where the system may end it, and looks for what other
/// processes have written when it comes back.
final class AppLifecycle: Sendable {
  #if canImport(Darwin)
    private let observers: Handoff<[any NSObjectProtocol]>

    init(_ storage: Storage) {
      func observe(_ name: String, _ body: @escaping @Sendable (Storage) -> Void) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
          forName: Notification.Name(name), object: nil, queue: nil
        ) { [weak storage] _ in if let storage { body(storage) } }
      }
      // The names are texts because they belong to frameworks that not every app has.
      observers = Handoff([
        observe("UIApplicationDidEnterBackgroundNotification") { storage in
          #if !os(macOS)
            ProcessInfo.processInfo.performExpiringActivity(withReason: "apollo.sqlite.write") { isExpired in
              if !isExpired { storage.onQueueBlocking { try? storage.writePending() } }
            }
          #endif
        },
        observe("UIApplicationWillEnterForegroundNotification") { storage in
          storage.onQueueBlocking { try? storage.lookForOtherProcesses() }
        },
        observe("NSApplicationWillTerminateNotification") { storage in
          storage.onQueueBlocking { try? storage.writePending() }
        },
      ])
    }

    deinit { for observer in observers.value { NotificationCenter.default.removeObserver(observer) } }
  #else
    init(_ storage: Storage) {}
  #endif
}
