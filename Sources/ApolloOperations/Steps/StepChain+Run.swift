import ApolloTransport
package import ApolloAPI
import ApolloCache

extension StepChain {
  /// Runs an operation of a client.
  ///
  /// - Parameters:
  ///   - passage: The operation, and its cache.
  ///   - readsCache: Whether the cache is read before the server is asked, or instead of asking it.
  ///   - listens: Whether to wait for what code of the app may still do after the operation has a result.
  ///   - policies: What holds for all operations of the client.
  ///   - emit: Called with each result, and with the error that ended the operation.
  @inline(__always)
  nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, readsCache: Bool, listens: Bool,
    by policies: ExchangePolicies, _ emit: @escaping OperationEmit<Operation>
  ) async {
    passage.policies = policies
    let running = policies.running
    if !readsCache { passage.beginSending() }
    // After a sign-out, or when it was cancelled, a step in another task may still have the request, whose end is not
    // waited for. (Then it gives its place back when it is released.)
    defer { if !isOver, running.takes(passage.asked) { passage.endSending() } }
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

  /// Runs an operation from the first step to its end.
  ///
  /// - Parameters:
  ///   - passage: The operation.
  ///   - listens: Whether to wait for what code of the app may still do after the operation has a result.
  ///   - emit: Called with each result and each failure; not called after the chain was cancelled.
  package nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, listens: Bool, emit: @escaping OperationEmit<Operation>
  ) async {
    guard !steps.isEmpty else {
      return await fail(noResult(at: 0), passage: passage, response: nil, listens: listens, emit: emit)
    }
    await run(from: 0, passage: passage, response: nil, listens: listens, emit: emit)
  }

  /// Runs an operation from one of the steps to its end.
  package nonisolated(nonsending) func run<Operation: GraphQLOperation>(
    from index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?, listens: Bool,
    emit: @escaping OperationEmit<Operation>
  ) async {
    let body = { @Sendable in
      var ending = await self.enter(
        at: index, passage: passage, response: response, to: ChainExit(listens: listens, emit: emit))
      while case .retry(let passage, let emit) = ending {
        passage.beginRetry()
        ending = await self.enter(at: 0, passage: passage, response: nil, to: ChainExit(listens: listens, emit: emit))
      }
    }
    // Only code with callbacks holds the chain, and so can cancel it from outside.
    if isHandedOut {
      await untilCancelled(body)
    } else {
      await withTaskCancellationHandler(operation: body) { cancel() }
    }
  }

  /// Ends an operation with an error, unless code of the app recovers from it.
  package nonisolated(nonsending) func fail<Operation: GraphQLOperation>(
    _ error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?, listens: Bool,
    emit: @escaping OperationEmit<Operation>
  ) async {
    let ending = await conclude(
      .failure(error), passage: passage, response: response, to: ChainExit(listens: listens, emit: emit))
    if case .retry(let passage, let emit) = ending {
      passage.beginRetry()
      await run(passage, listens: listens, emit: emit)
    }
  }

  // MARK: One way through

  /// (Without code that has the chain, it is cancelled only when its task is.)
  package var isOver: Bool { Task.isCancelled || isHandedOut && isCancelled }

  /// Goes through the steps, at once in a task that a sign-out ends, if it waits for the server from the start and is not
  /// in such a task.
  @inline(__always)
  package nonisolated(nonsending) func enter<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    if index == 0 { passage.heldWrite = nil }
    return !exit.isTracked && passage.waitsForServer
      ? await passTracked(from: index, passage: passage, response: response, to: exit)
      : await pass(from: index, passage: passage, response: response, to: exit)
  }

  /// Calls one step after the other.
  package nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    from first: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    var index = first, response = response
    let steps = steps, end = exit.inner?.end ?? steps.count
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
      switch steps[index] {
      case .plain(let plain): step = plain
      case .listening(let listening): step = listening
      case .writing(let writing):
        if let response, response.parsedResponse?.hasReportedErrors == true, mayHoldWrite(at: index) {
          passage.heldWrite = (index, response)
          index += 1
          continue
        }
        step = writing
      case .app:
        // (It may wait for long before the server is asked.)
        guard exit.isTracked || passage.policies == nil else {
          return await passTracked(from: index, passage: passage, response: response, to: exit)
        }
        return await passApp(at: index, passage: passage, response: response, to: exit)
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
        case .retry:
          exit.inner?.noteRetryOfStep()
          return .retry(passage, emit: exit.emit)
        }
      } catch {
        return await conclude(.failure(error), passage: passage, response: response, to: exit)
      }
      index += 1
    }
    let outcome: OperationOutcome<Operation> =
      response?.parsedResponse.map { .success($0) }
      ?? .failure(
        passage.options.failsForServer
          ? OfflineSupport.offline(Operation.operationName) : noResult(at: end))
    return await conclude(outcome, passage: passage, response: response, to: exit)
  }

  /// Calls the remaining steps in a task that ends when the user signs out; or, with a failure, the code of the app that
  /// may recover from it.
  @inline(never) private nonisolated(nonsending) func passTracked<Operation: GraphQLOperation>(
    from index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    recoveringFrom failure: (any Error)? = nil, to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    passage.beginTracking()
    guard let running = passage.policies?.running else { return .stopped }
    // Those of one connection are sent in the order of their calls.
    let beginsAtOnce = exit.listens || !passage.isOverHTTP
    let tracked = exit.tracked
    let end = await running.run(passage.asked, beginsAtOnce: beginsAtOnce) {
      let ending =
        if let failure {
          await self.handOut(failure, passage: passage, response: response, to: tracked)
        } else {
          await self.pass(from: index, passage: passage, response: response, to: tracked)
        }
      switch ending {
      case .done: return .done
      case .stopped: return .stopped
      case .retry: return self.isOver ? .stopped : .retry(CarriedEnding(ending))
      }
    }
    switch end {
    case .done: return .done
    case .stopped: return .stopped
    case .retry(let carried): return (carried as? CarriedEnding<Operation>)?.ending ?? .stopped
    }
  }

  /// Takes one response after the other through the remaining steps.
  @inline(never) private nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    _ responses: AsyncThrowingStream<OperationResponse<Operation>, any Error>, from index: Int,
    passage: OperationPassage<Operation>, to exit: ChainExit<Operation>
  ) async throws -> ChainEnding<Operation> {
    var hasResponse = false
    for try await response in responses {
      hasResponse = true
      let ending = await pass(from: index, passage: passage, response: response, to: exit)
      guard case .done = ending else { return ending }
    }
    return hasResponse ? .done : await endWithoutResponse(passage, to: exit)
  }

  /// Takes each response of a source through the remaining steps.
  @inline(never) private nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    _ source: any ResponseSource, at index: Int, passage: OperationPassage<Operation>, to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    let early = Locked<ChainEnding<Operation>?>(nil)
    passage.hasResponse = false
    do {
      try await source.responses(to: passage) { response in
        passage.hasResponse = true
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
    if let ending = early.withLock({ $0 }) { return ending }
    return passage.hasResponse ? .done : await endWithoutResponse(passage, to: exit)
  }

  /// Ends an operation whose responses have ended before the first one. A subscription may have no events; for a query
  /// or a mutation it is a failure.
  @inline(never) private nonisolated(nonsending) func endWithoutResponse<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    guard Operation.operationType != .subscription, !isOver else { return .done }
    let error = OperationError(
      .invalidResponse, "The answer ended without a result and without an error.",
      operationName: Operation.operationName)
    return await conclude(.failure(error), passage: passage, response: nil, to: exit)
  }

  /// Tells the outcome to the steps that ask for it, from the last to the first, and then to the caller, unless
  /// one of them starts the operation again.
  package nonisolated(nonsending) func conclude<Operation: GraphQLOperation>(
    _ outcome: OperationOutcome<Operation>, passage: OperationPassage<Operation>,
    response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    if let inner = exit.inner {
      return await conclude(outcome, of: inner, passage: passage, response: response, emit: exit.emit)
    }
    let emit = exit.emit
    var outcome = outcome, response = response
    if case .failure(let error) = outcome {
      if let trace = passage.options.trace { trace.failed(error) }
      // (A step in another task may still have what was cancelled.)
      guard !isOver else { return .stopped }
      // (Only here: while a result is given, a surrounded part may go on, and find the end.)
      response = response ?? passage.endResponse
    }
    let steps = steps
    for index in steps.indices.reversed() {
      guard case .listening(let listener) = steps[index] else { continue }
      guard !isOver else { return .stopped }
      do {
        let action = try await listener.didEnd(outcome, of: passage, response)
        if action == .retry { return .retry(passage, emit: emit) }
      } catch {
        outcome = .failure(error)
      }
    }
    guard !isOver else { return .stopped }
    if Operation.operationType == .mutation { passage.policies?.mutationHasEnded() }
    if passage.heldWrite != nil, case .success = outcome {
      outcome = await writeHeld(outcome, passage, response)
      if case .failure = outcome { return await conclude(outcome, passage: passage, response: response, to: exit) }
    }
    guard case .failure(let error) = outcome else {
      emit(outcome)
      return .done
    }
    // (What code of the app makes of a failure is about the same response.)
    if let status = response?.status { passage.failedResponse = status }
    if isHandedOut {
      guard exit.isTracked || passage.policies == nil else {
        return await passTracked(
          from: steps.count, passage: passage, response: response, recoveringFrom: error, to: exit)
      }
      return await handOut(error, passage: passage, response: response, to: exit)
    }
    emit(outcome)
    return .stopped
  }

  /// Gives a failure to code of the app that may recover from it, and to the caller if that does not.
  @inline(never) private nonisolated(nonsending) func handOut<Operation: GraphQLOperation>(
    _ error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    if let ending = await recover(from: error, passage: passage, response: response, to: exit) { return ending }
    exit.emit(.failure(error))
    return .stopped
  }

  /// Tells the outcome of a part that code of the app surrounds to the steps of that part, from the last to the first,
  /// and then to the code, unless one of the steps starts the operation again. So credentials are renewed before the
  /// code sees that they were refused.
  ///
  /// A log is told only of what starts again. It is told of all else when the code has decided what the caller gets.
  @inline(never) private nonisolated(nonsending) func conclude<Operation: GraphQLOperation>(
    _ outcome: OperationOutcome<Operation>, of inner: any InnerPart, passage: OperationPassage<Operation>,
    response: OperationResponse<Operation>?, emit: @escaping OperationEmit<Operation>
  ) async -> ChainEnding<Operation> {
    var outcome = outcome, known = response
    // (Only here, as in the outer part.)
    if case .failure = outcome { known = response ?? passage.endResponse }
    let steps = steps
    for index in (inner.start..<inner.end).reversed() {
      guard case .listening(let listener) = steps[index], !(listener is LoggingInterceptor) else { continue }
      guard !isOver else { return .stopped }
      do {
        guard try await listener.partDidEnd(outcome, of: passage, known) == .retry else { continue }
        for case .listening(let log as LoggingInterceptor) in steps[inner.start..<inner.end] {
          _ = try await log.didEnd(outcome, of: passage, known)
        }
        if let trace = passage.options.trace, case .failure(let error) = outcome { trace.failed(error) }
        inner.noteRetryOfStep()
        return .retry(passage, emit: emit)
      } catch {
        outcome = .failure(error)
      }
    }
    guard !isOver else { return .stopped }
    if case .failure = outcome, let status = known?.status { passage.failedResponse = status }
    inner.note(response)
    emit(outcome)
    // (An outcome that a completion passes on later may belong to another event.)
    if Operation.operationType == .subscription { inner.note(nil as OperationResponse<Operation>?) }
    if case .success = outcome, !inner.isOver { return .done }
    return .stopped
  }

  /// Whether a response may be written later than at its step: no code of the app, and no other step that writes, comes
  /// after that and relies on it.
  private func mayHoldWrite(at index: Int) -> Bool {
    steps[(index + 1)...].allSatisfy {
      switch $0 {
      case .app, .writing: false
      case .plain, .listening, .source: true
      }
    }
  }

  /// Writes a response with errors, which the caller gets.
  ///
  /// - Returns: The outcome for the caller.
  @inline(never) private nonisolated(nonsending) func writeHeld<Operation: GraphQLOperation>(
    _ outcome: OperationOutcome<Operation>, _ passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async -> OperationOutcome<Operation> {
    let held = passage.heldWrite
    passage.heldWrite = nil
    guard let (index, written) = held, case .writing(let step) = steps[index] else { return outcome }
    do {
      _ = try await step.intercept(passage, written)
      // (An interceptor may have returned a result of its own.)
      guard written === response, let result = written.parsedResponse else { return outcome }
      return .success(result)
    } catch {
      return .failure(error)
    }
  }
}

/// The ending of steps in a task, where they start the operation again. (No other ending is carried in an object, because
/// its type is looked up at run time.)
private final class CarriedEnding<Operation: GraphQLOperation>: Sendable {
  let ending: ChainEnding<Operation>

  init(_ ending: ChainEnding<Operation>) { self.ending = ending }
}

/// Tells a source that nothing follows what it has given.
private struct NothingFollows: Error {}
