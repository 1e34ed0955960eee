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
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let next = (request as? JSONRequest<Operation>).map { remade($0) } ?? request
    chain.proceedAsync(request: next, response: response, interceptor: self, completion: completion)
  }
}

/// Does the same around the rest of the chain.
private struct SurroundingInterceptor: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    guard let old = request as? JSONRequest<Request.Operation>, let new = remade(old) as? Request else {
      return await next(request)
    }
    return await next(new)
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
  private let base: DefaultInterceptorProvider

  init(store: ApolloStore, clears: Bool, surrounds: Bool) {
    (self.store, self.clears, self.surrounds) = (store, clears, surrounds)
    base = DefaultInterceptorProvider(store: store)
  }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors = base.interceptors(for: operation)
    if clears { interceptors.insert(ClearingInterceptor(store), at: interceptors.count - 1) }
    let remaking: any ApolloInterceptor = if surrounds { SurroundingInterceptor() } else { RemakingInterceptor() }
    interceptors.insert(remaking, at: 1)
    return interceptors
  }
}

@Suite("A request that an interceptor makes anew", .timeLimit(.minutes(5)))
struct RemadeRequestTests {
  private func client(
    _ server: ScriptedServer, _ store: ApolloStore, surrounds: Bool, clears: Bool = false,
    autoPersistQueries: Bool = false
  ) throws -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: Provider(store: store, clears: clears, surrounds: surrounds),
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
}
