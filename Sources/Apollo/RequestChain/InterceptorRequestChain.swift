public import ApolloAPI
import ApolloCache
public import Foundation

/// A chain that calls interceptors in order.
public final class InterceptorRequestChain: RequestChain, @unchecked Sendable {
  // Sendable: what changes is behind `state`'s lock; the interceptors are called one after the other.

  public enum ChainError: ApolloError, @unchecked Sendable {
    // The chain is there to tell which one it was; an error does nothing with it.

    case invalidIndex(chain: any RequestChain, index: Int)
    case noInterceptors
    case unknownInterceptor(id: String)
    /// An interceptor neither went on nor returned nor failed, and let go of its completion.
    case noAnswer

    public var code: ApolloErrorCode { .configuration }

    public var message: String {
      switch self {
      case .invalidIndex(_, let index):
        "No interceptor made a result: the last of \(index) went on without a parsed response."
      case .noInterceptors: "The chain has no interceptors."
      case .unknownInterceptor(let id): "The interceptor '\(id)' is not in this chain."
      case .noAnswer: "An interceptor ended without going on, returning a value, or failing."
      }
    }
  }

  private struct State {
    var isCancelled = false
    /// Behind the interceptor that was called last.
    var next = 0
    /// Counts the starts; what an earlier one still brings in is dropped.
    var attempt = 0
    /// By number; nil for one that is about to begin.
    var tasks: [Int: Task<Void, Never>?] = [:]
    var taskCount = 0
  }

  /// Sees errors before they reach the caller.
  public var additionalErrorHandler: (any ApolloErrorInterceptor)?

  private let interceptors: [any ApolloInterceptor]
  /// The asynchronous ones, in their places.
  private let asyncInterceptors: [(any AsyncInterceptor)?]
  /// Who wants to know how it ended, from the last to the first.
  private let listeners: [any OutcomeInterceptor]
  /// Where results are delivered; nil where they come up.
  private let callbackQueue: DispatchQueue?
  private let state = Locked(State())

  public convenience init(interceptors: [any ApolloInterceptor], callbackQueue: DispatchQueue = .main) {
    self.init(interceptors: interceptors, queue: callbackQueue)
  }

  init(interceptors: [any ApolloInterceptor], queue: DispatchQueue?) {
    self.interceptors = interceptors
    asyncInterceptors = interceptors.map(\.asynchronous)
    listeners = asyncInterceptors.reversed().compactMap { $0?.listening }
    callbackQueue = queue
  }

  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  public func cancel() { stop() }

  /// Stops everything.
  ///
  /// - Returns: False if that had been done before.
  @discardableResult
  func stop() -> Bool {
    let (tasks, isFirst) = state.withLock { state in
      let isFirst = !state.isCancelled
      state.isCancelled = true
      let tasks = state.tasks.values.compactMap(\.self)
      state.tasks = [:]
      return (tasks, isFirst)
    }
    for task in tasks { task.cancel() }
    for interceptor in interceptors where isFirst { (interceptor as? any Cancellable)?.cancel() }
    return isFirst
  }

  // MARK: RequestChain

  public func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !interceptors.isEmpty else {
      return handleErrorAsync(ChainError.noInterceptors, request: request, response: nil, completion: completion)
    }
    state.withLock { $0.attempt += 1 }
    call(0, request, nil, completion)
  }

  public func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    call(state.withLock { $0.next }, request, response, completion)
  }

  public func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, interceptor: any ApolloInterceptor,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard let index = interceptors.firstIndex(where: { $0.id == interceptor.id }) else {
      let error = ChainError.unknownInterceptor(id: interceptor.id)
      return handleErrorAsync(error, request: request, response: response, completion: completion)
    }
    call(index + 1, request, response, completion)
  }

  public func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    kickoff(request: request, completion: completion)
  }

  public func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    conclude(.failure(error), request, response, completion)
  }

  public func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    deliver(.success(value), completion)
  }

  // MARK: Calling interceptors

  private func call<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !isCancelled else { return }
    guard index < interceptors.count else { return conclude(outcome(of: response), request, response, completion) }
    if asyncInterceptors[index] != nil {
      let completion = Handoff(completion)
      start { await self.run(index, request, response, completion) }
    } else {
      state.withLock { $0.next = index + 1 }
      interceptors[index].interceptAsync(
        chain: self, request: request, response: response, completion: completion)
    }
  }

  /// Runs asynchronous interceptors, one after the other, up to the next one with callbacks.
  private func run<Operation: GraphQLOperation>(
    _ first: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: Handoff<(Result<GraphQLResult<Operation.Data>, any Error>) -> Void>
  ) async {
    var index = first, response = response
    do {
      while index < interceptors.count, let interceptor = asyncInterceptors[index] {
        guard !isCancelled else { return }
        switch try await interceptor.intercept(request: request, response: response) {
        case .proceed(let next): response = next
        case .return(let value): return await tell(.success(value), request, response, completion)
        case .returnAndProceed(let value): deliver(.success(value), completion.value)
        case .proceedWithEach(let responses):
          let attempt = state.withLock { $0.attempt }
          for try await each in responses {
            await runToEnd(index + 1, request, each, completion)
            guard state.withLock({ $0.attempt == attempt && !$0.isCancelled }) else { return }
          }
          return
        case .retry: return retry(request: request, completion: completion.value)
        }
        index += 1
      }
      guard index == interceptors.count else { return call(index, request, response, completion.value) }
      await tell(outcome(of: response), request, response, completion)
    } catch {
      await tell(.failure(error), request, response, completion)
    }
  }

  /// Runs the rest of the chain for one of many responses, and waits until nobody can deliver a result of it any more,
  /// so that results come in the order of their responses.
  private func runToEnd<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>,
    _ completion: Handoff<(Result<GraphQLResult<Operation.Data>, any Error>) -> Void>
  ) async {
    await withCheckedContinuation { continuation in
      let end = OnRelease { continuation.resume() }
      let forward = Handoff { (result: Result<GraphQLResult<Operation.Data>, any Error>) in
        withExtendedLifetime(end) { completion.value(result) }
      }
      start { await self.run(index, request, response, forward) }
    }
  }

  /// What came out behind the last interceptor.
  private func outcome<Operation: GraphQLOperation>(
    of response: HTTPResponse<Operation>?
  ) -> Result<GraphQLResult<Operation.Data>, any Error> {
    response?.parsedResponse.map { .success($0) }
      ?? .failure(ChainError.invalidIndex(chain: self, index: interceptors.count))
  }

  /// Starts a task that ends with the chain.
  private func start(_ body: @escaping @Sendable () async -> Void) {
    let number: Int? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.taskCount += 1
      state.tasks.updateValue(nil, forKey: state.taskCount)
      return state.taskCount
    }
    guard let number else { return }
    // (Not under the lock, which the task wants at once.)
    let task = Task {
      await body()
      _ = self.state.withLock { $0.tasks.removeValue(forKey: number) }
    }
    let isCancelled = state.withLock { state in
      if state.tasks.keys.contains(number) { state.tasks[number] = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  // MARK: Ending

  /// Tells the interceptors that want to know, and then the caller, unless one of them starts over.
  private func conclude<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ request: HTTPRequest<Operation>,
    _ response: HTTPResponse<Operation>?,
    _ completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !isCancelled else { return }
    guard !listeners.isEmpty || !fallbacks(for: outcome).isEmpty else {
      return deliver(outcome, request, response, completion)
    }
    let completion = Handoff(completion)
    start { await self.tell(outcome, request, response, completion) }
  }

  /// Who may have another result for a failure.
  private func fallbacks<Value>(for outcome: Result<Value, any Error>) -> [any FallbackInterceptor] {
    guard case .failure = outcome else { return [] }
    return asyncInterceptors.compactMap { $0 as? any FallbackInterceptor }
  }

  private func tell<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ request: HTTPRequest<Operation>,
    _ response: HTTPResponse<Operation>?,
    _ completion: Handoff<(Result<GraphQLResult<Operation.Data>, any Error>) -> Void>
  ) async {
    var outcome = outcome
    for listener in listeners {
      guard !isCancelled else { return }
      do {
        let action = try await listener.didEnd(with: outcome, request: request, response: response)
        if action == .retry { return retry(request: request, completion: completion.value) }
      } catch {
        outcome = .failure(error)
      }
    }
    for fallback in fallbacks(for: outcome) {
      guard case .failure(let error) = outcome else { break }
      if let result = await fallback.fallback(for: error, of: request) { outcome = .success(result) }
    }
    deliver(outcome, request, response, completion.value)
  }

  private func deliver<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, _ request: HTTPRequest<Operation>,
    _ response: HTTPResponse<Operation>?,
    _ completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard case .failure(let error) = outcome, let handler = additionalErrorHandler, !isCancelled else {
      return deliver(outcome, completion)
    }
    let completion = Handoff(completion)
    handler.handleErrorAsync(error: error, chain: self, request: request, response: response) { result in
      // Whether it recovered or not, the caller is on its own queue.
      self.deliver(result, completion.value)
    }
  }

  private func deliver<Data>(
    _ result: Result<GraphQLResult<Data>, any Error>,
    _ completion: @escaping (Result<GraphQLResult<Data>, any Error>) -> Void
  ) {
    guard !isCancelled else { return }
    guard let callbackQueue else { return completion(result) }
    let completion = Handoff(completion)
    callbackQueue.async {
      guard !self.isCancelled else { return }
      completion.value(result)
    }
  }
}
