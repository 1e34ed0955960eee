import Apollo
@testable import ApolloRequestChain
import Foundation
import ScriptedServer
import Testing

/// Passes everything on.
private struct Passing: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request)
  }
}

/// Looks at each outcome before the caller has it, and may replace it.
private struct Looking: ApolloInterceptor, Sendable {
  enum Way: CaseIterable { case asItIs, withoutExtensions, asFailure }

  let way: Way
  let seen: Locked<[String]>

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    chain.proceedAsync(request: request, response: response, interceptor: self) { outcome in
      seen.withLock { $0.append((try? outcome.get()).map { "\($0.source)" } ?? "error") }
      switch (way, outcome) {
      case (.asItIs, _), (_, .failure): completion(outcome)
      case (.withoutExtensions, .success(let result)):
        completion(.success(GraphQLResult(data: result.data, errors: result.errors, source: result.source)))
      case (.asFailure, .success): completion(.failure(URLError(.badURL)))
      }
    }
  }
}

private struct LookingProvider: InterceptorProvider {
  let base: DefaultInterceptorProvider
  let looking: Looking
  /// Whether an interceptor around the operation stands before the one that looks.
  let isSurrounded: Bool

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    (isSurrounded ? [Passing()] : []) + [looking] + base.interceptors(for: operation)
  }
}

@Suite("Interceptors with callbacks that pass on a completion of their own", .timeLimit(.minutes(5)))
struct OwnCompletionTests {
  private func client(_ server: ScriptedServer, _ looking: Looking, isSurrounded: Bool) throws -> ApolloClient {
    let store = ApolloStore()
    let provider = LookingProvider(
      base: DefaultInterceptorProvider(store: store), looking: looking, isSurrounded: isSurrounded)
    return ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: try #require(URL(string: server.address))),
      store: store)
  }

  private static let answer = String(hero().dropLast()) + #","extensions":{"a":1}}"#

  @Test("They see each outcome first, and say what the caller gets", arguments: [false, true], Looking.Way.allCases)
  fileprivate func looking(isSurrounded: Bool, way: Looking.Way) async throws {
    let seen = Locked<[String]>([])
    try await serve { _, _ in
      [.respond(Self.answer)]
    } _: { server async throws in
      let client = try client(server, Looking(way: way, seen: seen), isSurrounded: isSurrounded)
      do {
        let result = try await client.fetch(query: HeroQuery())
        #expect(way != .asFailure && result.data != nil)
        #expect((result.extensions?.isEmpty ?? true) == (way == .withoutExtensions))
        // (Written also where the interceptor has made the result anew.)
        #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch).data != nil)
      } catch {
        #expect(way == .asFailure, "\(error)")
      }
    }
    #expect(seen.withLock { $0.first } == "server")
  }

  @Test("They see the result of the cache before that of the server", arguments: [false, true])
  func cacheAndServer(isSurrounded: Bool) async throws {
    let seen = Locked<[String]>([])
    try await serve { _, _ in
      [.respond(Self.answer)]
    } _: { server async throws in
      let client = try client(server, Looking(way: .asItIs, seen: seen), isSurrounded: isSurrounded)
      _ = try await client.fetch(query: HeroQuery())
      seen.withLock { $0 = [] }
      var sources: [String] = []
      for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
        sources.append("\(result.source)")
      }
      #expect(sources == ["cache", "server"])
    }
    #expect(seen.withLock { $0 } == ["cache", "server"])
  }

  @Test("They see an error", arguments: [false, true])
  func failure(isSurrounded: Bool) async throws {
    let seen = Locked<[String]>([])
    try await serve { _, _ in
      [.respond("no", status: 500)]
    } _: { server async throws in
      let client = try client(server, Looking(way: .asItIs, seen: seen), isSurrounded: isSurrounded)
      await #expect(throws: (any Error).self) { try await client.fetch(query: HeroQuery()) }
    }
    #expect(seen.withLock { $0 } == ["error"])
  }
}
