public import ApolloAPI
import ApolloCache

/// One step in sending an operation, written with callbacks.
///
/// An interceptor does its work and then tells the chain to go on, to return a value, to try again, or to fail.
public protocol ApolloInterceptor {
  /// Tells this interceptor from the others in its chain.
  var id: String { get }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
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
public protocol AsyncInterceptor: ApolloInterceptor, Sendable {
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
  case proceedWithEach(AsyncThrowingStream<HTTPResponse<Operation>, any Error>)
  /// The first interceptor again.
  case retry
}

extension AsyncInterceptor {
  /// The type's name: each of the built-in interceptors stands once in a chain.
  public var id: String { "\(Self.self)" }

  /// For chains that do not know this protocol.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let work = Handoff((chain, completion))
    Task {
      let (chain, completion) = work.value
      do {
        switch try await intercept(request: request, response: response) {
        case .proceed(let response):
          chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
        case .return(let value): chain.returnValueAsync(for: request, value: value, completion: completion)
        case .returnAndProceed(let value):
          chain.returnValueAsync(for: request, value: value, completion: completion)
          chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
        case .proceedWithEach(let responses):
          for try await response in responses {
            chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
          }
        case .retry: chain.retry(request: request, completion: completion)
        }
      } catch {
        chain.handleErrorAsync(error, request: request, response: response, completion: completion)
      }
    }
  }
}
