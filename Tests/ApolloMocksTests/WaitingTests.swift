import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// By the behaviour of Apollo Kotlin's test transports, of Relay's environment, and of MSW.
@Suite("A transport that waits, fails and passes on")
struct WaitingTests {
  @Test("Waiting, failing and passing on", arguments: waits)
  func waiting(_ claim: Claim) async throws { try await claim.check() }

  static let waits: [Claim] = [
    Claim("A delay passes by the clock of the client") { () async throws in
      let transport = MockNetworkTransport(), clock = TestClock(), client = makeClient(transport, clock)
      transport.expect(UserQuery.self).respond(.data(answer("late"))).after(.seconds(20))
      let fetch = Task {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
      await clock.untilWaiting()
      #expect(clock.waits == [.seconds(20)])
      await clock.advance(by: .seconds(20))
      #expect(try await fetch.value == "late")
    },
    Claim("Without an answer a request waits, and is answered when it is told") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let expectation = transport.expect(UserQuery.self)
      let fetch = Task {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
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
      let first = Task {
        try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
      _ = try await transport.next()
      let second = Task {
        try await client.fetch(query: UserQuery(id: "2"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
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
      await clock.untilWaiting()
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
      let fetch = Task {
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
      }
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
        #expect(
          try await client.fetch(query: UserQuery(id: "1"), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
            == "session")
      }
      #expect(transport.requests.count == Self.settings.count)
      #expect(transport.requests.allSatisfy { $0.variables == ["id": "1"] })
    },
    Claim("A document is known by its hash after it was sent once") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library)))
      var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
      configuration.http.session = transport.session
      configuration.http.autoPersistQueries = true
      let client = ApolloClient(configuration: configuration)
      for name in ["name of User 2", "name of User 2"] {
        let query = PersistedQuery()
        #expect(try await client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData).data?.user?.name == name)
      }
      // (The request with an unknown hash never was one of an operation.)
      #expect(transport.requests.count == 2)
      #expect(transport.requests.allSatisfy { $0.query != nil })
    },
    Claim("An identifier without its document is an error where a schema is asked") { () async throws in
      let transport = MockNetworkTransport(.schema(try MockSchema(library)))
      var configuration = ApolloClient.Configuration(url: MockNetworkTransport.url)
      configuration.http.session = transport.session
      configuration.http.requestBodyCreator = PersistedDocumentBodyCreator()
      let client = ApolloClient(configuration: configuration)
      let text = await message { _ = try await client.fetch(query: PersistedQuery()) }
      #expect(text.contains("only an identifier of it was sent"), "\(text)")
      transport.expect(PersistedQuery.self).respond(.data(answer("by its name")))
      #expect(try await client.fetch(query: PersistedQuery()).data?.user?.name == "by its name")
    },
    Claim("A subscription breaks where its events throw") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      let event = String(decoding: ExecutionResult(data: answer("one")).json, as: UTF8.self)
      transport.expect(ChangedSubscription.self).respond(
        .parts(
          AsyncThrowingStream<String, any Error> { continuation in
            continuation.yield(event)
            continuation.finish(throwing: URLError(.networkConnectionLost))
          }))
      var names: [String?] = []
      let text = await message {
        for try await result in client.subscribe(to: ChangedSubscription()) { names.append(result.data?.user?.name) }
      }
      #expect(names == ["one"] && !text.isEmpty)
    },
    Claim("Requests are given one after the other, each once") { () async throws in
      let transport = MockNetworkTransport(), client = makeClient(transport)
      transport.expect(UserQuery.self).respond(.data(answer("a")))
      for id in ["1", "2"] {
        _ = try await client.fetch(query: UserQuery(id: id), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect(try await transport.next().variables == ["id": "1"])
      #expect(try await transport.next().variables == ["id": "2"])
      let third = Task { try await transport.next().variables }
      _ = try await client.fetch(query: UserQuery(id: "3"), cachePolicy: .fetchIgnoringCacheData)
      #expect(try await third.value == ["id": "3"])
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
      #expect(
        try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "real")
      #expect(
        try await client.fetch(query: OtherQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name == "mocked")
      #expect(server.requests.count == 1)
    },
    Claim("An answer that comes while its request is taken is not lost") { () async throws in
      for _ in 0..<200 {
        let transport = MockNetworkTransport(), client = makeClient(transport)
        let expectation = transport.expect(UserQuery.self)
        let fetch = Task {
          try await client.fetch(query: UserQuery(), cachePolicy: .fetchIgnoringCacheData).data?.user?.name
        }
        while expectation.count == 0 { await Task.yield() }
        expectation.respond(.data(answer("early")))
        #expect(try await fetch.value == "early")
      }
    },
    Claim("The operations of a batch run at the same time") { () async throws in
      let transport = MockNetworkTransport()
      let users = transport.expect(UserQuery.self), others = transport.expect(OtherQuery.self)
      let sending = Task { try await batch(transport.session) }
      #expect(try await Set([transport.next().operationName, transport.next().operationName]) == ["User", "Other"])
      others.respond(.json(#"{"data":{"user":2}}"#))
      users.respond(.json(#"{"data":{"user":1}}"#))
      #expect(try await sending.value == #"[{"data":{"user":1}},{"data":{"user":2}}]"#)
    },
    Claim("An operation of a batch that fails leaves the others") { () async throws in
      let transport = MockNetworkTransport()
      transport.expect(UserQuery.self).respond(.status(503, body: "later"))
      transport.expect(OtherQuery.self).respond(.json(#"{"data":{"user":2}}"#))
      let text = try await batch(transport.session)
      #expect(text.hasPrefix(#"[{"errors":[{"message":"#) && text.contains("503"), "\(text)")
      #expect(text.hasSuffix(#",{"data":{"user":2}}]"#), "\(text)")
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
      // (A poll that is due while one is under way is left out, and the next one comes.)
      let time = Task { while !Task.isCancelled { await clock.advanceToNext() } }
      var iterator = names.makeAsyncIterator()
      for number in 1...3 { #expect(await iterator.next() == "poll \(number)") }
      time.cancel()
      watcher.cancel()
    },
  ]

  /// The answer to two operations in one request.
  private static func batch(_ session: any ApolloURLSession) async throws -> String {
    var request = URLRequest(url: MockNetworkTransport.url)
    request.httpMethod = "POST"
    request.httpBody = Data(
      #"[{"query":"query User { user(id: 1) { id } }"},{"query":"query Other { user(id: 2) { id } }"}]"#.utf8)
    let (chunks, _) = try await session.chunks(for: request)
    return String(decoding: try await chunks.joinedForTest(), as: UTF8.self)
  }

  private static let settings: [@Sendable (inout ApolloClient.Configuration) -> Void] = [
    { _ in }, { $0.http.useGETForQueries = true }, { $0.deduplicatesQueries = true },
    { $0.batching = ApolloClient.Configuration.Batching(interval: .milliseconds(1)) },
  ]
}

extension AsyncChunkSequence {
  fileprivate func joinedForTest() async throws -> Data {
    var body = Data()
    for try await chunk in self { body.append(chunk) }
    return body
  }
}
