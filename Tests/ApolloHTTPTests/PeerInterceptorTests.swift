import Apollo
import Foundation
import PeerServers
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The places in which an app's code may stand.
private enum Place: String, CaseIterable {
  case callbacks, graphQL, graphQLInList, cache, http, parser
}

/// Stands in one of the places, and passes everything on.
private struct Passing: GraphQLInterceptor, CacheInterceptor, HTTPInterceptor, ResponseParsingInterceptor {
  var id = "passing"
  let calls: Locked<Int>

  private func count() { calls.withLock { $0 += 1 } }

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    count()
    return await next(request).map { $0 }.mapErrors { throw $0 }
  }

  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
    count()
    return try await next(request).mapChunks { _, chunk in chunk }
  }

  func readCacheData<Request: GraphQLRequest>(
    from store: ApolloStore, request: Request
  ) async throws -> GraphQLResult<Request.Operation.Data>? {
    count()
    return try await DefaultCacheInterceptor().readCacheData(from: store, request: request)
  }

  func writeCacheData<Request: GraphQLRequest>(
    to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
  ) async throws {
    count()
    try await DefaultCacheInterceptor().writeCacheData(to: store, request: request, response: response)
  }

  func parse<Request: GraphQLRequest>(
    response: ChunkedHTTPResponse, for request: Request, includeCacheRecords: Bool
  ) async throws -> InterceptorResultStream<Request> {
    count()
    return try await JSONResponseParsingInterceptor().parse(
      response: response, for: request, includeCacheRecords: includeCacheRecords)
  }
}

private struct PassingCallbacks: ApolloInterceptor {
  let id: String
  let calls: Locked<Int>

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    calls.withLock { $0 += 1 }
    chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
  }
}

/// The default interceptors, and one that passes everything on, as apps of release 2 add it.
private struct PassingProvider: InterceptorProvider {
  let place: Place
  let passing: Passing

  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    DefaultInterceptorProvider.shared.graphQLInterceptors(for: operation) + (place == .graphQL ? [passing] : [])
  }
  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    place == .cache ? passing : DefaultCacheInterceptor()
  }
  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    DefaultInterceptorProvider.shared.httpInterceptors(for: operation) + (place == .http ? [passing] : [])
  }
  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor {
    place == .parser ? passing : JSONResponseParsingInterceptor()
  }
}

/// The default list, with one that passes everything on before each of them, as apps of release 1 add it.
private struct PassingListProvider: InterceptorProvider {
  let base: DefaultInterceptorProvider
  let place: Place
  let calls: Locked<Int>

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    base.interceptors(for: operation).enumerated().flatMap { index, interceptor -> [any ApolloInterceptor] in
      let passing: any ApolloInterceptor =
        if place == .callbacks { PassingCallbacks(id: "\(index)", calls: calls) } else {
          Passing(id: "\(index)", calls: calls)
        }
      return [passing, interceptor]
    }
  }
}

@Suite(
  "Interceptors before servers of other projects",
  .enabled(if: Peer.areInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"),
  .timeLimit(.minutes(5)))
struct PeerInterceptorTests {
  private func client(_ place: Place?, _ calls: Locked<Int>, at address: String) throws -> ApolloClient {
    let url = try #require(URL(string: address))
    guard let place else { return ApolloClient(url: url) }
    let store = ApolloStore()
    let session = URLSessionClient(sessionConfiguration: .ephemeral)
    let provider: any InterceptorProvider =
      if [.callbacks, .graphQLInList].contains(place) {
        PassingListProvider(
          base: DefaultInterceptorProvider(client: session, store: store), place: place, calls: calls)
      } else {
        PassingProvider(place: place, passing: Passing(calls: calls))
      }
    return ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        urlSession: session, interceptorProvider: provider, store: store,
        endpointURL: url), store: store)
  }

  /// What comes of one operation: each result, or the error.
  private func outcome<Data, Results: AsyncSequence>(_ results: () async throws -> Results) async -> [String]
  where Results.Element == GraphQLResult<Data> {
    var lines: [String] = []
    do {
      for try await result in try await results() {
        lines.append(
          "\(result.data as Any) \(result.errors?.map(\.description) ?? []) \(result.source) \(result.hasNext)")
      }
    } catch {
      lines.append("\((error as? OperationError)?.code as Any) \(error.localizedDescription)")
    }
    return lines
  }

  /// What comes of everything that a server can do, and of what it cannot.
  private func outcomes(_ client: ApolloClient) async -> [String] {
    func one<Data>(_ body: () async throws -> GraphQLResult<Data>) async -> [String] {
      await outcome {
        let result = try await body()
        return AsyncThrowingStream { continuation in
          continuation.yield(result)
          continuation.finish()
        }
      }
    }
    let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data("hello".utf8))
    var lines = await outcome { client.results(of: PeerHeroQuery(), cachePolicy: .returnCacheDataAndFetch) }
    lines += await outcome { client.results(of: PeerHeroQuery(), cachePolicy: .returnCacheDataAndFetch) }
    lines += await one { try await client.fetch(query: PeerHeroQuery(), cachePolicy: .returnCacheDataDontFetch) }
    lines += await one { try await client.fetch(query: BoomQuery()) }
    lines += await one { try await client.fetch(query: BoomNonNullQuery()) }
    lines += await one { try await client.fetch(query: InvalidQuery()) }
    lines += await one { try await client.upload(operation: UploadFileMutation(), files: [file]) }
    lines += await outcome { client.results(of: DeferredBioQuery(), cachePolicy: .fetchIgnoringCacheData) }
    lines += await outcome { client.subscribe(to: CountdownSubscription()) }
    lines += await outcome { client.subscribe(to: FailingSubscription()) }
    return lines
  }

  @Test("One that passes everything on changes nothing, wherever it stands", arguments: Peer.allCases, Way.installed)
  func passing(_ peer: Peer, _ way: Way) async throws {
    let address = try await PeerServer.shared(peer, by: way).address
    let expected = await outcomes(try client(nil, Locked(0), at: address))
    #expect(expected.count >= 10 && expected[0].contains("R2-D2"), "\(expected)")
    for place in Place.allCases {
      let calls = Locked(0)
      for (outcome, expected) in zip(await outcomes(try client(place, calls, at: address)), expected) {
        #expect(outcome == expected, "\(place)")
      }
      // (A parser is asked only for what has status 200.)
      #expect(calls.withLock { $0 } >= (place == .parser ? 5 : 9), "\(place)")
    }
  }
}
