public import ApolloAPI

/// One step in sending an operation, written with callbacks.
///
/// An interceptor does its work and then tells the chain to go on, to return a value, to try again, or to fail.
public protocol ApolloInterceptor {
  /// Tells this interceptor from the others in its chain.
  var id: String { get }

  /// The interceptor itself, if it is an ``AsyncInterceptor``. (A chain that looks for the conformances of each of its
  /// interceptors takes longer for that than for all of their work.) There is no need to implement it.
  var asynchronous: (any AsyncInterceptor)? { get }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
}

extension ApolloInterceptor {
  public var asynchronous: (any AsyncInterceptor)? { self as? any AsyncInterceptor }
}

extension ApolloInterceptor where Self: AnyObject {
  /// The object's own identity.
  public var id: String { "\(ObjectIdentifier(self).hashValue)" }
}

/// Sees every error before it reaches the caller, and may try to recover from it.
public protocol ApolloErrorInterceptor {
  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
}

/// One step in sending an operation, in Swift concurrency. It may stand in a chain with others of both kinds.
///
/// It may be run in the task of the caller, who waits for it. So one that waits should stop when its task is cancelled.
public protocol AsyncInterceptor: ApolloInterceptor, Sendable {
  /// The interceptor itself, if it is an ``OutcomeInterceptor``. There is no need to implement it.
  var listening: (any OutcomeInterceptor)? { get }

  /// - Throws: What ends the operation, unless the error interceptor of the chain recovers from it.
  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation>
}

/// What comes after an ``AsyncInterceptor``.
public enum NextStep<Operation: GraphQLOperation>: Sendable {
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

extension AsyncInterceptor {
  public var asynchronous: (any AsyncInterceptor)? { self }
  public var listening: (any OutcomeInterceptor)? { nil }

  /// The type's name: each of the built-in interceptors stands once in a chain.
  public var id: String { "\(Self.self)" }

  /// For chains that do not know this protocol.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let caller = Caller(chain: chain, request: request, completion: completion)
    Task {
      do {
        try await caller.take(intercept(request: request, response: response), of: self, response)
      } catch {
        caller.fail(error, response)
      }
    }
  }
}

/// A chain that waits, with what it needs to go on.
private struct Caller<Operation: GraphQLOperation>: @unchecked Sendable {
  // The completion came without `@Sendable`; the chain calls it on its queue.
  let chain: any RequestChain
  let request: HTTPRequest<Operation>
  let completion: (Result<GraphQLResult<Operation.Data>, any Error>) -> Void

  func take(
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

  func fail(_ error: any Error, _ response: HTTPResponse<Operation>?) {
    chain.handleErrorAsync(error, request: request, response: response, completion: completion)
  }
}
