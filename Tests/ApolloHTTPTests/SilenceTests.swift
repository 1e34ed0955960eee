import ApolloConcurrency
@testable import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

/// What was once passed over without a word, or without a test.
@Suite("Nothing is passed over in silence", .everyStyle)
struct SilenceTests {
  private struct Chain: InterceptorProvider {
    let interceptors: [any ApolloInterceptor]
    var errors: ErrorWitness?

    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      interceptors
    }

    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { errors }
  }

  private final class ErrorWitness: ApolloErrorInterceptor {
    let seen = Locked<[any Error]>([])

    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      seen.withLock { $0.append(error) }
      completion(.failure(error))
    }
  }

  private func transport(
    _ interceptors: [any ApolloInterceptor], errors: ErrorWitness? = nil
  ) throws -> RequestChainNetworkTransport {
    RequestChainNetworkTransport(
      interceptorProvider: Chain(interceptors: interceptors, errors: errors),
      endpointURL: try #require(URL(string: "http://127.0.0.1:9/")), autoPersistQueries: true)
  }

  @Test("A chain of the interceptor for persisted queries alone fails as in release 1, also for the error interceptor")
  func persistedQueriesAlone() async throws {
    let errors = ErrorWitness()
    let client = ApolloClient(
      networkTransport: try transport([AutomaticPersistedQueryInterceptor()], errors: errors), store: ApolloStore())
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: IdentifiedQuery()) }
    #expect(error?.cause as? AutomaticPersistedQueryInterceptor.APQError == .noParsedResponse)
    #expect(
      errors.seen.withLock { $0.map { $0 as? AutomaticPersistedQueryInterceptor.APQError } } == [.noParsedResponse])
  }

  /// Never answers, and notes that it was cancelled.
  private final class Stopping: ApolloInterceptor, Cancellable {
    let isCancelled = Locked(false)
    private let held = Locked<[Handoff<Any>]>([])

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let handed = Handoff<Any>(completion)
      held.withLock { $0.append(handed) }
    }

    func cancel() { isCancelled.withLock { $0 = true } }
  }

  @Test("When `cancel()` returns, it has reached interceptors that can be cancelled")
  func cancelling() async throws {
    for _ in 0..<200 {
      let interceptor = Stopping()
      let running = try transport([interceptor]).send(operation: HeroQuery()) { _ in
        Issue.record("It was cancelled.")
      }
      running.cancel()
      #expect(interceptor.isCancelled.withLock { $0 })
    }
  }

  @Test("A response of status 294 with data and errors has both, as application/json too")
  func status294() async throws {
    for type in ["application/json", "application/graphql-response+json"] {
      try await serve { _, _ in
        [
          .respond(
            #"{"data":{"hero":null},"errors":[{"message":"no hero","path":["hero"]}]}"#, status: 294, contentType: type)
        ]
      } _: { server in
        let result = try await client(server).fetch(query: HeroQuery())
        #expect(result.data != nil && result.errors?.map(\.message) == ["no hero"])
        #expect(result.httpResponse?.statusCode == 294)
      }
    }
  }

  @Test(
    "A query is tried again after each status that may pass, and after no other", arguments: [408, 429, 502, 503, 504])
  func statuses(status: Int) async throws {
    var options = DefaultInterceptorProvider.Options()
    options.retry.retryRule = .transientFailures
    let requests = try await serve { count, _ in
      [count == 1 ? .respond("later", status: status, contentType: "text/plain") : .respond(hero())]
    } _: { [options] server in
      _ = try await client(server, provider: options).fetch(query: HeroQuery())
    }
    #expect(requests.count == 2)
    let others = try await serve { _, _ in
      [.respond("no", status: status + 1 == 503 ? 501 : 500, contentType: "text/plain")]
    } _: { [options] server in
      await #expect(throws: OperationError.self) {
        try await client(server, provider: options).fetch(query: HeroQuery())
      }
    }
    #expect(others.count == 1)
  }

  @Test("One body that announces, brings and completes its parts has all of them")
  func oneBody() async throws {
    let body = #"""
      {"data":{"hero":{"__typename":"Droid","id":"2001"}},"pending":[{"id":"0","path":["hero"],"label":"name"}],
      "incremental":[{"id":"0","data":{"name":"R2-D2"}}],"completed":[{"id":"0"}],"hasNext":false}
      """#
    var response = IncrementalResponse()
    let whole = try #require(try response.merge(ResponseBytes(Data(body.utf8))))
    try response.finish()
    let json = try ResponseReader.jsonValue(whole) as? JSONObject
    let hero = (json?["data"] as? JSONObject)?["hero"] as? JSONObject
    #expect(hero?["name"] as? String == "R2-D2" && hero?["id"] as? String == "2001" && !response.hasNext)
  }

  @Test(
    "An answer over HTTP that has all of its parts in one body is joined, and one without parts is taken as it is",
    arguments: ["application/json", "application/graphql-response+json"])
  func oneBodyOverHTTP(type: String) async throws {
    let body = #"""
      {"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"d"}],
      "incremental":[{"id":"0","data":{"slowBio":"long"}}],"completed":[{"id":"0"}],"hasNext":false}
      """#
    try await serve { number, _ in
      [.respond(number == 1 ? body : #"{"data":{"hero":{"id":"1","slowBio":"whole"}}}"#, contentType: type)]
    } _: { server in
      let client = client(server)
      for expected in ["long", "whole"] {
        let result = try await client.fetch(query: DeferredBioQuery(), cachePolicy: .networkOnly)
        #expect(result.data?.hero?.slowBio == expected && !result.hasNext)
      }
    }
  }

  /// Fails as without a network until it is told otherwise.
  private final class Unplugged: ResponseTransport {
    let isPlugged = Locked(false)
    let tries = Locked(0)

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      tries.withLock { $0 += 1 }
      guard isPlugged.withLock({ $0 }) else { throw URLError(.notConnectedToInternet) }
      try await receive(TransportResponse(Data(hero().utf8)))
    }
  }

  @Test("A client that was made of a transport alone knows of the network what became of its requests")
  func offline() async throws {
    let transport = Unplugged()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let failing = RequestConfiguration(failsFastWhenOffline: true)
    for attempt in 0..<2 {
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .networkOnly, requestConfiguration: failing)
      }
      #expect(error?.code == .network, "attempt \(attempt)")
    }
    #expect(transport.tries.withLock { $0 } == 1, "the second one fails at once")
    let waiting = RequestConfiguration(waitsForNetwork: true)
    transport.isPlugged.withLock { $0 = true }
    let result = try await client.fetch(
      query: HeroQuery(), cachePolicy: .networkOnly, requestConfiguration: waiting)
    #expect(result.data?.hero?.name == "R2-D2" && transport.tries.withLock { $0 } == 2)
  }
}
