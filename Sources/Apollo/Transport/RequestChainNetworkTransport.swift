public import ApolloAPI
public import Foundation

/// Sends operations over HTTP, each through a chain of interceptors.
open class RequestChainNetworkTransport: NetworkTransport, @unchecked Sendable {
  // Sendable: the header fields and the names are behind a lock; everything else never changes.

  private struct State {
    var additionalHeaders: [String: String]
    var clientName: String
    var clientVersion: String
  }

  /// The address of the server.
  public let endpointURL: URL
  private let interceptorProvider: any InterceptorProvider
  private let state: Locked<State>

  /// - Parameter additionalHeaders: Sent with each request.
  public init(
    interceptorProvider: any InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String] = [:]
  ) {
    self.interceptorProvider = interceptorProvider
    self.endpointURL = endpointURL
    state = Locked(
      State(
        additionalHeaders: additionalHeaders, clientName: Self.defaultClientName,
        clientVersion: Self.defaultClientVersion))
  }

  /// Sent with each request.
  open var additionalHeaders: [String: String] {
    get { state.withLock { $0.additionalHeaders } }
    set { state.withLock { $0.additionalHeaders = newValue } }
  }

  open var clientName: String {
    get { state.withLock { $0.clientName } }
    set { state.withLock { $0.clientName = newValue } }
  }

  open var clientVersion: String {
    get { state.withLock { $0.clientVersion } }
    set { state.withLock { $0.clientVersion = newValue } }
  }

  /// Makes the request for an operation. Subclasses may return another kind of request.
  open func constructRequest<Operation: GraphQLOperation>(
    for operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> HTTPRequest<Operation> {
    let request = JSONRequest(
      operation: operation, graphQLEndpoint: endpointURL, contextIdentifier: contextIdentifier,
      clientName: clientName, clientVersion: clientVersion, additionalHeaders: additionalHeaders,
      cachePolicy: cachePolicy, context: context)
    request.addHeader(name: "Accept", value: "application/graphql-response+json,application/json;q=0.9")
    return request
  }

  open func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let chain = InterceptorRequestChain(
        interceptors: interceptorProvider.interceptors(for: operation), queue: nil,
        onFinish: { continuation.finish() })
      chain.additionalErrorHandler = interceptorProvider.additionalErrorInterceptor(for: operation)
      continuation.onTermination = { reason in
        if case .cancelled = reason { chain.cancel() }
      }
      let request = constructRequest(
        for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
      chain.kickoff(request: request) { result in
        switch result {
        case .success(let value):
          continuation.yield(value)
          if value.isLast(of: Operation.operationType, under: cachePolicy) { continuation.finish() }
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
    }
  }

  open func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    results(of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
      .deliver(on: callbackQueue, to: completionHandler)
  }
}
