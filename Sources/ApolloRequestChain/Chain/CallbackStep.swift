import ApolloHTTP
import ApolloOperations
import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import ApolloCache

/// The chain as an interceptor with callbacks sees it. Each call of the interceptor becomes an answer, which the task
/// of the operation takes.
///
/// An interceptor may answer more than once, and after it has returned, as long as the completion that it was called
/// with is held.
final class CallbackStep<Operation: GraphQLOperation>: RequestChain, Sendable {
  typealias Emit = OperationEmit<Operation>
  typealias Outcome = OperationOutcome<Operation>

  /// What the interceptor asks the chain to do. Each case has the completion that its results go to.
  enum Answer: Sendable {
    case proceed(to: Int, HTTPRequest<Operation>, HTTPResponse<Operation>?, Emit)
    case fail(any Error, HTTPRequest<Operation>, HTTPResponse<Operation>?, Emit)
    case deliver(Outcome, Emit)
    case retry(HTTPRequest<Operation>, Emit)
  }

  private struct State {
    /// The number of answers that the task of the operation has not taken yet.
    var pending = 0
    /// Whether outcomes go directly to the caller, because the task of the operation is busy with an answer, or has
    /// taken the last one.
    var passesOutcomes = false
    /// Whether the caller has an outcome that, by the cache policy, is the last one.
    var hasFinalOutcome = false
    /// Tasks of interceptors of the library that the interceptor has do its work.
    var tasks: [Task<Void, Never>] = []
    /// Whether those were cancelled.
    var isCancelled = false
  }

  private let answers: AsyncStream<Answer>
  private let continuation: AsyncStream<Answer>.Continuation
  private let chain: InterceptorRequestChain
  /// The position of the next interceptor in the chain.
  private let next: Int
  /// The request that the interceptor is called with.
  private let request: HTTPRequest<Operation>
  private let policy: CachePolicy
  private let state = Locked(State())

  init(_ chain: InterceptorRequestChain, next: Int, _ request: HTTPRequest<Operation>) {
    self.chain = chain
    self.next = next
    self.request = request
    policy = request.cachePolicy
    (answers, continuation) = AsyncStream.makeStream()
  }

  // MARK: The side of the operation's task

  /// Stops taking answers.
  func end() { continuation.finish() }

  /// Stops taking answers, and releases those that were not taken: they hold the completion, and that holds this step.
  func endAndRelease() async {
    end()
    for await _ in answers {}
  }

  /// Cancels what interceptors of the library still do for the interceptor.
  func cancelTasks() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  /// The completion that the interceptor is called with. The step ends when its last reference is released.
  func completion(_ emit: @escaping Emit) -> @Sendable (Outcome) -> Void {
    let continuation = continuation
    return CompletionToken { continuation.finish() }
      .guarding { outcome in
        guard !self.isCancelled else { return }
        if self.state.withLock({ $0.passesOutcomes }) {
          self.deliver(outcome, emit)
        } else {
          self.answer(.deliver(outcome, emit))
        }
      }
  }

  func deliver(_ outcome: Outcome, _ emit: Emit) {
    let isFinal =
      switch outcome {
      case .failure: true
      case .success(let result): result.isLast(of: Operation.operationType, under: policy)
      }
    if isFinal { state.withLock { $0.hasFinalOutcome = true } }
    emit(outcome)
  }

  /// Takes one answer after the other and does what it asks for, until the interceptor can answer no more.
  ///
  /// - Parameters:
  ///   - listens: Whether to wait for answers after the caller has its final outcome.
  ///   - body: Does what an answer asks for. It returns false to stop.
  func forEachAnswer(listens: Bool, _ body: (Answer) async -> Bool) async {
    for await answer in answers {
      state.withLock { state in
        state.pending -= 1
        state.passesOutcomes = true
      }
      let goesOn = await body(answer)
      let isOver = state.withLock { state in
        let isOver = !goesOn || (!listens && state.hasFinalOutcome && state.pending == 0)
        state.passesOutcomes = isOver
        return isOver
      }
      if isOver { return }
    }
  }

  private func answer(_ answer: Answer) {
    state.withLock { $0.pending += 1 }
    continuation.yield(answer)
  }

  // MARK: RequestChain

  var isCancelled: Bool { chain.isCancelled }

  func cancel() { chain.cancel() }

  func kickoff<Other: GraphQLOperation>(
    request: HTTPRequest<Other>, completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    retry(request: request, completion: completion)
  }

  func proceedAsync<Other: GraphQLOperation>(
    request: HTTPRequest<Other>, response: HTTPResponse<Other>?,
    completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    own(request, response: response, completion: completion) { answer(.proceed(to: next, $0, $1, $2)) }
  }

  func proceedAsync<Other: GraphQLOperation>(
    request: HTTPRequest<Other>, response: HTTPResponse<Other>?, interceptor: any ApolloInterceptor,
    completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    own(request, response: response, completion: completion) { request, response, emit in
      guard let index = chain.index(behind: interceptor) else {
        let error = InterceptorRequestChain.ChainError.unknownInterceptor(id: interceptor.id)
        return answer(.fail(error, request, response, emit))
      }
      answer(.proceed(to: index, request, response, emit))
    }
  }

  func retry<Other: GraphQLOperation>(
    request: HTTPRequest<Other>, completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    own(request, response: nil, completion: completion) { request, _, emit in answer(.retry(request, emit)) }
  }

  func handleErrorAsync<Other: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Other>, response: HTTPResponse<Other>?,
    completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    own(request, response: response, completion: completion) { answer(.fail(error, $0, $1, $2)) }
  }

  func returnValueAsync<Other: GraphQLOperation>(
    for request: HTTPRequest<Other>, value: GraphQLResult<Other.Data>,
    completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void
  ) {
    own(request, response: nil, completion: completion) { _, _, emit in
      if let value = value as? GraphQLResult<Operation.Data> { answer(.deliver(.success(value), emit)) }
    }
  }

  /// Returns the completion for a call of the interceptor, if the call is about the operation of this chain.
  ///
  /// If the interceptor passes another completion than it was called with, that completion gets the results first, and
  /// decides which of them it passes to the caller.
  private func own<Other: GraphQLOperation>(
    _ request: HTTPRequest<Other>, response: HTTPResponse<Other>?,
    completion: @escaping (Result<GraphQLResult<Other.Data>, any Error>) -> Void,
    _ body: (HTTPRequest<Operation>, HTTPResponse<Operation>?, @escaping Emit) -> Void
  ) {
    guard let request = request as? HTTPRequest<Operation> else {
      let error = OperationError(
        .configuration, "An interceptor passed on a request of another operation, \(Operation.operationName).",
        operationName: Other.operationName)
      return completion(.failure(error))
    }
    request.follow(self.request)
    // Safe: the completion of an app's interceptor (see Handoff).
    nonisolated(unsafe) let completion = completion
    body(request, response as? HTTPResponse<Operation>) { outcome in
      switch outcome {
      case .success(let value):
        if let value = value as? GraphQLResult<Other.Data> { completion(.success(value)) }
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}

extension CallbackStep: WorkingChain {
  func begin(_ body: @escaping @Sendable () async -> Void) {
    let task = Task { await body() }
    let isCancelled = state.withLock { state in
      state.tasks.append(task)
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }
}

extension HTTPRequest {
  /// Takes over what the client knows from the request that code of the app was called with, if the app goes on with this one
  /// in its place.
  func follow(_ former: HTTPRequest) {
    guard self !== former else { return }
    takePlace(of: former)
    if let former = former as? JSONRequest { (self as? JSONRequest)?.takePersistedQueries(of: former) }
  }
}
