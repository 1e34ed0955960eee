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

    public var code: ApolloErrorCode { .configuration }

    public var message: String {
      switch self {
      case .invalidIndex(_, let index):
        "No interceptor made a result: the last of \(index) went on without a parsed response."
      case .noInterceptors: "The chain has no interceptors."
      case .unknownInterceptor(let id): "The interceptor '\(id)' is not in this chain."
      }
    }
  }

  private struct State {
    var isCancelled = false
    /// Behind the interceptor that was called last.
    var next = 0
    var tasks: [Int: Task<Void, Never>] = [:]
    var taskCount = 0
  }

  /// Sees errors before they reach the caller.
  public var additionalErrorHandler: (any ApolloErrorInterceptor)?

  private let interceptors: [any ApolloInterceptor]
  /// Where results are delivered; nil where they come up.
  private let callbackQueue: DispatchQueue?
  /// Called when an operation that answers many times has answered for the last time.
  private let onFinish: (@Sendable () -> Void)?
  private let state = Locked(State())

  public convenience init(interceptors: [any ApolloInterceptor], callbackQueue: DispatchQueue = .main) {
    self.init(interceptors: interceptors, queue: callbackQueue, onFinish: nil)
  }

  init(interceptors: [any ApolloInterceptor], queue: DispatchQueue?, onFinish: (@Sendable () -> Void)?) {
    self.interceptors = interceptors
    self.callbackQueue = queue
    self.onFinish = onFinish
  }

  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  public func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      let tasks = Array(state.tasks.values)
      state.tasks = [:]
      return tasks
    }
    for task in tasks { task.cancel() }
    for interceptor in interceptors { (interceptor as? any Cancellable)?.cancel() }
    // Whoever waits for results must not wait for ever if it was an interceptor that cancelled.
    onFinish?()
  }

  // MARK: RequestChain

  public func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !interceptors.isEmpty else {
      return handleErrorAsync(ChainError.noInterceptors, request: request, response: nil, completion: completion)
    }
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
    guard !isCancelled else { return }
    guard let handler = additionalErrorHandler else { return deliver(.failure(error), completion) }
    let completion = Handoff(completion)
    handler.handleErrorAsync(error: error, chain: self, request: request, response: response) { result in
      // Whether it recovered or not, the caller is on its own queue.
      self.deliver(result, completion.value)
    }
  }

  public func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !isCancelled else { return }
    deliver(.success(value), completion)
  }

  private func deliver<Data>(
    _ result: Result<GraphQLResult<Data>, any Error>,
    _ completion: @escaping (Result<GraphQLResult<Data>, any Error>) -> Void
  ) {
    guard let callbackQueue else { return completion(result) }
    let completion = Handoff(completion)
    callbackQueue.async {
      guard !self.isCancelled else { return }
      completion.value(result)
    }
  }

  // MARK: Calling interceptors

  private func call<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard !isCancelled else { return }
    guard index < interceptors.count else { return finish(request, response, completion) }
    if interceptors[index] is any AsyncInterceptor {
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
      while index < interceptors.count, let interceptor = interceptors[index] as? any AsyncInterceptor {
        guard !isCancelled else { return }
        switch try await interceptor.intercept(request: request, response: response) {
        case .proceed(let next): response = next
        case .return(let value):
          returnValueAsync(for: request, value: value, completion: completion.value)
          onFinish?()
          return
        case .returnAndProceed(let value):
          returnValueAsync(for: request, value: value, completion: completion.value)
        case .proceedWithEach(let responses):
          for try await each in responses { await run(index + 1, request, each, completion) }
          onFinish?()
          return
        case .retry: return retry(request: request, completion: completion.value)
        }
        index += 1
      }
      call(index, request, response, completion.value)
    } catch {
      handleErrorAsync(error, request: request, response: response, completion: completion.value)
    }
  }

  private func finish<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard let result = response?.parsedResponse else {
      let error = ChainError.invalidIndex(chain: self, index: interceptors.count)
      return handleErrorAsync(error, request: request, response: response, completion: completion)
    }
    returnValueAsync(for: request, value: result, completion: completion)
  }

  /// Starts a task that ends with the chain.
  private func start(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isCancelled else { return }
      let number = state.taskCount
      state.taskCount += 1
      state.tasks[number] = Task {
        await body()
        self.state.withLock { $0.tasks[number] = nil }
      }
    }
  }
}
