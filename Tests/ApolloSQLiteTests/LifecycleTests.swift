@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import ApolloTestSupport
import Foundation
internal import GRDB
import Testing
import Waiting

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
      try await eventually { isTold.withLock { $0 } }
      withExtendedLifetime(lifecycle) {}
    }

    @Test("What could not be written in the background is written when the app is in the foreground again")
    func writesInForeground() async throws {
      let folder = try Folder(), cache = try folder.cache { $0.busyTimeout = 0 }, center = NotificationCenter()
      // (By this clock, it is never time.)
      cache.use(TestClock())
      let lifecycle = AppLifecycle(cache.storage, center: center), store = ApolloStore(cache: cache)
      let blocker = try folder.blocker()
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try await store.publish(records: ["A": ["x": 1]])
      await #expect(throws: SQLiteNormalizedCacheError.self) { try await store.flush() }
      try await blocker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      center.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
      // (What the notification asked for comes first.)
      try await cache.storage.onQueue { _ in }
      #expect(cache.storage.state.withLock { $0.pending.isEmpty && $0.failureCount == 0 })
      withExtendedLifetime(lifecycle) {}
    }

    /// GRDB gives out connections that are being closed, and SQLite ends the process when one is used.
    @Test(
      "While others read, a cache can be closed, and a file can take the place of one that is gone", arguments: 0..<8)
    func closing(number: Int) async throws {
      for round in 0..<40 {
        let folder = try Folder(), cache = try folder.cache()
        try await cache.merge(records: ["A": ["x": 1]])
        let hasBegun = Locked(0), readers = 4
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<readers {
            group.addTask {
              hasBegun.withLock { $0 += 1 }
              while true {
                do { _ = try await cache.record("A") } catch {
                  #expect("\(error)".contains("closed"), "\(error)")
                  return
                }
                await Task.yield()
              }
            }
          }
          while hasBegun.withLock({ $0 }) < readers { await Task.yield() }
          let old = cache.storage.file
          if round.isMultiple(of: 2) { try? await cache.storage.onQueue { try $0.replace(old, because: .removed) } }
          try? await cache.close()
        }
      }
    }

    @Test("A cache that is closed, or released, waits for no time", arguments: [true, false])
    func waits(isClosed: Bool) async throws {
      let folder = try Folder(), clock = TestClock()
      do {
        let cache = try folder.cache()
        cache.use(clock)
        try await ApolloStore(cache: cache).publish(records: ["A": ["x": 1]])
        await clock.untilWaiting()
        if isClosed { try await cache.close() }
        #expect(clock.waits.isEmpty == isClosed)
      }
      try await eventually { clock.waits.isEmpty }
    }
  }
}
