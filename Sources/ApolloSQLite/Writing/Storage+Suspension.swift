import ApolloAPI
import Foundation
internal import GRDB

// What an app that is suspended must have done before.

extension Storage {
  /// Writes the dates of the store that are newer than those in the file, and what waits.
  func writeDates() async { try? await state.withLock { $0.onSuspension }?() }

  /// Gives up the locks, if other processes may have the file open: the system ends an app that is suspended with one.
  ///
  /// What comes before takes a while. The app may be in the foreground again by then, and then nothing is given up.
  func suspend() {
    guard configuration.isInSharedContainer, state.withLock({ $0.isInBackground }) else { return }
    SQLiteNormalizedCache.suspend()
    if !state.withLock({ $0.isInBackground }) { SQLiteNormalizedCache.resume() }
  }

  /// Takes locks again.
  func resume() { if configuration.isInSharedContainer { SQLiteNormalizedCache.resume() } }
}

extension SQLiteNormalizedCache {
  /// Gives up the locks of all files with ``Configuration/isInSharedContainer``, and takes none until ``resume()``. What is
  /// written meanwhile waits in memory.
  ///
  /// It happens by itself when the app goes into the background and everything is on disk. An app that works in the
  /// background, such as after a push notification, calls ``resume()`` when that begins, and this function when it ends. It
  /// posts `Database.suspendNotification` of GRDB, so it concerns the app's own files of GRDB that observe it as well.
  public static func suspend() { NotificationCenter.default.post(name: Database.suspendNotification, object: nil) }

  /// Ends what ``suspend()`` has begun. It happens by itself when the app comes into the foreground.
  public static func resume() { NotificationCenter.default.post(name: Database.resumeNotification, object: nil) }
}
