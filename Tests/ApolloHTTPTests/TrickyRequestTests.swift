@testable import ApolloRequestChain
import ApolloConcurrency
import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What imitations get wrong about a chain of interceptors.
@Suite("Tricky behaviour of requests", .everyStyle, .timeLimit(.minutes(5)))
struct TrickyRequestTests {
  /// Starts over, always.
  final class RetryingInterceptor: ApolloInterceptor, Sendable {
    let count = Locked(0)

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      count.withLock { $0 += 1 }
      chain.retry(request: request, completion: completion)
    }
  }

  /// Counts, and goes on in one of the two ways.
  final class PassingInterceptor: ApolloInterceptor, Sendable {
    let names: Bool
    let count = Locked(0)
    init(names: Bool) { self.names = names }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      count.withLock { $0 += 1 }
      if names {
        chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
      } else {
        chain.proceedAsync(request: request, response: response, completion: completion)
      }
    }
  }

  /// Goes on in the name of an interceptor that is in no chain.
  final class ForeignInterceptor: ApolloInterceptor, Sendable {
    let other = PassingInterceptor(names: true)

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { chain.proceedAsync(request: request, response: response, interceptor: other, completion: completion) }
  }

  /// Returns a result without a network.
  struct ReturningInterceptor: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> { .return(GraphQLResult(data: nil, errors: [], source: .server)) }
  }

  /// What becomes of a query that these interceptors handle.
  func outcome(of interceptors: [any ApolloInterceptor]) async -> Result<GraphQLResult<HeroQuery.Data>, any Error> {
    let chain = InterceptorRequestChain(interceptors: interceptors, callbackQueue: .global())
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://127.0.0.1/")!, clientName: "", clientVersion: "")
    let result = await withCheckedContinuation { continuation in
      chain.kickoff(request: request) { continuation.resume(returning: Handoff($0)) }
    }
    return result.value
  }

  @Test("A server that does not know an operation of which there is only the identifier is not asked again")
  func persistedOnly() async throws {
    struct IdentifierOnlyQuery: GraphQLQuery {
      static let operationName = "Hero"
      static let operationDocument = OperationDocument("", operationIdentifier: "abc123")
      typealias Data = HeroQuery.Data
    }
    let requests = try await serve { _, _ in
      [.respond(PersistedQueryTests.notFound)]
    } _: { server async throws in
      let error = await #expect(throws: OperationError.self) {
        try await client(server, autoPersistQueries: true).fetch(query: IdentifierOnlyQuery())
      }
      #expect(
        error?.cause as? AutomaticPersistedQueryInterceptor.APQError
          == .persistedQueryNotFoundForPersistedOnlyQuery(operationName: "Hero"))
    }
    #expect(requests.count == 1)
  }

  @Test("An interceptor that always starts over runs once more than retries are allowed")
  func retries() async throws {
    let retrying = RetryingInterceptor()
    let result = await outcome(of: [MaxRetryInterceptor(maxRetriesAllowed: 15), retrying])
    #expect(retrying.count.withLock { $0 } == 16)
    let error = #expect(throws: MaxRetryInterceptor.RetryError.self) { try result.get() }
    guard case .hitMaxRetryCount(15, "Hero")? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("No interceptors, none that makes a result, and a foreign interceptor are errors of their own")
  func chainErrors() async throws {
    typealias ChainError = InterceptorRequestChain.ChainError
    let none = await #expect(throws: ChainError.self) { try await outcome(of: []).get() }
    guard case .noInterceptors? = none else { Issue.record("\(none as Any)"); return }
    let last = await #expect(throws: ChainError.self) {
      try await outcome(of: [PassingInterceptor(names: false)]).get()
    }
    guard case .invalidIndex(_, 1)? = last else { Issue.record("\(last as Any)"); return }
    let foreign = ForeignInterceptor()
    let unknown = await #expect(throws: ChainError.self) { try await outcome(of: [foreign]).get() }
    guard case .unknownInterceptor(let id)? = unknown, id == foreign.other.id else {
      Issue.record("\(unknown as Any)")
      return
    }
  }

  @Test("Every interceptor is visited once, whichever of the two ways to go on each of them uses")
  func bothWays() async throws {
    let interceptors = [true, false, false, true, true, false].map(PassingInterceptor.init)
    _ = try await outcome(of: interceptors + [ReturningInterceptor()]).get()
    #expect(interceptors.map { $0.count.withLock { $0 } } == [1, 1, 1, 1, 1, 1])
  }

  /// Holds what it is given, and is told of the end.
  final class HoldingInterceptor: ApolloInterceptor, Cancellable, Sendable {
    let isCancelled = Locked(false)
    let go = Locked<(@Sendable () -> Void)?>(nil)

    func cancel() { isCancelled.withLock { $0 = true } }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let next = Handoff {
        chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
      }
      go.withLock { $0 = { next.value() } }
    }
  }

  @Test("A cancelled chain tells the interceptors that can be cancelled, and calls no handler, whatever still comes")
  func cancel() async throws {
    let holding = HoldingInterceptor()
    let behind = PassingInterceptor(names: true)
    let results = Locked(0)
    let chain = InterceptorRequestChain(interceptors: [holding, behind], callbackQueue: .callbacks)
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://127.0.0.1/")!, clientName: "", clientVersion: "")
    chain.kickoff(request: request) { _ in results.withLock { $0 += 1 } }
    chain.cancel()
    #expect(holding.isCancelled.withLock { $0 })
    #expect(chain.isCancelled)
    holding.go.withLock { $0 }?()
    chain.retry(request: request) { _ in results.withLock { $0 += 1 } }
    chain.handleErrorAsync(URLError(.unknown), request: request, response: nil) { _ in results.withLock { $0 += 1 } }
    let value = GraphQLResult<HeroQuery.Data>(data: nil, source: .server)
    chain.returnValueAsync(for: request, value: value) { _ in results.withLock { $0 += 1 } }
    // By the time that a chain has ended which began later, they would have been called.
    let other = InterceptorRequestChain(interceptors: [PassingInterceptor(names: true)], callbackQueue: .callbacks)
    await withCheckedContinuation { ended in other.kickoff(request: request) { _ in ended.resume() } }
    await DispatchQueue.callbacks.drain()
    #expect(results.withLock { $0 } == 0)
    #expect(behind.count.withLock { $0 } == 0)
  }

  @Test("A task that the URLSessionClient cancels calls no completion; one that cancels itself fails")
  func cancelTask() async throws {
    let gate = ScriptedServer.Gate()
    try await serve { _, _ in
      [.wait(gate), .respond(hero())]
    } _: { server async throws in
      let client = URLSessionClient(sessionConfiguration: .ephemeral)
      defer { client.invalidate() }
      let request = URLRequest(url: URL(string: server.address)!)
      let calls = Locked(0)
      let silent = client.sendRequest(request) { _ in calls.withLock { $0 += 1 } }
      client.cancel(task: silent)
      let failed: Handoff<Result<(Data, HTTPURLResponse), any Error>> = await withCheckedContinuation { continuation in
        let task = client.sendRequest(request) { continuation.resume(returning: Handoff($0)) }
        task.cancel()
      }
      let error = #expect(throws: URLSessionClient.URLSessionClientError.self) { try failed.value.get() }
      guard case .networkError(_, _, let underlying as URLError)? = error, underlying.code == .cancelled else {
        Issue.record("\(error as Any)")
        return
      }
      // By the time that a later one is answered, the first would have been.
      gate.open()
      let answered: Handoff<Result<(Data, HTTPURLResponse), any Error>> = await withCheckedContinuation {
        continuation in
        client.sendRequest(request) { continuation.resume(returning: Handoff($0)) }
      }
      #expect(throws: Never.self) { try answered.value.get() }
      #expect(calls.withLock { $0 } == 0)
    }
  }

  /// Answers from the cache what the server does not.
  struct CacheOnError: ApolloErrorInterceptor {
    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      guard request.cachePolicy != .returnCacheDataDontFetch else { return completion(.failure(error)) }
      request.cachePolicy = .returnCacheDataDontFetch
      chain.retry(request: request, completion: completion)
    }
  }

  @Test("An error interceptor may change the cache policy and start over")
  func changedPolicy() async throws {
    try await serve { count, _ in
      count == 1 ? [.respond(hero())] : [.respond("no", status: 500)]
    } _: { server async throws in
      let client = client(server, CustomProvider(errorInterceptor: CacheOnError()))
      _ = try await client.fetch(query: HeroQuery())
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.source == .cache)
      #expect(result.data?.hero?.name == "R2-D2")
    }
  }

  @Test("returnCacheDataAndFetch calls back twice on a hit, cache first, and once on a miss")
  func twoCallbacks() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      for expected: [GraphQLResult<HeroQuery.Data>.Source] in [[.server], [.cache, .server]] {
        let (results, continuation) = AsyncStream<GraphQLResult<HeroQuery.Data>.Source>.makeStream()
        client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataAndFetch, queue: .global()) { result in
          if let source = try? result.get().source { continuation.yield(source) }
        }
        var sources: [GraphQLResult<HeroQuery.Data>.Source] = []
        for await source in results {
          sources.append(source)
          if source == .server { break }
        }
        #expect(sources == expected)
      }
    }
  }

  @Test("returnCacheDataDontFetch fails on a miss, also after the cache was cleared, and never asks the server")
  func neverFetches() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      for _ in 0..<2 {
        let error = await #expect(throws: OperationError.self) {
          try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
        }
        #expect(error?.code == .cacheMiss)
        _ = try await client.store.write(response: ResponseBytes(Array(hero().restyled.utf8)), for: HeroQuery())
        _ = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
        try await client.store.clearCache()
      }
    }
    #expect(requests.isEmpty)
  }
}

/// What imitations get wrong about watchers.
@Suite("Tricky behaviour of watchers", .everyStyle, .timeLimit(.minutes(5)))
struct TrickyWatcherTests {
  /// The hero, of whom it wants to know less.
  struct HeroIDQuery: GraphQLQuery {
    static let operationName = "HeroID"
    static let operationDocument = OperationDocument("query HeroID { hero { __typename id } }")

    struct Hero: SelectionSet, Hashable {
      static let __fields = __FieldTable(version: 1, "__typename id!#")
      var id: String
      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        _ = try object.typename()
        id = try object.read(1)
      }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(1, id) }
    }

    struct Data: SelectionSet, Hashable {
      var hero: Hero?
      static let __fields = __FieldTable(version: 1, "hero")
      init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
    }
  }

  /// Watches the hero while something happens, and gives what the watcher was told: names and sources.
  ///
  /// - Parameter count: How often it should be told something; it waits for that, and for all that has happened.
  func watched(
    _ count: Int, refetches: Bool = true, policy: CachePolicy = .default,
    _ script: @escaping @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step],
    _ body: @escaping (ApolloClient) async throws -> Void
  ) async throws -> (updates: [String], requests: [ScriptedServer.Request]) {
    let updates = Awaited<[String]>([])
    let requests = try await serve(script) { server in
      let client = client(server)
      _ = try await client.store.write(response: ResponseBytes(Array(hero("first").restyled.utf8)), for: HeroQuery())
      let watcher = client.watch(
        query: HeroQuery(), cachePolicy: policy, refetchOnFailedUpdates: refetches, callbackQueue: .callbacks
      ) { result in
        let text = (try? result.get()).map { "\($0.data?.hero?.name ?? "none") from \($0.source)" } ?? "\(result)"
        updates.change { $0.append(text) }
      }
      try await updates.until { !$0.isEmpty }
      try await body(client)
      try await updates.until { $0.count >= count }
      await client.settle()
      watcher.cancel()
    }
    return (updates.value, requests)
  }

  @Test("A watcher's own fetch is delivered once; ten identical fetches by others are one update")
  func identicalFetches() async throws {
    let (updates, requests) = try await watched(2, policy: .fetchIgnoringCacheData) { count, _ in
      [.respond(hero(count == 1 ? "own" : "others"))]
    } _: { client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<10 {
          group.addTask { _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) }
        }
        try await group.waitForAll()
      }
    }
    #expect(requests.count == 11)
    #expect(updates == ["own from server", "others from cache"])
  }

  private static let other = #"{"data":{"hero":{"__typename":"Droid","id":"9"}}}"#

  @Test("When another query takes its data away, a watcher asks the server, unless it is told not to")
  func refetches() async throws {
    let script: @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step] = { _, request in
      [.respond(request.body.contains("HeroID") ? Self.other : hero("refetched", id: "9"))]
    }
    let change: (ApolloClient) async throws -> Void = {
      _ = try await $0.fetch(query: HeroIDQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    let asks = try await watched(2, script, change)
    #expect(asks.updates == ["first from cache", "refetched from server"])
    #expect(asks.requests.count == 2)
    for (refetches, policy) in [(false, CachePolicy.default), (true, .returnCacheDataDontFetch)] {
      let silent = try await watched(1, refetches: refetches, policy: policy, script, change)
      #expect(silent.updates == ["first from cache"], "\(policy)")
      #expect(silent.requests.count == 1, "\(policy)")
    }
  }

  @Test("The same field with other arguments is another field; an object that both have is one")
  func arguments() async throws {
    let other = try await watched(1) { _, _ in
      [.respond(hero("another hero", id: "9"))]
    } _: { client in
      _ = try await client.fetch(query: HeroQuery(episode: "JEDI"))
    }
    #expect(other.updates == ["first from cache"])
    let same = try await watched(3) { _, _ in
      [.respond(hero("renamed"))]
    } _: { client in
      _ = try await client.fetch(query: HeroQuery(episode: "JEDI"))
      // What it depends on is found anew with each reading.
      _ = try await client.store.write(response: ResponseBytes(Array(hero("moved", id: "9").utf8)), for: HeroQuery())
      _ = try await client.store.write(
        response: ResponseBytes(Array(hero("left behind").utf8)), for: HeroQuery(episode: "JEDI"))
    }
    #expect(same.updates == ["first from cache", "renamed from cache", "moved from cache"])
  }
}
