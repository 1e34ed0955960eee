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

  private typealias Outcome<Operation: GraphQLOperation> = Result<GraphQLResult<Operation.Data>, any Error>
  private typealias Completion<Operation: GraphQLOperation> = (Outcome<Operation>) -> Void

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

  /// Stops everything, unless that has been done before.
  ///
  /// - Parameter tell: Called before anything ends, and so before anybody who waits can be told that there is no result.
  func stop(_ tell: () -> Void = {}) {
    let (tasks, isFirst) = state.withLock { state in
      let isFirst = !state.isCancelled
      state.isCancelled = true
      let tasks = state.tasks.values.compactMap(\.self)
      state.tasks = [:]
      return (tasks, isFirst)
    }
    guard isFirst else { return }
    tell()
    for task in tasks { task.cancel() }
    for interceptor in interceptors { (interceptor as? any Cancellable)?.cancel() }
  }

  // MARK: RequestChain

  /// Runs the chain in the task of the caller, as far as its interceptors are asynchronous, and waits for its end.
  ///
  /// - Returns: The last result; nil if there is none.
  func lastResult<Operation: GraphQLOperation>(
    of request: HTTPRequest<Operation>
  ) async throws -> GraphQLResult<Operation.Data>? {
    let last = LastResult<Operation.Data>()
    return try await withTaskCancellationHandler {
      if let outcome = await begin(request, Handoff(last.receiver())) { return try outcome.get() }
      do {
        return try await last.value
      } catch {
        // Nobody wants what may still come.
        stop()
        throw error
      }
    } onCancel: {
      cancel()
      // An interceptor may keep its completion, and never call it.
      last.end()
    }
  }

  /// - Returns: How the chain ended; nil if that goes to the completion, or nowhere.
  private func begin<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, _ completion: Handoff<Completion<Operation>>
  ) async -> Outcome<Operation>? {
    guard !interceptors.isEmpty else {
      kickoff(request: request, completion: completion.value)
      return nil
    }
    let outcome = await run(startOver(), request, nil, completion)
    return isCancelled ? nil : outcome
  }

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
      start(index, request, response, Handoff(completion))
    } else {
      state.withLock { $0.next = index + 1 }
      interceptors[index].interceptAsync(
        chain: self, request: request, response: response, completion: completion)
    }
  }

  private func start<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: Handoff<Completion<Operation>>
  ) {
    start {
      guard let outcome = await self.run(index, request, response, completion) else { return }
      self.deliver(outcome, completion.value)
    }
  }

  /// Runs asynchronous interceptors, one after the other, up to the next one with callbacks.
  ///
  /// - Returns: How the chain ended; nil if that goes to the completion, or nowhere.
  private func run<Operation: GraphQLOperation>(
    _ first: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: Handoff<Completion<Operation>>
  ) async -> Outcome<Operation>? {
    var index = first, response = response
    while !isCancelled {
      var outcome: Outcome<Operation>?
      if index == interceptors.count {
        outcome = self.outcome(of: response)
      } else if let interceptor = asyncInterceptors[index] {
        do {
          switch try await interceptor.intercept(request: request, response: response) {
          case .proceed(let next): (index, response) = (index + 1, next)
          case .return(let value): outcome = .success(value)
          case .returnAndProceed(let value):
            deliver(.success(value), completion.value)
            index += 1
          case .proceedWithEach(let responses):
            runEach(responses, index + 1, request, response, completion)
            return nil
          case .retry: (index, response) = (startOver(), nil)
          }
        } catch {
          outcome = .failure(error)
        }
        // An interceptor may see that the task of its caller is cancelled before this chain is told.
        guard !Task.isCancelled else { return nil }
      } else {
        call(index, request, response, completion.value)
        return nil
      }
      guard let outcome else { continue }
      if let final = await tell(outcome, request, response) {
        return recover(from: final, request, response, completion.value)
      }
      (index, response) = (startOver(), nil)
    }
    return nil
  }

  /// - Returns: The first interceptor.
  private func startOver() -> Int {
    state.withLock { $0.attempt += 1 }
    return 0
  }

  /// Runs the rest of the chain for each of many responses, in a task that can be stopped from outside.
  ///
  /// It waits until nobody can deliver a result of one any more, so that results come in the order of their responses.
  private func runEach<Operation: GraphQLOperation>(
    _ responses: AsyncThrowingStream<HTTPResponse<Operation>, any Error>, _ index: Int,
    _ request: HTTPRequest<Operation>, _ first: HTTPResponse<Operation>?, _ completion: Handoff<Completion<Operation>>
  ) {
    let attempt = state.withLock { $0.attempt }
    start {
      do {
        for try await response in responses {
          for await _ in self.part(index, request, response, completion) {}
          guard self.state.withLock({ $0.attempt == attempt && !$0.isCancelled }) else { return }
        }
      } catch {
        self.conclude(.failure(error), request, first, completion.value)
      }
    }
  }

  /// Runs the rest of the chain for one of many responses.
  ///
  /// - Returns: A sequence of nothing that ends with this response. (Of a sequence, nobody waits on who is cancelled.)
  private func part<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>,
    _ completion: Handoff<Completion<Operation>>
  ) -> AsyncStream<Void> {
    let (ended, end) = AsyncStream<Void>.makeStream()
    let release = OnRelease { end.finish() }
    let forward: Completion<Operation> = { result in withExtendedLifetime(release) { completion.value(result) } }
    start(index, request, response, Handoff(forward))
    return ended
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
    guard !listeners.isEmpty else {
      if let outcome = recover(from: outcome, request, response, completion) { deliver(outcome, completion) }
      return
    }
    let completion = Handoff(completion)
    start {
      guard let final = await self.tell(outcome, request, response) else {
        return self.retry(request: request, completion: completion.value)
      }
      guard let outcome = self.recover(from: final, request, response, completion.value) else { return }
      self.deliver(outcome, completion.value)
    }
  }

  /// - Returns: What the caller gets; nil if the chain is to start over.
  private func tell<Operation: GraphQLOperation>(
    _ outcome: Outcome<Operation>, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?
  ) async -> Outcome<Operation>? {
    var outcome = outcome
    for listener in listeners {
      guard !isCancelled else { return outcome }
      do {
        let action = try await listener.didEnd(with: outcome, request: request, response: response)
        if action == .retry { return nil }
      } catch {
        outcome = .failure(error)
      }
    }
    return outcome
  }

  /// Lets the error interceptor see a failure.
  ///
  /// - Returns: The outcome; nil if that interceptor sends one to the completion.
  private func recover<Operation: GraphQLOperation>(
    from outcome: Outcome<Operation>, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ completion: @escaping Completion<Operation>
  ) -> Outcome<Operation>? {
    let outcome = response?.redirect?.explaining(outcome) ?? outcome
    guard case .failure(let error) = outcome else { return outcome }
    request.failedResponse = response?.httpResponse
    guard let handler = additionalErrorHandler, !isCancelled else { return outcome }
    let completion = Handoff(completion)
    handler.handleErrorAsync(error: error, chain: self, request: request, response: response) { result in
      // Whether it recovered or not, the caller is on its own queue.
      self.deliver(result, completion.value)
    }
    return nil
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
