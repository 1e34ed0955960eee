package import ApolloAPI
import ApolloCache

/// One step in sending an operation: what the interceptors of this package are. It may stand in a chain with interceptors of
/// all kinds.
///
/// It is run in the task of the caller, who waits for it. So one that waits stops when its task is cancelled.
package protocol ChainStep: ApolloInterceptor, Sendable {
  /// - Throws: What ends the operation, unless the error interceptor of the chain recovers from it.
  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

/// What comes after a ``ChainStep``.
package enum NextStep<Operation: GraphQLOperation>: Sendable {
  /// The next interceptor.
  case proceed(HTTPResponse<Operation>?)
  /// The caller gets this value, and the chain ends.
  case `return`(GraphQLResult<Operation.Data>)
  /// The caller gets this value, and the chain goes on.
  case returnAndProceed(GraphQLResult<Operation.Data>)
  /// The next interceptor, once for each response: the operation answers many times.
  indirect case proceedWithEach(AsyncThrowingStream<HTTPResponse<Operation>, any Error>)
  /// The first interceptor again.
  case retry
}

extension ChainStep {
  public var kind: InterceptorKind { InterceptorKind(.step(self)) }

  /// The type's name: each of the built-in interceptors stands once in a chain.
  public var id: String { "\(Self.self)" }

  /// For chains that do not know this protocol.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    Caller(chain: chain, request: request, completion: completion).call(self, response)
  }
}

/// A chain that waits, with what it needs to go on.
private struct Caller<Operation: GraphQLOperation>: Sendable {
  // (Not one pair of both: the compiler of Swift 6.3 crashes on it when it optimizes.)
  private let handedChain: Handoff<any RequestChain>
  private let handedCompletion: Handoff<(Result<GraphQLResult<Operation.Data>, any Error>) -> Void>
  private let request: HTTPRequest<Operation>
  private var chain: any RequestChain { handedChain.value }
  private var completion: (Result<GraphQLResult<Operation.Data>, any Error>) -> Void { handedCompletion.value }

  init(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    handedChain = Handoff(chain)
    handedCompletion = Handoff(completion)
    self.request = request
  }

  func call(_ step: any ChainStep, _ response: HTTPResponse<Operation>?) {
    Task {
      do {
        try await take(step.intercept(request: request, response: response), of: step, response)
      } catch {
        chain.handleErrorAsync(error, request: request, response: response, completion: completion)
      }
    }
  }

  private func take(
    _ step: NextStep<Operation>, of interceptor: any ApolloInterceptor, _ response: HTTPResponse<Operation>?
  ) async throws {
    switch step {
    case .proceed(let next): proceed(next, interceptor)
    case .return(let value): chain.returnValueAsync(for: request, value: value, completion: completion)
    case .returnAndProceed(let value):
      chain.returnValueAsync(for: request, value: value, completion: completion)
      proceed(response, interceptor)
    case .proceedWithEach(let responses):
      for try await each in responses { proceed(each, interceptor) }
    case .retry: chain.retry(request: request, completion: completion)
    }
  }

  private func proceed(_ response: HTTPResponse<Operation>?, _ interceptor: any ApolloInterceptor) {
    chain.proceedAsync(request: request, response: response, interceptor: interceptor, completion: completion)
  }
}

/// A step that is told how an operation ended, before its caller is, and may start it over.
///
/// The interceptors of a chain are asked from the last to the first: what stands next to the network decides first. In release 2
/// of Apollo iOS such interceptors stand around an operation, so here they can do that as well.
package protocol OutcomeStep: ChainStep, GraphQLInterceptor {
  /// Called with the result of each pass through the chain, or with the error that ended it.
  ///
  /// - Throws: The error that the caller gets instead.
  func didEnd<Operation: GraphQLOperation>(
    with outcome: Result<GraphQLResult<Operation.Data>, any Error>, request: HTTPRequest<Operation>,
    response: HTTPResponse<Operation>?
  ) async throws -> OutcomeAction
}

extension OutcomeStep {
  public var kind: InterceptorKind { InterceptorKind(.listening(self)) }
  public var id: String { "\(Self.self)" }

  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    Caller(chain: chain, request: request, completion: completion).call(self, response)
  }

  /// For an interceptor of an app's own that calls this one. A chain calls it as a step, which is faster.
  public func intercept<Request: GraphQLRequest>(
    request: Request, next: @Sendable (Request) async -> InterceptorResultStream<Request>
  ) async throws -> InterceptorResultStream<Request> {
    guard let step = request as? HTTPRequest<Request.Operation> else {
      throw OperationError(
        .configuration, "\(Self.self) takes requests that are an HTTPRequest, and no \(Request.self).",
        operationName: Request.Operation.operationName)
    }
    _ = try await intercept(request: step, response: nil)
    let results = await next(request)
    return InterceptorResultStream { continuation in
      do {
        for try await parsed in results {
          let action = try await didEnd(
            with: .success(parsed.result), request: step, response: parsed.asResponse(to: step))
          guard action == .deliver else { throw RequestChainRetry(request: request) }
          continuation.yield(parsed)
        }
      } catch let error where !(error is RequestChainRetry) {
        let action = try await didEnd(with: .failure(error), request: step, response: nil)
        throw action == .retry ? RequestChainRetry(request: request) : error
      }
    }
  }
}

/// What becomes of the outcome of a chain.
package enum OutcomeAction: Hashable, Sendable {
  /// The caller gets it.
  case deliver
  /// It is dropped, and the chain begins at its first interceptor.
  case retry
}
