@testable import ApolloHTTP
@testable import ApolloConcurrency
@testable import ApolloRequestChain
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

@testable import Apollo

@Suite("Retries", .everyStyle)
struct RetryTests {
  static let fast = MaxRetryInterceptor.Configuration(
    maxRetries: 3, baseDelay: 0.001, enableExponentialBackoff: true, retryRule: .transientFailures)

  var options: DefaultInterceptorProvider.Options {
    var options = DefaultInterceptorProvider.Options()
    options.retry = Self.fast
    return options
  }

  @Test("Delays double up to a limit, and jitter takes at most half of them away")
  func delays() {
    var configuration = MaxRetryInterceptor.Configuration(
      baseDelay: 1, multiplier: 2, maxDelay: 5, enableExponentialBackoff: true, enableJitter: false)
    #expect((0...4).map { configuration.delay(before: $0) } == [0, 1, 2, 4, 5])
    configuration.enableJitter = true
    for _ in 0..<100 { #expect((1...2).contains(configuration.delay(before: 2))) }
    for seconds in [TimeInterval.nan, .infinity, -.infinity, -1, 1e300] {
      let endless = MaxRetryInterceptor.Configuration(
        baseDelay: seconds, maxDelay: .infinity, enableExponentialBackoff: true)
      #expect((0...(366 * 24 * 3600)).contains(endless.delay(before: 3)), "\(seconds)")
    }
    configuration.enableExponentialBackoff = false
    #expect(configuration.delay(before: 3) == 0)
  }

  @Test("A query is tried again after failures that may pass", arguments: [408, 429, 502, 503, 504])
  func transient(_ status: Int) async throws {
    let requests = try await serve { count, _ in
      count < 3 ? [.respond("busy", status: status)] : [.respond(hero())]
    } _: { server async throws in
      let result = try await client(server, provider: options).fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 3)
  }

  @Test(
    "Such a status counts where it is that of a GraphQL response without data, too",
    arguments: [#"{"errors":[{"message":"slow down"}]}"#, #"{"errors":[{"message":"a"}],"data":null}"#, "{}", ""])
  func graphQLStatus(_ body: String) async throws {
    let type = "application/graphql-response+json"
    let requests = try await serve { count, _ in
      [count == 1 ? .respond(body, status: 429, contentType: type) : .respond(hero())]
    } _: { server async throws in
      let result = try await client(server, provider: options).fetch(query: HeroQuery())
      #expect(result.data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 2)
  }

  @Test("A connection that drops is such a failure")
  func dropped() async throws {
    let requests = try await serve { count, _ in
      count < 3 ? [.close] : [.respond(hero())]
    } _: { server async throws in
      _ = try await client(server, provider: options).fetch(query: HeroQuery())
    }
    #expect(requests.count >= 3)
  }

  @Test("When all retries are used up, the caller gets the failure itself")
  func exhausted() async throws {
    let requests = try await serve { _, _ in
      [.respond("busy", status: 503)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, provider: options).fetch(query: HeroQuery())
      }
      #expect(error?.httpStatus == 503)
    }
    #expect(requests.count == 4)
  }

  @Test("Other failures are not tried again", arguments: [400, 401, 404, 500, 501])
  func permanent(_ status: Int) async throws {
    let requests = try await serve { _, _ in
      [.respond("no", status: status)]
    } _: { server async throws in
      await #expect(throws: OperationError.self) {
        try await client(server, provider: options).fetch(query: HeroQuery())
      }
    }
    #expect(requests.count == 1)
  }

  struct Repeatable: RequestContextRepeatable {}

  @Test("A mutation is not tried again, unless its context says that it may run twice")
  func mutations() async throws {
    let requests = try await serve { count, _ in
      [.respond(count < 3 ? "busy" : hero(field: "rename"), status: count < 3 ? 503 : 200)]
    } _: { server async throws in
      let client = client(server, provider: options)
      await #expect(throws: OperationError.self) { try await client.perform(mutation: RenameMutation()) }
      let result = try await client.perform(mutation: RenameMutation(), context: Repeatable())
      #expect(result.data?.rename.name == "R2-D2")
    }
    #expect(requests.count == 3)
  }

  @Test("Nothing is tried again by default")
  func off() async throws {
    let requests = try await serve { _, _ in
      [.respond("busy", status: 503)]
    } _: { server async throws in
      await #expect(throws: OperationError.self) { try await client(server).fetch(query: HeroQuery()) }
    }
    #expect(requests.count == 1)
  }

  @Test("A server that asks to wait longer than the limit is not asked again, one that asks for less is")
  func retryAfter() async throws {
    for (field, count) in [
      ("0", 2), ("3600", 1), ("Sun, 06 Nov 1994 08:49:37 GMT", 2), ("Fri, 31 Dec 2100 23:59:59 GMT", 1),
      // The two obsolete forms of dates.
      ("Sunday, 06-Nov-94 08:49:37 GMT", 2), ("Friday, 31-Dec-60 23:59:59 GMT", 1),
      ("Sun Nov  6 08:49:37 1994", 2), ("Fri Dec 31 23:59:59 2100", 1),
    ] {
      let requests = try await serve { count, _ in
        count == 1 ? [.respond("busy", status: 429, headers: ["Retry-After": field])] : [.respond(hero())]
      } _: { server async throws in
        _ = try? await client(server, provider: options).fetch(query: HeroQuery())
      }
      #expect(requests.count == count, "\(field)")
    }
  }

  @Test("A rule of the user's own decides")
  func ownRule() async throws {
    var options = DefaultInterceptorProvider.Options()
    options.retry = MaxRetryInterceptor.Configuration(
      maxRetries: 1, retryRule: MaxRetryInterceptor.RetryRule { $0.httpStatus == 500 && $0.operationName == "Hero" })
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? "no" : hero(), status: count == 1 ? 500 : 200)]
    } _: { server async throws in
      _ = try await client(server, provider: options).fetch(query: HeroQuery())
    }
    #expect(requests.count == 2)
  }

  @Test("Other credentials, and a document in place of its hash, are not retries, and do not wait", arguments: [0, 3])
  func uncounted(_ maxRetries: Int) async throws {
    let waits = Locked<[Double]>([])
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? PersistedQueryTests.notFound : hero(), status: count == 2 ? 401 : 200)]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.retry = .automatic
      configuration.retry.maxRetries = maxRetries
      configuration.http.autoPersistQueries = true
      configuration.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in
        BearerTokenAuthenticator.Token("new")
      }
      configuration.clock = SleepFunction { seconds in waits.withLock { $0.append(seconds) } }
      let client = ApolloClient(configuration: configuration)
      #expect(try await client.fetch(query: IdentifiedQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 3)
    #expect(waits.withLock { $0.isEmpty })
  }

  @Test("returnCacheDataAndFetch gives the cache's result once, also when the server is asked again")
  func resultOfCache() async throws {
    var options = DefaultInterceptorProvider.Options()
    options.retry = MaxRetryInterceptor.Configuration(retryRule: .transientFailures)
    let requests = try await serve { count, _ in
      count == 2 ? [.respond("busy", status: 503)] : [.respond(hero())]
    } _: { server async throws in
      let client = client(server, provider: options)
      _ = try await client.fetch(query: HeroQuery())
      var sources: [String] = []
      for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
        sources.append("\(result.source)")
      }
      #expect(sources == ["cache", "server"])
    }
    #expect(requests.count == 3)
  }

  @Test("Cancelling while a retry waits ends it", .timeLimit(.minutes(5)))
  func cancelled() async throws {
    let (failures, failed) = AsyncStream<Void>.makeStream()
    var options = DefaultInterceptorProvider.Options()
    options.retry = MaxRetryInterceptor.Configuration(
      baseDelay: 1000, maxDelay: 1000, enableExponentialBackoff: true,
      retryRule: MaxRetryInterceptor.RetryRule { _ in
        failed.yield()
        return true
      })
    let requests = try await serve { _, _ in
      [.respond("busy", status: 503)]
    } _: { server async throws in
      let client = client(server, provider: options)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      for await _ in failures { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(requests.count == 1)
  }
}

@Suite("Identical queries at the same time", .everyStyle, .timeLimit(.minutes(5)))
struct DeduplicationTests {
  func client(
    _ server: ScriptedServer
  ) -> (client: ApolloClient, deduplicator: RequestChainNetworkTransport.RequestDeduplicator) {
    var options = DefaultInterceptorProvider.Options()
    options.deduplicatesQueries = true
    let store = ApolloStore()
    let provider = DefaultInterceptorProvider(
      client: URLSessionClient(sessionConfiguration: .ephemeral), store: store, options: options)
    let transport = RequestChainNetworkTransport(
      interceptorProvider: provider, endpointURL: URL(string: server.address)!)
    return (ApolloClient(networkTransport: transport, store: store), provider.deduplicator)
  }

  @Test("They are sent once, and everybody gets the result")
  func once() async throws {
    let gate = ScriptedServer.Gate()
    let requests = try await serve { _, _ in
      [.wait(gate), .respond(hero())]
    } _: { server async throws in
      let (client, deduplicator) = client(server)
      let names = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<20 { group.addTask { try await client.fetch(query: HeroQuery()).data?.hero?.name } }
        try await eventually { deduplicator.requests.callerCount == 20 }
        gate.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(names == Array(repeating: "R2-D2", count: 20))
    }
    #expect(requests.count == 1)
  }

  @Test("Other variables, other header fields and mutations are sent by themselves")
  func different() async throws {
    struct Headers: RequestContextHeaders { let requestHeaders: [String: String] }
    let gate = ScriptedServer.Gate(), arrivals = Event()
    let requests = try await serve { _, request in
      [.tell(arrivals), .wait(gate), .respond(request.body.contains("mutation") ? hero(field: "rename") : hero())]
    } _: { server async throws in
      let (client, _) = client(server)
      async let a = client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      async let b = client.fetch(query: HeroQuery(episode: "JEDI"), cachePolicy: .fetchIgnoringCacheData)
      async let c = client.fetch(
        query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData,
        context: Headers(requestHeaders: ["Authorization": "x"]))
      async let d = client.perform(mutation: RenameMutation())
      async let e = client.perform(mutation: RenameMutation())
      try await arrivals.wait(for: 5)
      gate.open()
      _ = try await (a, b, c, d, e)
    }
    #expect(requests.count == 5)
  }

  @Test("The request ends when the last one who waits is cancelled, not before", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let gate = ScriptedServer.Gate()
    let requests = try await serve { _, _ in
      [.wait(gate), .respond(hero())]
    } _: { server async throws in
      let (client, deduplicator) = client(server)
      let first = Task { try await client.fetch(query: HeroQuery()) }
      let second = Task { try await client.fetch(query: HeroQuery()) }
      try await eventually { deduplicator.requests.callerCount == 2 }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      gate.open()
      let result = try await second.value
      #expect(result.data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 1)
  }
}

/// (Batches that are to be full wait for that, and not for a moment that a busy machine may miss.)
@Suite("Batches of operations", .everyStyle, .timeLimit(.minutes(5)))
struct BatchTests {
  func options(_ batcher: RequestChainNetworkTransport.RequestBatcher) -> DefaultInterceptorProvider.Options {
    var options = DefaultInterceptorProvider.Options()
    options.batcher = batcher
    return options
  }

  @Test("Operations of the same time go in one list, and each gets its own result")
  func batch() async throws {
    let requests = try await serve { _, request in
      let bodies = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [[String: Any]] ?? []
      let answers = bodies.map { body in
        hero((body["variables"] as? [String: Any])?["episode"] as? String ?? "none")
      }
      return [.respond("[" + answers.joined(separator: ",") + "]")]
    } _: { server async throws in
      let client = client(
        server, provider: options(RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 8)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            let result = try await client.fetch(query: HeroQuery(episode: .some("\(number)")))
            #expect(result.data?.hero?.name == "\(number)")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(requests.count == 3)
    #expect(requests.allSatisfy { $0.headers["x-apollo-operation-name"] == nil })
  }

  @Test(
    "An answer that is not a list of the right length is everybody's error",
    arguments: [
      (#"{"errors":[]}"#, "not a list"), ("[]", "batch of 2 operations has 0 results"), ("<p>", "not a list"),
    ])
  func wrongAnswer(_ answer: String, _ text: String) async throws {
    try await serve { _, _ in
      [.respond(answer)]
    } _: { server async throws in
      let client = client(
        server, provider: options(RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 2)))
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<2 {
          group.addTask {
            let error = await #expect(throws: OperationError.self) {
              try await client.fetch(query: HeroQuery(episode: .some("\(number)")))
            }
            #expect(error?.message.contains(text) == true, "\(String(describing: error))")
          }
        }
      }
    }
  }

  @Test("A status that is not a success is everybody's")
  func status() async throws {
    try await serve { _, _ in
      [.respond("no batches here", status: 400)]
    } _: { server async throws in
      let client = client(server, provider: options(RequestChainNetworkTransport.RequestBatcher()))
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.httpStatus == 400)
    }
  }

  @Test("A list with such a status has a result for each", arguments: [400, 401, 403])
  func mergedStatus(_ status: Int) async throws {
    try await serve { _, _ in
      [.respond("[\(hero()),{\"errors\":[{\"message\":\"no\"}]}]", status: status)]
    } _: { server async throws in
      let client = client(
        server, provider: options(RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 2)))
      async let first = try? client.fetch(query: HeroQuery(episode: "1"))
      async let second = try? client.fetch(query: HeroQuery(episode: "2"))
      let results = await [first, second].compactMap { $0 }
      #expect(results.compactMap { $0.data?.hero?.name } == ["R2-D2"])
      #expect(results.flatMap { $0.errors ?? [] }.map(\.message) == ["no"])
    }
  }

  @Test("One that is cancelled leaves the others alone", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let log = RequestLog(), gate = ScriptedServer.Gate()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.wait(gate), .respond("[\(hero()),\(hero())]")]
    } _: { server async throws in
      let client = client(
        server, provider: options(RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 2)))
      let first = Task { try await client.fetch(query: HeroQuery(episode: "1")) }
      let second = Task { try await client.fetch(query: HeroQuery(episode: "2")) }
      try await log.until(count: 1)
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      gate.open()
      let result = try await second.value
      #expect(result.data?.hero?.name == "R2-D2")
      // This one is not sent, and does not keep a place.
      let third = Task { try await client.fetch(query: HeroQuery(episode: "3")) }
      third.cancel()
      await #expect(throws: CancellationError.self) { try await third.value }
    }
    #expect(log.count == 1)
  }
}
