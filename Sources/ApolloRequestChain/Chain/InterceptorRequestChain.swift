public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

/// A chain that calls interceptors in order.
///
/// One task runs an operation: `run(_:listens:emit:)` takes it from the first interceptor to the last, and returns
/// when it is over. An interceptor with callbacks is called with a `CallbackStep` in place of this chain. The step
/// brings what the interceptor does back into that task.
public final class InterceptorRequestChain: RequestChain, StepChain, @unchecked Sendable {
  // Sendable: what changes is behind the lock of `state`; the interceptors are called one after the other.

  /// Why a chain cannot run an operation.
  public enum ChainError: ApolloError, ChainFailure, @unchecked Sendable {
    // Sendable: the error only carries the chain, so that its receiver can tell which one it was.

    /// No interceptor made a result: the last one went on without a parsed response.
    case invalidIndex(chain: any RequestChain, index: Int)
    /// The chain has no interceptors.
    case noInterceptors
    /// An interceptor that is not in the chain asked it to go on.
    case unknownInterceptor(id: String)

    /// The kind of this error: ``ApolloErrorCode/configuration``.
    public var code: ApolloErrorCode { .configuration }

    package var isWithoutResult: Bool {
      if case .invalidIndex = self { true } else { false }
    }

    /// One sentence that says what went wrong.
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
    /// Closures that end the steps that wait for an interceptor.
    var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// Tasks that run what callbacks asked for.
    var tasks: [Task<Void, Never>] = []
  }

  /// The interceptor that sees every error before it reaches the caller; nil, the default, for none.
  @exclusivity(unchecked) public var additionalErrorHandler: (any ApolloErrorInterceptor)? {
    didSet { isHandedOut = hasCallbacks || additionalErrorHandler != nil }
  }

  let interceptors: [any ApolloInterceptor]
  /// How each of the interceptors is called.
  package let steps: [StepKind]
  /// Whether code with callbacks is called with this chain.
  @exclusivity(unchecked) package private(set) var isHandedOut: Bool
  private let hasCallbacks: Bool
  /// Where the results of ``kickoff(request:completion:)`` are delivered.
  private let callbackQueue: DispatchQueue
  private let state = Locked(State())

  /// Makes a chain.
  ///
  /// - Parameters:
  ///   - interceptors: The interceptors, in the order in which they are called.
  ///   - callbackQueue: Where completions are called. By default the main queue.
  public init(interceptors: [any ApolloInterceptor], callbackQueue: DispatchQueue = .main) {
    self.interceptors = interceptors
    var hasCallbacks = false
    steps = interceptors.map { interceptor in
      switch interceptor.kind.kind {
      case .step(let step): return step
      case .around: return .app
      case .callbacks:
        hasCallbacks = true
        return .app
      }
    }
    self.hasCallbacks = hasCallbacks
    isHandedOut = hasCallbacks
    self.callbackQueue = callbackQueue
  }

  // MARK: Cancelling

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops the operation. No completion is called after that.
  public func cancel() {
    let (stopped, isFirst) = state.withLock { state in
      defer { (state.isCancelled, state.waiting, state.tasks) = (true, [:], []) }
      return (state, !state.isCancelled)
    }
    guard isFirst else { return }
    for end in stopped.waiting.values { end() }
    for task in stopped.tasks { task.cancel() }
    for interceptor in interceptors { (interceptor as? any Cancellable)?.cancel() }
  }

  /// Runs `body`, and calls `end` if the chain is cancelled meanwhile.
  func whileWaiting<T>(
    for step: AnyObject, onCancel end: @escaping @Sendable () -> Void, _ body: () async -> T
  ) async -> T {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting[ObjectIdentifier(step)] = end }
      return state.isCancelled
    }
    if isCancelled { end() }
    defer { state.takeOut { $0.waiting.removeValue(forKey: ObjectIdentifier(step)) } }
    return await body()
  }

  // MARK: RequestChain

  /// Runs an operation from the first interceptor on.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - completion: Called with each result or with the error, on the callback queue.
  public func kickoff<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    start(completion) { await self.run(request, listens: true, emit: $0) }
  }

  /// Runs an operation from the first interceptor on, with a response.
  public func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    start(completion) { await self.run(from: 0, passage: request, response: response, listens: true, emit: $0) }
  }

  /// Runs an operation from the interceptor after a given one on.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - response: The response so far; nil if there is none yet.
  ///   - interceptor: The interceptor that has done its work. If it is not in this chain, the operation fails with
  ///     ``ChainError/unknownInterceptor(id:)``.
  ///   - completion: Called with each result or with the error, on the callback queue.
  public func proceedAsync<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, interceptor: any ApolloInterceptor,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard let index = index(behind: interceptor) else {
      let error = ChainError.unknownInterceptor(id: interceptor.id)
      return handleErrorAsync(error, request: request, response: response, completion: completion)
    }
    start(completion) { await self.run(from: index, passage: request, response: response, listens: true, emit: $0) }
  }

  /// Starts an operation again at the first interceptor.
  public func retry<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    kickoff(request: request, completion: completion)
  }

  /// Ends an operation with an error, unless an interceptor recovers from it.
  public func handleErrorAsync<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    start(completion) { await self.fail(error, passage: request, response: response, listens: true, emit: $0) }
  }

  /// Delivers a result to the caller.
  public func returnValueAsync<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, value: GraphQLResult<Operation.Data>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    start(completion) { $0(.success(value)) }
  }

  /// - Returns: The position of the next interceptor; nil if this one is not in the chain.
  func index(behind interceptor: any ApolloInterceptor) -> Int? {
    interceptors.firstIndex { $0.id == interceptor.id }.map { $0 + 1 }
  }

  /// Starts a task that delivers on the callback queue.
  private func start<Data>(
    _ completion: @escaping (Result<GraphQLResult<Data>, any Error>) -> Void,
    _ body: @escaping @Sendable (@escaping @Sendable (Result<GraphQLResult<Data>, any Error>) -> Void) async -> Void
  ) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let completion = completion
    started {
      await body { outcome in
        self.callbackQueue.async {
          if !self.isCancelled { completion(outcome) }
        }
      }
    }
  }

  /// Runs `body` to its end. Cancelling the chain cancels `body`, and cancelling the calling task cancels the chain.
  package func untilCancelled(_ body: @escaping @Sendable () async -> Void) async {
    // (Before the task begins, which would not know it from the start.)
    if Task.isCancelled { cancel() }
    let task = started(body)
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      cancel()
    }
  }

  /// Starts a task that is cancelled with the chain.
  ///
  /// - Returns: The task.
  @discardableResult
  func started(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task { await body() }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.tasks.append(task) }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
    return task
  }
}
