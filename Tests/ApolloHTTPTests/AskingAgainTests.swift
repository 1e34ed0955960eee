import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

/// Asks once more, and gives the first answer before the second one has come.
private struct AskingTwice: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    var answers: [ParsedResult<Request.Operation>] = []
    for try await parsed in await next(request) { answers.append(parsed) }
    let second = await next(request)
    let (stream, results) = AsyncThrowingStream<ParsedResult<Request.Operation>, any Error>.makeStream()
    for answer in answers { results.yield(answer) }
    let task = Task {
      do {
        for try await parsed in second { results.yield(parsed) }
        results.finish()
      } catch {
        results.finish(throwing: error)
      }
    }
    results.onTermination = { _ in task.cancel() }
    return InterceptorResultStream(stream: stream)
  }
}

/// Asks once more after a failure.
private struct AskingAfterFailure: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    let (stream, results) = AsyncThrowingStream<ParsedResult<Request.Operation>, any Error>.makeStream()
    do {
      for try await parsed in await next(request) { results.yield(parsed) }
      results.finish()
      return InterceptorResultStream(stream: stream)
    } catch {
      return await next(request)
    }
  }
}

/// Passes everything on.
private struct Passing: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request)
  }
}

/// A place in a chain, behind the cache and before the server.
private struct Waypoint: ApolloInterceptor, Sendable {
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
  }
}

/// Asks the server once more when the operation has an answer.
private struct AskingFromPlace: ApolloInterceptor, Sendable {
  let hasAsked = Locked(false)

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let isSecond = hasAsked.withLock { hasAsked in
      defer { hasAsked = true }
      return hasAsked
    }
    if isSecond {
      chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
    } else {
      chain.proceedAsync(request: request, response: nil, interceptor: Waypoint(), completion: completion)
    }
  }
}

private struct AskingProvider: InterceptorProvider {
  let base: DefaultInterceptorProvider

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors = base.interceptors(for: operation)
    if let index = interceptors.firstIndex(where: { $0 is CacheReadInterceptor }) {
      interceptors.insert(Waypoint(), at: index + 1)
    }
    interceptors.append(AskingFromPlace())
    return interceptors
  }
}

/// Starts the operation again, also if it was ended meanwhile.
private struct Stubborn: GraphQLInterceptor {
  let begun = Event(), goesOn = Event()

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    begun.happen()
    // (A task of its own, which is not cancelled.)
    _ = await Task { [goesOn] in try? await goesOn.wait() }.value
    throw RequestChain.Retry(request: request)
  }
}

/// Tells when the operation that it belongs to is released.
private final class ReleaseWitness: RequestContext, Sendable {
  private let isReleased: Event
  init(_ isReleased: Event) { self.isReleased = isReleased }
  deinit { isReleased.happen() }
}

@Suite("Operations that code of the app asks for again", .timeLimit(.minutes(5)))
struct AskingAgainTests {
  private func client(
    at address: String, _ interceptor: any GraphQLInterceptor, authenticator: (any Authenticator)? = nil
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: address)))
    configuration.http.graphQLInterceptors = [interceptor]
    configuration.authenticator = authenticator
    return ApolloClient(configuration: configuration)
  }

  // (Without the cache, so that the second request is sent in any case.)
  private let unwritten = RequestConfiguration(writeResultsToCache: false)

  @Test("Such an operation ends with a sign-out, also if its first answer is given meanwhile")
  func signOut() async throws {
    let log = RequestLog(), outcomes = Received<Bool>()
    try await ScriptedServer.with { request in
      log.add(request).isMultiple(of: 2) ? [.wait(.init())] : [.respond(hero())]
    } _: { server async throws in
      // (Which of the two tasks is first depends on the system.)
      for round in 1...20 {
        let client = try client(at: server.address, AskingTwice())
        let running = Task { [unwritten] in
          do {
            _ = try await client.fetch(query: HeroQuery(), requestConfiguration: unwritten)
            outcomes.add(false)
          } catch {
            outcomes.add((error as? any ApolloError)?.code == .signedOut)
          }
        }
        try await log.until(count: 2 * round)
        try await client.signOut()
        // The server has not answered.
        let isSignedOut = await outcomes.next()
        running.cancel()
        try #require(isSignedOut == true)
      }
    }
  }

  @Test("So does one that an interceptor with callbacks asks for again, behind one around the operation")
  func signOutBehind() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      log.add(request) == 1 ? [.respond(hero())] : [.wait(.init())]
    } _: { server async throws in
      let store = ApolloStore()
      var options = DefaultInterceptorProvider.Options()
      options.graphQLInterceptors = [Passing()]
      let provider = AskingProvider(base: DefaultInterceptorProvider(store: store, options: options))
      let transport = RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: try #require(URL(string: server.address)))
      let client = ApolloClient(networkTransport: transport, store: store)
      let running = Task { [unwritten] in
        try await client.fetch(query: HeroQuery(), requestConfiguration: unwritten)
      }
      try await log.until(count: 2)
      try await client.signOut()
      // The server has not answered.
      let error = await #expect(throws: OperationError.self) { try await running.value }
      #expect(error?.code == .signedOut)
    }
  }

  @Test(
    "What has failed leaves the operation alone while it runs again, also if it starts anew with new credentials",
    arguments: [CachePolicy.default, .fetchIgnoringCacheData])
  func failedBefore(policy: CachePolicy) async throws {
    try await serve { count, _ in
      switch count % 3 {
      case 1: [.respond("no", status: 500)]
      case 2: [.respond("no", status: 401)]
      default: [.respond(hero("second"))]
      }
    } _: { server async throws in
      for _ in 1...20 {
        let client = try client(
          at: server.address, AskingAfterFailure(),
          authenticator: BearerTokenAuthenticator(token: .init("old")) { _ in BearerTokenAuthenticator.Token("new") })
        let result = try await client.fetch(query: HeroQuery(), cachePolicy: policy, requestConfiguration: unwritten)
        #expect(result.data?.hero?.name == "second")
      }
    }
  }

  @Test(
    "An answer may be given while the operation begins again, and the last one counts",
    arguments: [CachePolicy.default, .fetchIgnoringCacheData])
  func twoAnswers(policy: CachePolicy) async throws {
    try await serve { count, _ in
      [.respond(hero(count.isMultiple(of: 2) ? "second" : "first"))]
    } _: { server async throws in
      let client = try client(at: server.address, AskingTwice())
      for _ in 1...20 {
        let result = try await client.fetch(query: HeroQuery(), cachePolicy: policy, requestConfiguration: unwritten)
        #expect(result.data?.hero?.name == "second")
      }
    }
  }

  @Test("What a sign-out has ended is released, also if code of the app starts it again after that")
  func startedTooLate() async throws {
    let stubborn = Stubborn(), isReleased = Event()
    let client = try client(at: "http://127.0.0.1:9/", stubborn)
    let running = Task {
      try await client.fetch(
        query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, context: ReleaseWitness(isReleased))
    }
    try await stubborn.begun.wait()
    try await client.signOut()
    let error = await #expect(throws: OperationError.self) { try await running.value }
    #expect(error?.code == .signedOut)
    stubborn.goesOn.happen()
    try await isReleased.wait()
  }
}
