import ApolloAPI
import ApolloCache

extension InterceptorRequestChain {
  typealias Outcome<Operation: GraphQLOperation> = Result<GraphQLResult<Operation.Data>, any Error>
  typealias Emit<Operation: GraphQLOperation> = @Sendable (Outcome<Operation>) -> Void

  /// How a way through interceptors ended.
  enum Ending<Operation: GraphQLOperation> {
    /// Its result, or all of its results, have been handed over.
    case done
    /// An error ended it, or it was cancelled: nothing is to follow.
    case stopped
    /// The operation is to start over, and to hand its results to `emit`.
    case retry(HTTPRequest<Operation>, emit: Emit<Operation>)
  }

  /// Runs an operation from the first interceptor to its end.
  ///
  /// - Parameters:
  ///   - listens: Wait for what an interceptor with callbacks may still do after the operation has a result.
  ///   - emit: Called with each result and each failure, none after the chain was cancelled.
  func run<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, listens: Bool, emit: @escaping Emit<Operation>
  ) async {
    guard !interceptors.isEmpty else {
      return await fail(ChainError.noInterceptors, request, nil, listens: listens, emit: emit)
    }
    await run(0, request, nil, listens: listens, emit: emit)
  }

  /// Runs an operation from one of the interceptors to its end.
  func run<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    await withTaskCancellationHandler {
      var ending = await pass(index, request, response, listens, emit)
      while case .retry(let request, let emit) = ending { ending = await pass(0, request, nil, listens, emit) }
    } onCancel: {
      cancel()
    }
  }

  /// Ends an operation with an error, unless somebody recovers from it.
  func fail<Operation: GraphQLOperation>(
    _ error: any Error, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?, listens: Bool,
    emit: @escaping Emit<Operation>
  ) async {
    let ending = await conclude(.failure(error), request, response, listens, emit)
    if case .retry(let request, let emit) = ending { await run(request, listens: listens, emit: emit) }
  }

  // MARK: One way through

  private var isOver: Bool { isCancelled || Task.isCancelled }

  /// Calls one interceptor after the other.
  private func pass<Operation: GraphQLOperation>(
    _ first: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?, _ listens: Bool,
    _ emit: @escaping Emit<Operation>
  ) async -> Ending<Operation> {
    var index = first, response = response
    while index < interceptors.count {
      guard !isOver else { return .stopped }
      guard let interceptor = asyncInterceptors[index] else {
        return await passCallbacks(index, request, response, listens, emit)
      }
      do {
        switch try await interceptor.intercept(request: request, response: response) {
        case .proceed(let next): response = next
        case .return(let value): return await conclude(.success(value), request, response, listens, emit)
        case .returnAndProceed(let value): if !isOver { emit(.success(value)) }
        case .proceedWithEach(let responses):
          for try await each in responses {
            let ending = await pass(index + 1, request, each, listens, emit)
            guard case .done = ending else { return ending }
          }
          return .done
        case .retry: return .retry(request, emit: emit)
        }
      } catch {
        return await conclude(.failure(error), request, response, listens, emit)
      }
      index += 1
    }
    let outcome: Outcome<Operation> =
      response?.parsedResponse.map { .success($0) }
      ?? .failure(ChainError.invalidIndex(chain: self, index: interceptors.count))
    return await conclude(outcome, request, response, listens, emit)
  }

  /// Tells the interceptors that want to know, and then the caller, unless one of them starts over.
  private func conclude<Operation: GraphQLOperation>(
    _ outcome: Outcome<Operation>, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    _ listens: Bool, _ emit: @escaping Emit<Operation>
  ) async -> Ending<Operation> {
    var outcome = outcome
    for listener in listeners {
      guard !isOver else { return .stopped }
      do {
        let action = try await listener.didEnd(with: outcome, request: request, response: response)
        if action == .retry { return .retry(request, emit: emit) }
      } catch {
        outcome = .failure(error)
      }
    }
    guard !isOver else { return .stopped }
    outcome = response?.redirect?.explaining(outcome) ?? outcome
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
    let ending = await attend(to: step, listens) {
      handler.handleErrorAsync(
        error: error, chain: step, request: request, response: response, completion: step.completion(emit))
    }
    if let ending { return ending }
    // It has nothing to say to the error.
    emit(outcome)
    return .stopped
  }

  // MARK: Callbacks

  private func passCallbacks<Operation: GraphQLOperation>(
    _ index: Int, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?, _ listens: Bool,
    _ emit: @escaping Emit<Operation>
  ) async -> Ending<Operation> {
    let step = CallbackStep<Operation>(self, next: index + 1, request.cachePolicy)
    let ending = await attend(to: step, listens) {
      interceptors[index].interceptAsync(
        chain: step, request: request, response: response, completion: step.completion(emit))
    }
    if let ending { return ending }
    return await conclude(.failure(ChainError.noAnswer), request, response, listens, emit)
  }

  /// Does what code with callbacks asks for, one thing after the other, until it can ask for nothing more.
  ///
  /// - Parameter begin: Calls that code.
  /// - Returns: nil if it asked for nothing.
  private func attend<Operation: GraphQLOperation>(
    to step: CallbackStep<Operation>, _ listens: Bool, _ begin: () -> Void
  ) async -> Ending<Operation>? {
    begin()
    let ending = await whileWaiting(step, { step.end() }) {
      var ending: Ending<Operation>?
      await step.forEachAnswer(listens: listens) { answer in
        guard !isOver else { return false }
        switch answer {
        case .proceed(let index, let request, let response, let emit):
          ending = await pass(index, request, response, listens, emit)
        case .fail(let error, let request, let response, let emit):
          ending = await conclude(.failure(error), request, response, listens, emit)
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
