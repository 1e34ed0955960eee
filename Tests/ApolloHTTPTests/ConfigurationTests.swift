@testable import ApolloHTTP
@testable import ApolloConcurrency
@testable import ApolloRequestChain
@testable import Apollo
import Foundation
import Logging
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server, or the caller, sees of each member of an `ApolloClient.Configuration`, and of a client without it.
@Suite("The configuration of a client", .timeLimit(.minutes(5)))
struct ConfigurationTests {
  /// The requests of a client with a setting, and of one without it.
  private func requests(
    _ answer: @escaping @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step],
    _ change: (inout ApolloClient.Configuration) -> Void, _ body: (ApolloClient) async throws -> Void
  ) async throws -> (with: [ScriptedServer.Request], without: [ScriptedServer.Request]) {
    func requests(_ change: (inout ApolloClient.Configuration) -> Void) async throws -> [ScriptedServer.Request] {
      try await serve(answer) { server async throws in
        var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
        configuration.http.sessionConfiguration = .ephemeral
        change(&configuration)
        try await body(ApolloClient(configuration: configuration))
      }
    }
    return (try await requests(change), try await requests { _ in })
  }

  /// The requests of a client with a setting, and of one without it, to a server that answers with a hero.
  private func requests(
    _ change: (inout ApolloClient.Configuration) -> Void, _ body: (ApolloClient) async throws -> Void
  ) async throws -> (with: [ScriptedServer.Request], without: [ScriptedServer.Request]) {
    try await requests({ _, _ in [.respond(hero())] }, change, body)
  }

  private static func fetch(_ client: ApolloClient) async throws {
    _ = try await client.fetch(query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData)
  }

  @Test("What is sent with each request: header fields, names, the library, a body of one's own")
  func sent() async throws {
    let (with, without) = try await requests {
      $0.http.additionalHeaders = ["X-Own": "1"]
      $0.http.clientName = "shop"
      $0.http.clientVersion = "7"
      $0.http.sendEnhancedClientAwareness = false
      $0.http.requestBodyCreator = PersistedDocumentBodyCreator()
    } _: {
      try await Self.fetch($0)
    }
    let names = ["x-own", "apollographql-client-name", "apollographql-client-version"]
    #expect(names.map { with.first?.headers[$0] } == ["1", "shop", "7"])
    #expect(with.first?.body.contains("clientLibrary") == false)
    #expect(with.first?.body.contains("documentId") == true)
    #expect(without.first?.headers["x-own"] == nil)
    #expect(without.first?.headers["apollographql-client-name"] == RequestChainNetworkTransport.defaultClientName)
    #expect(without.first?.headers["apollographql-client-version"] == RequestChainNetworkTransport.defaultClientVersion)
    #expect(without.first?.body.contains("clientLibrary") == true)
    #expect(without.first?.body.contains("documentId") == false)
  }

  @Test("Queries by GET")
  func get() async throws {
    let (with, without) = try await requests {
      $0.http.useGETForQueries = true
    } _: {
      try await Self.fetch($0)
    }
    #expect((with + without).map(\.method) == ["GET", "POST"])
  }

  @Test("Queries as their hash, and those that are not known once more by GET")
  func persistedQueries() async throws {
    let (with, without) = try await requests { _, request in
      let isKnown = (request.body + request.path).contains("hero")
      return [.respond(isKnown ? hero() : PersistedQueryTests.notFound)]
    } _: {
      $0.http.autoPersistQueries = true
      $0.http.useGETForPersistedQueryRetry = true
    } _: {
      try await Self.fetch($0)
    }
    #expect(with.map { $0.path.contains("abc123") || $0.body.contains("abc123") } == [true, true])
    #expect(with.last?.method == "GET")
    #expect(without.map { $0.body.contains("abc123") } == [false])
  }

  @Test("How subscriptions ask to be answered")
  func streamProtocol() async throws {
    let (with, without) = try await requests { _, _ in
      [.respond(#"{"data":{"count":1}}"#)]
    } _: {
      $0.http.streamProtocol = .eventStream
    } _: { client async throws in
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    #expect(with.first?.headers["accept"]?.contains("multipart") == false)
    #expect(without.first?.headers["accept"]?.contains("multipart") == true)
  }

  @Test("The session's own configuration")
  func session() async throws {
    let (with, without) = try await requests {
      $0.http.sessionConfiguration.httpAdditionalHeaders = ["X-Session": "1"]
    } _: {
      try await Self.fetch($0)
    }
    #expect((with + without).map { $0.headers["x-session"] } == ["1", nil])
  }

  @Test("A deadline for whole operations")
  func deadline() async throws {
    try await serve { count, _ in
      count == 1 ? [.pause(milliseconds: 300), .respond(hero())] : [.wait(.init())]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      try await Self.fetch(ApolloClient(configuration: configuration))
      // (The time itself is what is tested. Nothing but its end can end the operation.)
      configuration.http.deadline = 0.2
      let error = await #expect(throws: OperationError.self) {
        try await Self.fetch(ApolloClient(configuration: configuration))
      }
      #expect(error?.message.contains("deadline of 0.2 seconds") == true, "\(error as Any)")
    }
  }

  @Test("Errors in plain JSON of older servers")
  func errorsAsJSON() async throws {
    try await serve { _, _ in
      [.respond(#"{"errors":[{"message":"no"}]}"#, status: 400)]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      await #expect(throws: OperationError.self) {
        try await ApolloClient(configuration: configuration).fetch(query: HeroQuery())
      }
      configuration.http.acceptsErrorsAsJSON = true
      let result = try await ApolloClient(configuration: configuration).fetch(query: HeroQuery())
      #expect(result.errors?.first?.message == "no")
    }
  }

  @Test("Failed queries are tried again")
  func retry() async throws {
    let (with, without) = try await requests { _, _ in
      [.respond("busy", status: 503)]
    } _: {
      $0.retry = MaxRetryInterceptor.Configuration(maxRetries: 2, retryRule: .transientFailures)
    } _: { client async throws in
      await #expect(throws: OperationError.self) { try await Self.fetch(client) }
    }
    #expect((with.count, without.count) == (3, 1))
  }

  @Test("Credentials")
  func authenticator() async throws {
    let (with, without) = try await requests {
      $0.authenticator = BearerTokenAuthenticator(token: .init("abc")) { _ in nil }
    } _: {
      try await Self.fetch($0)
    }
    #expect((with + without).map { $0.headers["authorization"] } == ["Bearer abc", nil])
  }

  @Test("Operations of the same moment in one request")
  func batching() async throws {
    let (with, without) = try await requests { _, request in
      [.respond(request.body.hasPrefix("[") ? "[\(hero()),\(hero())]" : hero())]
    } _: {
      $0.batching = .init(interval: .seconds(600), maximumSize: 2)
    } _: { client async throws in
      async let a: Void = Self.fetch(client)
      async let b: Void = Self.fetch(client)
      _ = try await (a, b)
    }
    #expect((with.count, without.count) == (1, 2))
  }

  @Test("Identical queries at the same time sent once")
  func deduplication() async throws {
    let gate = ScriptedServer.Gate(), arrivals = Event()
    let (with, without) = try await requests { _, _ in
      [.tell(arrivals), .wait(gate), .respond(hero())]
    } _: {
      $0.deduplicatesQueries = true
    } _: { client async throws in
      async let a: Void = Self.fetch(client)
      async let b: Void = Self.fetch(client)
      let provider = (client.networkTransport as? RequestChainNetworkTransport)?.interceptorProvider
      let deduplicator = try #require((provider as? DefaultInterceptorProvider)?.deduplicator)
      // The second has joined the first, or asks by itself and shows that it did not join.
      try await eventually { deduplicator.requests.callerCount == 2 || arrivals.value >= 2 }
      gate.open()
      _ = try await (a, b)
    }
    #expect((with.count, without.count) == (1, 2))
  }

  @Test("A log")
  func logging() async throws {
    let lines = Locked<[String]>([])
    let logger = Logger(label: "test") { _ in MemoryLog(lines: lines) }
    _ = try await requests {
      $0.logging = { LoggingInterceptor(logger: logger) }
    } _: {
      try await Self.fetch($0)
    }
    #expect(lines.withLock { $0.count } == 2, "a request and its result, of one client only")
  }

  @Test("A cache of the app's own, or one with a limit, is the client's and its transport's")
  func cache() async throws {
    let store = ApolloStore()
    try await serve { count, _ in
      [.respond(hero(String(repeating: "x", count: 5000), id: "\(count)"))]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      for (cache, isFound) in [
        (ApolloClient.Configuration.Cache.store(store), true), (.inMemory(), true), (.inMemory(sizeLimit: 1000), false),
      ] {
        configuration.cache = cache
        let client = ApolloClient(configuration: configuration)
        _ = try await client.fetch(query: HeroQuery())
        _ = try await client.fetch(query: HeroQuery(episode: "JEDI"))
        let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)
        #expect((cached != nil) == isFound, "\(cache)")
      }
    }
    let cached1 = try await store.load(HeroQuery()).hero
    #expect(cached1 != nil)
  }

  @Test("What is different for every operation")
  func defaultRequestConfiguration() async throws {
    let (with, without) = try await requests {
      $0.defaultRequestConfiguration = RequestConfiguration(
        writeResultsToCache: false, headers: ["X-Own": "1"], bodyExtensions: ["trace": 7])
    } _: { client async throws in
      _ = try await client.fetch(query: HeroQuery())
      _ = try await client.fetch(query: HeroQuery())
    }
    #expect(with.map { $0.headers["x-own"] } == ["1", "1"])
    #expect(with.allSatisfy { $0.body.contains(#""trace":7"#) })
    #expect(without.map { $0.headers["x-own"] } == [nil])
  }
}
