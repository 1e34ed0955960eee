public import ApolloAPI
package import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// The transport of the releases before the request chain: a delegate in the place of interceptors. It is a layer over
// `RequestChainNetworkTransport`, whose chain asks the delegate.

/// What an ``HTTPNetworkTransport`` tells its delegate. The delegate conforms to the protocols of this one that it wants.
public protocol HTTPNetworkTransportDelegate: AnyObject {}

/// Decides about requests before they are sent.
public protocol HTTPNetworkTransportPreflightDelegate: HTTPNetworkTransportDelegate {
  /// - Returns: False to fail with ``GraphQLHTTPRequestError/cancelledByDelegate``.
  func networkTransport(_ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool

  /// Called after `shouldSend`; it may change the request.
  func networkTransport(_ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest)
}

/// Sees what came of each request, before it is parsed.
public protocol HTTPNetworkTransportTaskCompletedDelegate: HTTPNetworkTransportDelegate {
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest, withData data: Data?,
    response: URLResponse?, error: (any Error)?)
}

/// Decides about another try after a failure.
public protocol HTTPNetworkTransportRetryDelegate: HTTPNetworkTransportDelegate {
  /// - Parameter continueHandler: To be called once; what it is told later is ignored.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error, for request: URLRequest,
    response: URLResponse?, continueHandler: @escaping (_ action: HTTPNetworkTransport.ContinueAction) -> Void)
}

/// Decides about another try after a response with errors.
public protocol HTTPNetworkTransportGraphQLErrorDelegate: HTTPNetworkTransportDelegate {
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping (_ shouldRetry: Bool) -> Void)
}

/// Sends operations over HTTP, and asks a delegate about them.
///
/// New code uses ``RequestChainNetworkTransport``, of which this is a layer.
public final class HTTPNetworkTransport: UploadingNetworkTransport, @unchecked Sendable {
  // Sendable: what changes is behind a lock.

  /// What to do after a failure.
  public enum ContinueAction {
    /// Send the operation again, from the beginning.
    case retry
    /// Give the caller this error.
    case fail(_ error: any Error)
  }

  private struct State {
    weak var delegate: (any HTTPNetworkTransportDelegate)?
    var store: ApolloStore?
  }

  private let url: URL
  private let client: URLSessionClient
  private let ownsClient: Bool
  private let chains: RequestChainNetworkTransport
  private let state = Locked(State())

  /// - Parameters:
  ///   - client: nil for one of its own.
  ///   - delegate: Is held weakly, and is told of requests, responses and failures; see ``delegate``.
  ///   - sendOperationIdentifiers: The server knows the operations, and is sent only their identifiers.
  ///   - enableAutoPersistedQueries: Operations are sent as hashes, and as a whole only if the server does not know them.
  public init(
    url: URL, client: URLSessionClient? = nil, sendOperationIdentifiers: Bool = false,
    useGETForQueries: Bool = false, enableAutoPersistedQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false, delegate: (any HTTPNetworkTransportDelegate)? = nil,
    requestCreator: any RequestCreator = ApolloRequestCreator()
  ) {
    self.url = url
    self.client = client ?? URLSessionClient()
    ownsClient = client == nil
    let provider = DelegateInterceptorProvider()
    chains = RequestChainNetworkTransport(
      interceptorProvider: provider, endpointURL: url, autoPersistQueries: enableAutoPersistedQueries,
      requestBodyCreator: sendOperationIdentifiers ? OperationIdentifierBodyCreator() : requestCreator,
      useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
    provider.transport = self
    self.delegate = delegate
  }

  deinit {
    if ownsClient { client.invalidate() }
  }

  public var delegate: (any HTTPNetworkTransportDelegate)? {
    get { state.withLock { Handoff($0.delegate) }.value }
    set {
      let delegate = Handoff(newValue)
      state.withLock { $0.delegate = delegate.value }
    }
  }

  public var clientName: String {
    get { chains.clientName }
    set { chains.clientName = newValue }
  }

  public var clientVersion: String {
    get { chains.clientVersion }
    set { chains.clientVersion = newValue }
  }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    chains.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }

  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    chains.upload(
      operation: operation, files: files, context: context, callbackQueue: callbackQueue,
      completionHandler: completionHandler)
  }

  func makeInterceptors() -> [any ApolloInterceptor] {
    let store = state.withLock { $0.store } ?? ApolloStore()
    return [
      CacheReadInterceptor(store: store),
      DelegatedFetchInterceptor(transport: self, client: client),
      ResponseCodeInterceptor(),
      MultipartResponseParsingInterceptor(),
      JSONResponseParsingInterceptor(),
      AutomaticPersistedQueryInterceptor(),
      GraphQLErrorDelegateInterceptor(transport: self),
      CacheWriteInterceptor(store: store),
    ]
  }
}

extension HTTPNetworkTransport: ClientAwareTransport {
  package func endClientAwareness() { chains.endClientAwareness() }
}

extension HTTPNetworkTransport: StoreUsing {
  package var store: ApolloStore? { state.withLock { $0.store } }

  package func use(_ store: ApolloStore) { state.withLock { $0.store = store } }
}

extension HTTPNetworkTransport: RoutingTransport {
  package func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport {
    chains
  }
}

extension HTTPNetworkTransport: Equatable {
  public static func == (lhs: HTTPNetworkTransport, rhs: HTTPNetworkTransport) -> Bool {
    lhs.url == rhs.url && lhs.clientName == rhs.clientName && lhs.clientVersion == rhs.clientVersion
      && lhs.chains.useGETForQueries == rhs.chains.useGETForQueries
      && type(of: lhs.chains.requestBodyCreator) == type(of: rhs.chains.requestBodyCreator)
  }
}

/// `{"id": …}` in place of the document.
package struct OperationIdentifierBodyCreator: IdentifierBodyCreator {
  package init() {}

  package func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    var body = ApolloRequestBodyCreator().requestBody(for: operation, sendQueryDocument: false)
    body["id"] = Operation.operationDocument.operationIdentifier
    return body
  }
}
