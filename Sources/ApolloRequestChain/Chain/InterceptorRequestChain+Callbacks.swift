import ApolloHTTP
package import ApolloOperations
import ApolloTransport
package import ApolloAPI
import ApolloCache

extension InterceptorRequestChain {
  package nonisolated(nonsending) func passApp<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    if case .around(let interceptor) = interceptors[index].kind.kind {
      return await pass(around: interceptor, at: index, passage: passage, response: response, to: exit)
    }
    return await passCallbacks(at: index, passage: passage, response: response, to: exit)
  }

  package nonisolated(nonsending) func recover<Operation: GraphQLOperation>(
    from error: any Error, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation>? {
    guard let handler = additionalErrorHandler, let request = passage.asHTTP else { return nil }
    let step = CallbackStep(self, next: steps.count, request)
    return await attend(to: step, exit) {
      handler.handleErrorAsync(
        error: error, chain: step, request: request, response: response?.asHTTP,
        completion: step.completion(exit.emit))
    }
  }

  package func noResult(at index: Int) -> any Error {
    index == 0 ? ChainError.noInterceptors : ChainError.invalidIndex(chain: self, index: index)
  }

  private nonisolated(nonsending) func passCallbacks<Operation: GraphQLOperation>(
    at index: Int, passage: OperationPassage<Operation>, response: OperationResponse<Operation>?,
    to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    guard let request = passage.asHTTP else {
      let error = OperationError.onlyOverHTTP(type(of: interceptors[index]), operationName: Operation.operationName)
      return await conclude(.failure(error), passage: passage, response: response, to: exit)
    }
    let step = CallbackStep(self, next: index + 1, request)
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
    to step: CallbackStep<Operation>, _ exit: ChainExit<Operation>, _ begin: () -> Void
  ) async -> ChainEnding<Operation>? {
    begin()
    let ending = await whileWaiting(for: step, onCancel: { step.end() }) {
      var ending: ChainEnding<Operation>?
      await step.forEachAnswer(listens: exit.listens) { answer in
        guard !isOver else { return false }
        switch answer {
        case .proceed(let index, let passage, let response, let emit):
          // (The code may proceed once more, after the rest of the chain has ended. With a response that is a new start only
          // after a failure. Otherwise the response may be the next event, and the response of the end may be known already.)
          let hasFailed = if case .stopped? = ending { true } else { false }
          if hasFailed || response == nil { passage.beginAgain() }
          ending = await enter(at: index, passage: passage, response: response, to: exit.emitting(to: emit))
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
    await step.endAndRelease()
    guard !isOver else {
      step.cancelTasks()
      return .stopped
    }
    return ending
  }
}
