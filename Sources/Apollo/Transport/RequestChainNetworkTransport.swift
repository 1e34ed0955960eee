public import ApolloAPI
package import ApolloCache
public import Foundation

/// Sends operations over HTTP, each through a chain of interceptors.
open class RequestChainNetworkTransport: UploadingNetworkTransport, @unchecked Sendable {
  // Sendable: what changes is behind a lock; everything else never changes.

  private struct State {
    var additionalHeaders: [String: String]
    var requestBodyCreator: Handoff<any RequestBodyCreator>
    var clientName: String
    var clientVersion: String
    var requestDeadline: TimeInterval?
    var sendsClientAwareness: Bool
    var streamProtocol = StreamProtocol.any
    /// The cache for interceptors that have none: the transport's own, or that of the client.
    var sharedStore: ApolloStore?
    var hasOwnStore = false
    /// Sends for interceptors that have no client.
    var engine: (any HTTPEngine)?
    /// Ends with this transport.
    var ownClient: URLSessionClient?
  }

  /// The address of the server.
  public let endpointURL: URL
  /// Queries and mutations are sent as the hash of their document, and as a whole only if the server does not know it.
  public let autoPersistQueries: Bool
  /// Queries are sent as `GET`. Mutations never are.
  public let useGETForQueries: Bool
  /// A query that the server did not know by its hash is sent once more as `GET`, rather than as `POST`.
  public let useGETForPersistedQueryRetry: Bool
  let interceptorProvider: any InterceptorProvider
  /// The cache of the provider, if that can tell.
  private let providerStore: ApolloStore?
  private let persistedQueries = PersistedQuerySupport()
  private let state: Locked<State>

  /// - Parameters:
  ///   - additionalHeaders: Sent with each request. `Accept` is the transport's own.
  ///   - autoPersistQueries: See ``autoPersistQueries``; needs code that was generated with operation identifiers.
  ///   - requestBodyCreator: Makes the JSON of each request.
  public init(
    interceptorProvider: any InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false, requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    useGETForQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false,
    sendEnhancedClientAwareness: Bool = true
  ) {
    self.interceptorProvider = interceptorProvider
    providerStore = (interceptorProvider as? any StoreHolding)?.store
    self.endpointURL = endpointURL
    self.autoPersistQueries = autoPersistQueries
    self.useGETForQueries = useGETForQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    state = Locked(
      State(
        additionalHeaders: additionalHeaders, requestBodyCreator: Handoff(requestBodyCreator),
        clientName: Self.defaultClientName, clientVersion: Self.defaultClientVersion,
        sendsClientAwareness: sendEnhancedClientAwareness))
  }

  /// A transport with a session and a cache of its own, for interceptors that have none. Of release 2 of Apollo iOS.
  ///
  /// - Parameters:
  ///   - urlSession: Sends the requests.
  ///   - interceptorProvider: For instance ``DefaultInterceptorProvider/shared``, or one that adds to its interceptors.
  ///   - store: The cache.
  ///   - additionalHeaders: Sent with each request. `Accept` is the transport's own.
  ///   - apqConfig: Whether queries are sent as the hash of their document.
  ///   - requestBodyCreator: Makes the JSON of each request.
  ///   - useGETForQueries: See ``useGETForQueries``.
  public convenience init(
    urlSession: any ApolloURLSession, interceptorProvider: any InterceptorProvider, store: ApolloStore,
    endpointURL: URL, additionalHeaders: [String: String] = [:],
    apqConfig: AutoPersistedQueryConfiguration = AutoPersistedQueryConfiguration(),
    requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(), useGETForQueries: Bool = false
  ) {
    self.init(
      interceptorProvider: interceptorProvider, endpointURL: endpointURL, additionalHeaders: additionalHeaders,
      autoPersistQueries: apqConfig.autoPersistQueries, requestBodyCreator: requestBodyCreator,
      useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: apqConfig.useGETForPersistedQueryRetry)
    let engine = urlSession.engine
    state.withLock { state in
      (state.sharedStore, state.hasOwnStore) = (store, true)
      state.engine = engine
      state.ownClient = engine as? SessionClient
    }
  }

  deinit { state.withLock { $0.ownClient }?.invalidate() }

  /// What sends for interceptors that have no client: the session that the transport was given, or one of its own.
  var engine: any HTTPEngine {
    state.withLock { state in
      if let engine = state.engine { return engine }
      let client = URLSessionClient()
      (state.engine, state.ownClient) = (client, client)
      return client
    }
  }

  /// Requests say which library they come from, in their `extensions`.
  public var sendEnhancedClientAwareness: Bool { state.withLock { $0.sendsClientAwareness } }

  /// Sent with each request.
  open var additionalHeaders: [String: String] {
    get { state.withLock { $0.additionalHeaders } }
    set { state.withLock { $0.additionalHeaders = newValue } }
  }

  open var requestBodyCreator: any RequestBodyCreator {
    get { state.withLock { $0.requestBodyCreator }.value }
    set {
      let creator = Handoff(newValue)
      state.withLock { $0.requestBodyCreator = creator }
    }
  }

  open var clientName: String {
    get { state.withLock { $0.clientName } }
    set { state.withLock { $0.clientName = newValue } }
  }

  open var clientVersion: String {
    get { state.withLock { $0.clientVersion } }
    set { state.withLock { $0.clientVersion = newValue } }
  }

  /// How many seconds a query or a mutation may take in all, retries included; nil for no limit.
  ///
  /// ``RequestConfiguration/deadline`` says otherwise for one operation.
  open var requestDeadline: TimeInterval? {
    get { state.withLock { $0.requestDeadline } }
    set { state.withLock { $0.requestDeadline = newValue } }
  }

  /// How subscriptions, and operations with `@defer` or `@stream`, ask to be answered.
  ///
  /// By default it is up to the server, which some servers do not understand.
  open var streamProtocol: StreamProtocol {
    get { state.withLock { $0.streamProtocol } }
    set { state.withLock { $0.streamProtocol = newValue } }
  }

  // MARK: Requests

  /// Makes the request for an operation. Subclasses may return another kind of request.
  open func constructRequest<Operation: GraphQLOperation>(
    for operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> HTTPRequest<Operation> {
    let state = state.withLock { $0 }
    let isPersisted = autoPersistQueries && Operation.operationType != .subscription && persistedQueries.isAvailable
    let request = JSONRequest(
      operation: operation, graphQLEndpoint: endpointURL, contextIdentifier: contextIdentifier,
      clientName: state.clientName, clientVersion: state.clientVersion, additionalHeaders: state.additionalHeaders,
      cachePolicy: cachePolicy, context: context, autoPersistQueries: isPersisted,
      useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry,
      requestBodyCreator: state.requestBodyCreator.value, sendEnhancedClientAwareness: state.sendsClientAwareness)
    request.persistedQuerySupport = persistedQueries
    request.accept = AcceptHeader.value(for: Operation.self, in: state.streamProtocol)
    return request
  }

  /// The hook of releases 0.34 to 1.2 of Apollo iOS, which know no context.
  @available(
    *, unavailable, message: "Override constructRequest(for:cachePolicy:contextIdentifier:context:) in its place."
  )
  open func constructRequest<Operation: GraphQLOperation>(
    for operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?
  ) -> HTTPRequest<Operation> {
    constructRequest(for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: nil)
  }

  /// Makes the request that sends files with an operation. Subclasses may return another kind of request.
  ///
  /// - Parameter manualBoundary: Separates the parts of the body; nil for a random text.
  open func constructUploadRequest<Operation: GraphQLOperation>(
    for operation: Operation, with files: [GraphQLFile], context: (any RequestContext)? = nil,
    manualBoundary: String? = nil
  ) -> HTTPRequest<Operation> {
    let state = state.withLock { $0 }
    let request = UploadRequest(
      graphQLEndpoint: endpointURL, operation: operation, clientName: state.clientName,
      clientVersion: state.clientVersion, additionalHeaders: state.additionalHeaders, files: files,
      manualBoundary: manualBoundary, context: context, requestBodyCreator: state.requestBodyCreator.value,
      sendEnhancedClientAwareness: state.sendsClientAwareness)
    request.accept = AcceptHeader.value(for: Operation.self, in: state.streamProtocol)
    return request
  }

  // MARK: Sending

  open func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(
        sent: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context),
      by: TransportRoute(self, sendsByChains: true)
    ).deliver(on: callbackQueue, to: completionHandler)
  }

  open func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(sent: operation, context: context, files: files), by: TransportRoute(self, sendsByChains: true)
    ).deliver(on: callbackQueue, to: completionHandler)
  }

  /// Runs an operation through a chain of interceptors, to its end. It keeps the transport, and so its session, until then.
  ///
  /// - Parameter store: The client's, for interceptors that have none.
  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, store: ApolloStore?, listens: Bool, _ emit: @escaping OperationRun<Operation>.Emit
  ) async {
    let request =
      if let files = call.files {
        constructUploadRequest(for: call.operation, with: files, context: call.context)
      } else {
        constructRequest(
          for: call.operation, cachePolicy: call.cachePolicy, contextIdentifier: call.contextIdentifier,
          context: call.context)
      }
    request.apply(call.configuration)
    let chain = InterceptorRequestChain(interceptors: interceptorProvider.interceptors(for: request.operation))
    chain.additionalErrorHandler = interceptorProvider.additionalErrorInterceptor(for: request.operation)
    request.store = providerStore ?? chain.store ?? self.store ?? store
    request.transport = self
    await chain.run(request, listens: listens) { outcome in
      switch outcome {
      case .success: emit(outcome)
      case .failure(let error): emit(.failure(request.describe(error)))
      }
    }
    if !listens, chain.isCancelled, !Task.isCancelled {
      // A callback is not called any more. One that waits has to be told.
      emit(
        .failure(
          OperationError(.cancelled, "The chain of interceptors was cancelled.", operationName: Operation.operationName)
        ))
    }
    withExtendedLifetime(self) {}
  }
}

extension InterceptorRequestChain {
  /// The cache that the interceptors write to.
  fileprivate var store: ApolloStore? {
    for case let writing as CacheWriteInterceptor in interceptors { return writing.store }
    return nil
  }
}

extension HTTPRequest {
  /// Adds what is known of this request and its response to an error.
  fileprivate func describe(_ error: any Error) -> any Error {
    OperationError.wrap(error, operationName: Operation.operationName, response: failedResponse)
  }
}

extension RequestChainNetworkTransport: ClientAwareTransport {
  package func endClientAwareness() { state.withLock { $0.sendsClientAwareness = false } }
}

extension RequestChainNetworkTransport: StoreUsing {
  package var store: ApolloStore? {
    (interceptorProvider as? any StoreHolding)?.store ?? state.withLock { $0.sharedStore }
  }

  package func use(_ store: ApolloStore) {
    state.withLock { state in
      if !state.hasOwnStore { state.sharedStore = store }
    }
  }
}

/// What can tell which cache it uses.
protocol StoreHolding {
  var store: ApolloStore? { get }
}

extension URL {
  /// The address without what may be secret: user, password and query.
  var placeDescription: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return absoluteString }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    return parts.string ?? absoluteString
  }
}
