package import ApolloAPI
import ApolloCache

/// One step of an operation, over whatever transport. The interceptors of this package are steps. A chain may have steps
/// among interceptors of all kinds.
///
/// It runs in the task of the caller, which waits for it. So a step that waits must stop when its task is cancelled.
package protocol ChainStep: ApolloInterceptor, Sendable {
  /// - Throws: The error that ends the operation, unless the chain's error interceptor recovers from it.
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

/// A step of an operation over HTTP.
package protocol HTTPStep: ChainStep {
  /// - Throws: The error that ends the operation, unless the chain's error interceptor recovers from it.
  nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

extension HTTPStep {
  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    try await intercept(request: passage.overHTTP(for: Self.self), response: response?.asHTTP)
  }
}

extension OperationPassage {
  /// The operation as a request over HTTP, for an interceptor that needs one.
  func overHTTP(for interceptor: Any.Type) throws -> HTTPRequest<Operation> {
    guard let request = asHTTP else {
      throw OperationError.onlyOverHTTP(interceptor, operationName: Operation.operationName)
    }
    return request
  }
}

/// The step that sends an operation, and gives what comes to the steps behind it, one response after the other.
package protocol ResponseSource: Sendable {
  /// - Parameters:
  ///   - passage: The operation.
  ///   - receive: Called with each response, one call after the other. It returns when the caller has the result. If it
  ///     throws, further responses are useless.
  /// - Throws: The error that ends the operation, or what `receive` threw.
  nonisolated(nonsending) func responses<Operation: GraphQLOperation>(
    to passage: OperationPassage<Operation>,
    receive: @escaping @Sendable (OperationResponse<Operation>) async throws -> Void
  ) async throws
}

/// What comes after a ``ChainStep``.
package enum NextStep<Operation: GraphQLOperation>: Sendable {
  /// The next interceptor is called.
  case proceed(OperationResponse<Operation>?)
  /// The caller is given this value, and the chain ends.
  case `return`(GraphQLResult<Operation.Data>)
  /// The caller is given this value, and the chain continues.
  case returnAndProceed(GraphQLResult<Operation.Data>)
  /// The next interceptor is called once for each response of an operation with several responses.
  indirect case proceedWithEach(AsyncThrowingStream<HTTPResponse<Operation>, any Error>)
  /// The chain begins again with the first interceptor.
  case retry
}

extension ChainStep {
  /// The chain calls this interceptor as a step.
  public var kind: InterceptorRequestChain.InterceptorKind { InterceptorRequestChain.InterceptorKind(.step(self)) }

  /// The name of the type: each built-in interceptor stands once in a chain.
  public var id: String { "\(Self.self)" }

  /// Runs the step for a chain that calls every interceptor with callbacks.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    Caller(chain: chain, request: request, completion: completion).call(self, response)
  }
}

/// Runs a step for a chain that waits for a callback, and tells the chain how to go on.
private struct Caller<Operation: GraphQLOperation>: Sendable {
  // (Two properties and not one pair: the compiler of Swift 6.3 crashes on a pair when it optimizes.)
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
        try await take(step.intercept(request, response), of: step, response)
      } catch {
        chain.handleErrorAsync(error, request: request, response: response, completion: completion)
      }
    }
  }

  private nonisolated(nonsending) func take(
    _ step: NextStep<Operation>, of interceptor: any ApolloInterceptor, _ response: HTTPResponse<Operation>?
  ) async throws {
    switch step {
    case .proceed(let next): proceed(next?.asHTTP, interceptor)
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

/// A step that is told how an operation ended, before the caller is, and may start the operation again.
///
/// The steps of a chain are called from the last to the first, so the one next to the network decides first. In Apollo
/// iOS 2 such interceptors surround an operation, so these can be used in that way as well.
package protocol OutcomeStep: ChainStep, GraphQLInterceptor {
  /// Called with the result of each pass through the chain, or with the error that ended it.
  ///
  /// - Throws: The error that the caller gets instead.
  nonisolated(nonsending) func didEnd<Operation: GraphQLOperation>(
    _ outcome: Result<GraphQLResult<Operation.Data>, any Error>, of passage: OperationPassage<Operation>,
    _ response: OperationResponse<Operation>?
  ) async throws -> OutcomeAction
}

extension OutcomeStep {
  /// The chain calls this interceptor as a step, and tells it the outcome.
  public var kind: InterceptorRequestChain.InterceptorKind { InterceptorRequestChain.InterceptorKind(.listening(self)) }
  /// The name of the type: each built-in interceptor stands once in a chain.
  public var id: String { "\(Self.self)" }

  /// Runs the step for a chain that calls every interceptor with callbacks.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    Caller(chain: chain, request: request, completion: completion).call(self, response)
  }

  /// Runs the step around the rest of a chain. It is for an interceptor of the app that calls this one; a chain calls
  /// it as a step, which is faster.
  public func intercept<Request: GraphQLRequest>(
    request: Request, next: @Sendable (Request) async -> InterceptorResultStream<Request>
  ) async throws -> InterceptorResultStream<Request> {
    guard let step = request as? HTTPRequest<Request.Operation> else {
      throw OperationError(
        .configuration, "\(Self.self) takes requests that are an HTTPRequest, and no \(Request.self).",
        operationName: Request.Operation.operationName)
    }
    _ = try await intercept(step, nil)
    let results = await next(request)
    return InterceptorResultStream { continuation in
      do {
        for try await parsed in results {
          let action = try await didEnd(.success(parsed.result), of: step, parsed.asResponse(to: step))
          guard action == .deliver else { throw InterceptorRequestChain.Retry(request: request) }
          continuation.yield(parsed)
        }
      } catch let error where !(error is InterceptorRequestChain.Retry) {
        let action = try await didEnd(.failure(error), of: step, nil)
        throw action == .retry ? InterceptorRequestChain.Retry(request: request) : error
      }
    }
  }
}

/// What happens with the outcome of a chain.
package enum OutcomeAction: Hashable, Sendable {
  /// The caller is given the outcome.
  case deliver
  /// The outcome is dropped, and the chain begins again with its first interceptor.
  case retry
}
