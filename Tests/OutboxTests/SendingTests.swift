@testable import ApolloCache
@testable import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

// By behaviour: AWS AppSync's `MutationQueueTests`, urql's `offlineExchange.test`, and TanStack Query's tests of paused
// and scoped mutations.

extension OutboxTests {
  @Suite("Sending", .everyStyle)
  struct SendingTests {
    @Test(
      "A mutation is kept, shown, sent, and gone when its answer is in the cache", arguments: Place.Kind.allCases,
      TodoServer.Way.allCases)
    func wholeWay(kind: Place.Kind, way: TodoServer.Way) async throws {
      let server = TodoServer(), place = try Place(kind)
      server.add("1", "old")
      let client = server.client(way, try place.launch())
      try await client.store.write(
        response: ResponseBytes(Array(#"{"data":{"todos":[{"__typename":"Todo","id":"1","text":"old"}]}}"#.utf8)),
        for: TodosQuery())
      server.plan(.held)
      let queued = try await client.enqueue(
        RenameTodo(id: "1", text: "new"), optimisticData: .init(renameTodo: Todo(id: "1", text: "guess")))
      #expect(client.outbox.count == 1)
      #expect(try await client.store.texts() == ["guess"])
      try await eventually("it is sent") { server.heldCount == 1 }
      let entry = try #require(await client.outbox.pending.first)
      #expect(
        entry.operationName == "RenameTodo" && entry.state == .sending && entry.variables["text"] as? String == "new")
      server.release()
      #expect(try await queued.value.data?.renameTodo?.text == "new")
      #expect(try await client.store.texts() == ["new"])
      #expect(client.outbox.count == 0)
      try await client.outbox.flush()
      await client.outbox.close()
      #expect(try await place.storage().load().rows.isEmpty)
      #expect(server.executions == ["RenameTodo new"])
      let request = try #require(server.requests.first)
      #expect(request.extensionKey == queued.id.uuidString.lowercased())
      #expect(request.key == request.extensionKey)
    }

    @Test("The states come one after the other, and end with the outcome", arguments: TodoServer.Way.allCases)
    func states(way: TodoServer.Way) async throws {
      let server = TodoServer()
      let client = server.client(way, try Place(.memory).launch())
      await client.outbox.pause()
      server.plan(.noNetwork, .status(503), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      let isFollowed = Event()
      async let history = queued.history { isFollowed.happen() }
      try await isFollowed.wait()
      await client.outbox.resume()
      let states = await history
      #expect(
        states == ["queued", "sending 1", "offline", "sending 2", "waiting", "sending 3", "succeeded"], "\(states)")
      #expect(await queued.history() == ["succeeded"])
      #expect(Set(server.requests.map(\.extensionKey)).count == 1)
    }

    @Test(
      "Mutations of a scope are sent one after the other, in the order of the calls", arguments: Place.Kind.allCases)
    func order(kind: Place.Kind) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(kind).launch())
      server.plan(.noNetwork, .success, .status(500), .lost)
      let wanted = (0..<20).map { "todo \($0)" }
      for text in wanted { try await client.enqueue(CreateTodo(text: text)) }
      try await eventually("all are sent") { client.outbox.count == 0 }
      #expect(server.texts == wanted)
      #expect(server.mostUnderWay == 1)
    }

    @Test("Calls with a completion are taken in their order")
    func callbackOrder() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.disk).launch())
      let wanted = (0..<50).map { "todo \($0)" }, kept = Locked(0)
      for text in wanted {
        client.enqueue(CreateTodo(text: text), queue: .global()) { result in
          if case .success = result { kept.withLock { $0 += 1 } }
        }
      }
      try await eventually("all are sent") { server.texts.count == 50 && kept.withLock { $0 } == 50 }
      #expect(server.texts == wanted)
    }

    @Test("Scopes are sent beside each other, up to the limit", arguments: [1, 3, 8])
    func scopes(limit: Int) async throws {
      let server = TodoServer()
      let client = server.client(.http, try Place(.memory).launch { $0.maximumConcurrentScopes = limit })
      server.always = .held
      for number in 0..<12 { try await client.enqueue(CreateTodo(text: "\(number)"), scope: "scope \(number % 6)") }
      let most = min(limit, 6)
      try await eventually("as many are under way as may be") { server.heldCount == most }
      server.always = .success
      server.release()
      try await eventually("all are sent") { client.outbox.count == 0 }
      #expect(server.mostUnderWay <= most)
      for scope in 0..<6 {
        let texts = server.texts.filter { Int($0).map { $0 % 6 == scope } ?? false }
        #expect(texts == ["\(scope)", "\(scope + 6)"])
      }
    }

    @Test("A scope that waits does not hold up another one")
    func independentScopes() async throws {
      let server = TodoServer(),
        client = server.client(
          .http,
          try Place(.memory).launch {
            $0.retry.baseDelay = 3600; $0.retry.maxDelay = 3600
          })
      server.plan(.status(503))
      let first = try await client.enqueue(CreateTodo(text: "a"), scope: "a")
      try await eventually("it waits") { if case .waiting = first.state { true } else { false } }
      _ = try await client.enqueue(CreateTodo(text: "b"), scope: "b").value
      #expect(server.texts == ["b"])
    }

    @Test("A server that does the mutation and whose answer is lost does it once", arguments: Place.Kind.allCases)
    func lostAnswer(kind: Place.Kind) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(kind).launch())
      server.plan(.lost, .lost, .success)
      let queued = try await client.enqueue(CreateTodo(text: "once"))
      #expect(try await queued.value.data?.createTodo?.text == "once")
      #expect(server.executions == ["CreateTodo once"] && server.requests.count == 3)
    }

    @Test("What may pass is tried again: networks, some statuses, and a page that asks for a sign-in")
    func transientFailures() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(
        .noNetwork, .status(408), .status(425), .status(429), .status(500), .status(502), .status(503), .status(599),
        .body("<html>Sign in</html>", type: "text/html"), .success)
      _ = try await client.enqueue(CreateTodo(text: "a")).value
      #expect(server.requests.count == 10)
    }

    @Test("A server that is not well may say so as a GraphQL response")
    func graphQLStatus() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      let type = ["Content-Type": "application/graphql-response+json"]
      server.plan(
        .status(429, type.merging(["Body": #"{"errors":[{"message":"slow down"}]}"#]) { $1 }), .status(503, type),
        .status(503, type.merging(["Body": #"{"errors":[{"message":"down"}]}"#]) { $1 }), .success)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      #expect(try await queued.value.data?.createTodo != nil)
      #expect(server.requests.count == 4)
    }

    @Test("`Retry-After` is waited for, in memory and by the next launch", arguments: Place.Kind.allCases)
    func retryAfter(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), client = server.client(.http, try place.launch())
      server.plan(.status(429, ["Retry-After": "3000"]))
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waiting = queued.state { true } else { false } }
      guard case .waiting(let date) = queued.state else { return }
      #expect((2900..<3001).contains(date.timeIntervalSinceNow))
      try await eventually("that is kept") { try await place.copy().storage().load().rows.first?.notBefore != nil }
      // A flush does not wait for it.
      try await client.outbox.flush()
      #expect(server.executions == ["CreateTodo a"])
    }

    @Test(
      "What the server refuses is given up, readable, and can be tried again with another key",
      arguments: Place.Kind.allCases)
    func refusal(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), client = server.client(.http, try place.launch())
      let queued = try await client.enqueue(
        RenameTodo(id: "1", text: "x"), optimisticData: .init(renameTodo: Todo(id: "1", text: "guess")))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .operationRefused && error?.message == "no todo" && error?.operationName == "RenameTodo")
      #expect(try await client.store.text("1") != "guess")
      #expect(client.outbox.count == 0)
      let failed = try #require(await client.outbox.failed.first)
      #expect(failed.id == queued.id && failed.error?.message == "no todo" && failed.state == .failed)

      server.add("1", "old")
      // It must not be answered before it is looked for.
      await client.outbox.pause()
      #expect(await client.outbox.retry(queued.id))
      let again = try #require(await client.outbox.queued(RenameTodo.self).first)
      await client.outbox.resume()
      #expect(try await again.value.data?.renameTodo?.text == "x")
      #expect(Set(server.requests.map(\.extensionKey)).count == 2)
      #expect(await client.outbox.failed.isEmpty)
      #expect(await !client.outbox.retry(queued.id))
    }

    @Test(
      "What is refused by a status is tried again with another key, unless it may have been done",
      arguments: [400, 422], [false, true])
    func refusalByStatus(status: Int, mayBeDone: Bool) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      if mayBeDone { server.plan(.status(503)) }
      server.plan(.status(status))
      let queued = try await client.enqueue(CreateTodo(text: "x"))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.httpStatus == status)
      await client.outbox.pause()
      #expect(await client.outbox.retry(queued.id))
      let again = try #require(await client.outbox.queued(CreateTodo.self).first)
      await client.outbox.resume()
      #expect(try await again.value.data?.createTodo?.text == "x")
      #expect(Set(server.requests.map(\.extensionKey)).count == (mayBeDone ? 1 : 2))
    }

    @Test("An error beside data is a result")
    func partialResult() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(
        .body(#"{"data":{"createTodo":{"__typename":"Todo","id":"7","text":"a"}},"errors":[{"message":"hm"}]}"#))
      let result = try await client.enqueue(CreateTodo(text: "a")).value
      #expect(result.data?.createTodo?.id == "7" && result.errors?.count == 1)
    }

    @Test("Statuses of mistakes are given up at once", arguments: [400, 401, 403, 404, 422])
    func mistakes(status: Int) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.status(status))
      let error = await #expect(throws: OperationError.self) { try await client.enqueue(CreateTodo(text: "a")).value }
      #expect(error?.httpStatus == status && server.requests.count == 1)
    }

    @Test("After as many tries as a policy allows, a mutation is given up", arguments: [-1, 0, 1, 3])
    func attempts(limit: Int) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.always = .status(500)
      // Failures of the network do not count.
      server.plan(.noNetwork, .noNetwork)
      let queued = try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(maximumAttempts: limit))
      let error = await #expect(throws: OperationError.self) { try await queued.value }
      #expect(error?.code == .retriesExhausted && server.requests.count == max(1, limit) + 2)
    }

    @Test("What was not sent in time is given up", arguments: Place.Kind.allCases)
    func expiry(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind), client = server.client(.http, try place.launch())
      await client.outbox.pause()
      try await client.enqueue(CreateTodo(text: "a"), policy: Outbox.Policy(expiresAfter: 0.05))
      try await client.enqueue(CreateTodo(text: "b"), policy: Outbox.Policy(expiresAfter: 3600))
      // (Mutations expire by the time of the device, of which at least this much passes.)
      try await Task.sleep(for: .milliseconds(60))
      await client.outbox.close()
      let next = server.client(.http, try place.launch())
      try await eventually("one is sent") { next.outbox.count == 0 && server.texts == ["b"] }
      try await eventually("one is given up") { await next.outbox.failed.map(\.error?.code) == [.expired] }
    }

    @Test(
      "What comes behind a failure is sent, waits or is given up, as the policy says",
      arguments: Outbox.Policy.FailureAction.allCases, Place.Kind.allCases)
    func failureActions(action: Outbox.Policy.FailureAction, kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      var client = server.client(.http, try place.launch())
      await client.outbox.pause()
      server.plan(.status(400))
      let policy = Outbox.Policy(onFailure: action)
      for text in ["a", "b", "c"] { try await client.enqueue(CreateTodo(text: text), policy: policy) }
      await client.outbox.resume()
      try await client.outbox.flush()
      try await client.enqueue(CreateTodo(text: "other"), scope: "other")
      try await client.outbox.flush()
      // So it stays after the app was started again.
      await client.outbox.close()
      client = server.client(.http, try place.launch())
      try await client.outbox.flush()
      let failed = await client.outbox.failed, pending = await client.outbox.pending
      switch action {
      case .dropAndContinue:
        #expect(failed.count == 1 && pending.isEmpty && server.texts == ["b", "c", "other"])
      case .dropScope:
        #expect(failed.count == 3 && pending.isEmpty && server.texts == ["other"])
        #expect(failed.dropFirst().allSatisfy { $0.error?.code == .scopeDropped })
      case .pauseScope:
        #expect(failed.count == 1 && pending.count == 2 && server.texts == ["other"])
        try await client.enqueue(CreateTodo(text: "d"))
        try await client.outbox.flush()
        #expect(server.texts == ["other"])
      }
      // The first one goes first again.
      for one in failed { #expect(await client.outbox.retry(one.id)) }
      try await client.outbox.flush()
      let wanted =
        action == .dropAndContinue ? ["b", "c", "a"] : action == .dropScope ? ["a", "b", "c"] : ["a", "b", "c", "d"]
      #expect(server.texts.filter { $0 != "other" } == wanted)
      #expect(client.outbox.count == 0)
    }

    @Test("A paused scope goes on when the failed mutation is dismissed")
    func dismissal() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      server.plan(.status(400))
      let policy = Outbox.Policy(onFailure: .pauseScope)
      let first = try await client.enqueue(CreateTodo(text: "a"), policy: policy)
      let second = try await client.enqueue(CreateTodo(text: "b"), policy: policy)
      await #expect(throws: (any Error).self) { try await first.value }
      #expect(await !client.outbox.dismiss(second.id))
      #expect(await client.outbox.dismiss(first.id))
      _ = try await second.value
      #expect(server.texts == ["b"] && client.outbox.count == 0)
      #expect(await client.outbox.failed.isEmpty)
    }

    @Test("A paused outbox sends nothing, and goes on")
    func pausing() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      await client.outbox.pause()
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await client.outbox.flush()
      #expect(await client.outbox.isPaused && server.requests.isEmpty && client.outbox.count == 1)
      await client.outbox.resume()
      _ = try await queued.value
      #expect(await !client.outbox.isPaused)
    }

    @Test("Who observes the outbox sees what is in it")
    func observing() async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, try Place(.memory).launch(), monitor: monitor)
      var statuses = client.outbox.statuses.makeAsyncIterator()
      let first = try #require(await statuses.next())
      #expect(first.pending.isEmpty && first.failed.isEmpty && !first.isOnline && !first.isPaused)
      server.plan(.success, .status(400))
      try await client.enqueue(CreateTodo(text: "a"))
      try await client.enqueue(CreateTodo(text: "b"))
      while let status = await statuses.next(), status.pending.count < 2 {}
      monitor.isOnline = true
      var last: Outbox.Status?
      while let status = await statuses.next() {
        last = status
        if status.pending.isEmpty { break }
      }
      #expect(last?.failed.map { $0.variables["text"] as? String } == ["b"])
    }

    @Test("It works without any settings, over a transport of the app")
    func withoutSettings() async throws {
      let server = TodoServer(), store = ApolloStore()
      let configured = server.client(.responseTransport)
      let client = ApolloClient(networkTransport: configured.networkTransport, store: store)
      let queued = try await client.enqueue(CreateTodo(text: "a"), idMapping: \.createTodo?.id)
      #expect(try await queued.value.data?.createTodo?.id == "100")
      #expect(try await store.text("100") == "a")
    }

    @Test(
      "Guesses lie on top of what is fetched meanwhile, in the order of the mutations", arguments: Place.Kind.allCases)
    func refetching(kind: Place.Kind) async throws {
      let server = TodoServer(), client = server.client(.http, try Place(kind).launch())
      server.add("1", "old")
      await client.outbox.pause()
      for text in ["first", "second"] {
        try await client.enqueue(
          RenameTodo(id: "1", text: text), optimisticData: .init(renameTodo: Todo(id: "1", text: text)))
      }
      let seen = Locked<[String]>([])
      let watcher = client.watch(query: TodosQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: .global()) {
        result in
        if let text = try? result.get().data?.todos.first?.text { seen.withLock { $0.append(text) } }
      }
      try await eventually("the watcher sees the guess") { seen.withLock { $0 } == ["second"] }
      _ = try await client.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
      #expect(try await client.store.texts() == ["second"])
      await client.outbox.resume()
      try await client.outbox.flush()
      await client.store.waitUntilTold()
      #expect(try await client.store.texts() == ["second"])
      #expect(seen.withLock { Set($0) } == ["second"])
      watcher.cancel()
    }

    @Test("`update` has the real data, in the commit of the result")
    func update() async throws {
      let server = TodoServer(), client = server.client(.http, try Place(.memory).launch())
      try await client.store.write(response: ResponseBytes(Array(#"{"data":{"todos":[]}}"#.utf8)), for: TodosQuery())
      _ = try await client.enqueue(
        CreateTodo(text: "a"),
        update: { transaction, data in
          if let todo = data.createTodo { try transaction.connection("todos").append("Todo:\(todo.id)") }
        }
      ).value
      #expect(try await client.store.texts() == ["a"])
    }
  }
}
