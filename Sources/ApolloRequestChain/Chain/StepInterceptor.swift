public import ApolloHTTP
public import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache

/// A step of this package that an app's chain may have among its interceptors.
protocol StepInterceptor: ChainStep, ApolloInterceptor {}

/// A step that is told the outcome of an operation, as an interceptor.
///
/// In Apollo iOS 2 such interceptors surround an operation. So these can be used in that way as well.
protocol OutcomeInterceptor: OutcomeStep, StepInterceptor, GraphQLInterceptor {}

extension StepInterceptor {
  /// The chain calls this interceptor as a step.
  public var kind: InterceptorRequestChain.InterceptorKind {
    InterceptorRequestChain.InterceptorKind(.step(.plain(self)))
  }

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
  // Safe: an app's interceptor may have given its own chain (see Handoff).
  nonisolated(unsafe) private let chain: any RequestChain
  // Safe: the completion of an app's interceptor (see Handoff).
  nonisolated(unsafe) private let completion: (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  private let request: HTTPRequest<Operation>

  init(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    self.chain = chain
    self.completion = completion
    self.request = request
  }

  func call(_ step: any StepInterceptor, _ response: HTTPResponse<Operation>?) {
    chain.work {
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
      for try await each in responses { proceed(each.asHTTP, interceptor) }
    case .retry: chain.retry(request: request, completion: completion)
    }
  }

  private func proceed(_ response: HTTPResponse<Operation>?, _ interceptor: any ApolloInterceptor) {
    chain.proceed(behind: interceptor, request, response, completion: completion)
  }
}

extension CacheWriteInterceptor {
  /// The chain calls this interceptor as a step that writes.
  public var kind: InterceptorRequestChain.InterceptorKind {
    InterceptorRequestChain.InterceptorKind(.step(.writing(self)))
  }
}

extension OutcomeInterceptor {
  /// The chain calls this interceptor as a step, and tells it the outcome.
  public var kind: InterceptorRequestChain.InterceptorKind {
    InterceptorRequestChain.InterceptorKind(.step(.listening(self)))
  }
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
        .configuration, "\(Self.self) takes requests of the type HTTPRequest, not \(Request.self).",
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
        let action = try await didEnd(.failure(error), of: step, step.endResponse)
        throw action == .retry ? InterceptorRequestChain.Retry(request: request) : error
      }
    }
  }
}

// MARK: The steps that have a name in Apollo iOS

extension MaxRetryInterceptor: OutcomeInterceptor {}
extension LoggingInterceptor: OutcomeInterceptor {}
extension AuthenticationInterceptor: OutcomeInterceptor {}
extension AutomaticPersistedQueryInterceptor: OutcomeInterceptor {}
extension CacheReadInterceptor: StepInterceptor {}
extension CacheWriteInterceptor: StepInterceptor {}
extension NetworkFetchInterceptor: StepInterceptor {}
extension ResponseCodeInterceptor: StepInterceptor {}
extension MultipartResponseParsingInterceptor: StepInterceptor {}
extension JSONResponseParsingInterceptor: StepInterceptor {}
