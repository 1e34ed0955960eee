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

extension TrickyRequestTests {
  /// Has another interceptor do its work.
  final class WrappingInterceptor: ApolloInterceptor, Sendable {
    let inner: any ApolloInterceptor & Sendable
    init(_ inner: any ApolloInterceptor & Sendable = JSONResponseParsingInterceptor()) { self.inner = inner }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { inner.interceptAsync(chain: chain, request: request, response: response, completion: completion) }
  }

  /// Gives a response without a network.
  struct RespondingInterceptor: HTTPStep, StepInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      guard
        let head = HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)
      else { return .proceed(response) }
      return .proceed(HTTPResponse(response: head, rawData: Data(hero().utf8), parsedResponse: nil))
    }
  }

  @Test("An interceptor that wraps one of the library's is followed by the one behind it")
  func wrapping() async throws {
    let counter = PassingInterceptor(names: true)
    let result = try await outcome(of: [RespondingInterceptor(), WrappingInterceptor(), counter]).get()
    #expect(result.data?.hero?.name == "R2-D2")
    #expect(counter.count.withLock { $0 } == 1)
  }

  @Test("That is so where the chain has one more of its type, before the wrapper or behind it")
  func wrappingOneMore() async throws {
    let last = PassingInterceptor(names: true)
    let result = try await outcome(
      of: [RespondingInterceptor(), JSONResponseParsingInterceptor(), WrappingInterceptor(), last]
    ).get()
    #expect(result.data?.hero?.name == "R2-D2")
    #expect(last.count.withLock { $0 } == 1)
    let between = PassingInterceptor(names: true)
    _ = try await outcome(
      of: [RespondingInterceptor(), WrappingInterceptor(), between, JSONResponseParsingInterceptor()]
    ).get()
    #expect(between.count.withLock { $0 } == 1)
  }

  private struct Surrounding: GraphQLInterceptor {
    func intercept<Request: GraphQLRequest>(
      request: Request, next: NextInterceptorFunction<Request>
    ) async throws -> InterceptorResultStream<Request> { await next(request) }
  }

  @Test("One that wraps an interceptor around the rest of the chain is followed by the rest")
  func wrappingSurrounding() async throws {
    let result = try await outcome(
      of: [WrappingInterceptor(Surrounding()), RespondingInterceptor(), JSONResponseParsingInterceptor()]
    ).get()
    #expect(result.data?.hero?.name == "R2-D2")
  }

  /// Has the library's interceptor send the operation, and stops it.
  private final class SendingInterceptor: ApolloInterceptor, Cancellable, Sendable {
    let inner: NetworkFetchInterceptor
    init(_ session: URLSessionClient) { inner = NetworkFetchInterceptor(client: session) }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) { inner.interceptAsync(chain: chain, request: request, response: response, completion: completion) }

    func cancel() { inner.cancel() }
  }

  /// Does not wait for the results, once the operation is sent.
  private struct Leaving: GraphQLInterceptor {
    let arrivals: AsyncStream<Void>

    func intercept<Request: GraphQLRequest>(
      request: Request, next: NextInterceptorFunction<Request>
    ) async throws -> InterceptorResultStream<Request> {
      let results = await next(request)
      for await _ in arrivals { break }
      let failure = AsyncThrowingStream<ParsedResult<Request.Operation>, any Error> {
        $0.finish(throwing: URLError(.timedOut))
      }
      return withExtendedLifetime(results) { InterceptorResultStream<Request>(stream: failure) }
    }
  }

  private struct ListProvider: InterceptorProvider {
    let list: [any ApolloInterceptor & Sendable]
    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      list.map { $0 as any ApolloInterceptor }
    }
  }

  @Test(
    "What a wrapped interceptor sends ends with the operation, and with the part of the chain that it belongs to",
    arguments: [false, true])
  func cancelling(leaves: Bool) async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    try await ScriptedServer.with { _ in
      arrived.yield()
      return [.wait(.init())]
    } _: { server async throws in
      let session = URLSessionClient(sessionConfiguration: .ephemeral)
      let first: [any ApolloInterceptor & Sendable] = leaves ? [Leaving(arrivals: arrivals)] : []
      let sending: [any ApolloInterceptor & Sendable] = [SendingInterceptor(session), JSONResponseParsingInterceptor()]
      let client = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          interceptorProvider: ListProvider(list: first + sending),
          endpointURL: try #require(URL(string: server.address))))
      let task = Task { try await client.fetch(query: HeroQuery()) }
      if leaves {
        await #expect(throws: OperationError.self) { try await task.value }
      } else {
        for await _ in arrivals { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      try await server.until(connectionCount: 0)
      session.invalidate()
    }
  }
}
