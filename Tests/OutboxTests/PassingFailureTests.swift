@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Failures that pass, and those that seem to.

extension OutboxTests {
  @Suite("Failures that pass")
  struct PassingFailureTests {
    /// An authenticator that throws what a test says, and then has credentials.
    private final class Failing: Authenticator {
      struct Unavailable: Error {}
      private let errors: Locked<[any Error]>
      private let isRenewing: Bool

      init(isRenewing: Bool) {
        self.isRenewing = isRenewing
        errors = Locked([
          Unavailable(), CancellationError(), OperationError(.httpStatus, "no", httpStatus: 400),
          URLError(.userAuthenticationRequired),
        ])
      }

      private func fail() throws {
        let next = errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let next { throw next }
      }

      func credentials() throws -> [String: String] {
        if !isRenewing { try fail() }
        return ["Authorization": "x"]
      }

      func renew(refused: [String: String]) throws -> Bool {
        try fail()
        return false
      }
    }

    @Test("An authenticator that throws gives nothing up", arguments: [false, true])
    func authenticator(isRenewing: Bool) async throws {
      let server = TodoServer()
      if isRenewing { server.plan(.status(401), .status(401), .status(401), .status(401)) }
      let client = server.client(.http, try Place(.memory).launch()) {
        $0.authenticator = Failing(isRenewing: isRenewing)
      }
      for text in ["a", "b", "c"] { try await client.enqueue(CreateTodo(text: text)) }
      try await eventually("all are sent") { client.outbox.count == 0 }
      #expect(server.texts == ["a", "b", "c"])
      #expect(await client.outbox.failed.isEmpty)
    }

    @Test("Credentials that an authenticator does not renew are a refusal")
    func refusedCredentials() async throws {
      final class Giving: Authenticator {
        func credentials() -> [String: String] { ["Authorization": "x"] }
        func renew(refused: [String: String]) -> Bool { false }
      }
      let server = TodoServer()
      let client = server.client(.http, try Place(.memory).launch()) { $0.authenticator = Giving() }
      server.plan(.status(401))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == 401)
    }

    @Test("A redirect to another origin, as of a network that wants a sign-in, is tried again")
    func redirect() async throws {
      typealias Redirect = NetworkFetchInterceptor.RedirectError
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let from = try #require(URL(string: "http://todo.example/graphql"))
      let to = try #require(URL(string: "http://login.example/"))
      server.plan(.failure(Redirect(from: from, to: to, status: 302, .notAllowed)), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.requests.count == 2 && Set(server.requests.map(\.extensionKey)).count == 1)
      // Within the origin it is the app's address that is wrong.
      server.plan(.failure(Redirect(from: from, to: from, status: 302, .lostOperation)))
      let lost = try await client.enqueue(CreateTodo(text: "b"))
      let error = await #expect(throws: OperationError.self) { try await lost.value }
      #expect(error?.httpStatus == 302 && server.requests.count == 3)
    }

    private static let cancellation = URLSessionClient.URLSessionClientError.networkError(
      data: Data(), response: nil, underlying: URLError(.cancelled))

    @Test("A request that the session cancels, such as one that does not trust the server, does not count as a try")
    func cancelledBySession() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.failure(Self.cancellation), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(maximumAttempts: 1))
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.requests.count == 2 && Set(server.requests.map(\.extensionKey)).count == 1)
      #expect(await client.outbox.failed.isEmpty)
    }

    @Test("It is sent again when the network changes, after a restart as well", arguments: [false, true])
    func cancelledUntilNetworkChanges(restarts: Bool) async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(), place = try Place(.memory)
      func client() throws -> ApolloClient {
        let settings = try place.launch {
          $0.retry.baseDelay = 3600
          $0.retry.maxDelay = 3600
        }
        return server.client(.http, settings, monitor: monitor)
      }
      func waits(_ queued: Outbox.QueuedMutation<CreateTodo>) async throws {
        try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      }
      server.plan(.failure(Self.cancellation))
      var last = try client(), queued = try await last.enqueue(CreateTodo(text: "a"))
      try await waits(queued)
      if restarts {
        await last.outbox.close()
        last = try client()
        queued = try #require(await last.outbox.queued(CreateTodo.self).first)
        try await waits(queued)
      }
      monitor.isOnline = false
      monitor.isOnline = true
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.requests.count == 2)
      await last.outbox.close()
    }

    @Test("A mutation whose answer came in part is sent again with the same key")
    func brokenAnswer() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.done(#"{"data":{"createTodo":{"__typename":"Todo","id":"10"#), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await queued.value.data?.createTodo?.text == "a")
      #expect(server.executions == ["CreateTodo a"] && Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test("An upload takes as long as it takes")
    func longUpload() async throws {
      let server = TodoServer(), clock = TestClock()
      let client = server.client(.http, try Place(.memory).launch()) { $0.clock = clock }
      server.plan(.held)
      let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
      let queued = try await client.enqueue(Attach(), files: [file])
      try await eventually("it is sent") { server.heldCount == 1 }
      await clock.advance(by: .seconds(3600))
      #expect(server.heldCount == 1)
      server.release()
      _ = try await queued.value
      #expect(server.requests.count == 1)
    }

    @Test("A server that hangs is given up after as many tries as the policy allows")
    func hangingServer() async throws {
      let server = TodoServer(), clock = TestClock()
      let client = server.client(.http, try Place(.memory).launch()) { $0.clock = clock }
      server.always = .held
      let queued = try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(maximumAttempts: 2))
      for attempt in 1...2 {
        try await eventually("try \(attempt) is under way") {
          // (Its next try waits for less than a second.)
          if let next = clock.waits.first, next <= .seconds(1) { await clock.advance(by: next) }
          return server.requests.count == attempt && clock.waits.contains { $0 > .seconds(50) }
        }
        await clock.advance(by: .seconds(60))
      }
      try await eventually("it is given up") { if case .failed = queued.state { true } else { false } }
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .retriesExhausted && server.requests.count == 2)
    }

    /// A clock that counts how often something waits for it.
    private final class CountingClock: ClientClock {
      let inner = TestClock()
      let count = Locked(0)
      var date: Date { inner.date }
      var now: ContinuousClock.Instant { inner.now }

      func sleep(until deadline: ContinuousClock.Instant) async throws {
        count.withLock { $0 += 1 }
        try await inner.sleep(until: deadline)
      }
    }

    @Test("What is of no use any more is given up while the outbox, or its scope, is paused", arguments: [false, true])
    func expiryInPause(isScope: Bool) async throws {
      let server = TodoServer(), clock = CountingClock()
      let client = server.client(.http, try Place(.memory).launch()) { $0.clock = clock }
      if isScope {
        server.plan(.status(400))
        try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(onFailure: .pauseScope))
        try await client.outbox.flush()
      } else {
        await client.outbox.pause()
      }
      let queued = try await client.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(expiresAfter: 10))
      try await eventually("it waits") { clock.inner.waits.contains { $0 <= .seconds(10) } }
      let count = clock.count.withLock { $0 }
      await clock.inner.advance(by: .seconds(10))
      try await eventually("it is given up") { if case .failed = queued.state { true } else { false } }
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .expired && clock.count.withLock { $0 } < count + 10)
      #expect(server.texts.isEmpty)
    }

    @Test("What the server has refused changes nothing in the cache, and `update` does not run")
    func updateOfRefusal() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch()), runs = Locked(0)
      server.plan(
        .body(#"{"data":{"createTodo":null},"errors":[{"message":"no","path":["createTodo"]}]}"#))
      let queued = try await client.enqueue(
        CreateTodo(text: "a"), update: { _, _ in runs.withLock { $0 += 1 } })
      await #expect(throws: OperationError.self) { try await queued.value }
      #expect(runs.withLock { $0 } == 0)
    }

    // MARK: The storage

    @Test("A storage that cannot remove one mutation keeps another one, and sends it")
    func failingRemoval() async throws {
      let server = TodoServer(), storage = FailingStorage(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, Outbox.Configuration(storage: storage), monitor: monitor)
      let first = try await client.enqueue(CreateTodo(text: "a"))
      storage.failsToRemove.withLock { $0 = true }
      #expect(await first.cancel())
      try await client.enqueue(CreateTodo(text: "b"))
      storage.failsToRemove.withLock { $0 = false }
      monitor.isOnline = true
      try await eventually("it is sent") { server.texts == ["b"] }
      try await client.outbox.flush()
      await client.outbox.close()
      #expect(storage.memory.load().rows.isEmpty)
    }

    @Test("A mutation that could not be enqueued is not in the storage")
    func failingAddition() async throws {
      let server = TodoServer(), storage = FailingStorage()
      let client = server.client(.http, Outbox.Configuration(storage: storage))
      try await client.outbox.ready()
      storage.failsAfterwards.withLock { $0 = true }
      await #expect(throws: OperationError.self) { try await client.enqueue(CreateTodo(text: "a")) }
      storage.failsAfterwards.withLock { $0 = false }
      await client.outbox.close()
      #expect(storage.memory.load().rows.isEmpty && server.requests.isEmpty)
    }
  }
}
