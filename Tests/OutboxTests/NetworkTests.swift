@testable import ApolloOperations
@testable import ApolloOutbox
@testable import ApolloTransport
@testable import Apollo
import ApolloTestSupport
import Foundation
import Testing
import Waiting

// By behaviour: Apollo Kotlin's `NetworkMonitor` and `failFastIfOffline`, and TanStack Query's network modes.

extension ApolloClient {
  /// Whether a query waits for a network.
  fileprivate var isWaitingForNetwork: Bool { (route.policies.offline?.connectivity.listenerCount ?? 0) > 0 }
}

extension OutboxTests {
  @Suite("The network")
  struct NetworkTests {
    @Test("Without a network nothing is tried; with one it goes on at once", arguments: TodoServer.Way.allCases)
    func monitor(way: TodoServer.Way) async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(way, try Place(.memory).launch { $0.retry.baseDelay = 3600 }, monitor: monitor)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      try await client.outbox.flush()
      #expect(server.requests.isEmpty)
      monitor.isOnline = true
      _ = try await queued.value
      #expect(server.requests.count == 1)
    }

    @Test("A failure of the network is tried again when the network is back, whatever the delay")
    func returnOfNetwork() async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor()
      let client = server.client(
        .http,
        try Place(.memory).launch {
          $0.retry.baseDelay = 3600; $0.retry.maxDelay = 3600
        }, monitor: monitor)
      server.plan(.noNetwork)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      monitor.isOnline = false
      monitor.isOnline = true
      _ = try await queued.value
    }

    @Test("Where no monitor knows, any answer to any request says that there is a network")
    func byOutcome() async throws {
      let server = TodoServer()
      let client = server.client(
        .http,
        try Place(.memory).launch {
          $0.retry.baseDelay = 3600; $0.retry.maxDelay = 3600
        },
        monitor: ManualNetworkMonitor(isOnline: nil))
      server.plan(.noNetwork)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      _ = try await client.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
      _ = try await queued.value
    }

    @Test("A mutation that fails although there is a network is not sent again with each answer to something else")
    func brokenConnection() async throws {
      let server = TodoServer(), clock = TestClock()
      let settings = try Place(.memory).launch {
        ($0.retry.baseDelay, $0.retry.maxDelay) = (100, 100_000)
        $0.retry.enableJitter = false
      }
      let client = server.client(.http, settings) { $0.clock = clock }
      server.always(.failure(URLError(.networkConnectionLost)), for: "CreateTodo")
      func tries() -> Int { server.requests.filter { $0.name == "CreateTodo" }.count }
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      func waits(after count: Int) async throws {
        try await eventually("it waits after \(count) tries") {
          if tries() == count, case .waitingForNetwork = queued.state { true } else { false }
        }
      }
      func askForSomethingElse() async throws {
        _ = try await client.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
      }
      try await waits(after: 1)
      // The first answer ends the wait, and the others leave longer and longer ones.
      try await askForSomethingElse()
      try await waits(after: 2)
      for seconds in [100, 200] {
        let before = tries()
        for _ in 0..<10 { try await askForSomethingElse() }
        try await eventually("the wait is shorter") {
          await client.outbox.queue.mutations.items.values.first?.retryAt == clock.now + .seconds(seconds)
        }
        #expect(tries() == before)
        await clock.advance(by: .seconds(seconds))
        try await waits(after: before + 1)
      }
      server.always(nil, for: "CreateTodo")
      try await client.outbox.flush()
      #expect(server.texts == ["a"] && tries() == 5)
    }

    @Test("A response outranks a monitor that says that there is no network, until the monitor changes")
    func wrongMonitor() async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(.http, try Place(.memory).launch(), monitor: monitor)
      let queued = try await client.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      _ = try await client.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
      _ = try await queued.value
      var statuses = client.outbox.statuses.makeAsyncIterator()
      while await statuses.next()?.isOnline != true {}
      monitor.isOnline = true
      monitor.isOnline = false
      while await statuses.next()?.isOnline != false {}
      let second = try await client.enqueue(CreateTodo(text: "b"))
      try await eventually("it waits") { if case .waitingForNetwork = second.state { true } else { false } }
      #expect(server.texts == ["a"])
    }

    @Test("The statuses tell when the network goes and comes, also if nothing waits")
    func statuses() async throws {
      let monitor = ManualNetworkMonitor()
      let client = TodoServer().client(.http, try Place(.memory).launch(), monitor: monitor)
      try await client.outbox.ready()
      var statuses = client.outbox.statuses.makeAsyncIterator()
      while await statuses.next()?.isOnline != true {}
      monitor.isOnline = false
      while await statuses.next()?.isOnline != false {}
      monitor.isOnline = true
      while await statuses.next()?.isOnline != true {}
    }

    @Test("A wait for the network is one after a restart as well: any answer ends it", arguments: Place.Kind.allCases)
    func waitOfEarlierLaunch(kind: Place.Kind) async throws {
      let server = TodoServer(), place = try Place(kind)
      func client(_ monitor: ManualNetworkMonitor) throws -> ApolloClient {
        let settings = try place.launch {
          $0.retry.baseDelay = 3600
          $0.retry.maxDelay = 3600
        }
        return server.client(.http, settings, monitor: monitor)
      }
      server.plan(.noNetwork)
      let first = try client(ManualNetworkMonitor())
      let queued = try await first.enqueue(CreateTodo(text: "a"))
      try await eventually("it waits") { if case .waitingForNetwork = queued.state { true } else { false } }
      await first.outbox.close()
      let next = try client(ManualNetworkMonitor(isOnline: nil))
      let again = try #require(await next.outbox.queued(CreateTodo.self).first)
      try await eventually("it waits") { if case .waitingForNetwork = again.state { true } else { false } }
      _ = try await next.fetch(query: TodosQuery(), cachePolicy: .networkOnly)
      #expect(try await again.value.data?.createTodo?.text == "a")
    }

    @Test("What a server has done in part is done, whatever the error policy; errors that are ignored are not told")
    func errorPolicies() async throws {
      for policy in [ErrorPolicy.all, .ignore, .none] {
        let server = TodoServer()
        let client = server.client(.http, try Place(.memory).launch()) {
          $0.defaultRequestConfiguration = RequestConfiguration(errorPolicy: policy)
        }
        try await client.store.write(response: RestartTests.list, for: TodosQuery())
        let id = try #require(
          try await client.fetch(query: TodosQuery(), cachePolicy: .cacheOnly)?.data?.todos.first?.id)
        let todo = #"{"__typename":"Todo","id":"\#(id)","text":"half"}"#
        server.plan(.done(#"{"data":{"renameTodo":\#(todo)},"errors":[{"message":"careful"}]}"#))
        let result = try await client.enqueue(RenameTodo(id: id, text: "half")).value
        #expect(result.data?.renameTodo?.text == "half" && result.errors?.count == (policy == .ignore ? nil : 1))
        #expect(
          try await client.fetch(query: TodosQuery(), cachePolicy: .cacheOnly)?.data?.todos.first?.text == "half")
        #expect(client.outbox.count == 0)
      }
    }

    @Test("`failsFastWhenOffline` fails at once, and gives what the cache has", arguments: TodoServer.Way.allCases)
    func failsFast(way: TodoServer.Way) async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: false)
      let client = server.client(way, monitor: monitor) {
        $0.defaultRequestConfiguration = RequestConfiguration(failsFastWhenOffline: true)
      }
      for attempt in 0..<2 {
        let error = await #expect(throws: OperationError.self) {
          try await client.fetch(query: TodosQuery(), cachePolicy: attempt == 0 ? .cacheFirst : .networkOnly)
        }
        #expect(error?.code == .network && (error?.cause as? URLError)?.code == .notConnectedToInternet)
      }
      await #expect(throws: OperationError.self) { try await client.perform(mutation: CreateTodo(text: "a")) }
      #expect(server.requests.isEmpty)
      try await client.store.write(response: RestartTests.list, for: TodosQuery())
      #expect(try await client.fetch(query: TodosQuery(), cachePolicy: .cacheFirst).data?.todos.count == 1)
      #expect(try await client.fetch(query: TodosQuery(), cachePolicy: .networkFirst).data?.todos.count == 1)
      monitor.isOnline = true
      _ = try await client.perform(mutation: CreateTodo(text: "a"))
      #expect(server.requests.count == 1)
    }

    @Test("`waitsForNetwork` sends a query when there is a network", arguments: TodoServer.Way.allCases, [false, true])
    func waits(way: TodoServer.Way, isKnown: Bool) async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: isKnown ? false : nil)
      let client = server.client(way, monitor: monitor)
      server.add("1", "a")
      if !isKnown { server.plan(.noNetwork, .noNetwork) }
      let configuration = RequestConfiguration(waitsForNetwork: true)
      async let result = client.fetch(
        query: TodosQuery(), cachePolicy: .networkOnly, requestConfiguration: configuration)
      try await eventually("the query waits") { client.isWaitingForNetwork }
      if isKnown { #expect(server.requests.isEmpty) }
      monitor.isOnline = true
      #expect(try await result.data?.todos.count == 1)
      #expect(server.requests.count == (isKnown ? 1 : 3))
    }

    @Test("A query that waits gives what the cache has once, ends by its deadline, and can be cancelled")
    func waitingEnds() async throws {
      let server = TodoServer(), monitor = ManualNetworkMonitor(isOnline: nil)
      let client = server.client(.http, monitor: monitor)
      try await client.store.write(response: RestartTests.list, for: TodosQuery())
      server.plan(.noNetwork)
      let results = try client.fetch(
        query: TodosQuery(), cachePolicy: .cacheAndNetwork,
        requestConfiguration: RequestConfiguration(waitsForNetwork: true))
      var sources: [String] = []
      for try await result in results { sources.append("\(result.source)") }
      #expect(sources == ["cache", "server"])

      monitor.isOnline = false
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(
          query: TodosQuery(), cachePolicy: .networkOnly,
          requestConfiguration: RequestConfiguration(deadline: 0.05, waitsForNetwork: true))
      }
      #expect(error?.code == .network)
      let task = Task {
        try await client.fetch(
          query: TodosQuery(), cachePolicy: .networkOnly,
          requestConfiguration: RequestConfiguration(waitsForNetwork: true))
      }
      try await eventually("the query waits") { client.isWaitingForNetwork }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
