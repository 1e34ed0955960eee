@testable import ApolloOutbox
@testable import Apollo
import ApolloCache
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension OutboxTests {
  /// A storage that cannot be loaded at first, as while the keychain is locked.
  @Suite("An outbox that cannot be loaded")
  struct LoadingTests {
    /// What has it loaded again.
    enum Reason: CaseIterable, Sendable { case time, network, screen }

    @Test("It is loaded without a call of the app, and what waits is sent", arguments: Reason.allCases)
    func again(reason: Reason) async throws {
      let server = TodoServer(), storage = FailingStorage(), clock = TestClock(), failed = Event()
      let first = server.client(
        .http, Outbox.Configuration(storage: storage), monitor: ManualNetworkMonitor(isOnline: false))
      try await first.enqueue(CreateTodo(text: "a"))
      await first.outbox.close()
      storage.fails.withLock { $0 = true }
      let monitor = ManualNetworkMonitor(isOnline: reason != .network)
      let configuration = Outbox.Configuration(storage: storage, onStorageFailure: { _ in failed.happen() })
      let client = server.client(.http, configuration, monitor: monitor) { $0.clock = clock }
      try await failed.wait()
      storage.fails.withLock { $0 = false }
      var screen: Task<Void, Never>?
      switch reason {
      case .time:
        try await eventually("it waits") { clock.waits == [.seconds(2)] }
        await clock.advance(by: .seconds(2))
      case .network: monitor.isOnline = true
      case .screen: screen = Task { for await _ in client.outbox.statuses {} }
      }
      try await eventually("it is sent") { server.texts == ["a"] }
      screen?.cancel()
      await client.outbox.close()
    }

    @Test("It is tried again after growing delays, which end with the outbox")
    func delays() async throws {
      let storage = FailingStorage(), clock = TestClock(), failed = Event()
      storage.fails.withLock { $0 = true }
      let configuration = Outbox.Configuration(storage: storage, onStorageFailure: { _ in failed.happen() })
      let client = TodoServer().client(.http, configuration) { $0.clock = clock }
      for (count, delay) in [2, 4, 8, 16, 32, 60, 60].enumerated() {
        try await failed.wait(for: count + 1)
        try await eventually("it waits") { clock.waits == [.seconds(delay)] }
        await clock.advance(by: .seconds(delay))
      }
      try await failed.wait(for: 8)
      await client.outbox.close()
      try await eventually("nothing waits") { clock.waits.isEmpty }
    }

    @Test("What fails while the next try waits does not make it wait longer")
    func whileItWaits() async throws {
      let clock = TestClock(), tries = Event()
      var reloading = Reloading()
      for (count, delay) in [2, 4, 8, 16, 32, 60, 60].enumerated() {
        for _ in 0..<3 { reloading.again(by: clock) { tries.happen() } }
        try await eventually("it waits") { clock.waits == [.seconds(delay)] }
        await clock.advance(by: .seconds(delay))
        try await tries.wait(for: count + 1)
      }
      #expect(reloading.failures == 7 && tries.value == 7)
      reloading.again(by: clock) {}
      reloading.end()
      try await eventually("nothing waits") { clock.waits.isEmpty }
      #expect(reloading.failures == 0)
    }

    @Test("A storage that another outbox keeps is not waited for each time")
    func usedStorage() async throws {
      let server = TodoServer(), storage = FailingStorage(), clock = TestClock(), failed = Event()
      let codes = Locked<[ApolloErrorCode?]>([])
      storage.fails.withLock { $0 = true }
      let configuration = Outbox.Configuration(
        storage: storage,
        onStorageFailure: { error in
          codes.withLock { $0.append((error as? OperationError)?.code) }
          failed.happen()
        })
      let client = server.client(.http, configuration) { $0.clock = clock }
      try await failed.wait()
      try await eventually("it waits") { clock.waits == [.seconds(2)] }
      storage.fails.withLock { $0 = false }
      let other = server.client(.http, Outbox.Configuration(storage: storage))
      try await other.outbox.ready()
      // (An outbox that waits for the other one does so for ten seconds of this clock.)
      await clock.advance(by: .seconds(2))
      try await failed.wait(for: 2)
      #expect(codes.withLock { $0 } == [nil, .configuration])
      await other.outbox.close()
      try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it is sent") { server.texts == ["a"] }
      await client.outbox.close()
    }

    @Test("A client whose storage another one keeps does not wait with its operations until that is given up")
    func usedByAnother() async throws {
      let server = TodoServer(), storage = Outbox.InMemoryStorage(), failed = Event(), clock = TestClock()
      let other = server.client(.http, Outbox.Configuration(storage: storage))
      try await other.outbox.ready()
      let configuration = Outbox.Configuration(storage: storage, onStorageFailure: { _ in failed.happen() })
      let client = server.client(.http, configuration) { $0.clock = clock }
      _ = try await client.fetch(query: TodosQuery())
      // (It is told when the outbox has waited for the other one.)
      #expect(failed.value == 0)
      // (It may begin to wait later than now.)
      try await eventually("it is told") {
        await clock.advance(by: .seconds(10))
        return failed.value > 0
      }
      await client.outbox.close()
      await other.outbox.close()
    }

    @Test("An outbox hears that the app comes to the foreground, as long as that is of use")
    func foreground() {
      let center = NotificationCenter(), count = Locked(0), phases = AppPhase.notifications
      let observer = Locked<AppPhaseObserver?>(
        AppPhaseObserver(in: center) { phase in
          if phase == .foreground { count.withLock { $0 += 1 } }
        })
      for _ in 0..<2 {
        for (name, _) in phases { center.post(name: Notification.Name(name), object: nil) }
        observer.withLock { $0 = nil }
      }
      #expect(count.withLock { $0 } == phases.count { $0.phase == .foreground })
    }
  }
}
