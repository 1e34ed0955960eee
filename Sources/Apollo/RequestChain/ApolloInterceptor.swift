public import ApolloAPI

/// One step in sending an operation, written with callbacks, as in releases 0.34 to 1.x of Apollo iOS.
///
/// An interceptor does its work and then tells the chain to go on, to return a value, to try again, or to fail. New code is
/// simpler as a ``GraphQLInterceptor`` or an ``HTTPInterceptor``.
public protocol ApolloInterceptor {
  /// Tells this interceptor from the others in its chain.
  var id: String { get }

  /// How a chain calls this interceptor. There is no need to implement it.
  var kind: InterceptorKind { get }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
}

extension ApolloInterceptor {
  public var kind: InterceptorKind { InterceptorKind(.callbacks) }
}

/// How a chain calls an interceptor: with callbacks, as a ``GraphQLInterceptor``, or as a step of this package.
///
/// An interceptor says it itself, because a chain that looks for the conformances of each of its interceptors takes longer for
/// that than for all of their work.
public struct InterceptorKind: Sendable {
  enum Kind: Sendable {
    case callbacks
    case around(any GraphQLInterceptor)
    case listening(any OutcomeStep)
    case step(any ChainStep)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
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
