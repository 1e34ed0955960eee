import Apollo
import ApolloConcurrency
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Makes another request, as apps do to send queries with GET.
private func remade<Operation: GraphQLOperation>(_ old: JSONRequest<Operation>) -> JSONRequest<Operation> {
  JSONRequest(
    operation: old.operation, graphQLEndpoint: old.graphQLEndpoint, contextIdentifier: old.contextIdentifier,
    clientName: "", clientVersion: "", additionalHeaders: old.additionalHeaders, cachePolicy: old.cachePolicy,
    context: old.context, autoPersistQueries: old.autoPersistQueries, useGETForQueries: true,
    requestBodyCreator: old.requestBodyCreator)
}

/// Hands on another request than it was called with.
private final class RemakingInterceptor: ApolloInterceptor, Sendable {
  /// Whether it starts the operation again with that request after a failure.
  let retries: Bool
  init(retries: Bool) { self.retries = retries }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let next = (request as? JSONRequest<Operation>).map { remade($0) } ?? request
    guard retries else {
      return chain.proceedAsync(request: next, response: response, interceptor: self, completion: completion)
    }
    chain.proceedAsync(request: next, response: response, interceptor: self) { result in
      guard case .failure = result else { return completion(result) }
      chain.retry(request: next, completion: completion)
    }
  }
}

/// Does the same around the rest of the chain.
private struct SurroundingInterceptor: GraphQLInterceptor {
  let retries: Bool

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    guard let old = request as? JSONRequest<Request.Operation>, let new = remade(old) as? Request else {
      return await next(request)
    }
    guard retries else { return await next(new) }
    return await next(new).mapErrors { _ in throw RequestChain.Retry(request: new) }
  }
}

/// Empties the cache before a response goes on, as a sign-out does.
private final class ClearingInterceptor: ApolloInterceptor, Sendable {
  let store: ApolloStore
  init(_ store: ApolloStore) { self.store = store }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let next = Handoff {
      chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
    }
    Task {
      try? await store.clearCache()
      next.value()
    }
  }
}

private struct Provider: InterceptorProvider {
  let store: ApolloStore
  let clears: Bool
  let surrounds: Bool
  let retries: Bool
  private let base: DefaultInterceptorProvider

  init(store: ApolloStore, clears: Bool, surrounds: Bool, retries: Bool, options: DefaultInterceptorProvider.Options) {
    (self.store, self.clears, self.surrounds, self.retries) = (store, clears, surrounds, retries)
    base = DefaultInterceptorProvider(store: store, options: options)
  }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors = base.interceptors(for: operation)
    if clears { interceptors.insert(ClearingInterceptor(store), at: interceptors.count - 1) }
    let remaking: any ApolloInterceptor =
      if surrounds { SurroundingInterceptor(retries: retries) } else { RemakingInterceptor(retries: retries) }
    interceptors.insert(remaking, at: 1)
    return interceptors
  }
}

@Suite("A request that an interceptor makes anew", .timeLimit(.minutes(5)))
struct RemadeRequestTests {
  private func client(
    _ server: ScriptedServer, _ store: ApolloStore, surrounds: Bool, clears: Bool = false, retries: Bool = false,
    options: DefaultInterceptorProvider.Options = .init(), autoPersistQueries: Bool = false
  ) throws -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: Provider(
          store: store, clears: clears, surrounds: surrounds, retries: retries, options: options),
        endpointURL: try #require(URL(string: server.address)),
        autoPersistQueries: autoPersistQueries), store: store)
  }

  @Test("What was asked for before the cache was emptied is not written after that", arguments: [true, false])
  func clearing(surrounds: Bool) async throws {
    let store = ApolloStore()
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = try client(server, store, surrounds: surrounds, clears: true)
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map(\.method) == ["GET"])
    #expect(!store.dump().contains("R2-D2"), "\(store.dump())")
  }

  @Test(
    "Its objects have the keys of the store, and the settings of the operation hold for it", arguments: [true, false])
  func settings(surrounds: Bool) async throws {
    let store = ApolloStore()
    store.cacheKeyForObject = { $0["name"] }
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = try client(server, store, surrounds: surrounds)
      _ = try await client.fetch(
        query: HeroQuery(), requestConfiguration: RequestConfiguration(writeResultsToCache: false))
      #expect(store.dump() == "")
      _ = try await client.fetch(query: HeroQuery())
      #expect(store.dump().contains("R2-D2\n"), "\(store.dump())")
    }
  }

  @Test("A server that never knows the hash is not asked without end", arguments: [true, false])
  func hashes(surrounds: Bool) async throws {
    let requests = try await serve { _, _ in
      [.respond(PersistedQueryTests.notFound)]
    } _: { server async throws in
      let client = try client(server, ApolloStore(), surrounds: surrounds, autoPersistQueries: true)
      _ = try? await client.fetch(query: IdentifiedQuery())
    }
    #expect((2...5).contains(requests.count), "\(requests.count)")
  }

  @Test("The error of what fails with it has the status and the type of the response", arguments: [true, false])
  func place(surrounds: Bool) async throws {
    try await serve { _, _ in
      [.respond("<html></html>", contentType: "text/html")]
    } _: { server async throws in
      let client = try client(server, ApolloStore(), surrounds: surrounds)
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.httpStatus == 200)
      #expect(error?.message.contains("text/html") == true, "\(error as Any)")
    }
  }

  @Test("The error has all errors that end a subscription", arguments: [true, false])
  func end(surrounds: Bool) async throws {
    try await serve { _, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write("\r\n--graphql\r\nContent-Type: application/json\r\n\r\n"),
        .write(#"{"payload":null,"errors":[{"message":"a"},{"message":"b"}]}"#), .write("\r\n--graphql--\r\n"), .close,
      ]
    } _: { server async throws in
      let client = try client(server, ApolloStore(), surrounds: surrounds)
      let error = await #expect(throws: OperationError.self) {
        for try await _ in client.subscribe(to: CountSubscription()) {}
      }
      let errors = try #require(error).graphQLErrors
      #expect(errors.map(\.message) == ["a", "b"])
    }
  }

  @Test(
    "The cache's result comes once, also when a rule, or the interceptor itself, has the server asked again",
    arguments: [true, false], [true, false])
  func resultOfCache(surrounds: Bool, retries: Bool) async throws {
    var options = DefaultInterceptorProvider.Options()
    if !retries { options.retry = MaxRetryInterceptor.Configuration(retryRule: .transientFailures) }
    let requests = try await serve { count, _ in
      count == 2 ? [.respond("busy", status: 503)] : [.respond(hero())]
    } _: { server async throws in
      let client = try client(server, ApolloStore(), surrounds: surrounds, retries: retries, options: options)
      _ = try await client.fetch(query: HeroQuery())
      var sources: [String] = []
      for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
        sources.append("\(result.source)")
      }
      #expect(sources == ["cache", "server"])
    }
    #expect(requests.count == 3)
  }

  @Test("An answer is not written over that of a mutation which was sent later", arguments: [true, false])
  func order(surrounds: Bool) async throws {
    let store = ApolloStore(), gate = ScriptedServer.Gate(), (queries, query) = AsyncStream<Void>.makeStream()
    try await serve { _, request in
      guard request.method == "GET" else { return [.respond(hero("newer", field: "rename"))] }
      query.yield()
      return [.wait(gate), .respond(hero("older"))]
    } _: { server async throws in
      let client = try client(server, store, surrounds: surrounds)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      for await _ in queries { break }
      _ = try await client.perform(mutation: RenameMutation())
      gate.open()
      _ = try await task.value
      #expect(store.dump().contains("newer") && !store.dump().contains("older"), "\(store.dump())")
    }
  }
}
