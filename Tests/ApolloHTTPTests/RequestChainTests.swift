@testable import ApolloRequestChain
import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// A provider with interceptors before and behind the default ones.
struct CustomProvider: InterceptorProvider {
  var first: [any ApolloInterceptor & Sendable] = []
  var errorInterceptor: (any ApolloErrorInterceptor & Sendable)?
  let base = DefaultInterceptorProvider(store: ApolloStore())

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    let defaults = base.interceptors(for: operation)
    return defaults.prefix(1) + first.map { $0 as any ApolloInterceptor } + defaults.dropFirst()
  }

  func additionalErrorInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> (
    any ApolloErrorInterceptor
  )? {
    errorInterceptor
  }
}

func client(_ server: ScriptedServer, _ provider: CustomProvider) -> ApolloClient {
  ApolloClient(
    networkTransport: RequestChainNetworkTransport(
      interceptorProvider: provider, endpointURL: URL(string: server.address)!))
}

/// As documents show them: a class, callbacks, no id.
final class TokenInterceptor: ApolloInterceptor, Sendable {
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    request.addHeader(name: "Authorization", value: "Bearer token")
    chain.proceedAsync(request: request, response: response, completion: completion)
  }
}

struct CountingInterceptor: HTTPStep, StepInterceptor {
  let count = Locked(0)

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    count.withLock { $0 += 1 }
    return .proceed(response)
  }
}

/// Tries again whenever something fails.
struct RetryOnError: ApolloErrorInterceptor {
  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    if error is MaxRetryInterceptor.RetryError {
      completion(.failure(error))
    } else {
      chain.retry(request: request, completion: completion)
    }
  }
}

@Suite("The request chain", .everyStyle)
struct RequestChainTests {
  @Test("Interceptors with callbacks and asynchronous ones stand in one chain")
  func mixed() async throws {
    let log = RequestLog()
    let counting = CountingInterceptor()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(hero())]
    } _: { server async throws in
      let client = client(server, CustomProvider(first: [counting, TokenInterceptor()]))
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(log.all.first?.headers["authorization"] == "Bearer token")
    #expect(counting.count.withLock { $0 } == 1)
  }

  @Test("An error interceptor may try again, and the retries are counted")
  func retries() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      log.add(request) < 3 ? [.respond("no", status: 503)] : [.respond(hero())]
    } _: { server async throws in
      let client = client(server, CustomProvider(errorInterceptor: RetryOnError()))
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(log.count == 3)
  }

  @Test("Too many retries are an error that names the operation")
  func tooManyRetries() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond("no", status: 503)]
    } _: { server async throws in
      let client = client(server, CustomProvider(errorInterceptor: RetryOnError()))
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.code == .retriesExhausted)
      #expect(error?.operationName == "Hero")
    }
    #expect(log.count == 4)
  }

  @Test("A chain without interceptors, and one without a result, are errors")
  func noResult() async throws {
    for interceptors: [any ApolloInterceptor] in [[], [TokenInterceptor()], [CountingInterceptor()]] {
      let chain = InterceptorRequestChain(interceptors: interceptors, callbackQueue: .global())
      let request = JSONRequest(
        operation: HeroQuery(), graphQLEndpoint: URL(string: "http://127.0.0.1/")!, clientName: "", clientVersion: "")
      let failed: Bool = await withCheckedContinuation { continuation in
        chain.kickoff(request: request) { result in
          if case .failure(let error) = result {
            continuation.resume(returning: (error as? any ApolloError)?.code == .configuration)
          } else {
            continuation.resume(returning: false)
          }
        }
      }
      #expect(failed)
    }
  }

  /// Gives up without a word to the chain's caller.
  final class CancellingInterceptor: ApolloInterceptor, Sendable {
    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { chain.cancel() }
  }

  enum Trace {
    @TaskLocal static var name = ""
  }

  private struct TracingInterceptor: HTTPStep, StepInterceptor {
    let seen = Locked<[String]>([])

    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      note()
      return .proceed(response)
    }

    private func note() {
      let line = "\(Trace.name), on the main thread: \(Thread.isMainThread)"
      seen.withLock { $0.append(line) }
    }
  }

  @MainActor private static func fetch(_ client: ApolloClient) async throws -> String? {
    try await client.fetch(query: HeroQuery()).data?.hero?.name
  }

  @Test("Asynchronous interceptors see the task-local values of the caller, and are not on its actor")
  func callersTask() async throws {
    let tracing = TracingInterceptor()
    try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server, CustomProvider(first: [tracing, TokenInterceptor(), tracing]))
      let name = try await Trace.$name.withValue("a trace") { try await Self.fetch(client) }
      #expect(name == "R2-D2")
    }
    #expect(tracing.seen.withLock { $0 } == Array(repeating: "a trace, on the main thread: false", count: 2))
  }

  @Test("An interceptor that cancels the chain leaves no caller waiting", .timeLimit(.minutes(5)))
  func cancelledByInterceptor() async throws {
    try await ScriptedServer.with { _ in
      []
    } _: { server async throws in
      let client = client(server, CustomProvider(first: [CancellingInterceptor()]))
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
      #expect(error?.operationName == "Hero")
    }
  }
}
