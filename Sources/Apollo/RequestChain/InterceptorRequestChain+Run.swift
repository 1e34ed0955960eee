import ApolloAPI
import ApolloCache

extension InterceptorRequestChain {
  typealias Outcome<Operation: GraphQLOperation> = Result<GraphQLResult<Operation.Data>, any Error>
  typealias Emit<Operation: GraphQLOperation> = @Sendable (Outcome<Operation>) -> Void

  /// Where the results of a chain go.
  struct Exit<Operation: GraphQLOperation>: Sendable {
    /// Whether to wait for what an interceptor with callbacks may still do after the operation has a result.
    let listens: Bool
    /// Called with each result and each failure.
    var emit: Emit<Operation>
    /// Set for the part of a chain that a ``GraphQLInterceptor`` surrounds: results go to the interceptor, and not to
    /// the caller.
    var inner: InnerPart<Operation>?
  }

  /// How a pass through the interceptors ended.
  enum Ending<Operation: GraphQLOperation>: Sendable {
    /// The result, or all results, have been delivered.
    case done
    /// An error ended it, or it was cancelled: nothing follows.
    case stopped
    /// The operation starts again, and delivers its results to `emit`.
    case retry(HTTPRequest<Operation>, emit: Emit<Operation>)
  }

  /// Runs an operation from the first interceptor to its end.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - listens: Whether to wait for what an interceptor with callbacks may still do after the operation has a result.
  ///   - emit: Called with each result and each failure; not called after the chain was cancelled.
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, listens: Bool, emit: @escaping Emit<Operation>
  ) async {
    guard !interceptors.isEmpty else {
      return await fail(ChainError.noInterceptors, request: request, response: nil, listens: listens, emit: emit)
    }
    await run(from: 0, request: request, response: nil, listens: listens, emit: emit)
  }

  /// Runs an operation from one of the interceptors to its end.
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    from index: Int, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    let body = { @Sendable in
      var ending = await self.enter(
        at: index, request: request, response: response, to: Exit(listens: listens, emit: emit))
      while case .retry(let request, let emit) = ending {
        ending = await self.enter(at: 0, request: request, response: nil, to: Exit(listens: listens, emit: emit))
      }
    }
    // Only code with callbacks holds the chain, and so can cancel it from outside.
    if hasCallbacks {
      await untilCancelled(body)
    } else {
      await withTaskCancellationHandler(operation: body) { cancel() }
    }
  }

  /// Ends an operation with an error, unless an interceptor recovers from it.
  nonisolated(nonsending) func fail<Operation: GraphQLOperation>(
    _ error: any Error, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    let ending = await conclude(
      .failure(error), request: request, response: response, to: Exit(listens: listens, emit: emit))
    if case .retry(let request, let emit) = ending { await run(request, listens: listens, emit: emit) }
  }

  // MARK: One way through

  /// (Without code that has the chain, it is cancelled only when its task is.)
  var isOver: Bool { Task.isCancelled || hasCallbacks && isCancelled }

  /// Goes through the interceptors, at once in the task that a sign-out ends, if it waits for the server from the start.
  @inline(__always)
  private nonisolated(nonsending) func enter<Operation: GraphQLOperation>(
    at index: Int, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    request.mustBeTracked
      ? await passTracked(from: index, request: request, response: response, to: exit)
      : await pass(from: index, request: request, response: response, to: exit)
  }

  /// Calls one interceptor after the other.
  nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    from first: Int, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    var index = first, response = response
    let end = exit.inner?.end ?? interceptors.count
    while index < end {
      guard !isOver else { return .stopped }
      if request.mustBeTracked {
        return await passTracked(from: index, request: request, response: response, to: exit)
      }
      let step: any ChainStep
      switch kinds[index] {
      case .step(let plain): step = plain
      case .listening(let listening): step = listening
      case .callbacks: return await passCallbacks(at: index, request: request, response: response, to: exit)
      case .around(let interceptor):
        return await pass(around: interceptor, at: index, request: request, response: response, to: exit)
      }
      do {
        switch try await step.intercept(request: request, response: response) {
        case .proceed(let next): response = next
        case .return(let value): return await conclude(.success(value), request: request, response: response, to: exit)
        case .returnAndProceed(let value): if !isOver { exit.deliver(value) }
        case .proceedWithEach(let responses):
          return try await pass(responses, from: index + 1, request: request, to: exit)
        case .retry: return .retry(request, emit: exit.emit)
        }
      } catch {
        return await conclude(.failure(error), request: request, response: response, to: exit)
      }
      index += 1
    }
    let outcome: Outcome<Operation> =
      response?.parsedResponse.map { .success($0) }
      ?? .failure(ChainError.invalidIndex(chain: self, index: end))
    return await conclude(outcome, request: request, response: response, to: exit)
  }

  /// Calls the remaining interceptors in a task that ends when the user signs out.
  @inline(never) private nonisolated(nonsending) func passTracked<Operation: GraphQLOperation>(
    from index: Int, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    request.setTracked(true)
    guard let running = request.running else { return .stopped }
    let passed = Locked(Ending<Operation>.stopped)
    let isDone = await running.run(request.asked, beginsAtOnce: exit.listens) {
      let ending = await self.pass(from: index, request: request, response: response, to: exit)
      passed.withLock { $0 = ending }
    }
    guard isDone else { return .stopped }
    let ending = passed.withLock { $0 }
    if case .retry(let request, _) = ending { request.setTracked(false) }
    return ending
  }

  /// Takes one response after the other through the remaining interceptors.
  @inline(never) private nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    _ responses: AsyncThrowingStream<HTTPResponse<Operation>, any Error>, from index: Int,
    request: HTTPRequest<Operation>, to exit: Exit<Operation>
  ) async throws -> Ending<Operation> {
    for try await response in responses {
      let ending = await pass(from: index, request: request, response: response, to: exit)
      guard case .done = ending else { return ending }
    }
    return .done
  }

  /// Tells the outcome to the interceptors that ask for it, from the last to the first, and then to the caller, unless
  /// one of them starts the operation again.
  nonisolated(nonsending) func conclude<Operation: GraphQLOperation>(
    _ outcome: Outcome<Operation>, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    if let inner = exit.inner { return inner.take(outcome, response) }
    let emit = exit.emit
    var outcome = outcome
    for index in kinds.indices.reversed() {
      guard case .listening(let listener) = kinds[index] else { continue }
      guard !isOver else { return .stopped }
      do {
        let action = try await listener.didEnd(with: outcome, request: request, response: response)
        if action == .retry { return .retry(request, emit: emit) }
      } catch {
        outcome = .failure(error)
      }
    }
    guard !isOver else { return .stopped }
    guard case .failure(let error) = outcome else {
      emit(outcome)
      return .done
    }
    request.failedResponse = response?.httpResponse
    guard let handler = additionalErrorHandler else {
      emit(outcome)
      return .stopped
    }
    let step = CallbackStep<Operation>(self, next: interceptors.count, request.cachePolicy)
    let ending = await attend(to: step, exit) {
      handler.handleErrorAsync(
        error: error, chain: step, request: request, response: response, completion: step.completion(emit))
    }
    if let ending { return ending }
    // The error interceptor did nothing with the error.
    emit(outcome)
    return .stopped
  }

  // MARK: Callbacks

  private nonisolated(nonsending) func passCallbacks<Operation: GraphQLOperation>(
    at index: Int, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?, to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    let step = CallbackStep<Operation>(self, next: index + 1, request.cachePolicy)
    let ending = await attend(to: step, exit) {
      interceptors[index].interceptAsync(
        chain: step, request: request, response: response, completion: step.completion(exit.emit))
    }
    if let ending { return ending }
    let error = OperationError.noAnswer(
      from: "The interceptor \(type(of: interceptors[index]))", operationName: Operation.operationName)
    return await conclude(.failure(error), request: request, response: response, to: exit)
  }

  /// Does what code with callbacks asks for, one request after the other, until it can ask for nothing more.
  ///
  /// - Parameters:
  ///   - step: The chain that the code is called with.
  ///   - exit: Where the results go.
  ///   - begin: Calls the code.
  /// - Returns: How it ended; nil if the code asked for nothing.
  private nonisolated(nonsending) func attend<Operation: GraphQLOperation>(
    to step: CallbackStep<Operation>, _ exit: Exit<Operation>, _ begin: () -> Void
  ) async -> Ending<Operation>? {
    begin()
    let ending = await whileWaiting(for: step, onCancel: { step.end() }) {
      var ending: Ending<Operation>?
      await step.forEachAnswer(listens: exit.listens) { answer in
        guard !isOver else { return false }
        switch answer {
        case .proceed(let index, let request, let response, let emit):
          ending = await pass(from: index, request: request, response: response, to: exit.emitting(to: emit))
        case .fail(let error, let request, let response, let emit):
          ending = await conclude(.failure(error), request: request, response: response, to: exit.emitting(to: emit))
        case .deliver(let outcome, let emit):
          step.deliver(outcome, emit)
          if case .success = outcome { ending = .done } else { ending = .stopped }
        case .retry(let request, let emit): ending = .retry(request, emit: emit)
        }
        if case .retry? = ending { return false }
        return true
      }
      return ending
    }
    return isOver ? .stopped : ending
  }
}

extension InterceptorRequestChain.Exit {
  /// A copy with another closure. The completion of an interceptor is held no longer than what it asked for runs,
  /// because releasing it is how the interceptor says that it is done.
  func emitting(to emit: @escaping InterceptorRequestChain.Emit<Operation>) -> Self {
    var copy = self
    copy.emit = emit
    return copy
  }

  /// Delivers a result that is not the last one.
  func deliver(_ value: GraphQLResult<Operation.Data>) {
    if let inner { _ = inner.take(.success(value), nil) } else { emit(.success(value)) }
  }
}
