public import ApolloOperations
public import ApolloTransport
public import ApolloAPI

/// One step in sending an operation, written with callbacks, as in Apollo iOS 0.34 to 1.
///
/// An interceptor does its work, and then tells the chain to go on, to return a value, to try again, or to fail. New
/// code is simpler as a ``GraphQLInterceptor`` or an ``HTTPInterceptor``.
public protocol ApolloInterceptor {
  /// Identifies this interceptor in its chain, for a chain that goes on behind the interceptor which it is given. By
  /// default a class has the identity of the object, and another type its name: a type without an `id` of its own
  /// stands in a chain once, or calls the form of `proceedAsync` without `interceptor:`.
  var id: String { get }

  /// How a chain calls this interceptor. It has a default implementation; do not implement it.
  var kind: InterceptorRequestChain.InterceptorKind { get }

  /// Does this interceptor's work, and then calls a function of the chain, such as `proceedAsync`.
  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
}

extension ApolloInterceptor {
  /// The name of the type.
  public var id: String { "\(Self.self)" }

  /// The chain calls this interceptor with callbacks.
  public var kind: InterceptorRequestChain.InterceptorKind { InterceptorRequestChain.InterceptorKind(.callbacks) }
}

extension InterceptorRequestChain {
  /// How a chain calls an interceptor: with callbacks, as a ``GraphQLInterceptor``, or as a step of this package.
  ///
  /// Each interceptor says it itself, because looking up the conformances of each interceptor would take longer than
  /// running them all.
  public struct InterceptorKind: Sendable {
    enum Kind: Sendable {
      case callbacks
      case around(any GraphQLInterceptor)
      case step(StepKind)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
  }
}

extension ApolloInterceptor where Self: AnyObject {
  /// The identity of the object.
  public var id: String { "\(ObjectIdentifier(self).hashValue)" }
}

/// Sees every error of a chain before it reaches the caller, and may recover from it.
public protocol ApolloErrorInterceptor {
  /// Handles an error: fails with it or with another one, retries, or returns a value.
  func handleErrorAsync<Operation: GraphQLOperation>(
    error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void)
}
