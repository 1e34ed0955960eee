import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A provider in the manner of release 2: it names some of the interceptors, and the others are the defaults.
private struct AddingProvider: InterceptorProvider {
  var token = "1"
  var parser: (any ResponseParsingInterceptor)?
  var cache: (any CacheInterceptor)?
  var retry = MaxRetryInterceptor.Configuration()

  func graphQLInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any GraphQLInterceptor] {
    [MaxRetryInterceptor(configuration: retry), AutomaticPersistedQueryInterceptor()]
  }

  func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    DefaultInterceptorProvider.shared.httpInterceptors(for: operation) + [TokenAdding(token: token)]
  }

  func responseParser<Operation: GraphQLOperation>(for operation: Operation) -> any ResponseParsingInterceptor {
    parser ?? JSONResponseParsingInterceptor()
  }

  func cacheInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> any CacheInterceptor {
    cache ?? DefaultCacheInterceptor()
  }

  struct TokenAdding: HTTPInterceptor {
    let token: String

    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      var request = request
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
      return try await next(request)
    }
  }
}

/// Answers what a closure says, in pieces of ten bytes.
private struct CannedSession: ApolloURLSession {
  var contentType = "application/json"
  var status = 200
  /// After so many bytes the connection breaks.
  var breaksAfter: Int?
  let answer: @Sendable (URLRequest) throws -> String

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let body = Data(try answer(request).utf8)
    let sent = body.prefix(breaksAfter ?? body.count)
    let stream = AsyncThrowingStream<Data, any Error> { continuation in
      for start in stride(from: 0, to: sent.count, by: 10) {
        continuation.yield(Data(sent.dropFirst(start).prefix(10)))
      }
      continuation.finish(throwing: breaksAfter.map { _ in URLError(.networkConnectionLost) })
    }
    let response = HTTPURLResponse(
      url: try #require(request.url), statusCode: status, httpVersion: nil,
      headerFields: ["Content-Type": contentType])
    return (ChunkedHTTPResponse.Chunks(stream), try #require(response))
  }
}

private func data(_ chunks: some AsyncChunkSequence) async throws -> Data {
  var data = Data()
  for try await chunk in chunks { data += chunk }
  return data
}

@Suite("Transports with a session of the app's own", .everyStyle)
struct SessionTests {
  private func client(
    _ session: any ApolloURLSession, at address: String = "http://127.0.0.1:9/",
    provider: any InterceptorProvider = DefaultInterceptorProvider.shared,
    apqConfig: AutoPersistedQueryConfiguration = .init()
  ) throws -> ApolloClient {
    let store = ApolloStore()
    return ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        urlSession: session, interceptorProvider: provider, store: store,
        endpointURL: try #require(URL(string: address)), additionalHeaders: ["X-App": "7"], apqConfig: apqConfig),
      store: store)
  }

  /// Answers the challenge of a server that wants a password.
  private final class Answering: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(.useCredential, URLCredential(user: "luke", password: "force", persistence: .none))
    }
  }

  @Test("A URLSession sends by its configuration, its delegate answers challenges, and results are cached", .asWritten)
  func urlSession() async throws {
    let requests = try await serve { _, request in
      guard request.headers["authorization"] == "Basic bHVrZTpmb3JjZQ==" else {
        return [.respond("", status: 401, headers: ["WWW-Authenticate": #"Basic realm="r""#])]
      }
      return [.respond(hero())]
    } _: { server async throws in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpAdditionalHeaders = ["X-Session": "5"]
      let session = URLSession(configuration: configuration, delegate: Answering(), delegateQueue: nil)
      let client = try client(session, at: server.address)
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
      #expect(try await client.fetch(query: HeroQuery()).source == .cache)
      let url = try #require(URL(string: server.address))
      let (chunks, response) = try await session.chunks(for: URLRequest(url: url))
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      let body = try await data(chunks)
      #expect(String(decoding: body, as: UTF8.self).contains("R2-D2"))
      session.invalidateAndCancel()
    }
    #expect(requests.first?.headers["x-session"] == "5" && requests.first?.headers["x-app"] == "7")
  }

  /// Foundation on Linux stops the process if two threads cancel a task while its response ends, or if one does while
  /// the cache of the session is asked.
  @Test("Requests that several threads cancel while their responses end, or as the client goes", .asWritten)
  func cancelling() async throws {
    try await serve { _, _ in
      [.respond("{}")]
    } _: { server async throws in
      let url = try #require(URL(string: server.address))
      let client = URLSessionClient(sessionConfiguration: .default)
      for round in 0..<1_500 {
        let task = client.sendRequest(URLRequest(url: url)) { _ in }
        let delay = UInt64(round % 30) * 100_000
        async let one: Void = cancel(task, of: client, after: delay)
        async let two: Void = cancel(task, of: client, after: delay)
        async let three: Void = cancel(task, of: client, after: delay)
        _ = await (one, two, three)
      }
      client.invalidate()
    }
  }

  private func cancel(_ task: URLSessionTask, of client: URLSessionClient, after delay: UInt64) async {
    try? await Task.sleep(nanoseconds: delay)
    client.cancel(task: task)
  }

  @Test("A configuration for the background is refused, with an error that says what to use")
  func background() async throws {
    #if canImport(Darwin)
      let configuration = URLSessionConfiguration.background(withIdentifier: "uploads")
    #else
      // (Foundation on Linux makes none.)
      let configuration = URLSessionConfiguration.ephemeral
      configuration.identifier = "uploads"
    #endif
    for session in [URLSessionClient(sessionConfiguration: configuration), URLSession(configuration: configuration)]
      as [any ApolloURLSession]
    {
      let client = try client(session, at: "http://localhost:1/graphql")
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.code == .configuration, "\(String(describing: error))")
      #expect(error?.message.contains("for the background ('uploads'): use `.default` or `.ephemeral`") == true)
    }
  }

  @Test("A provider of release 2 adds to the defaults: status, retries, persisted queries and parts are as ever")
  func provider() async throws {
    let requests = try await serve { count, request in
      if count == 1 { return [.respond(PersistedQueryTests.notFound)] }
      if count == 3 { return [.respond("no", status: 503)] }
      if request.body.contains("subscription") {
        return [
          .begin(contentType: "text/event-stream"), .write("event: next\ndata: {\"data\":{\"count\":1}}\n\n"),
          .write("event: complete\ndata:\n\n"), .close,
        ]
      }
      return [.respond(hero())]
    } _: { server async throws in
      let client = try client(
        URLSessionClient(), at: server.address, provider: AddingProvider(), apqConfig: .init(autoPersistQueries: true))
      #expect(try await client.fetch(query: IdentifiedQuery()).data?.hero?.name == "R2-D2")
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: IdentifiedQuery(), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect(error?.httpStatus == 503)
      var events = 0
      for try await event in client.subscribe(to: CountSubscription()) where event.data?.count == 1 { events += 1 }
      #expect(events == 1)
    }
    #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer 1" })
    #expect(requests.count == 4)
  }

  @Test("A session of the app's own answers, in parts too; what breaks off and an answer that is not HTTP is an error")
  func canned() async throws {
    let whole = try client(CannedSession { _ in hero() })
    #expect(try await whole.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    let parts = try client(
      CannedSession(contentType: "text/event-stream") { _ in
        "event: next\ndata: {\"data\":{\"count\":1}}\n\nevent: next\ndata: {\"data\":{\"count\":2}}\n\nevent: complete\ndata:\n\n"
      })
    var counts: [Int?] = []
    for try await event in parts.subscribe(to: CountSubscription()) { counts.append(event.data?.count) }
    #expect(counts == [1, 2])
    let broken = try client(CannedSession(breaksAfter: 25) { _ in hero() })
    let error = await #expect(throws: OperationError.self) { try await broken.fetch(query: HeroQuery()) }
    #expect(error?.code == .network && error?.message.contains("25 bytes had come") == true, "\(error as Any)")
    let refusing = try client(CannedSession(status: 500) { _ in "down" })
    let refusal = await #expect(throws: OperationError.self) { try await refusing.fetch(query: HeroQuery()) }
    #expect(refusal?.httpStatus == 500 && refusal?.message.contains("down") == true)
  }

  @Test("A query whose connection is lost before an answer is sent once more, a mutation is not")
  func lostConnection() async throws {
    let count = Locked(0)
    let session = CannedSession { request in
      let isFirst = count.withLock {
        $0 += 1
        return $0 == 1
      }
      if isFirst { throw URLError(.networkConnectionLost) }
      return hero()
    }
    #expect(try await client(session).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    count.withLock { $0 = 0 }
    await #expect(throws: OperationError.self) { try await client(session).perform(mutation: RenameMutation()) }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("A large file reaches a session of the app's own with the request")
  func upload() async throws {
    let sizes = Locked<[Int]>([])
    let session = CannedSession { request in
      sizes.withLock { $0.append(request.httpBody?.count ?? 0) }
      return hero(field: "rename")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(repeating: 65, count: 3_000_000).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try GraphQLFile(fieldName: "file", originalName: "a", fileURL: folder)
    #expect(try await client(session).upload(operation: RenameMutation(), files: [file]).data != nil)
    #expect(sizes.withLock { $0.first ?? 0 } > 3_000_000)
  }

  /// Reads a body that is `NAME`.
  private struct NameParser: ResponseParsingInterceptor {
    func parse<Request: GraphQLRequest>(
      response: ChunkedHTTPResponse, for request: Request, includeCacheRecords: Bool
    ) async throws -> InterceptorResultStream<Request> {
      let name = String(decoding: try await response.data(), as: UTF8.self)
      return try await JSONResponseParsingInterceptor().parse(
        response: ChunkedHTTPResponse(response: response.response, body: Data(hero(name).utf8)), for: request,
        includeCacheRecords: includeCacheRecords)
    }
  }

  /// Knows one answer, and counts.
  private final class CountingCache: CacheInterceptor {
    let calls = Locked<[String]>([])
    private let base = DefaultCacheInterceptor()

    func readCacheData<Request: GraphQLRequest>(
      from store: ApolloStore, request: Request
    ) async throws -> GraphQLResult<Request.Operation.Data>? {
      calls.withLock { $0.append("read") }
      return try await base.readCacheData(from: store, request: request)
    }

    func writeCacheData<Request: GraphQLRequest>(
      to store: ApolloStore, request: Request, response: ParsedResult<Request.Operation>
    ) async throws {
      calls.withLock { $0.append("write \(response.cacheRecords?.keys.count ?? 0)") }
      try await base.writeCacheData(to: store, request: request, response: response)
    }
  }

  @Test("Parser and cache of a provider's own are asked as the policies say")
  func ownParts() async throws {
    let cache = CountingCache()
    let client = try client(
      CannedSession(contentType: "text/plain") { _ in "C-3PO" },
      provider: AddingProvider(parser: NameParser(), cache: cache))
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "C-3PO")
    #expect(cache.calls.withLock { $0 } == ["read", "write 2"])
    #expect(try await client.fetch(query: HeroQuery()).source == .cache)
    #expect(try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely).source == .server)
    #expect(cache.calls.withLock { $0 } == ["read", "write 2", "read"])
    await #expect(throws: OperationError.self) {
      try await client.fetch(
        query: HeroQuery(episode: "JEDI"), cachePolicy: CachePolicy.returnCacheDataDontFetch)
    }
    var sources: [String] = []
    for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
      sources.append("\(result.source)")
    }
    #expect(sources == ["cache", "server"])
  }

  @Test(
    "A cache of a provider's own that goes on with the default one keeps its rules: an error without a place hides nothing"
  )
  func ownCacheRules() async throws {
    let answers = Locked([hero(), #"{"data":{"hero":null},"errors":[{"message":"down"}]}"#])
    let client = try client(
      CannedSession { _ in answers.withLock { $0.removeFirst() } }, provider: AddingProvider(cache: CountingCache()))
    for errors in [0, 1] {
      let result = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      #expect(result.errors?.count ?? 0 == errors)
    }
    let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
    #expect(cached.data?.hero?.name == "R2-D2")
  }

  @Test("A cache of a provider's own that goes on with the default one asks again for what it keeps an error of")
  func ownCacheErrors() async throws {
    let answers = Locked([#"{"data":{"hero":null},"errors":[{"message":"down","path":["hero"]}]}"#, hero()])
    let client = try client(
      CannedSession { _ in answers.withLock { $0.removeFirst() } }, provider: AddingProvider(cache: CountingCache()))
    #expect(try await client.fetch(query: HeroQuery()).errors?.count == 1)
    let result = try await client.fetch(query: HeroQuery())
    #expect(result.source == .server && result.data?.hero?.name == "R2-D2")
  }

  @Test("A cache of a provider's own delivers its result once, however often the server is asked")
  func ownCacheOnce() async throws {
    let failures = Locked(0)
    let client = try client(
      CannedSession { _ in
        let number = failures.withLock {
          $0 += 1; return $0
        }
        if number == 2 { throw URLError(.networkConnectionLost) }
        return hero("\(number)")
      },
      provider: AddingProvider(
        cache: CountingCache(), retry: MaxRetryInterceptor.Configuration(retryRule: .transientFailures)))
    _ = try await client.fetch(query: HeroQuery())
    var names: [String?] = []
    for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
      names.append(result.data?.hero?.name)
    }
    #expect(names == ["1", "3"])
  }

  @Test("A cache of a provider's own that goes on with the default one says whose write it was")
  func ownCacheOrigin() async throws {
    let client = try client(CannedSession { _ in hero() }, provider: AddingProvider(cache: CountingCache()))
    let changes = client.store.changes
    let writer = UUID()
    client.fetch(query: HeroQuery(), contextIdentifier: writer)
    for await change in changes {
      #expect(change.contextIdentifier == writer)
      break
    }
  }

  @Test("A fetch behavior is a policy: every release's name means what it did")
  func behaviors() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = try client(URLSessionClient(), at: server.address)
      var sources: [String] = []
      for behavior in [FetchBehavior.CacheOnly, .NetworkOnly, .CacheOnly, .CacheFirst, .CacheAndNetwork, .NetworkFirst]
      {
        do {
          for try await result in try client.fetch(query: HeroQuery(), fetchBehavior: behavior) {
            sources.append("\(result.source)")
          }
        } catch { sources.append("miss") }
      }
      #expect(sources == ["miss", "server", "cache", "cache", "cache", "server", "server"])
    }
    #expect(requests.count == 3)
    #expect(CachePolicy.Query.SingleResponse.networkFirst.toFetchBehavior() == .NetworkFirst)
    #expect(CachePolicy.Query.CacheOnly.cacheOnly.toFetchBehavior() == .CacheOnly)
    #expect(CachePolicy.Subscription.cacheThenNetwork.toFetchBehavior() == .CacheAndNetwork)
    #expect(CachePolicy.Subscription.networkOnly.toFetchBehavior() == .NetworkOnly)
  }
}
