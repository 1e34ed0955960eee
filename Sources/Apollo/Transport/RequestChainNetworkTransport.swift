public import ApolloAPI
import ApolloCache
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
  /// A context may say otherwise for one operation: ``RequestContextDeadlineConfigurable``.
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
    request.addHeader(name: "Accept", value: AcceptHeader.value(for: Operation.self, in: state.streamProtocol))
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
    request.addHeader(name: "Accept", value: AcceptHeader.value(for: Operation.self, in: state.streamProtocol))
    return request
  }

  // MARK: Sending

  /// Its errors have the operation and the address added: ``OperationError``.
  open func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    stream(
      constructRequest(
        for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context))
  }

  /// For `fetch` and `perform`. A subclass that overrides ``results(of:cachePolicy:contextIdentifier:context:)`` to change what
  /// they return overrides this as well.
  open func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data>? {
    let request = constructRequest(
      for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
    // What may be stopped from outside has a task of its own.
    guard deadline(of: request) == nil else { return try await stream(request).last() }
    do {
      return try await chain(for: request, queue: nil).lastResult(of: request)
    } catch {
      throw request.describe(error)
    }
  }

  open func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    stream(constructUploadRequest(for: operation, with: files, context: context))
  }

  open func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    start(
      constructRequest(
        for: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context),
      callbackQueue, completionHandler)
  }

  open func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    start(constructUploadRequest(for: operation, with: files, context: context), callbackQueue, completionHandler)
  }

  private func chain<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>, queue: DispatchQueue?
  ) -> InterceptorRequestChain {
    let chain = InterceptorRequestChain(
      interceptors: interceptorProvider.interceptors(for: request.operation), queue: queue)
    chain.additionalErrorHandler = interceptorProvider.additionalErrorInterceptor(for: request.operation)
    return chain
  }

  /// Runs a chain whose results are called back. It keeps the transport, and so its session, until it ends.
  private func start<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, _ queue: DispatchQueue, _ handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    let chain = chain(for: request, queue: queue)
    let handler = Handoff(handler)
    let hasResult = Locked(false)
    let deadline = watch(chain, request) { error in queue.async { handler.value(.failure(error)) } }
    let end = OnRelease { [weak chain] in
      deadline?.cancel()
      guard let chain, !chain.isCancelled, !hasResult.withLock({ $0 }) else { return }
      queue.async { if !chain.isCancelled { handler.value(.failure(InterceptorRequestChain.ChainError.noAnswer)) } }
    }
    chain.kickoff(request: request) { result in
      withExtendedLifetime((end, self)) {
        hasResult.withLock { $0 = true }
        handler.value(result)
      }
    }
    return chain
  }

  /// Runs a chain whose results are a sequence, which ends when nobody can deliver another one.
  private func stream<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let chain = chain(for: request, queue: nil)
      continuation.onTermination = { reason in
        if case .cancelled = reason { chain.cancel() }
      }
      let deadline = watch(chain, request) { continuation.finish(throwing: $0) }
      let end = OnRelease {
        deadline?.cancel()
        continuation.finish()
      }
      chain.kickoff(request: request) { result in
        withExtendedLifetime((end, self)) {
          switch result {
          case .success(let value): continuation.yield(value)
          case .failure(let error): continuation.finish(throwing: request.describe(error))
          }
        }
      }
    }
  }

  /// How many seconds a request may take in all.
  private func deadline<Operation: GraphQLOperation>(of request: HTTPRequest<Operation>) -> TimeInterval? {
    let own = (request.context as? any RequestContextDeadlineConfigurable)?.requestDeadline
    return own ?? (Operation.operationType == .subscription ? nil : requestDeadline)
  }

  /// Stops a chain that takes too long.
  private func watch<Operation: GraphQLOperation>(
    _ chain: InterceptorRequestChain, _ request: HTTPRequest<Operation>, _ fail: @escaping @Sendable (any Error) -> Void
  ) -> Task<Void, Never>? {
    guard let seconds = deadline(of: request) else { return nil }
    let place = request.graphQLEndpoint.placeDescription
    return Task { [weak chain] in
      guard (try? await Task.sleep(for: .waiting(seconds))) != nil else { return }
      chain?
        .stop {
          fail(
            OperationError(
              .network, "It took longer than its deadline of \(seconds) seconds (\(place)).",
              operationName: Operation.operationName, cause: URLError(.timedOut)))
        }
    }
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

extension RequestChainNetworkTransport: StoreHolding {
  var store: ApolloStore? { (interceptorProvider as? any StoreHolding)?.store }
}

/// What can tell which cache it uses.
protocol StoreHolding {
  var store: ApolloStore? { get }
}

/// What uses the cache of its client.
protocol StoreUsing {
  func use(_ store: ApolloStore)
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
