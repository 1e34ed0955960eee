@testable import ApolloRequestChain
import ApolloConcurrency
import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Ending an operation in each of the places where it may be.
@Suite("Cancellation", .timeLimit(.minutes(5)))
struct CancellationTests {
  /// Goes with an operation: once it is gone, nothing holds the operation any more.
  final class Canary: RequestContext, Sendable {}

  /// Where an operation is when it is cancelled.
  enum Stage: String, CaseIterable {
    case beforeSending, refreshingCredentials, waitingForResponse, inBody, betweenRetries, inStream, uploading
    case inErrorInterceptor, batched, deduplicated
  }

  struct WaitingInterceptor: HTTPStep, StepInterceptor {
    let reached: AsyncStream<Void>.Continuation
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      reached.yield()
      try await untilCancelled()
    }
  }

  struct WaitingAuthenticator: Authenticator {
    let reached: AsyncStream<Void>.Continuation
    func credentials() async throws -> [String: String] {
      reached.yield()
      try await untilCancelled()
    }
    func renew(refused: [String: String]) async throws -> Bool { false }
  }

  /// Answers when it is told to.
  struct LateErrorInterceptor: ApolloErrorInterceptor {
    let reached: AsyncStream<Void>.Continuation
    private let pending = Locked<Handoff<() -> Void>?>(nil)

    init(reached: AsyncStream<Void>.Continuation) { self.reached = reached }

    func answer() {
      pending.withLock { pending in
        defer { pending = nil }
        return pending
      }?.value()
    }

    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let call = Handoff { completion(.failure(error)) }
      pending.withLock { $0 = call }
      reached.yield()
    }
  }

  struct StageProvider: InterceptorProvider {
    let base: DefaultInterceptorProvider
    var first: [any StepInterceptor] = []
    var errorInterceptor: LateErrorInterceptor?

    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      first.map { $0 as any ApolloInterceptor } + base.interceptors(for: operation)
    }
    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { errorInterceptor }
  }

  private func provider(
    for stage: Stage, _ session: URLSessionClient, _ reached: AsyncStream<Void>.Continuation
  ) -> StageProvider {
    var options = DefaultInterceptorProvider.Options()
    switch stage {
    case .refreshingCredentials: options.authenticator = WaitingAuthenticator(reached: reached)
    case .betweenRetries:
      options.retry = .init(
        baseDelay: 600, maxDelay: 600, enableExponentialBackoff: true, enableJitter: false,
        retryRule: MaxRetryInterceptor.RetryRule { _ in
          reached.yield()
          return true
        })
    case .batched: options.batcher = RequestChainNetworkTransport.RequestBatcher()
    case .deduplicated: options.deduplicatesQueries = true
    default: break
    }
    var provider = StageProvider(
      base: DefaultInterceptorProvider(client: session, store: ApolloStore(), options: options))
    if stage == .beforeSending { provider.first = [WaitingInterceptor(reached: reached)] }
    if stage == .inErrorInterceptor { provider.errorInterceptor = LateErrorInterceptor(reached: reached) }
    return provider
  }

  private static func steps(_ stage: Stage) -> [ScriptedServer.Step] {
    switch stage {
    case .betweenRetries, .inErrorInterceptor: [.respond("no", status: 503)]
    case .inBody: [.begin(contentType: "application/json"), .write("{\"data\":"), .wait(.init())]
    case .inStream:
      [
        .begin(contentType: "multipart/mixed;boundary=b;subscriptionSpec=1.0"),
        .write("--b\r\n\r\n{\"payload\":{\"data\":{\"count\":1}}}\r\n--b"), .wait(.init()),
      ]
    default: [.wait(.init())]
    }
  }

  private func start(
    _ stage: Stage, _ client: ApolloClient, _ context: Canary, _ handler: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    switch stage {
    case .inStream:
      client.subscribe(subscription: CountSubscription(), context: context, queue: .global()) { _ in handler() }
    case .uploading:
      client.upload(
        operation: UploadFileMutation(),
        files: [GraphQLFile(fieldName: "file", originalName: "a", data: Data(count: 20_000_000))], context: context,
        queue: .global()
      ) { _ in handler() }
    default: client.fetch(query: HeroQuery(), context: context, queue: .global()) { _ in handler() }
    }
  }

  /// The same for callers that wait: the task ends once they do no more.
  private func startWaiting(
    _ stage: Stage, _ client: ApolloClient, _ context: Canary, _ handler: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        switch stage {
        case .inStream:
          for try await _ in client.subscribe(to: CountSubscription(), context: context) { handler() }
        case .uploading:
          let file = GraphQLFile(fieldName: "file", originalName: "a", data: Data(count: 20_000_000))
          try await client.upload(operation: UploadFileMutation(), files: [file], context: context)
          handler()
        default:
          _ = try await client.fetch(query: HeroQuery(), context: context)
          handler()
        }
      } catch is CancellationError {
      } catch {
        handler()
      }
    }
  }

  @Test(
    "Wherever it is, the request ends at once, no handler is called afterwards, and nothing of it stays",
    arguments: Stage.allCases, [false, true])
  func everywhere(_ stage: Stage, isAsync: Bool) async throws {
    let (reachedStage, reached) = AsyncStream<Void>.makeStream()
    weak var leaked: Canary?
    let calls = Locked(0)
    var callsBefore = 0
    try await ScriptedServer.with { _ in
      reached.yield()
      return Self.steps(stage)
    } _: { server async throws in
      let session = URLSessionClient(sessionConfiguration: .ephemeral)
      do {
        let provider = provider(for: stage, session, reached)
        let client = ApolloClient(
          networkTransport: RequestChainNetworkTransport(
            interceptorProvider: provider, endpointURL: URL(string: server.address)!))
        let canary = Canary()
        leaked = canary
        let handler: @Sendable () -> Void = {
          calls.withLock { $0 += 1 }
          if stage == .inStream { reached.yield() }
        }
        let waiting = isAsync ? startWaiting(stage, client, canary, handler) : nil
        let running = isAsync ? nil : start(stage, client, canary, handler)
        // A stream has begun with its first event, a retry after the first response.
        let signals = [.inStream, .betweenRetries, .inErrorInterceptor].contains(stage) ? 2 : 1
        var count = 0
        for await _ in reachedStage {
          count += 1
          if count == signals { break }
        }
        waiting?.cancel()
        await waiting?.value
        running?.cancel()
        callsBefore = calls.withLock { $0 }
        #expect(callsBefore == (stage == .inStream ? 1 : 0))
        if [.waitingForResponse, .inBody, .inStream, .batched, .deduplicated].contains(stage) {
          // The connection is closed.
          try await server.until(connectionCount: 0)
        }
        provider.errorInterceptor?.answer()
      }
      try await eventually("something is left that could call") { leaked == nil }
      #expect(calls.withLock { $0 } == callsBefore)
      session.invalidate()
    }
  }

  @Test("A task that is cancelled before it begins sends nothing")
  func beforeItBegins() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.fetch(query: HeroQuery())
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(requests.isEmpty)
  }

  /// Goes on with nothing, and is never done.
  private struct SilentInterceptor: ApolloInterceptor {
    let id = "silent"
    let reached: AsyncStream<Void>.Continuation
    private let kept = Locked<[Handoff<() -> Void>]>([])

    init(reached: AsyncStream<Void>.Continuation) { self.reached = reached }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let call = Handoff { completion(.failure(URLError(.unknown))) }
      kept.withLock { $0.append(call) }
      reached.yield()
    }
  }

  private struct FixedProvider: InterceptorProvider {
    let chain: [any ApolloInterceptor & Sendable]
    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      chain.map { $0 as any ApolloInterceptor }
    }
  }

  private func chainClient(
    of interceptors: [any ApolloInterceptor & Sendable], at address: String = "http://localhost:1"
  ) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: FixedProvider(chain: interceptors), endpointURL: URL(string: address)!))
  }

  /// An answer in parts, of which the first one comes, and then nothing.
  private static let firstPart: [ScriptedServer.Step] = [
    .begin(contentType: "multipart/mixed;boundary=b"),
    .write("--b\r\n\r\n" + hero().dropLast() + ",\"hasNext\":true}\r\n--b"), .wait(.init()),
  ]

  @Test("Once its task is cancelled, a caller does not wait for an interceptor that never answers", arguments: [0, 1])
  func silence(_ place: Int) async throws {
    let (reachedInterceptor, reached) = AsyncStream<Void>.makeStream()
    let silent = SilentInterceptor(reached: reached)
    let client = chainClient(of: place == 0 ? [silent] : [MaxRetryInterceptor(), silent])
    let task = Task { try await client.fetch(query: HeroQuery()) }
    for await _ in reachedInterceptor { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Nor for one that never answers to a part of a response")
  func silenceInParts() async throws {
    let (reachedInterceptor, reached) = AsyncStream<Void>.makeStream()
    try await ScriptedServer.with { _ in
      Self.firstPart
    } _: { server async throws in
      let session = URLSessionClient(sessionConfiguration: .ephemeral)
      let client = chainClient(
        of: [
          NetworkFetchInterceptor(client: session), MultipartResponseParsingInterceptor(),
          SilentInterceptor(reached: reached),
        ], at: server.address)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      for await _ in reachedInterceptor { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await server.until(connectionCount: 0)
      session.invalidate()
    }
  }

  /// Lets everything pass, and keeps the chain.
  private struct ChainKeeper: ApolloInterceptor {
    let id: String
    let reached: AsyncStream<Void>.Continuation
    private let chain = Locked<Handoff<any RequestChain>?>(nil)

    init(_ id: String, reached: AsyncStream<Void>.Continuation) { (self.id, self.reached) = (id, reached) }

    func cancel() { chain.withLock { $0 }?.value.cancel() }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let kept = Handoff(chain)
      self.chain.withLock { $0 = kept }
      reached.yield()
      chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
    }
  }

  @Test(
    "A chain that is cancelled from outside between two parts ends, and so does the request", arguments: [false, true])
  func cancelledFromOutside(isWaiting: Bool) async throws {
    let (reachedInterceptor, reached) = AsyncStream<Void>.makeStream()
    try await ScriptedServer.with { _ in
      Self.firstPart
    } _: { server async throws in
      let session = URLSessionClient(sessionConfiguration: .ephemeral)
      let keeper = ChainKeeper("before", reached: reached), (readPart, hasRead) = AsyncStream<Void>.makeStream()
      let client = chainClient(
        of: [
          NetworkFetchInterceptor(client: session), MultipartResponseParsingInterceptor(), keeper,
          JSONResponseParsingInterceptor(), ChainKeeper("behind", reached: hasRead),
        ], at: server.address)
      let task = Task { try await client.fetch(query: HeroQuery()) }
      for await _ in reachedInterceptor { break }
      // Once the first part has passed all interceptors, the chain waits for the next one.
      if isWaiting { for await _ in readPart { break } }
      keeper.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      try await server.until(connectionCount: 0)
      session.invalidate()
    }
  }

  /// Calls its chain's listeners if it gets the chance to fail.
  private struct PollingInterceptor: HTTPStep, StepInterceptor {
    let reached: AsyncStream<Void>.Continuation
    func intercept<Operation: GraphQLOperation>(
      request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
    ) async throws -> NextStep<Operation> {
      reached.yield()
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
  }

  private struct CountingListener: OutcomeInterceptor {
    let count = Locked(0)
    func intercept<Operation: GraphQLOperation>(
      _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
    ) async throws -> NextStep<Operation> { .proceed(response) }

    func didEnd<Operation: GraphQLOperation>(
      _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
      _ response: OperationResponse<Operation>?
    ) async throws -> OutcomeAction {
      count.withLock { $0 += 1 }
      return .deliver
    }
  }

  @Test("Interceptors are not told of the end of what was cancelled")
  func noListeners() async throws {
    let (reachedInterceptor, reached) = AsyncStream<Void>.makeStream()
    let listener = CountingListener()
    let client = chainClient(of: [listener, PollingInterceptor(reached: reached)])
    var reaching = reachedInterceptor.makeAsyncIterator()
    for _ in 0..<200 {
      let task = Task { try await client.fetch(query: HeroQuery()) }
      await reaching.next()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(listener.count.withLock { $0 } == 0)
  }
}
