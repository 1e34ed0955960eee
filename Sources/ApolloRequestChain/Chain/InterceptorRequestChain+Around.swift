import ApolloHTTP
import ApolloOperations
import ApolloTransport
import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The results of the part of a chain that a ``GraphQLInterceptor`` surrounds.
final class InterceptedPart<Operation: GraphQLOperation>: InnerPart, Sendable {
  let start: Int
  let end: Int
  private let results: AsyncThrowingStream<ParsedResult<Operation>, any Error>.Continuation
  private let limit: Int
  private let state: Locked<InterceptedPartState>

  /// - Parameters:
  ///   - start: Where the part begins.
  ///   - end: Where it ends.
  ///   - results: Takes the results.
  ///   - limit: How many bytes of them may wait.
  init(
    _ start: Int, end: Int, results: AsyncThrowingStream<ParsedResult<Operation>, any Error>.Continuation, limit: Int
  ) {
    self.start = start
    self.end = end
    self.results = results
    self.limit = limit
    state = Locked(InterceptedPartState(waiting: WaitingBytes(limit: limit)))
  }

  func noteRetryOfStep() { state.withLock { $0.isRetriedByStep = true } }

  /// Whether a step of the part has started the operation again since this was last asked.
  func takeRetryOfStep() -> Bool {
    state.withLock { state in
      defer { state.isRetriedByStep = false }
      return state.isRetriedByStep
    }
  }

  func note<Noted: GraphQLOperation>(_ response: OperationResponse<Noted>?) {
    state.takeOut { state in
      defer { state.response = response }
      return state.response
    }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Gives a result to the surrounding interceptor. An error of the chain is thrown there.
  func take(_ outcome: OperationOutcome<Operation>) {
    switch outcome {
    case .success(let result):
      let response = state.withLock { $0.response } as? OperationResponse<Operation>
      guard case .enqueued(let remaining) = results.yield(ParsedResult(result, response?.asHTTP)) else {
        return state.withLock { $0.isOver = true }
      }
      guard state.withLock({ $0.waiting.isExceeded(by: result.byteCount, remaining) }) else { return }
      end(ResponseLimits.Exceeded(.waitingSize, limit))
    case .failure(let error): end(error)
    }
  }

  private func end(_ error: any Error) {
    state.withLock { $0.isOver = true }
    results.finish(throwing: error)
  }
}

/// Has the parts that one call of an interceptor asks for run one after the other: all of them work on one request.
private final class PartOrder: Sendable {
  private let last = Locked<AsyncStream<Void>?>(nil)

  /// - Returns: A sequence that is over when the part before has ended, nil for the first one; and what ends this one.
  func enter() -> (former: AsyncStream<Void>?, hasEnded: AsyncStream<Void>.Continuation) {
    let (ended, hasEnded) = AsyncStream<Void>.makeStream()
    let former = last.withLock { last in
      defer { last = ended }
      return last
    }
    return (former, hasEnded)
  }
}

/// (Not in the class: then its type would have to be looked up at run time.)
private struct InterceptedPartState {
  var waiting: WaitingBytes
  var isRetriedByStep = false
  var isOver = false
  /// The response of the outcome that comes next, or came last; nil: that outcome has none.
  var response: (any AnyObject & Sendable)?
}

extension InterceptorRequestChain {
  /// Calls an interceptor that surrounds the rest of the chain, up to where results are written to the cache. The
  /// results that the interceptor returns are written.
  nonisolated(nonsending) func pass<Operation: GraphQLOperation>(
    around interceptor: any GraphQLInterceptor, at index: Int, passage: OperationPassage<Operation>,
    response: OperationResponse<Operation>?, to exit: ChainExit<Operation>
  ) async -> ChainEnding<Operation> {
    guard let request = passage.asHTTP else {
      let error = OperationError.onlyOverHTTP(type(of: interceptor), operationName: Operation.operationName)
      return await conclude(.failure(error), passage: passage, response: nil, to: exit)
    }
    let end = exit.inner?.end ?? endOfInnerPart, order = PartOrder()
    var hasResult = false
    do {
      let results = try await interceptor.intercept(request: request) { next in
        let (former, hasEnded) = order.enter()
        return self.results(
          from: index + 1, upTo: max(end, index + 1), request: next, response: response, listens: exit.listens
        ) {
          // (The part before may still be at work, also if it has failed, or its results are released.)
          if let former { for await _ in former {} }
          guard !Task.isCancelled else { return false }
          next.follow(request)
          next.beginAgain()
          return true
        } end: {
          hasEnded.finish()
        }
      }
      for try await parsed in results {
        guard !isOver else { return .stopped }
        hasResult = true
        let ending =
          if parsed.result.source == .cache {
            await conclude(.success(parsed.result), passage: request, response: nil, to: exit)
          } else {
            await pass(from: max(end, index + 1), passage: request, response: parsed.asResponse(to: request), to: exit)
          }
        guard case .done = ending else { return ending }
      }
    } catch let retry as Retry {
      guard let next = retry.request as? HTTPRequest<Operation> else {
        let error = OperationError(
          .configuration, "\(type(of: interceptor)) retries with a request of another operation.",
          operationName: Operation.operationName)
        return await conclude(.failure(error), passage: request, response: nil, to: exit)
      }
      next.follow(request)
      return .retry(next, emit: exit.emit)
    } catch {
      return await conclude(.failure(error), passage: request, response: nil, to: exit)
    }
    // (A subscription may end without an event.)
    if hasResult || isOver || Operation.operationType == .subscription { return .done }
    let error = OperationError.noAnswer(
      from: "The interceptor \(type(of: interceptor))", operationName: Operation.operationName)
    return await conclude(.failure(error), passage: request, response: nil, to: exit)
  }

  /// The results of a part of the chain, as they come.
  ///
  /// Where a step of the part starts the operation again, the part alone begins anew, and the code around it sees the
  /// last outcome only. The whole chain begins anew where code of the app starts the operation again, where no step of
  /// the part counts the starts, and where the part begins behind the response, which it would read once more.
  ///
  /// `begin` is called before the first step, and returns false to call none. `hasEnded` is called at the end.
  private func results<Operation: GraphQLOperation>(
    from index: Int, upTo end: Int, request: HTTPRequest<Operation>, response: OperationResponse<Operation>?,
    listens: Bool, begin: @escaping @Sendable () async -> Bool, end hasEnded: @escaping @Sendable () -> Void
  ) -> InterceptorResultStream<HTTPRequest<Operation>> {
    let limits = request.exchangeLimits?.limits ?? ResponseLimits()
    let limit = request.requestConfiguration.buffering == .unlimited ? .max : limits.waitingSize
    return InterceptorResultStream { continuation in
      defer { hasEnded() }
      guard await begin() else { return }
      let inner = InterceptedPart<Operation>(index, end: end, results: continuation, limit: limit)
      let exit = ChainExit<Operation>(
        listens: listens,
        emit: { inner.take($0) }, inner: inner)
      var ending = await self.enter(at: index, passage: request, response: response, to: exit)
      while case .retry(let passage, _) = ending, let request = passage.asHTTP {
        guard inner.takeRetryOfStep(), response == nil else { throw Retry(request: request) }
        let isCounted = self.interceptors[index..<end].contains { $0 is MaxRetryInterceptor }
        guard isCounted || request.nextStartIsUncounted else { throw Retry(request: request) }
        if !isCounted { request.nextStartIsUncounted = false }
        request.beginRetry()
        ending = await self.enter(at: index, passage: request, response: nil, to: exit)
      }
    }
  }

  /// The position of the interceptor that writes to the cache; the end of the chain if there is none.
  private var endOfInnerPart: Int {
    interceptors.firstIndex { $0 is CacheWriteInterceptor || $0 is CacheWriting } ?? interceptors.count
  }
}
