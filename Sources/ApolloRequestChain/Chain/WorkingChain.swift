import ApolloOperations
import ApolloTransport
import ApolloAPI

/// A chain of this package, which ends the work of interceptors when it is cancelled.
protocol WorkingChain: RequestChain {
  /// Starts a task that is cancelled with the chain.
  func begin(_ body: @escaping @Sendable () async -> Void)
}

extension InterceptorRequestChain: WorkingChain {
  func begin(_ body: @escaping @Sendable () async -> Void) { started(body) }
}

// A chain calls steps, and interceptors around other ones, without callbacks. So where one of them is called with
// callbacks, an interceptor of the app wraps it, or the chain is the app's own.

extension RequestChain {
  /// Does the work of an interceptor in a task, which is cancelled with the chain if that is one of this package.
  func work(_ body: @escaping @Sendable () async -> Void) {
    if let chain = self as? any WorkingChain { chain.begin(body) } else { Task { await body() } }
  }

  /// Goes on behind an interceptor that has done its work, or behind the interceptor of the app that wraps it.
  func proceed<Operation: GraphQLOperation>(
    behind interceptor: any ApolloInterceptor, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    // (What wraps it is at a place of its own. The chain may have another one of its type elsewhere.)
    if self is CallbackStep<Operation> {
      proceedAsync(request: request, response: response, completion: completion)
    } else {
      proceedAsync(request: request, response: response, interceptor: interceptor, completion: completion)
    }
  }
}
