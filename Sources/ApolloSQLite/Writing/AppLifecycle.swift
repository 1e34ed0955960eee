import ApolloAPI
import ApolloConcurrency
import ApolloCache
import Foundation

/// Writes what waits when an app goes into the background, where the system may end it, and when it comes back. Then it
/// looks as well for what other processes have written.
final class AppLifecycle: Sendable {
  private let observer: AppPhaseObserver

  init(_ storage: Storage, center: NotificationCenter = .default) {
    observer = AppPhaseObserver(in: center) { [weak storage] phase in
      if let storage { Self.note(phase, storage) }
    }
  }

  /// The system posts its notifications on the main thread, which waits for the file only where the process ends
  /// behind it.
  private static func note(_ phase: AppPhase, _ storage: Storage) {
    storage.state.withLock { $0.isInBackground = phase == .background }
    switch phase {
    case .foreground:
      storage.resume()
      // (What failed in the background would be tried again much later.)
      storage.onQueueLater { try $0.writePending() }
      storage.onQueueLater {
        try $0.lookForOtherProcesses()
        $0.tellNews()
      }
    case .background: writeBeforeSuspension(storage)
    case .end: storage.onQueueBlocking { try? storage.settle() }
    }
  }

  private static func writeBeforeSuspension(_ storage: Storage) {
    #if canImport(Darwin) && !os(macOS)
      // The system calls the block on a thread of its own, and suspends the process when it returns.
      ProcessInfo.processInfo.performExpiringActivity(withReason: "apollo.sqlite.write") { isExpired in
        if !isExpired {
          storage.onQueueBlocking { try? storage.settle() }
          let isDone = DispatchSemaphore(value: 0)
          Task {
            await storage.writeDates()
            isDone.signal()
          }
          isDone.wait()
        }
        storage.suspend()
      }
    #else
      storage.onQueueLater { try $0.settle() }
      Task {
        await storage.writeDates()
        storage.suspend()
      }
    #endif
  }
}
