import Apollo
@testable import ApolloRequestChain
import Foundation
import ResponseStyles
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A random choice of interceptors, of answers, and of the moment at which the operation is ended.
private final class Program: Sendable {
  enum End: CaseIterable { case signOut, cancelling }

  struct Refusal: Error {}

  private struct State {
    var random: SplitMix
    /// How many moments have passed.
    var moments = 0
    var requests = 0
    var story = ""
  }

  /// The moment at which it is ended; nil: it runs to its own end.
  private let end: Int?
  /// Whether the code that is at that moment goes on after the end only.
  private let waits: Bool
  private let state: Locked<State>
  let isReached = Event(), goesOn = Event()

  init(seed: UInt64, isEnded: Bool) {
    var random = SplitMix(state: seed &+ 1)
    end = isEnded ? Int.random(in: 1...12, using: &random) : nil
    waits = Bool.random(using: &random)
    state = Locked(State(random: random))
  }

  /// What happened, for a failure.
  var story: String { state.withLock { $0.story } }

  func note(_ line: String) { state.withLock { $0.story += "\n\(line)" } }

  func draw<Choice: Sendable>(_ choices: [Choice]) -> Choice { state.withLock { $0.random.pick(choices) } }

  /// Something happens. If this is the moment of the end, the end begins.
  ///
  /// - Returns: Whether what comes next has to wait until the end is over.
  private func isHeld(_ line: String) -> Bool {
    let isEnd = state.withLock { state in
      state.moments += 1
      state.story += "\n\(state.moments): \(line)"
      return state.moments == end
    }
    if isEnd { isReached.happen() }
    return isEnd && waits
  }

  func pass(_ line: String) async {
    guard isHeld(line) else { return }
    // (A task of its own, which is not cancelled.)
    await Task { [goesOn] in try? await goesOn.wait() }.value
  }

  func pass(_ line: String, then body: @escaping @Sendable () -> Void) {
    guard isHeld(line) else { return body() }
    Task { [goesOn] in
      try? await goesOn.wait()
      body()
    }
  }

  /// The text of an answer, or an error.
  func answer() async throws -> String {
    let count = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    await pass("request \(count)")
    // (Interceptors that ask twice would ask without an end.)
    guard count < 60 else { throw Refusal() }
    switch draw([0, 0, 0, 1, end == nil ? 0 : 2]) {
    case 0: return hero("\(count)")
    case 1: throw Refusal()
    default:
      note("request \(count) has no answer")
      isReached.happen()
      try await Event().wait()
      throw Refusal()
    }
  }
}

extension SplitMix {
  fileprivate mutating func pick<Choice: Sendable>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &self)]
  }
}

/// An interceptor around the rest of the chain.
private struct Around: GraphQLInterceptor {
  enum Move: CaseIterable { case pass, askTwice, askTwiceLate, askAfterFailure, retryOnce, leave, ownTask }

  let program: Program, move: Move, id: String
  private let hasRetried = Locked(false)

  init(_ program: Program, _ move: Move, _ place: Int) {
    self.program = program
    self.move = move
    id = "\(move) \(place)"
  }

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await program.pass("\(id) begins")
    let (stream, results) = AsyncThrowingStream<ParsedResult<Request.Operation>, any Error>.makeStream()
    let rest: InterceptorResultStream<Request>
    switch move {
    case .pass: return await next(request)
    case .askTwice:
      for try await parsed in await next(request) { results.yield(parsed) }
      await program.pass("\(id) asks again")
      rest = await next(request)
    case .askTwiceLate:
      let first = await next(request)
      rest = await next(request)
      for try await parsed in first { results.yield(parsed) }
    case .askAfterFailure:
      do {
        for try await parsed in await next(request) { results.yield(parsed) }
        results.finish()
        return InterceptorResultStream(stream: stream)
      } catch {
        await program.pass("\(id) asks again")
        rest = await next(request)
      }
    case .retryOnce:
      let isFirst = hasRetried.withLock { hasRetried in
        defer { hasRetried = true }
        return !hasRetried
      }
      guard isFirst else { return await next(request) }
      for try await parsed in await next(request) { results.yield(parsed) }
      await program.pass("\(id) retries")
      throw InterceptorRequestChain.Retry(request: request)
    case .leave:
      let left = await next(request)
      await program.pass("\(id) leaves")
      withExtendedLifetime(left) { results.finish(throwing: Program.Refusal()) }
      return InterceptorResultStream(stream: stream)
    case .ownTask: rest = await next(request)
    }
    let task = Task { [program, id] in
      do {
        for try await parsed in rest {
          await program.pass("\(id) has a result")
          results.yield(parsed)
        }
        results.finish()
      } catch {
        results.finish(throwing: error)
      }
    }
    results.onTermination = { _ in task.cancel() }
    return InterceptorResultStream(stream: stream)
  }
}

/// An interceptor with callbacks.
private struct Calling: ApolloInterceptor, Sendable {
  enum Move: CaseIterable { case proceed, proceedTwice, elsewhere, retryOnce, failOnce, returnAndProceed, drop }

  let program: Program, move: Move, id: String
  private let isLater = Locked(false)

  init(_ program: Program, _ move: Move, _ place: Int) {
    self.program = program
    self.move = move
    id = "\(move) \(place)"
  }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    // Safe: a chain of the library, and its completion.
    nonisolated(unsafe) let chain = chain, completion = completion
    program.pass("\(id) begins") { [self] in
      let isFirst = isLater.withLock { isLater in
        defer { isLater = true }
        return !isLater
      }
      @Sendable func proceed() {
        chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
      }
      switch move {
      case .proceed: proceed()
      case .elsewhere: DispatchQueue.global().async { program.pass("\(id) goes on", then: proceed) }
      // (Behind the response, the second way would parse it again while code of the app has it: a known data race.)
      case .proceedTwice where response != nil: proceed()
      case .proceedTwice:
        proceed()
        program.pass("\(id) goes on again", then: proceed)
      case .retryOnce where isFirst: chain.retry(request: request, completion: completion)
      case .failOnce where isFirst:
        chain.handleErrorAsync(Program.Refusal(), request: request, response: response, completion: completion)
      case .returnAndProceed:
        if let result = response?.parsedResponse {
          chain.returnValueAsync(for: request, value: result, completion: completion)
        }
        program.pass("\(id) goes on", then: proceed)
      case .drop: break
      case .retryOnce, .failOnce: proceed()
      }
    }
  }
}

/// The place of the network.
private struct Answering: HTTPStep, StepInterceptor {
  let program: Program

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let text = try await program.answer()
    let head = try #require(
      HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil))
    return .proceed(HTTPResponse(response: head, rawData: Data(text.utf8), parsedResponse: nil))
  }
}

private struct ProgramProvider: InterceptorProvider {
  let list: [any ApolloInterceptor & Sendable]

  init(_ program: Program, _ store: ApolloStore) {
    func own(_ place: Int) -> [any ApolloInterceptor & Sendable] {
      switch program.draw(Array(0..<4)) {
      case 0: [Around(program, program.draw(Around.Move.allCases), place)]
      case 1: [Calling(program, program.draw(Calling.Move.allCases), place)]
      default: []
      }
    }
    list =
      own(0) + own(1) + [CacheReadInterceptor(store: store)] + own(2) + own(3) + [Answering(program: program)] + own(4)
      + [JSONResponseParsingInterceptor()] + own(5) + [CacheWriteInterceptor(store: store)] + own(6)
  }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    list.map { $0 as any ApolloInterceptor }
  }
}

/// Tells when the operation that it belongs to is released.
private final class ReleaseWitness: RequestContext, Sendable {
  private let isReleased: Event
  init(_ isReleased: Event) { self.isReleased = isReleased }
  deinit { isReleased.happen() }
}

@Suite("Random interceptors of an app", .timeLimit(.minutes(10)))
struct ChainProgramTests {
  @Test(
    "An operation ends with a sign-out, and when it is cancelled, wherever it is; nothing comes after that, and nothing stays",
    arguments: Effort.seeds(300))
  func ends(seed: UInt64) async throws {
    var random = SplitMix(state: seed &+ 1_000_000)
    let end = random.pick(Program.End.allCases)
    let policy = random.pick([
      CachePolicy.default, .fetchIgnoringCacheData, .returnCacheDataAndFetch, .returnCacheDataElseFetch,
    ])
    let store = ApolloStore()
    if Bool.random(using: &random) {
      // (The cache has something.)
      try await run(Program(seed: seed &+ 1, isEnded: false), store, nil, policy)
    }
    try await run(Program(seed: seed, isEnded: true), store, end, policy)
  }

  private func run(_ program: Program, _ store: ApolloStore, _ end: Program.End?, _ policy: CachePolicy) async throws {
    let provider = ProgramProvider(program, store)
    program.note("\(end.map { "\($0)" } ?? "to its end"), \(policy): \(provider.list.map(\.id))")
    let client = ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: try #require(URL(string: "http://127.0.0.1:9/"))),
      store: store)
    let isReleased = Event(), hasEnded = Event(), isOver = Locked(false)
    let operation = Task { [isReached = program.isReached] in
      defer {
        hasEnded.happen()
        isReached.happen()
      }
      let witness = ReleaseWitness(isReleased)
      // (A call that is cancelled waits for code of the app that does not end; a sign-out does not wait.)
      if end == .signOut, program.draw([true, false]) {
        _ = try? await client.fetch(query: HeroQuery(), cachePolicy: policy, context: witness)
        return
      }
      var results = client.results(of: HeroQuery(), cachePolicy: policy, context: witness).makeAsyncIterator()
      while true {
        let wasOver = isOver.withLock { $0 }
        do {
          guard try await results.next() != nil else { return }
          #expect(!wasOver, "a result came after the end\(program.story)")
        } catch {
          let isSignOut = (error as? any ApolloError)?.code == .signedOut
          #expect(end != .signOut || !wasOver || isSignOut, "\(error) came after the end\(program.story)")
          return
        }
      }
    }
    try await program.isReached.wait()
    switch end {
    case .signOut?: try await client.signOut()
    case .cancelling?: operation.cancel()
    case nil: break
    }
    if end == .signOut { isOver.withLock { $0 = true } }
    do {
      // The code of the app that waits goes on only when the operation is over.
      try await hasEnded.wait()
      program.goesOn.happen()
      try await isReleased.wait()
    } catch {
      Issue.record("the operation is \(hasEnded.value > 0 ? "still there" : "not over")\(program.story)")
    }
  }
}
