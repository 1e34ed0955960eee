@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
internal import GRDB
import Testing

extension SQLiteTests {
  @Suite("What the system says of the app")
  struct LifecycleTests {
    @Test(
      "What waits is written before the app may end",
      arguments: [
        "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
        "NSExtensionHostDidEnterBackgroundNotification", "WKApplicationDidEnterBackgroundNotification",
        "NSApplicationWillTerminateNotification",
      ])
    func writes(notification: String) async throws {
      let folder = try Folder(), cache = try folder.cache(), center = NotificationCenter()
      let lifecycle = AppLifecycle(cache.storage, center: center)
      try await cache.merge(records: ["A": ["x": 1], "B": ["x": 1]])
      // (Nothing else would write this.)
      var write = RecordWrite(RecordSnapshot(hasBackend: true))
      write.removedPatterns = ["A"]
      cache.storage.state.withLock { [write] in $0.pending.append(write) }
      center.post(name: Notification.Name(notification), object: nil)
      // (What the notification asked for comes first.)
      try await cache.storage.onQueue { _ in }
      #expect(cache.storage.state.withLock { $0.pending.isEmpty })
      #expect(try folder.database { try Int.fetchOne($0, sql: "SELECT count(*) FROM records") } == 1)
      withExtendedLifetime(lifecycle) {}
    }

    @Test(
      "What other processes wrote is seen when the app is in the foreground again",
      arguments: [
        "UIApplicationWillEnterForegroundNotification", "NSExtensionHostWillEnterForegroundNotification",
        "WKApplicationWillEnterForegroundNotification", "NSApplicationDidBecomeActiveNotification",
      ])
    func looks(notification: String) async throws {
      let folder = try Folder(), cache = try folder.cache(), center = NotificationCenter()
      let lifecycle = AppLifecycle(cache.storage, center: center), isTold = Locked(false)
      cache.onForeignChange { isTold.withLock { $0 = true } }
      try folder.database { try $0.execute(sql: "CREATE TABLE other (x)") }
      center.post(name: Notification.Name(notification), object: nil)
      try await cache.storage.onQueue { _ in }
      #expect(isTold.withLock { $0 })
      withExtendedLifetime(lifecycle) {}
    }
  }
}
