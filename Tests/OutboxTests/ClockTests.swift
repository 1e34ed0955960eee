@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

extension OutboxTests {
  /// Nothing here takes time: days pass when a test says so.
  @Suite("By a clock that stands")
  struct ClockTests {
    @Test(
      "A mutation is tried again when its time has come, and has the dates of the clock",
      arguments: [Place.Kind.memory, .disk])
    func retries(kind: Place.Kind) async throws {
      let clock = TestClock(), server = TodoServer()
      server.plan(.status(503), .status(503, ["Retry-After": "7200"]), .noNetwork)
      let client = server.client(
        .http,
        try Place(kind).launch {
          $0.retry.baseDelay = 600
          $0.retry.maxDelay = 100_000
          $0.retry.enableJitter = false
        }
      ) { $0.clock = clock }
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let begin = clock.date
      #expect(await client.outbox.pending.first?.date == begin)
      var dates: [TimeInterval?] = []
      for number in 1...3 {
        try await eventually("it waits") {
          guard server.requests.count == number, !clock.waits.isEmpty else { return false }
          switch queued.state {
          case .waiting, .waitingForNetwork: return true
          default: return false
          }
        }
        dates.append(await client.outbox.pending.first?.nextAttempt?.timeIntervalSince(begin))
        await clock.advance(by: .seconds(number == 2 ? 7200 : 600 * (1 << (number - 1))))
      }
      _ = try await queued.value
      #expect(dates == [600, 600 + 7200, 600 + 7200 + 2400])
      #expect(server.texts == ["a"] && server.requests.count == 4)
    }

    @Test("A mutation that is of no use after a time ends then, in the next launch as well")
    func expiry() async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let place = try Place(.disk)
      let policy = Outbox.Policy(expiresAfter: 86_400)
      do {
        let client = server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
        let first = try await client.enqueue(CreateTodo(text: "a"), policy: policy)
        try await eventually("it waits") { clock.waits.contains { $0 <= .seconds(86_400) } }
        await clock.advance(by: .seconds(86_400))
        await #expect(throws: OperationError.self) { try await first.value }
        _ = try await client.enqueue(CreateTodo(text: "b"), policy: policy)
        await client.outbox.close()
      }
      await clock.advance(by: .seconds(86_400))
      monitor.isOnline = true
      let client = server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
      try await client.outbox.flush()
      #expect(server.requests.isEmpty)
      #expect(await client.outbox.failed.map(\.error?.code) == [.expired, .expired])
    }

    @Test(
      "A mutation behind another one that waits is given up when its time is over, and its guess ends",
      arguments: [false, true])
    func expiryInLine(isNextLaunch: Bool) async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let place = try Place(.disk)
      func launch() throws -> ApolloClient {
        server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
      }
      let first = try launch()
      try await first.enqueue(CreateTodo(text: "a"))
      try await first.enqueue(
        CreateTodo(text: "b"), optimisticData: .init(createTodo: Todo(id: "7", text: "guess")),
        policy: Outbox.Policy(expiresAfter: 86_400))
      if isNextLaunch { await first.outbox.close() }
      let client = try isNextLaunch ? launch() : first
      try await client.outbox.ready()
      #expect(try await client.store.text("7") == "guess")
      try await eventually("it waits") { clock.waits.contains { $0 > .seconds(80_000) && $0 <= .seconds(86_400) } }
      await clock.advance(by: .seconds(86_400))
      try await eventually("it is given up") { await client.outbox.failed.map(\.error?.code) == [.expired] }
      try await eventually("its guess has ended") { try await client.store.text("7") == nil }
      #expect(await client.outbox.pending.count == 1)
      monitor.isOnline = true
      try await client.outbox.flush()
      #expect(server.texts == ["a"])
      await client.outbox.close()
    }

    @Test(
      "What came before a mutation that expires is sent, whatever its policy does to what is behind it",
      arguments: [Outbox.Policy.FailureAction.pauseScope, .dropScope])
    func beforeExpired(action: Outbox.Policy.FailureAction) async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, try Place(.memory).launch(), monitor: monitor) { $0.clock = clock }
      try await client.enqueue(CreateTodo(text: "a"))
      let queued = try await client.enqueue(
        CreateTodo(text: "b"), policy: Outbox.Policy(onFailure: action, expiresAfter: 86_400))
      try await client.enqueue(CreateTodo(text: "c"))
      try await eventually("it waits") { clock.waits.contains { $0 > .seconds(80_000) && $0 <= .seconds(86_400) } }
      await clock.advance(by: .seconds(86_400))
      await #expect(throws: OperationError.self) { try await queued.value }
      monitor.isOnline = true
      try await client.outbox.flush()
      #expect(server.texts == ["a"])
      #expect(await client.outbox.failed.count == (action == .pauseScope ? 1 : 2))
      if action == .dropScope { return }
      #expect(await client.outbox.dismiss(queued.id))
      try await client.outbox.flush()
      #expect(server.texts == ["a", "c"])
    }

    @Test("The end of the time of a mutation is awaited no longer than the mutation waits", arguments: [false, true])
    func endedExpiry(isClosed: Bool) async throws {
      let clock = TestClock(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = TodoServer().client(.http, try Place(.memory).launch(), monitor: monitor) { $0.clock = clock }
      func isAwaited() -> Bool { clock.waits.contains { $0 > .seconds(80_000) && $0 <= .seconds(86_400) } }
      try await client.enqueue(CreateTodo(text: "a"))
      let queued = try await client.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(expiresAfter: 86_400))
      try await eventually("it waits") { isAwaited() }
      if isClosed { await client.outbox.close() } else { #expect(await queued.cancel()) }
      try await eventually("nothing waits") { !isAwaited() }
    }

    @Test("An id of the server is known for 90 days from then on, though a cancellation had noted that there is none")
    func ageOfServerID() async throws {
      let clock = TestClock(), server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let place = try Place(.disk), id = Outbox.makeLocalID()
      do {
        let client = server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
        let first = try await LocalIDTests.create(client, id)
        #expect(await first.cancel())
        _ = try await LocalIDTests.create(client, id, text: "b")
        await client.outbox.close()
      }
      await clock.advance(by: .seconds(60 * 86_400))
      monitor.isOnline = true
      do {
        let client = server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
        try await client.outbox.flush()
        #expect(client.outbox.serverID(for: id) == "100")
        await client.outbox.close()
      }
      await clock.advance(by: .seconds(60 * 86_400))
      let client = server.client(.http, try place.launch(), monitor: monitor) { $0.clock = clock }
      try await client.outbox.ready()
      #expect(client.outbox.serverID(for: id) == "100")
    }
  }
}
