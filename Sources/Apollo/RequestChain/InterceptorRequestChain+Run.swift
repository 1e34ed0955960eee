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
    case retry(OperationPassage<Operation>, emit: Emit<Operation>)
  }

  /// Runs an operation of a client.
  ///
  /// - Parameters:
  ///   - passage: The operation, and its cache.
  ///   - call: What was asked for.
  ///   - listens: Whether to wait for what interceptors with callbacks may still do after the operation has a result.
  ///   - policies: What holds for all operations of the client.
  ///   - emit: Called with each result, and with the error that ended the operation.
  @inline(__always)
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, of call: OperationCall<Operation>, listens: Bool,
    by policies: ExchangePolicies, _ emit: @escaping Emit<Operation>
  ) async {
    passage.policies = policies
    let running = policies.running
    if !call.readsCache { passage.beginSending() }
    // After a sign-out, an interceptor may still have the request, whose end is not waited for.
    defer { if running.takes(passage.asked) { passage.endSending() } }
    await run(passage, listens: listens) { outcome in
      switch outcome {
      case .success: emit(outcome)
      case .failure(let error): emit(.failure(passage.described(error)))
      }
    }
    if !listens, isCancelled, !Task.isCancelled, running.takes(passage.asked) {
      // The chain was cancelled by an interceptor. Callbacks are not called then, but a function that waits must be
      // told.
      emit(
        .failure(
          OperationError(.cancelled, "The chain of interceptors was cancelled.", operationName: Operation.operationName)
        ))
    }
  }

  /// Runs an operation from the first interceptor to its end.
  ///
  /// - Parameters:
  ///   - passage: The operation.
  ///   - listens: Whether to wait for what an interceptor with callbacks may still do after the operation has a result.
  ///   - emit: Called with each result and each failure; not called after the chain was cancelled.
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, listens: Bool, emit: @escaping Emit<Operation>
  ) async {
    guard !kinds.isEmpty else {
      return await fail(ChainError.noInterceptors, passage: passage, response: nil, listens: listens, emit: emit)
    }
    await run(from: 0, passage: passage, response: nil, listens: listens, emit: emit)
  }

  /// Runs an operation from one of the interceptors to its end.
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    from index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    let body = { @Sendable in
      var ending = await self.enter(
        at: index, passage: passage, response: response, to: Exit(listens: listens, emit: emit))
      while case .retry(let passage, let emit) = ending {
        ending = await self.enter(at: 0, passage: passage, response: nil, to: Exit(listens: listens, emit: emit))
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
    _ error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    let ending = await conclude(
      .failure(error), passage: passage, response: response, to: Exit(listens: listens, emit: emit))
    if case .retry(let passage, let emit) = ending { await run(passage, listens: listens, emit: emit) }
  }

  // MARK: One way through

  /// (Without code that has the chain, it is cancelled only when its task is.)
  var isOver: Bool { Task.isCancelled || hasCallbacks && isCancelled }

  /// Goes through the interceptors, at once in the task that a sign-out ends, if it waits for the server from the start.
  @inline(__always)
  private nonisolated(nonsending) func enter<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    passage.mustBeTracked
      ? await passTracked(from: index, passage: passage, response: response, to: exit)
      : await pass(from: index, passage: passage, response: response, to: exit)
  }

  /// Calls one interceptor after the other.
  nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    from first: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    var index = first, response = response
    let end = exit.inner?.end ?? kinds.count
    while index < end {
      guard !isOver else { return .stopped }
      if passage.isSending, passage.options.failsForServer {
        let offline = OfflineSupport.offline(Operation.operationName)
        return await conclude(.failure(offline), passage: passage, response: nil, to: exit)
      }
      if passage.mustBeTracked {
        return await passTracked(from: index, passage: passage, response: response, to: exit)
      }
      let step: any ChainStep
      switch kinds[index] {
      case .step(let plain): step = plain
      case .listening(let listening): step = listening
      case .callbacks: return await passCallbacks(at: index, passage: passage, response: response, to: exit)
      case .around(let interceptor):
        return await pass(around: interceptor, at: index, passage: passage, response: response, to: exit)
      case .source(let source):
        // No step before has read the cache, so none has said that the server is asked.
        guard passage.isSending else {
          passage.beginSending()
          continue
        }
        return await pass(source, at: index, passage: passage, to: exit)
      }
      do {
        switch try await step.intercept(passage, response) {
        case .proceed(let next): response = next
        case .return(let value): return await conclude(.success(value), passage: passage, response: response, to: exit)
        case .returnAndProceed(let value): if !isOver { exit.deliver(value) }
        case .proceedWithEach(let responses):
          return try await pass(responses, from: index + 1, passage: passage, to: exit)
        case .retry: return .retry(passage, emit: exit.emit)
        }
      } catch {
        return await conclude(.failure(error), passage: passage, response: response, to: exit)
      }
      index += 1
    }
    let outcome: Outcome<Operation> =
      response?.parsedResponse.map { .success($0) }
      ?? .failure(
        passage.options.failsForServer
          ? OfflineSupport.offline(Operation.operationName) : ChainError.invalidIndex(chain: self, index: end))
    return await conclude(outcome, passage: passage, response: response, to: exit)
  }

  /// Calls the remaining interceptors in a task that ends when the user signs out.
  @inline(never) private nonisolated(nonsending) func passTracked<Operation: GraphQLOperation>(
    from index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    passage.setTracked(true)
    guard let running = passage.policies?.running else { return .stopped }
    let passed = Locked(Ending<Operation>.stopped)
    // Those of one connection are sent in the order of their calls.
    let beginsAtOnce = exit.listens || passage.asHTTP == nil
    let isDone = await running.run(passage.asked, beginsAtOnce: beginsAtOnce) {
      let ending = await self.pass(from: index, passage: passage, response: response, to: exit)
      passed.withLock { $0 = ending }
    }
    guard isDone else { return .stopped }
    let ending = passed.withLock { $0 }
    if case .retry(let passage, _) = ending { passage.setTracked(false) }
    return ending
  }

  /// Takes one response after the other through the remaining interceptors.
  @inline(never) private nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    _ responses: AsyncThrowingStream<HTTPResponse<Operation>, any Error>, from index: Int,
    passage: OperationPassage<Operation>, to exit: Exit<Operation>
  ) async throws -> Ending<Operation> {
    for try await response in responses {
      let ending = await pass(from: index, passage: passage, response: response, to: exit)
      guard case .done = ending else { return ending }
    }
    return .done
  }

  /// Takes each response of a source through the remaining steps.
  @inline(never) private nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    _ source: any ResponseSource, at index: Int, passage: OperationPassage<Operation>, to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    let early = Locked<Ending<Operation>?>(nil)
    do {
      try await source.responses(to: passage) { response in
        let ending = await self.pass(from: index + 1, passage: passage, response: response, to: exit)
        guard case .done = ending else {
          early.withLock { $0 = ending }
          throw NothingFollows()
        }
      }
    } catch {
      if let ending = early.withLock({ $0 }) { return ending }
      return await conclude(.failure(error), passage: passage, response: nil, to: exit)
    }
    return early.withLock { $0 } ?? .done
  }

  /// Tells a source that nothing follows what it has given.
  private struct NothingFollows: Error {}

  /// Tells the outcome to the interceptors that ask for it, from the last to the first, and then to the caller, unless
  /// one of them starts the operation again.
  nonisolated(nonsending) func conclude<Operation: GraphQLOperation>(
    _ outcome: Outcome<Operation>, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    if let inner = exit.inner { return inner.take(outcome, response) }
    let emit = exit.emit
    var outcome = outcome
    if let trace = passage.options.trace, case .failure(let error) = outcome { trace.failed(error) }
    for index in kinds.indices.reversed() {
      guard case .listening(let listener) = kinds[index] else { continue }
      guard !isOver else { return .stopped }
      do {
        let action = try await listener.didEnd(outcome, of: passage, response)
        if action == .retry { return .retry(passage, emit: emit) }
      } catch {
        outcome = .failure(error)
      }
    }
    guard !isOver else { return .stopped }
    guard case .failure(let error) = outcome else {
      emit(outcome)
      return .done
    }
    passage.failedResponse = response?.status
    guard let handler = additionalErrorHandler, let request = passage.asHTTP else {
      emit(outcome)
      return .stopped
    }
    let step = CallbackStep<Operation>(self, next: kinds.count, request.cachePolicy)
    let ending = await attend(to: step, exit) {
      handler.handleErrorAsync(
        error: error, chain: step, request: request, response: response?.asHTTP, completion: step.completion(emit))
    }
    if let ending { return ending }
    // The error interceptor did nothing with the error.
    emit(outcome)
    return .stopped
  }

  // MARK: Callbacks

  private nonisolated(nonsending) func passCallbacks<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: Exit<Operation>
  ) async -> Ending<Operation> {
    guard let request = passage.asHTTP else {
      let error = OperationError.onlyOverHTTP(type(of: interceptors[index]), operationName: Operation.operationName)
      return await conclude(.failure(error), passage: passage, response: response, to: exit)
    }
    let step = CallbackStep<Operation>(self, next: index + 1, request.cachePolicy)
    let ending = await attend(to: step, exit) {
      interceptors[index].interceptAsync(
        chain: step, request: request, response: response?.asHTTP, completion: step.completion(exit.emit))
    }
    if let ending { return ending }
    let error = OperationError.noAnswer(
      from: "The interceptor \(type(of: interceptors[index]))", operationName: Operation.operationName)
    return await conclude(.failure(error), passage: passage, response: response, to: exit)
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
        case .proceed(let index, let passage, let response, let emit):
          ending = await pass(from: index, passage: passage, response: response, to: exit.emitting(to: emit))
        case .fail(let error, let passage, let response, let emit):
          ending = await conclude(.failure(error), passage: passage, response: response, to: exit.emitting(to: emit))
        case .deliver(let outcome, let emit):
          step.deliver(outcome, emit)
          if case .success = outcome { ending = .done } else { ending = .stopped }
        case .retry(let passage, let emit): ending = .retry(passage, emit: emit)
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
