import Apollo
import ApolloMocks
import ApolloTestSupport
import Fixture0001
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// By the behaviour of Apollo Client's mock link, of MSW, of Apollo Kotlin's test transports and of Relay's environment.
@Suite("A transport by expectations and by a schema")
struct MockTransportTests {
  @Test("Expectations", arguments: expectations)
  func expectation(_ claim: Claim) async throws { try await claim.check() }

  @Test("Waiting, failing and passing on", arguments: waits)
  func waiting(_ claim: Claim) async throws { try await claim.check() }

  @Test("Schemas", arguments: schemas)
  func schema(_ claim: Claim) async throws { try await claim.check() }

  /// A client with the transport, and a clock that stands.
  private static func makeClient(_ transport: MockNetworkTransport, _ clock: TestClock = TestClock()) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
    configuration.clock = clock
    return ApolloClient(networkTransport: transport, configuration: configuration)
  }

  static let expectations: [Claim] = [
    Claim("An operation is answered with data, and the cache has it") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("Ann")))
      #expect(try await client.fetch(query: UserQuery()).data?.user?.name == "Ann")
      let cached = try await client.fetch(query: UserQuery(), cachePolicy: .returnCacheDataDontFetch)
      #expect(cached.source == .cache && cached.data?.user?.name == "Ann")
    },
    Claim("Typed data is sent as a server sends it") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(data: UserQuery.Data(user: UserQuery.User(id: "1", name: "Typed")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "Typed")
    },
    Claim("A body is sent as it is") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.json(#"{"data":{"user":null}}"#))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user == nil)
    },
    Claim("Errors without data are a result with errors") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.errors(ExecutionError("no", extensions: ["code": "NO"])))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.errors?.first?.message == "no" && result.data == nil)
    },
    Claim("Errors come with data") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(
        .data(
          ["user": ["__typename": "User", "id": "1", "name": nil]],
          errors: [ExecutionError("no name", path: ["user", "name"])]))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.data?.user?.id == "1" && result.errors?.count == 1)
    },
    Claim("A status is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.status(503, body: "later"))
      let error = await #expect(throws: (any Error).self) { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
      #expect((error as? any ApolloError)?.httpStatus == 503)
    },
    Claim("A failure of the connection is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.failure(URLError(.notConnectedToInternet)))
      await #expect(throws: (any Error).self) { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
    },
    Claim("A body that breaks off is an error of the client") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.cutOff(#"{"data":{"user":null}}"#, after: 9))
      await #expect(throws: (any Error).self) { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
    },
    Claim("A function makes the answer of each request") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond { .data(answer("U\($0.variables["id"]?.string ?? "?")")) }
      #expect(try await client.fetch(query: UserQuery(id: "5"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "U5")
    },
    Claim("Variables choose, by an operation") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("one")))
      transport.expect(UserQuery(id: "2")).respond(.data(answer("two", id: "2")))
      #expect(try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "one")
      #expect(try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "two")
    },
    Claim("Variables choose, by a condition") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("any")))
      transport.expect(UserQuery.self, where: { $0["id"] == "2" }).respond(.data(answer("two", id: "2")))
      #expect(try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "any")
      #expect(try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "two")
    },
    Claim("The defaults of the document count as sent") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("default")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "default")
      let other = MockNetworkTransport()
      other.expect(UserQuery()).respond(.data(answer("default")))
      #expect(try await Self.makeClient(other).fetch(query: UserQuery(id: "1")).data?.user?.name == "default")
    },
    Claim("Variables with another value do not fit") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1", detail: true)).respond(.data(answer("x")))
      #expect(await message { _ = try await client.fetch(query: UserQuery(id: "1", detail: false), cachePolicy: .fetchIgnoringCacheData) }.contains("Nothing was expected"))
      #expect(await message { _ = try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData) }.contains("Nothing was expected"))
    },
    Claim("The last one that was registered wins") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("first")))
      transport.expect(UserQuery.self).respond(.data(answer("last")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "last")
    },
    Claim("One that answers once gives way to the one before") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("always")))
      transport.expect(UserQuery.self).respond(.data(answer("once"))).once()
      let names = try await fetches(3, client)
      #expect(names == ["once", "always", "always"])
    },
    Claim("One may answer a number of times") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("always")))
      transport.expect(UserQuery.self).respond(.data(answer("twice"))).times(2)
      #expect(try await fetches(3, client) == ["twice", "twice", "always"])
    },
    Claim("Without a number it answers always") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let expectation = transport.expect(UserQuery.self).respond(.data(answer("a")))
      #expect(try await fetches(4, client) == ["a", "a", "a", "a"])
      #expect(expectation.count == 4)
    },
    Claim("One that is used up is an error that says so") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a"))).once()
      _ = try await fetches(1, client)
      let text = await message { _ = try await fetches(1, client) }
      #expect(text.contains("used up: it takes 1"), "\(text)")
    },
    Claim("Other operations are not taken") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(OtherQuery.self).respond(.data(answer("a")))
      let text = await message { _ = try await fetches(1, client) }
      #expect(text.contains("Nothing is registered for it") && text.contains("Registered for others: Other."), "\(text)")
    },
    Claim("What was not expected is an error with the query, the variables and what differs") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("a")))
      let text = await message { _ = try await client.fetch(query: UserQuery(id: "9"), cachePolicy: .fetchIgnoringCacheData) }
      #expect(text.contains("User: Nothing was expected that fits this request."), "\(text)")
      #expect(text.contains(#"{"id":"9"}"#), "\(text)")
      #expect(text.contains(#"id: expected "1", found "9""#), "\(text)")
      #expect(text.contains("MockTransportTests.swift:"), "\(text)")
      #expect(text.contains("query User($id: ID!"), "\(text)")
    },
    Claim("A mutation is answered") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(RenameMutation.self).respond(.data(answer("Bea")))
      #expect(try await client.perform(mutation: RenameMutation()).data?.user?.name == "Bea")
    },
    Claim("The events of a subscription come in order, and end") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(ChangedSubscription.self).respond(
        .parts(["a", "b", "c"].map { String(decoding: ExecutionResult(data: answer($0)).json, as: UTF8.self) }))
      var names: [String?] = []
      for try await result in client.subscribe(to: ChangedSubscription()) { names.append(result.data?.user?.name) }
      #expect(names == ["a", "b", "c"])
    },
    Claim("Requests are kept in order, with their variables and header fields") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      _ = try await client.fetch(
        query: UserQuery(id: "4"), requestConfiguration: RequestConfiguration(headers: ["X-Test": "yes"]))
      let request = try #require(transport.requests.first)
      #expect(request.operationName == "User" && request.variables == ["id": "4"])
      #expect(request.urlRequest.value(forHTTPHeaderField: "X-Test") == "yes")
    },
    Claim("After a reset nothing is expected") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      transport.reset()
      #expect(await message { _ = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }.contains("Nothing was expected"))
    },
    Claim("What was met is verified") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      _ = try await fetches(1, client)
      try transport.verify()
    },
    Claim("What was not met is named with its line") { () async throws in
      let transport = MockNetworkTransport()
      transport.expect(UserQuery(id: "3")).respond(.data(answer("a")))
      transport.expect(OtherQuery.self).respond(.data(answer("b"))).times(2)
      let text = message { try transport.verify() }
      #expect(text.contains(#"Expected, but not sent: User {"id":"3","detail":false} (ApolloMocksTests/MockTransportTests.swift:"#), "\(text)")
      #expect(text.contains("Expected, but not sent 2 times but 0: Other"), "\(text)")
    },
    Claim("What was not expected is in what is verified") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      _ = try? await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(message { try transport.verify() }.contains("Nothing was expected that fits this request."))
    },
    Claim("A mock of an object answers") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let hero = Mock<UserMock>()
      hero.user = Mock<PersonMock>()
      hero.user?.id = "1"
      hero.user?.name = "Mocked"
      transport.expect(UserQuery.self).respond(mock: hero)
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "Mocked")
    },
  ]

  private static func fetches(_ count: Int, _ client: ApolloClient) async throws -> [String?] {
    var names: [String?] = []
    for _ in 0..<count {
      names.append(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name)
    }
    return names
  }

  static let waits: [Claim] = [
    Claim("A delay passes by the clock of the client") { () async throws in
      let transport = MockNetworkTransport(), clock = TestClock(), client = makeClient(transport, clock)
      transport.expect(UserQuery.self).respond(.data(answer("late"))).after(.seconds(20))
      let fetch = Task { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      await clock.untilWaiting()
      #expect(clock.waits == [.seconds(20)])
      await clock.advance(by: .seconds(20))
      #expect(try await fetch.value == "late")
    },
    Claim("Without an answer a request waits, and is answered when it is told") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let expectation = transport.expect(UserQuery.self)
      let fetch = Task { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      let request = try await transport.next()
      #expect(request.operationName == "User" && transport.pending.count == 1)
      expectation.respond(.data(answer("told")))
      #expect(try await fetch.value == "told")
      #expect(transport.pending.isEmpty)
      #expect(try await fetches(1, client) == ["told"])
    },
    Claim("A single request is resolved") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self)
      let first = Task { try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      _ = try await transport.next()
      let second = Task { try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      let request = try await transport.next()
      #expect(request.resolve(.data(answer("second", id: "2"))))
      #expect(try await second.value == "second")
      #expect(transport.pending.map { $0.variables["id"] } == ["1"])
      #expect(!request.resolve(.data(answer("again"))))
      transport.pending.first?.resolve(.data(answer("first")))
      #expect(try await first.value == "first")
    },
    Claim("A single request is failed") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self)
      let fetch = Task { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
      #expect(try await transport.next().fail(URLError(.timedOut)))
      await #expect(throws: (any Error).self) { try await fetch.value }
    },
    Claim("A request that waits ends when it is cancelled") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self)
      let fetch = Task { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData) }
      let request = try await transport.next()
      fetch.cancel()
      await #expect(throws: CancellationError.self) { try await fetch.value }
      #expect(!request.resolve(.never) && transport.pending.isEmpty)
    },
    Claim("A request that is never answered ends with the deadline of the client") { () async throws in
      let transport = MockNetworkTransport(), clock = TestClock(), client = makeClient(transport, clock)
      transport.expect(UserQuery.self).respond(.never)
      let fetch = Task {
        try await client.fetch(query: UserQuery(), requestConfiguration: RequestConfiguration(deadline: 30))
      }
      _ = try await transport.next()
      await clock.untilWaiting(2)
      await clock.advance(by: .seconds(30))
      let text = await message { _ = try await fetch.value }
      #expect(!text.isEmpty)
    },
    Claim("Waiting for the next request ends when it is cancelled") { () async throws in
      let transport = MockNetworkTransport()
      let waiting = Task { try await transport.next() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    },
    Claim("The chain tries again as the options say, by the clock") { () async throws in
      var options = DefaultInterceptorProvider.Options()
      options.retry = .automatic
      let transport = MockNetworkTransport(options: options), clock = TestClock(), client = makeClient(transport, clock)
      transport.expect(UserQuery.self).respond(.data(answer("at last")))
      transport.expect(UserQuery.self).respond(.status(503)).times(2)
      let fetch = Task { try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      await clock.advanceToNext()
      _ = try await transport.next()
      _ = try await transport.next()
      await clock.advanceToNext()
      #expect(try await fetch.value == "at last")
      #expect(transport.requests.count == 3)
    },
    Claim("A client with the settings of the app has the mock's session") { () async throws in
      let transport = MockNetworkTransport()
      transport.expect(UserQuery.self).respond(.data(answer("session")))
      for change in Self.settings {
        var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
        configuration.http.session = transport.session
        change(&configuration)
        let client = ApolloClient(configuration: configuration)
        #expect(try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "session")
      }
      #expect(transport.requests.count == Self.settings.count)
      #expect(transport.requests.allSatisfy { $0.variables == ["id": "1"] })
    },
    Claim("A file is sent with its operation") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(RenameMutation.self).respond(.data(answer("uploaded")))
      let file = GraphQLFile(fieldName: "file", originalName: "a.txt", data: Data("x".utf8))
      let result = try await client.upload(operation: RenameMutation(), files: [file])
      #expect(result.data?.user?.name == "uploaded")
    },
    Claim("What is not expected may be passed on") { () async throws in
      let server = MockNetworkTransport()
      server.expect(UserQuery.self).respond(.data(answer("real")))
      let transport = MockNetworkTransport(.passThrough(server.session)), client = makeClient(transport)
      transport.expect(OtherQuery.self).respond(.data(answer("mocked", id: "2")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "real")
      #expect(try await client.fetch(query: OtherQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "mocked")
      #expect(server.requests.count == 1)
    },
    Claim("Polling goes by the clock") { () async throws in
      let transport = MockNetworkTransport(), clock = TestClock(), client = makeClient(transport, clock)
      let count = Counter()
      transport.expect(UserQuery.self).respond { _ in
        count.add()
        return .data(answer("poll \(count.value)"))
      }
      let (names, continuation) = AsyncStream<String?>.makeStream()
      let watcher = client.watch(query: UserQuery(), pollInterval: 60, callbackQueue: .global()) {
        continuation.yield(try? $0.get().data?.user?.name)
      }
      var iterator = names.makeAsyncIterator()
      for number in 1...3 {
        #expect(await iterator.next() == "poll \(number)")
        await clock.advanceToNext()
      }
      watcher.cancel()
    },
  ]

  private static let settings: [@Sendable (inout ApolloClient.Configuration) -> Void] = [
    { _ in }, { $0.http.useGETForQueries = true }, { $0.deduplicatesQueries = true },
    { $0.batching = ApolloClient.Configuration.Batching(interval: .milliseconds(1)) },
  ]

  static let schemas: [Claim] = [
    Claim("A schema answers a query, through the parser and the cache") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      #expect(try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "name of User 3")
      #expect(try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .returnCacheDataDontFetch).source == .cache)
    },
    Claim("A watcher sees what a mutation has changed") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      var names: [String?] = []
      for try await result in client.watch(query: UserQuery(id: "1")) {
        names.append(result.data?.user?.name)
        if names.count == 1 { _ = try await client.perform(mutation: RenameMutation()) } else { break }
      }
      #expect(names == ["name of User 1", "Bea"])
    },
    Claim("The errors of a schema are errors of the result") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library).failing("User.name", message: "down"))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.errors?.map(\.message) == ["down"])
    },
    Claim("An operation that does not fit the schema has its errors") { () async throws in
      let client = ApolloClient.preview(try MockSchema("type Query { other: Int }"))
      let result = try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.data == nil && result.errors?.contains { $0.message?.contains("user") == true } == true)
    },
    Claim("Expectations win over the schema") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library))), client = makeClient(transport)
      transport.expect(UserQuery(id: "1")).respond(.data(answer("expected")))
      #expect(try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "expected")
      #expect(try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "name of User 2")
    },
    Claim("An expectation may be answered by a schema") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.schema(try MockSchema(library)))
      #expect(try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "name of User 2")
    },
    Claim("A subscription emits what is published, and goes on") { () async throws in
      for settings in [StreamProtocol.any, .multipart, .eventStream] {
        let schema = try MockSchema(library), transport = MockNetworkTransport(.schema(schema))
        var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
        configuration.http.session = transport.session
        configuration.http.streamProtocol = settings
        let client = ApolloClient(configuration: configuration)
        let (names, continuation) = AsyncStream<String?>.makeStream()
        let subscription = client.subscribe(subscription: ChangedSubscription(), queue: .global()) {
          continuation.yield(try? $0.get().data?.user?.name)
        }
        var iterator = names.makeAsyncIterator()
        try await schema.store.untilSubscribed("userChanged")
        #expect(try schema.store.publish("userChanged", ["id": "4"]) == 1)
        #expect(await iterator.next() == "name of User 4")
        #expect(try schema.store.publish("userChanged", ["id": "4", "name": "Four"]) == 1)
        #expect(await iterator.next() == "Four")
        #expect(try schema.store.publish("userChanged", nil) == 1)
        #expect(await iterator.next() == .some(nil))
        subscription.cancel()
        #expect(await schema.json("{ user(id: 4) { name } }") == #"{"user":{"name":"Four"}}"#)
      }
    },
    Claim("An event is for the subscriptions with its arguments") { () async throws in
      let schema = try MockSchema(library)
      let request = ExecutionRequest(query: "subscription { userChanged(id: 4) { id } }")
      guard case .stream(let stream) = await schema.respond(to: request) else { return #expect(Bool(false)) }
      #expect(try schema.store.publish("userChanged", ["id": "5"], arguments: ["id": "5"]) == 0)
      #expect(try schema.store.publish("userChanged", ["id": "4"], arguments: ["id": "4"]) == 1)
      for await result in stream {
        #expect(String(decoding: result.json, as: UTF8.self) == #"{"data":{"userChanged":{"id":"4"}}}"#)
        break
      }
    },
    Claim("A subscription emits by itself, by the clock, each time something else") { () async throws in
      let clock = TestClock()
      let schema = try MockSchema(library).emitting("Subscription.tick", every: .seconds(10))
      let request = ExecutionRequest(query: "subscription { tick }")
      guard case .stream(let stream) = await schema.respond(to: request, clock: clock) else { return #expect(Bool(false)) }
      var iterator = stream.makeAsyncIterator(), events: [[UInt8]] = []
      for _ in 0..<3 {
        await clock.advanceToNext()
        events.append(await iterator.next()?.json ?? [])
      }
      #expect(Set(events).count == 3)
    },
    Claim("Latency passes by the clock of the client") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library).latency(.seconds(3))))
      let clock = TestClock(), client = makeClient(transport, clock)
      let fetch = Task { try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name }
      await clock.untilWaiting()
      #expect(clock.waits.contains(.seconds(3)))
      await clock.advance(by: .seconds(3))
      #expect(try await fetch.value == "name of User 3")
    },
    Claim("A deferred fragment comes later") { () async throws in
      let client = ApolloClient.preview(try MockSchema(library))
      var results: [(String?, Bool)] = []
      for try await result in client.results(of: DeferredQuery(), cachePolicy: .fetchIgnoringCacheData) {
        results.append((result.data?.user?.name, result.hasNext))
      }
      #expect(results.map(\.0) == [nil, "name of User 1"])
      #expect(results.map(\.1) == [true, false])
    },
    Claim("Data is made up for an operation, and changed") { () async throws in
      let schema = try MockSchema(library)
      let data = try await UserQuery(id: "6").fake(schema) { $0.user?.name = "changed" }
      #expect(data.user?.id == "6" && data.user?.name == "changed")
      let text = await message { _ = try await UserQuery().fake(schema.failing("User.name")) }
      #expect(text.contains("User has no data"), "\(text)")
    },
    Claim("A client for a preview has one answer") { () async throws in
      let client = ApolloClient.preview(UserQuery.self, data: UserQuery.Data(user: UserQuery.User(id: "1", name: "P")))
      #expect(try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "P")
    },
    Claim("Generated code reads what a schema answers") { () async throws in
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ApolloCodegenLibTests/Fixtures/0001_StarWars/schema.graphqls")
      for seed in 1...20 as ClosedRange<UInt64> {
        let client = ApolloClient.preview(try MockSchema(contentsOf: file, seed: seed))
        let hero = try await client.fetch(query: HeroDetailsQuery(full: true)).data?.hero
        #expect(hero?.characterCard.name.isEmpty == false)
        #expect(try await client.fetch(query: SearchQuery(skipShips: false)).data?.search?.count == 2)
        #expect(try await client.fetch(query: ReviewsQuery()).data?.latest.count == 2)
      }
    },
  ]
}

// A mock, as the generator writes it.

enum UserMock: MockObject {
  static let typename = "Query"
  static let mockFields = MockFields()
  struct MockFields: MockFieldList {
    let user = MockField<Mock<PersonMock>>("user")
    var all: [AnyMockField] { [user.erased] }
  }
}

enum PersonMock: MockObject {
  static let typename = "User"
  static let mockFields = MockFields()
  struct MockFields: MockFieldList {
    let id = MockField<String>("id")
    let name = MockField<String>("name")
    var all: [AnyMockField] { [id.erased, name.erased] }
  }
}
