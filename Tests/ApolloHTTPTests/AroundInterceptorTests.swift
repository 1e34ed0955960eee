import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Writes down when it is called, and adds a header field.
private struct NotingInterceptor: GraphQLInterceptor, HTTPInterceptor {
  let name: String
  let log: Locked<[String]>

  var id: String { name }

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    note("→ \(name)")
    var request = request
    request.addHeaders(["X-\(name)": Request.Operation.operationName])
    return await next(request).map { parsed in
      note("← \(name)")
      return parsed
    }
  }

  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
    note("→ \(name)")
    var request = request
    request.setValue("1", forHTTPHeaderField: "X-\(name)")
    let response = try await next(request)
    note("← \(name) \(response.response.statusCode)")
    return response
  }

  private func note(_ line: String) { log.withLock { $0.append(line) } }
}

/// Does what a closure says with each result, and with the error.
private struct MappingInterceptor: GraphQLInterceptor {
  var attempts = 1
  var map: @Sendable (GraphQLResult<HeroQuery.Data>) throws -> GraphQLResult<HeroQuery.Data> = { $0 }
  var recover: @Sendable (any Error) throws -> GraphQLResult<HeroQuery.Data>? = { throw $0 }
  var retries: @Sendable (any Error) -> Bool = { _ in false }

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    for _ in 1..<attempts {
      do {
        for try await _ in await next(request) {}
        break
      } catch {}
    }
    return await next(request).map { parsed in
      guard let result = parsed.result as? GraphQLResult<HeroQuery.Data>,
        let mapped = try map(result) as? GraphQLResult<Request.Operation.Data>
      else { return parsed }
      var copy = parsed
      copy.result = mapped
      return copy
    }.mapErrors { error in
      if retries(error) { throw RequestChain.Retry(request: request) }
      let result = try recover(error) as? GraphQLResult<Request.Operation.Data>
      return result.map { ParsedResult(result: $0, cacheRecords: nil) }
    }
  }
}

/// Answers without asking the server.
private struct OwnAnswerInterceptor: GraphQLInterceptor {
  var isEmpty = false

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    if isEmpty { return InterceptorResultStream(stream: AsyncThrowingStream { $0.finish() }) }
    let status = try #require(
      HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil))
    return try await JSONResponseParsingInterceptor().parse(
      response: ChunkedHTTPResponse(response: status, body: Data(hero("Own").utf8)), for: request,
      includeCacheRecords: true)
  }
}

@Suite("Interceptors around an operation", .everyStyle)
struct AroundInterceptorTests {
  private func client(
    _ server: ScriptedServer, _ graphQL: [any GraphQLInterceptor] = [], _ http: [any HTTPInterceptor] = [],
    configure: (inout ApolloClient.Configuration) -> Void = { _ in }
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
    configuration.http.graphQLInterceptors = graphQL
    configuration.http.interceptors = http
    configure(&configuration)
    return ApolloClient(configuration: configuration)
  }

  @Test("They are called from the outside in, and back")
  func order() async throws {
    let log = Locked<[String]>([])
    func noting(_ name: String) -> NotingInterceptor { NotingInterceptor(name: name, log: log) }
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = try client(server, [noting("A"), noting("B")], [noting("C"), noting("D")])
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
      #expect(log.withLock { $0 } == ["→ A", "→ B", "→ C", "→ D", "← D 200", "← C 200", "← B", "← A"])
      // The cache answers inside.
      log.withLock { $0 = [] }
      #expect(try await client.fetch(query: HeroQuery()).source == .cache)
      #expect(log.withLock { $0 } == ["→ A", "→ B", "← B", "← A"])
    }
    #expect(requests.count == 1)
    #expect(requests.first?.headers["x-a"] == "Hero" && requests.first?.headers["x-b"] == "Hero")
    #expect(requests.first?.headers["x-c"] == "1" && requests.first?.headers["x-d"] == "1")
  }

  @Test("Both styles of callers get each result once, also two, and mutations and uploads go the same way")
  func styles() async throws {
    let log = Locked<[String]>([])
    try await serve { _, request in
      [.respond(request.body.contains("rename") ? hero(field: "rename") : hero())]
    } _: { server async throws in
      let client = try client(server, [NotingInterceptor(name: "A", log: log)])
      _ = try await client.fetch(query: HeroQuery())
      var sources: [String] = []
      for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
        sources.append("\(result.source)")
      }
      #expect(sources == ["cache", "server"])
      let name: String? = await withCheckedContinuation { continuation in
        client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()) { result in
          continuation.resume(returning: try? result.get().data?.hero?.name)
        }
      }
      #expect(name == "R2-D2")
      #expect(try await client.perform(mutation: RenameMutation()).data != nil)
      let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data("a".utf8))
      #expect(try await client.upload(operation: RenameMutation(), files: [file]).data != nil)
    }
    #expect(log.withLock { $0.filter { $0 == "→ A" }.count } == 5)
    #expect(log.withLock { $0.filter { $0 == "← A" }.count } == 6)
  }

  @Test("What they make of a result is what callers get, and what they throw there is the error")
  func mapping() async throws {
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let renaming = MappingInterceptor(map: { result in
        GraphQLResult(data: result.data, extensions: ["seen": true], errors: result.errors, source: result.source)
      })
      let result = try await client(server, [renaming]).fetch(query: HeroQuery())
      #expect(result.extensions?["seen"] as? Bool == true)
      let refusing = MappingInterceptor(map: { _ in throw OperationError(ApolloErrorCode("loggedOut"), "Log in first.")
      })
      let error = await #expect(throws: OperationError.self) {
        try await client(server, [refusing]).fetch(query: HeroQuery())
      }
      #expect(error?.message == "Log in first." && error?.code == ApolloErrorCode("loggedOut"))
    }
  }

  @Test("They may put a result in the place of an error")
  func recovering() async throws {
    try await serve { _, _ in
      [.respond("no", status: 503)]
    } _: { server async throws in
      let seen = Locked<[Int?]>([])
      let recovering = MappingInterceptor(recover: { error in
        seen.withLock { $0.append((error as? any ApolloError)?.httpStatus) }
        return GraphQLResult(data: nil, errors: nil, source: .server)
      })
      let result = try await client(server, [recovering]).fetch(query: HeroQuery())
      #expect(result.data == nil)
      #expect(seen.withLock { $0 } == [503])
    }
  }

  @Test("One that throws Retry starts the chain over, as often as is allowed; one may also call next again")
  func retrying() async throws {
    let again = try await serve { count, _ in
      [count < 3 ? .respond("no", status: 503) : .respond(hero())]
    } _: { server async throws in
      let retrying = MappingInterceptor(retries: { ($0 as? any ApolloError)?.httpStatus == 503 })
      #expect(try await client(server, [retrying]).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(again.count == 3)
    let inVain = try await serve { _, _ in
      [.respond("no", status: 503)]
    } _: { server async throws in
      let retrying = MappingInterceptor(retries: { ($0 as? any ApolloError)?.httpStatus == 503 })
      let error = await #expect(throws: OperationError.self) {
        try await client(server, [retrying]).fetch(query: HeroQuery())
      }
      #expect(error?.code == .retriesExhausted)
    }
    #expect(inVain.count == 4)
    let twice = try await serve { count, _ in
      [count < 2 ? .respond("no", status: 503) : .respond(hero())]
    } _: { server async throws in
      let calling = MappingInterceptor(attempts: 2)
      #expect(try await client(server, [calling]).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(twice.count == 2)
  }

  @Test(
    "A query that is tried again, by the chain or by one of them, ends with a sign-out", .timeLimit(.minutes(5)),
    arguments: [1, 2])
  func signOut(attempts: Int) async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      log.add(request) == 1 ? [.respond("no", status: 503)] : [.wait(.init())]
    } _: { server async throws in
      let client = try client(server, [MappingInterceptor(attempts: attempts)]) {
        $0.retry = MaxRetryInterceptor.Configuration(
          maxRetries: 3, baseDelay: 0.001, maxDelay: 0.001, enableExponentialBackoff: false, enableJitter: false,
          retryRule: .transientFailures)
      }
      let running = Task { try await client.fetch(query: HeroQuery()) }
      try await log.until(count: 2)
      try await client.signOut()
      // The server has not answered.
      let error = await #expect(throws: OperationError.self) { try await running.value }
      #expect(error?.code == .signedOut)
    }
  }

  @Test(
    "One that does not go on makes its own result, with records of its own; without one that is an error with its name")
  func ownAnswer() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = try client(server, [OwnAnswerInterceptor()])
      #expect(
        try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name == "Own")
      let cached = try await client.fetch(query: HeroQuery(), cachePolicy: .returnCacheDataDontFetch)
      #expect(cached.data?.hero?.name == "Own")
      let error = await #expect(throws: OperationError.self) {
        try await self.client(server, [OwnAnswerInterceptor(isEmpty: true)]).fetch(query: HeroQuery())
      }
      #expect(
        error?.message.contains("OwnAnswerInterceptor ended without a result and without an error.") == true,
        "\(error as Any)")
    }
    #expect(requests.isEmpty)
  }

  @Test("A subscription passes them event by event, and its end stops the request")
  func subscription() async throws {
    let log = Locked<[String]>([])
    try await serve { _, _ in
      let events = (1...3).map { "event: next\ndata: {\"data\":{\"count\":\($0)}}\n\n" }
      return [.begin(contentType: "text/event-stream")] + events.map { .write($0) } + [.wait(.init())]
    } _: { server async throws in
      let noting = NotingInterceptor(name: "A", log: log)
      let client = try client(server, [noting], [noting])
      var counts: [Int?] = []
      for try await event in client.subscribe(to: CountSubscription()) {
        counts.append(event.data?.count)
        if counts.count == 3 { break }
      }
      #expect(counts == [1, 2, 3])
      try await server.until(connectionCount: 0)
    }
    #expect(log.withLock { $0 } == ["→ A", "→ A", "← A 200", "← A", "← A", "← A"])
  }

  @Test("Those around the exchange see each operation of a batch, each retry, and the bodies", .asWritten)
  func exchange() async throws {
    let log = Locked<[String]>([])
    let shouting = ShoutingInterceptor()
    let requests = try await serve { count, request in
      if count == 1 { return [.respond("no", status: 503)] }
      return [.respond(request.body.hasPrefix("[") ? "[\(hero()),\(hero())]" : hero())]
    } _: { server async throws in
      let client = try client(server, [], [NotingInterceptor(name: "C", log: log), shouting]) { configuration in
        configuration.retry = .automatic
        configuration.retry.baseDelay = 0.001
      }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D3")
      #expect(log.withLock { $0 } == ["→ C", "← C 503", "→ C", "← C 200"])
      let batching = try self.client(server, [], [NotingInterceptor(name: "D", log: log)]) { configuration in
        configuration.batching = .init(interval: .seconds(60), maximumSize: 2)
      }
      async let one = batching.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      async let two = batching.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      _ = try await (one, two)
    }
    #expect(requests.count == 3)
    #expect(requests.last?.headers["x-d"] == "1")
    #expect(log.withLock { $0.filter { $0 == "→ D" }.count } == 2)
  }

  /// Changes each piece of a body.
  private struct ShoutingInterceptor: HTTPInterceptor {
    func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
      await (try await next(request)).mapChunks { response, chunk in
        #expect(response.statusCode == 200 || response.statusCode == 503)
        return Data(String(decoding: chunk, as: UTF8.self).replacing("R2-D2", with: "R2-D3").utf8)
      }
    }
  }

  @Test("They stand in a provider's own list, and in a chain of an app's own")
  func ownList() async throws {
    let log = Locked<[String]>([])
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let provider = CustomProvider(first: [NotingInterceptor(name: "A", log: log)])
      #expect(try await ApolloHTTPTests.client(server, provider).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
      #expect(log.withLock { $0 } == ["→ A", "← A"])
    }
    // A chain that knows interceptors with callbacks only.
    let request = JSONRequest(
      operation: HeroQuery(), graphQLEndpoint: URL(string: "http://127.0.0.1/")!, clientName: "", clientVersion: "")
    let chain = OneAnswerChain()
    let source = await withCheckedContinuation { continuation in
      let interceptor: any ApolloInterceptor = NotingInterceptor(name: "B", log: log)
      interceptor.interceptAsync(chain: chain, request: request, response: nil) { result in
        continuation.resume(returning: (try? result.get())?.source)
      }
    }
    #expect(source == .server)
    #expect(log.withLock { $0.suffix(2) } == ["→ B", "← B"])
  }

  /// Goes on with an answer.
  private final class OneAnswerChain: RequestChain, Sendable {
    func kickoff<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {}
    func proceedAsync<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {}
    func proceedAsync<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, interceptor: any ApolloInterceptor,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      completion(.success(GraphQLResult(data: nil, errors: nil, source: .server)))
    }
    func retry<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {}
    func handleErrorAsync<Operation: GraphQLOperation>(
      _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { completion(.failure(error)) }
    func returnValueAsync<Operation: GraphQLOperation>(
      for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {}
    var isCancelled: Bool { false }
    func cancel() {}
  }
}
