public import ApolloHTTP
public import ApolloOperations
public import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends operations over HTTP, each through a chain of interceptors.
open class RequestChainNetworkTransport: UploadingNetworkTransport, @unchecked Sendable {
  // Sendable: what changes is behind a lock; everything else never changes.

  struct State {
    var additionalHeaders: [String: String]
    var requestBodyCreator: Handoff<any RequestBodyCreator>
    var clientName: String
    var clientVersion: String
    var requestDeadline: TimeInterval?
    var sendsClientAwareness: Bool
    var streamProtocol = StreamProtocol.any
    var origins: OriginPolicy?
    var limits: ResponseLimits?
    /// Origins of the client besides that of the address.
    var ownOrigins: Set<Origin> = []
    /// The cache for interceptors that have none: the transport's own, or the client's.
    var sharedStore: ApolloStore?
    var hasOwnStore = false
    /// Sends the requests of interceptors that have no client.
    var sender: HTTPSender?
    /// The clock of the client.
    var clock: any ClientClock = .system
    /// The client that ends with this transport; nil if there is none.
    var ownClient: URLSessionClient?

    init(_ headers: [String: String], _ creator: any RequestBodyCreator, sendsClientAwareness: Bool) {
      additionalHeaders = headers
      requestBodyCreator = Handoff(creator)
      clientName = RequestChainNetworkTransport.defaultClientName
      clientVersion = RequestChainNetworkTransport.defaultClientVersion
      self.sendsClientAwareness = sendsClientAwareness
    }
  }

  /// The address of the server.
  public let endpointURL: URL
  /// Whether queries and mutations are sent as the hash of their document first, and in full only if the server does
  /// not know the hash (automatic persisted queries).
  public let autoPersistQueries: Bool
  /// Whether queries are sent with `GET`. Mutations are always sent with `POST`.
  public let useGETForQueries: Bool
  /// Whether a query whose hash the server does not know is sent in full with `GET`, rather than with `POST`.
  public let useGETForPersistedQueryRetry: Bool
  let interceptorProvider: any InterceptorProvider
  /// The header fields that the transport was made with.
  private let firstHeaders: [String: String]
  /// The cache of the provider; nil if the provider cannot tell.
  private let providerStore: ApolloStore?
  private let persistedQueries = PersistedQuerySupport()
  let state: Locked<State>

  /// Makes a transport whose interceptors have their own session and cache, as those of a
  /// ``DefaultInterceptorProvider`` do.
  ///
  /// - Parameters:
  ///   - interceptorProvider: Makes the interceptors for each operation.
  ///   - endpointURL: The address of the server.
  ///   - additionalHeaders: Header fields of each request. `Accept` is set by the transport.
  ///   - autoPersistQueries: See ``autoPersistQueries``. It needs code that was generated with operation identifiers.
  ///     The default is false.
  ///   - requestBodyCreator: Makes the JSON object of each request.
  ///   - useGETForQueries: See ``useGETForQueries``. The default is false.
  ///   - useGETForPersistedQueryRetry: See ``useGETForPersistedQueryRetry``. The default is false.
  ///   - sendEnhancedClientAwareness: Whether requests name this library and its version, in `extensions`. The default
  ///     is true.
  public init(
    interceptorProvider: any InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false, requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    useGETForQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false,
    sendEnhancedClientAwareness: Bool = true
  ) {
    self.interceptorProvider = interceptorProvider
    providerStore = (interceptorProvider as? any StoreHolding)?.store
    self.endpointURL = endpointURL
    firstHeaders = additionalHeaders
    self.autoPersistQueries = autoPersistQueries
    self.useGETForQueries = useGETForQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    state = Locked(State(additionalHeaders, requestBodyCreator, sendsClientAwareness: sendEnhancedClientAwareness))
  }

  /// Makes a transport, in the form that a subclass written for Apollo iOS 0.34 to 1.21 overrides.
  @_disfavoredOverload
  public init(
    interceptorProvider: any InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String],
    autoPersistQueries: Bool, requestBodyCreator: any RequestBodyCreator, useGETForQueries: Bool,
    useGETForPersistedQueryRetry: Bool
  ) {
    self.interceptorProvider = interceptorProvider
    providerStore = (interceptorProvider as? any StoreHolding)?.store
    self.endpointURL = endpointURL
    firstHeaders = additionalHeaders
    self.autoPersistQueries = autoPersistQueries
    self.useGETForQueries = useGETForQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    state = Locked(State(additionalHeaders, requestBodyCreator, sendsClientAwareness: true))
  }

  /// Makes a transport with a session and a cache for interceptors that have none. Part of the API of Apollo iOS 2.
  ///
  /// - Parameters:
  ///   - urlSession: Sends the requests.
  ///   - interceptorProvider: Makes the interceptors for each operation: for instance
  ///     ``DefaultInterceptorProvider/shared``, or one that adds to its interceptors.
  ///   - store: The cache.
  ///   - endpointURL: The address of the server.
  ///   - additionalHeaders: Header fields of each request. `Accept` is set by the transport.
  ///   - apqConfig: Whether queries are sent as the hash of their document. By default they are not.
  ///   - requestBodyCreator: Makes the JSON object of each request.
  ///   - useGETForQueries: See ``useGETForQueries``. The default is false.
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
    let sender = HTTPSender(urlSession)
    state.withLock { state in
      (state.sharedStore, state.hasOwnStore) = (store, true)
      state.sender = sender
      state.ownClient = sender.madeClient
    }
  }

  deinit { state.withLock { $0.ownClient }?.invalidate() }

  /// Sends the requests of interceptors that have no client: the session that the transport was given, or one of its
  /// own.
  package var sender: HTTPSender {
    state.withLock { state in
      if let sender = state.sender { return sender }
      let client = URLSessionClient(), sender = HTTPSender(client)
      (state.sender, state.ownClient) = (sender, client)
      return sender
    }
  }

  /// Whether requests name this library and its version, in `extensions`.
  public var sendEnhancedClientAwareness: Bool { state.withLock { $0.sendsClientAwareness } }

  /// Header fields of each request, by name. Setting them changes later requests.
  open var additionalHeaders: [String: String] {
    get { state.withLock { $0.additionalHeaders } }
    set { state.withLock { $0.additionalHeaders = newValue } }
  }

  /// Makes the JSON object of each request. Setting it changes later requests.
  open var requestBodyCreator: any RequestBodyCreator {
    get { state.withLock { $0.requestBodyCreator }.value }
    set {
      let creator = Handoff(newValue)
      state.replace(\.requestBodyCreator, with: creator)
    }
  }

  /// The name of the app, which each request tells the server.
  open var clientName: String {
    get { state.withLock { $0.clientName } }
    set { state.withLock { $0.clientName = newValue } }
  }

  /// The version of the app, which each request tells the server.
  open var clientVersion: String {
    get { state.withLock { $0.clientVersion } }
    set { state.withLock { $0.clientVersion = newValue } }
  }

  /// How many seconds a query or a mutation may take in all, including retries; nil, the default, for no limit.
  ///
  /// ``RequestConfiguration/deadline`` says otherwise for one operation.
  open var requestDeadline: TimeInterval? {
    get { state.withLock { $0.requestDeadline } }
    set { state.withLock { $0.requestDeadline = newValue } }
  }

  /// Which protocol the server is asked to use for responses in parts: those to subscriptions, and to operations with
  /// `@defer` or `@stream`.
  ///
  /// By default the server chooses. Some servers do not understand a request that leaves them the choice.
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
    request.isPlain = true
    request.accept = state.streamProtocol.accepted(for: Operation.self)
    return request
  }

  /// The function of Apollo iOS 0.34 to 1.2 that subclasses override, without a context.
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
  /// - Parameters:
  ///   - operation: The operation to send, with its variables.
  ///   - files: The files. Each names the variable whose value it is.
  ///   - context: A value of the app for interceptors. nil, the default: none.
  ///   - manualBoundary: The text that separates the parts of the body. nil, the default: a random text.
  /// - Returns: The request.
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
    request.accept = state.streamProtocol.accepted(for: Operation.self)
    return request
  }

  // MARK: Sending

  /// Sends an operation, and calls a handler with each result or with the error that ended it.
  open func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    route.deliver(
      OperationCall(
        sent: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context),
      on: callbackQueue, beginsAtOnce: true, to: completionHandler)
  }

  /// Sends an operation with files, and calls a handler with the result or with the error.
  open func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    route.deliver(
      OperationCall(sent: operation, context: context, files: files), on: callbackQueue, to: completionHandler)
  }

  /// How what is sent without a client runs.
  private var route: TransportRoute {
    TransportRoute(self, policies: ExchangePolicies(clock: state.withLock { $0.clock }), sendsByChains: true)
  }

  package func prepare<Operation: GraphQLOperation>(
    _ operation: Operation, files: [GraphQLFile]?, cachePolicy: CachePolicy, contextIdentifier: UUID?,
    context: (any RequestContext)?, store: ApolloStore?
  ) -> (HTTPRequest<Operation>, any StepChain) {
    let request: HTTPRequest<Operation>
    if let files {
      request = constructUploadRequest(for: operation, with: files, context: context)
      // (It is not told the policy. Where the caller has chosen none, a subclass may have.)
      if cachePolicy != .default { request.cachePolicy = cachePolicy }
    } else {
      request = constructRequest(
        for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
    }
    let chain = InterceptorRequestChain(interceptors: interceptorProvider.interceptors(for: request.operation))
    chain.additionalErrorHandler = interceptorProvider.additionalErrorInterceptor(for: request.operation)
    request.isPrepared(by: self, providerStore ?? chain.store ?? store)
    return (request, chain)
  }
}

extension InterceptorRequestChain {
  /// The cache that the interceptors of the chain write to; nil if none of them writes.
  fileprivate var store: ApolloStore? {
    for case let writing as CacheWriteInterceptor in interceptors { return writing.store }
    return nil
  }
}

extension RequestChainNetworkTransport: ChainedTransport, SenderHolding {
  package var exchangeLimits: (origins: OriginPolicy?, limits: ResponseLimits?) {
    state.withLock { ($0.origins, $0.limits) }
  }

  package var mayOverrideSend: Bool { type(of: self) != RequestChainNetworkTransport.self }
}

extension RequestChainNetworkTransport: ClientAwareTransport {
  package var clientAwarenessMetadata: ClientAwarenessMetadata {
    get {
      ClientAwarenessMetadata(
        clientApplicationName: clientName, clientApplicationVersion: clientVersion,
        includeApolloLibraryAwareness: sendEnhancedClientAwareness)
    }
    set {
      clientName = newValue.clientApplicationName ?? ""
      clientVersion = newValue.clientApplicationVersion ?? ""
      state.withLock { $0.sendsClientAwareness = newValue.includeApolloLibraryAwareness }
    }
  }
}

extension RequestChainNetworkTransport: ClientTransport {
  package var store: ApolloStore? {
    (interceptorProvider as? any StoreHolding)?.store ?? state.withLock { $0.sharedStore }
  }

  package func join(_ client: ExchangePolicies, _ store: ApolloStore) {
    if !state.withLock({ $0.hasOwnStore }) { state.replace(\.sharedStore, with: Optional(store)) }
    if let clock = client.ownClock { use(clock) }
  }

  /// Goes by a clock, with the provider of the interceptors.
  func use(_ clock: any ClientClock) {
    state.replace(\.clock, with: clock)
    (interceptorProvider as? any ClockUsing)?.use(clock)
  }
}

extension RequestChainNetworkTransport: UserForgetting {
  /// Removes what the session keeps of the user, and has the provider of the interceptors forget the user, if it can.
  /// ``additionalHeaders`` that were set later than the transport was made are those of the beginning again.
  public func forgetUser() async throws {
    var failure: (any Error)?
    additionalHeaders = firstHeaders
    let senders = [(interceptorProvider as? any SenderHolding)?.sender, state.withLock { $0.sender }]
    for sender in senders.compactMap(\.self) {
      do { try await sender.forgetUser(of: endpointURL) } catch { failure = failure ?? error }
    }
    // Last, because it has the credentials: without them, nothing says whose the cookies and the cached responses are.
    do { try await (interceptorProvider as? any UserForgetting)?.forgetUser() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }
}
