public import ApolloHTTP
package import ApolloOperations
public import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// The transport of Apollo iOS before the request chain: a delegate in place of interceptors. It is a layer over
// `RequestChainNetworkTransport`, whose chain asks the delegate.

/// The common protocol of the delegates of an ``HTTPNetworkTransport``. A delegate conforms to those protocols that
/// inherit from this one whose functions it wants to implement.
public protocol HTTPNetworkTransportDelegate: AnyObject {}

/// A delegate that sees requests before they are sent.
public protocol HTTPNetworkTransportPreflightDelegate: HTTPNetworkTransportDelegate {
  /// Decides whether a request is sent.
  ///
  /// - Returns: True to send it. False to fail with ``GraphQLHTTPRequestError/cancelledByDelegate``.
  func networkTransport(_ networkTransport: HTTPNetworkTransport, shouldSend request: URLRequest) -> Bool

  /// Called after `networkTransport(_:shouldSend:)`. It may change the request.
  func networkTransport(_ networkTransport: HTTPNetworkTransport, willSend request: inout URLRequest)
}

/// A delegate that sees what came of each request, before the response is parsed.
public protocol HTTPNetworkTransportTaskCompletedDelegate: HTTPNetworkTransportDelegate {
  /// Called when a request has ended, with the response or with the error.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, didCompleteRawTaskForRequest request: URLRequest, withData data: Data?,
    response: URLResponse?, error: (any Error)?)
}

/// A delegate that decides whether an operation is sent again after a failure.
public protocol HTTPNetworkTransportRetryDelegate: HTTPNetworkTransportDelegate {
  /// Called when an operation has failed.
  ///
  /// - Parameters:
  ///   - networkTransport: The transport that sent it.
  ///   - error: What failed.
  ///   - request: The request that was sent.
  ///   - response: Status and header fields of the response. nil: there was none.
  ///   - continueHandler: To be called once, with what to do. Later calls are ignored.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: any Error, for request: URLRequest,
    response: URLResponse?, continueHandler: @escaping (_ action: HTTPNetworkTransport.ContinueAction) -> Void)
}

/// A delegate that decides whether an operation is sent again after a response with errors.
public protocol HTTPNetworkTransportGraphQLErrorDelegate: HTTPNetworkTransportDelegate {
  /// Called with the errors of a GraphQL response. The handler is to be called with true to send the operation again.
  func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedGraphQLErrors errors: [GraphQLError],
    retryHandler: @escaping (_ shouldRetry: Bool) -> Void)
}

/// Sends operations over HTTP, and asks a delegate about each request.
///
/// Part of the API of Apollo iOS 0.x. New code uses ``RequestChainNetworkTransport``.
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

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - url: The address of the server.
  ///   - client: Sends the requests. nil, the default: a new one, which ends with the transport.
  ///   - sendOperationIdentifiers: Whether only the identifiers of operations are sent, for a server that knows the
  ///     operations. The default is false.
  ///   - useGETForQueries: Whether queries are sent with `GET`. The default is false.
  ///   - enableAutoPersistedQueries: Whether operations are sent as hashes first, and in full only if the server does
  ///     not know the hash. The default is false.
  ///   - useGETForPersistedQueryRetry: Whether a query whose hash the server does not know is sent in full with `GET`.
  ///     The default is false.
  ///   - delegate: Is told of requests, responses and failures. It is held weakly. nil, the default: none.
  ///   - requestCreator: Makes the bodies of requests. It is asked for bodies with an identifier if only these are
  ///     sent.
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
      requestBodyCreator: RequestBody.creator(
        sendingIdentifiers: sendOperationIdentifiers, otherwise: requestCreator),
      useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
    provider.transport = self
    self.delegate = delegate
  }

  deinit {
    if ownsClient { client.invalidate() }
  }

  /// The delegate that is asked about requests and failures. It is held weakly; nil for none.
  public var delegate: (any HTTPNetworkTransportDelegate)? {
    get { state.withLock { Handoff($0.delegate) }.value }
    set {
      // Safe: an app's delegate (see Handoff), which goes into the lock.
      nonisolated(unsafe) let delegate = newValue
      state.withLock { $0.delegate = delegate }
    }
  }

  /// The name of the app, as requests tell it to the server in `apollographql-client-name`.
  public var clientName: String {
    get { chains.clientName }
    set { chains.clientName = newValue }
  }

  /// The version of the app, as requests tell it to the server in `apollographql-client-version`.
  public var clientVersion: String {
    get { chains.clientVersion }
    set { chains.clientVersion = newValue }
  }

  /// Sends an operation, and calls a handler with each result or with the error that ended it.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    chains.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }

  /// Sends an operation with files, and calls a handler with the result or with the error.
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
  package var clientAwarenessMetadata: ClientAwarenessMetadata {
    get { chains.clientAwarenessMetadata }
    set { chains.clientAwarenessMetadata = newValue }
  }
}

extension HTTPNetworkTransport: ClientTransport {
  package var store: ApolloStore? { state.withLock { $0.store } }

  package func join(_ client: ExchangePolicies, _ store: ApolloStore) {
    state.replace(\.store, with: Optional(store))
    if let clock = client.ownClock { chains.use(clock) }
  }
}

extension HTTPNetworkTransport: RoutingTransport {
  package func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport {
    chains
  }
}

extension HTTPNetworkTransport: Equatable {
  /// Compares address, client name and version, the use of `GET`, and the type of the body creator.
  public static func == (lhs: HTTPNetworkTransport, rhs: HTTPNetworkTransport) -> Bool {
    lhs.url == rhs.url && lhs.clientName == rhs.clientName && lhs.clientVersion == rhs.clientVersion
      && lhs.chains.useGETForQueries == rhs.chains.useGETForQueries
      && type(of: lhs.chains.requestBodyCreator) == type(of: rhs.chains.requestBodyCreator)
  }
}

extension HTTPNetworkTransport: UserForgetting {
  /// Removes what the session keeps of the user.
  public func forgetUser() { client.forgetUser(of: url) }
}
