import Apollo
import Foundation
import ScriptedServer
import Testing

/// Does what the interceptor of the library does, as an interceptor of an app.
private struct OwnCacheInterceptor: CacheInterceptor {
  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    try await DefaultCacheInterceptor().readCacheData(from: store, request: request)
  }

  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    try await DefaultCacheInterceptor().writeCacheData(to: store, request: request, response: response)
  }
}

/// Gives what the cache has, or nothing of it, and counts how often it is asked.
private struct ChoosingCacheInterceptor: CacheInterceptor {
  struct Expired: Error {}

  let answer: OwnCacheInterceptorTests.Answer
  let count = Locked(0)

  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    count.withLock { $0 += 1 }
    switch answer {
    case .data: return try await DefaultCacheInterceptor().readCacheData(from: store, request: request)
    case .nothing: return nil
    case .failure: throw Expired()
    }
  }

  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    try await DefaultCacheInterceptor().writeCacheData(to: store, request: request, response: response)
  }
}

/// Keeps the requests that it sees, as an interceptor of the chain and of the cache. The cache has nothing.
private struct RequestKeeper: GraphQLInterceptor, CacheInterceptor {
  let sent = Locked<[any GraphQLRequest]>([]), read = Locked<[any GraphQLRequest]>([])

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    sent.withLock { $0.append(request) }
    return await next(request)
  }

  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    read.withLock { $0.append(request) }
    return nil
  }

  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {}
}

/// The client calls its `send`, which might be overridden.
private final class OwnTransport: RequestChainNetworkTransport, @unchecked Sendable {}

private struct OwnCacheProvider: InterceptorProvider {
  var cache: any CacheInterceptor = OwnCacheInterceptor()
  var graphQL: [any GraphQLInterceptor] = []

  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    DefaultInterceptorProvider.shared.graphQLInterceptors(for: operation) + graphQL
  }
  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    cache
  }
  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    DefaultInterceptorProvider.shared.httpInterceptors(for: operation)
  }
  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor {
    JSONResponseParsingInterceptor()
  }
}

@Suite("A cache interceptor of an app", .timeLimit(.minutes(5)))
struct OwnCacheInterceptorTests {
  enum Answer: CaseIterable, Sendable { case data, nothing, failure }

  @Test(
    "It is asked if the server does not answer a query with networkFirst, and what it says counts",
    arguments: Answer.allCases, [false, true])
  func networkFirst(answer: Answer, isSubclass: Bool) async throws {
    let interceptor = ChoosingCacheInterceptor(answer: answer)
    try await serve { count, _ in
      count == 1 ? [.respond(hero())] : [.respond("busy", status: 503)]
    } _: { server async throws in
      let store = ApolloStore(), url = try #require(URL(string: server.address))
      let session = URLSessionClient(sessionConfiguration: .ephemeral), provider = OwnCacheProvider(cache: interceptor)
      let transport: RequestChainNetworkTransport =
        isSubclass
        ? OwnTransport(urlSession: session, interceptorProvider: provider, store: store, endpointURL: url)
        : RequestChainNetworkTransport(
          urlSession: session, interceptorProvider: provider, store: store, endpointURL: url)
      let client = ApolloClient(networkTransport: transport, store: store)
      let first = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      #expect(first.source == .server && interceptor.count.withLock { $0 } == 0)
      if answer == .data {
        let result = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
        #expect(result.source == .cache && result.data?.hero?.name == "R2-D2")
        #expect((result.cacheInfo.fetchError as? any ApolloError)?.httpStatus == 503)
      } else {
        let error = await #expect(throws: OperationError.self) {
          try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
        }
        #expect((error?.cause is ChoosingCacheInterceptor.Expired) == (answer == .failure), "\(error as Any)")
        if answer == .nothing { #expect(error?.httpStatus == 503) }
      }
      #expect(interceptor.count.withLock { $0 } == 1)
    }
  }

  private static func client(
    of server: ScriptedServer, _ store: ApolloStore, _ provider: OwnCacheProvider
  ) throws -> ApolloClient {
    let url = try #require(URL(string: server.address))
    let transport = RequestChainNetworkTransport(
      urlSession: URLSessionClient(sessionConfiguration: .ephemeral), interceptorProvider: provider, store: store,
      endpointURL: url)
    return ApolloClient(networkTransport: transport, store: store)
  }

  @Test("Where it reads as the library does, data stands in for the server that is too old, or not all of it")
  func olderData() async throws {
    let isAway = Locked(false)
    try await serve { _, _ in
      isAway.withLock { $0 } ? [.respond("busy", status: 503)] : [.respond(hero())]
    } _: { server async throws in
      let store = ApolloStore(), client = try Self.client(of: server, store, OwnCacheProvider())
      store.defaultMaxAge = 60
      store.clock = { Date(timeIntervalSince1970: 1_000_000) }
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      store.clock = { Date(timeIntervalSince1970: 1_000_100) }
      isAway.withLock { $0 = true }
      let old = try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      #expect(old.source == .cache && old.cacheInfo.isStale)
      await #expect(throws: OperationError.self) {
        try await client.fetch(
          query: HeroQuery(), cachePolicy: .networkFirst,
          requestConfiguration: RequestConfiguration(ttlEnforcement: .strict))
      }
      try await store.withinReadWriteTransaction { try $0.removeField("height", of: "Droid:2001") }
      let part = try await client.fetch(
        query: HeroQuery(), cachePolicy: .networkFirst,
        requestConfiguration: RequestConfiguration(returnsPartialData: true))
      #expect(part.source == .cache && part.cacheInfo.isPartial && part.data?.hero?.name == "R2-D2")
    }
  }

  @Test("Where it reads as the library does, a query that asks the server only for what is too old has that first")
  func revalidation() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let store = ApolloStore(), client = try Self.client(of: server, store, OwnCacheProvider())
      store.defaultMaxAge = 60
      store.clock = { Date(timeIntervalSince1970: 1_000_000) }
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly)
      store.clock = { Date(timeIntervalSince1970: 1_000_100) }
      var results: [String] = []
      for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .revalidateCache) {
        results.append("\(result.source) \(result.cacheInfo.isStale)")
      }
      #expect(results == ["cache true", "server false"])
    }
  }

  @Test("When it stands in for the server, it has a request of its own: the chain may still be at work with the other")
  func ownRequest() async throws {
    let keeper = RequestKeeper()
    try await serve { _, _ in
      [.respond("busy", status: 503)]
    } _: { server async throws in
      let client = try Self.client(of: server, ApolloStore(), OwnCacheProvider(cache: keeper, graphQL: [keeper]))
      await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      }
    }
    let sent = keeper.sent.withLock { $0 }.map { ObjectIdentifier($0 as AnyObject) }
    let read = keeper.read.withLock { $0 }.map { ObjectIdentifier($0 as AnyObject) }
    #expect(!sent.isEmpty && read.count == 1 && !sent.contains(read[0]))
  }

  @Test("A subscription behind it begins with the last event if its policy says so, and ends with a sign-out")
  func subscription() async throws {
    let event = #"{"payload":{"data":{"count":1}}}"#
    try await ScriptedServer.with { _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write("\r\n--graphql\r\ncontent-type: application/json\r\n\r\n\(event)\r\n--graphql"), .wait(.init()),
      ]
    } _: { server async throws in
      let store = ApolloStore(), url = try #require(URL(string: server.address))
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          urlSession: URLSessionClient(sessionConfiguration: .ephemeral), interceptorProvider: OwnCacheProvider(),
          store: store, endpointURL: url), store: store)
      var first = try client.subscribe(subscription: CountSubscription()).makeAsyncIterator()
      #expect(try await first.next()?.source == .server)
      var second = try client.subscribe(subscription: CountSubscription()).makeAsyncIterator()
      #expect(try await second.next()?.source == .cache)
      var third = try client.subscribe(subscription: CountSubscription(), cachePolicy: .networkOnly).makeAsyncIterator()
      #expect(try await third.next()?.source == .server)
      try await client.signOut()
      for index in 0..<3 {
        do {
          while let event = try await (index == 0 ? first.next() : index == 1 ? second.next() : third.next()) {
            #expect(event.source == .server)
          }
          Issue.record("A sign-out is an error.")
        } catch {
          #expect((error as? OperationError)?.code == .signedOut, "\(error)")
        }
      }
    }
  }
}
