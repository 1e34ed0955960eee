public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ApolloClient {
  /// All settings of a client. Each has a default; only the address must be given.
  ///
  ///     var configuration = ApolloClient.Configuration(url: url)
  ///     configuration.retry = .automatic
  ///     configuration.http.additionalHeaders = ["X-App": "7"]
  ///     let client = ApolloClient(configuration: configuration)
  ///
  /// With `import ApolloWebSocket`, `ApolloClient(configuration:webSocketURL:)` makes a client with subscriptions over a WebSocket.
  public struct Configuration: Sendable {
    /// The address of the server.
    public var url: URL
    /// How requests are sent over HTTP.
    public var http: HTTP
    /// Where results are kept: by default in memory, without a limit.
    public var cache: Cache
    /// How often a failed operation is tried again, and after which failures. By default only interceptors start it over, and up to
    /// three times. Over a WebSocket it holds for what fails before anything of an answer has come.
    public var retry: MaxRetryInterceptor.Configuration
    /// Gives requests their credentials, and renews those that the server refuses; nil for none. A WebSocket uses it as well.
    public var authenticator: (any Authenticator)?
    /// Identical queries that are under way at the same time are sent once. By default each is sent.
    public var deduplicatesQueries: Bool
    /// Operations that are sent at about the same time go in one request; nil for one request each.
    public var batching: Batching?
    /// Logs what is sent and received: called for each operation; nil for no log.
    public var logging: (@Sendable () -> LoggingInterceptor)?
    /// What is different for every operation, unless its own ``RequestConfiguration`` says otherwise. By default nothing is.
    public var defaultRequestConfiguration: RequestConfiguration

    /// - Parameters:
    ///   - url: The address of the server.
    ///   - http: How requests are sent.
    ///   - cache: Where results are kept; by default in memory, without a limit.
    ///   - retry: How often a failed operation is tried again.
    ///   - authenticator: Gives requests their credentials; nil for none.
    ///   - deduplicatesQueries: Identical queries that are under way at the same time are sent once.
    ///   - batching: Operations of the same moment go in one request; nil for one request each.
    ///   - logging: Called for each operation; nil for no log.
    ///   - defaultRequestConfiguration: What is different for every operation.
    public init(
      url: URL, http: HTTP = HTTP(), cache: Cache = .inMemory(),
      retry: MaxRetryInterceptor.Configuration = MaxRetryInterceptor.Configuration(),
      authenticator: (any Authenticator)? = nil, deduplicatesQueries: Bool = false, batching: Batching? = nil,
      logging: (@Sendable () -> LoggingInterceptor)? = nil,
      defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
    ) {
      self.url = url
      self.http = http
      self.cache = cache
      self.retry = retry
      self.authenticator = authenticator
      self.deduplicatesQueries = deduplicatesQueries
      self.batching = batching
      self.logging = logging
      self.defaultRequestConfiguration = defaultRequestConfiguration
    }
  }

  /// A client over HTTP with the default interceptors, and one cache for all of them.
  public convenience init(configuration: Configuration) {
    let store = configuration.cache.makeStore()
    self.init(
      configuration.makeTransport(store: store), store, configuration.defaultRequestConfiguration,
      configuration.exchangePolicies)
  }

  /// A client over a transport that the app has made, such as a `WebSocketTransport` for everything, with the configuration's
  /// cache, retries, deduplication, logging and defaults. What the configuration says of HTTP, the authenticator and batching
  /// are matters of the transport.
  ///
  /// - Parameters:
  ///   - networkTransport: It takes the configuration's cache, unless it was given one itself; then that is the client's as well.
  ///   - configuration: All settings but those of sending.
  public convenience init(networkTransport: any NetworkTransport, configuration: Configuration) {
    self.init(
      networkTransport, (networkTransport as? any StoreUsing)?.store ?? configuration.cache.makeStore(),
      configuration.defaultRequestConfiguration, configuration.exchangePolicies)
  }
}

extension ApolloClient.Configuration {
  /// Where a client keeps results.
  public enum Cache: Sendable {
    /// In memory, as long as the client is there.
    ///
    /// - Parameter sizeLimit: How many bytes the records may take, by an estimate; nil for no limit.
    case inMemory(sizeLimit: Int? = nil)
    /// In a store that the app has made, for a backend of its own or to share one between clients.
    case store(ApolloStore)

    /// The store of one client.
    package func makeStore() -> ApolloStore {
      switch self {
      case .inMemory(let sizeLimit): ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: sizeLimit))
      case .store(let store): store
      }
    }
  }

  /// When operations go together in one request.
  public struct Batching: Hashable, Sendable {
    /// How long the first operation waits for others: ten milliseconds by default.
    public var interval: Duration
    /// So many operations are sent at once, without waiting longer: ten by default.
    public var maximumSize: Int

    /// - Parameters:
    ///   - interval: How long the first operation waits for others.
    ///   - maximumSize: So many operations are sent at once.
    public init(interval: Duration = .milliseconds(10), maximumSize: Int = 10) {
      self.interval = interval
      self.maximumSize = maximumSize
    }
  }

  /// How a client sends requests over HTTP.
  public struct HTTP: Sendable {
    /// Makes the session: proxies, cellular access, timeouts of all requests. By default it is `URLSessionConfiguration.default`.
    public var sessionConfiguration: URLSessionConfiguration
    /// Sends the requests: another HTTP engine, or an app's own session. By default nil, for a ``URLSessionClient`` with
    /// ``sessionConfiguration``.
    public var session: (any ApolloURLSession)?
    /// Stand around each exchange over HTTP, from the outside in. By default there are none.
    public var interceptors: [any HTTPInterceptor]
    /// Stand around each operation over HTTP, from the outside in. By default there are none.
    public var graphQLInterceptors: [any GraphQLInterceptor]
    /// Sent with each request. By default there are none.
    public var additionalHeaders: [String: String]
    /// Queries and mutations are sent as the hash of their document, and as a whole only if the server does not know it. By
    /// default they are sent as a whole. It needs code that was generated with operation identifiers.
    public var autoPersistQueries: Bool
    /// Queries are sent as `GET`; by default as `POST`. Mutations are always sent as `POST`.
    public var useGETForQueries: Bool
    /// A query that the server did not know by its hash is sent once more as `GET`; by default as `POST`.
    public var useGETForPersistedQueryRetry: Bool
    /// How subscriptions, and operations with `@defer` or `@stream`, ask to be answered. By default it is up to the server.
    public var streamProtocol: RequestChainNetworkTransport.StreamProtocol
    /// Sent with each request as `apollographql-client-name`; nil for the bundle's identifier.
    public var clientName: String?
    /// Sent with each request as `apollographql-client-version`; nil for the bundle's version.
    public var clientVersion: String?
    /// How many seconds a query or a mutation may take in all, retries included; nil for no limit.
    public var deadline: TimeInterval?
    /// Requests say which library they come from, in their `extensions`. By default they do.
    public var sendEnhancedClientAwareness: Bool
    /// Errors of a server in plain JSON with a status that is not a success are taken for a GraphQL response. By default they are
    /// an error. See ``ResponseCodeInterceptor/init(acceptsErrorsAsJSON:)``.
    public var acceptsErrorsAsJSON: Bool
    /// Makes the JSON of each request. By default it is an ``ApolloRequestBodyCreator``.
    public var requestBodyCreator: any RequestBodyCreator {
      get { handedCreator.value }
      set { handedCreator = Handoff(newValue) }
    }
    private var handedCreator: Handoff<any RequestBodyCreator>

    /// - Parameters:
    ///   - sessionConfiguration: Makes the session.
    ///   - session: Sends the requests; nil for one with `sessionConfiguration`.
    ///   - interceptors: Stand around each exchange over HTTP.
    ///   - graphQLInterceptors: Stand around each operation over HTTP.
    ///   - additionalHeaders: Sent with each request.
    ///   - autoPersistQueries: Send the hash of a document in its place.
    ///   - useGETForQueries: Send queries as `GET`.
    ///   - useGETForPersistedQueryRetry: Send a query whose hash was not known as `GET`.
    ///   - streamProtocol: How responses in parts are asked for.
    ///   - clientName: nil for the bundle's identifier.
    ///   - clientVersion: nil for the bundle's version.
    ///   - deadline: In seconds, for a whole query or mutation; nil for no limit.
    ///   - sendEnhancedClientAwareness: Say which library requests come from.
    ///   - acceptsErrorsAsJSON: Take errors in plain JSON for a GraphQL response.
    ///   - requestBodyCreator: Makes the JSON of each request.
    public init(
      sessionConfiguration: URLSessionConfiguration = .default, session: (any ApolloURLSession)? = nil,
      interceptors: [any HTTPInterceptor] = [], graphQLInterceptors: [any GraphQLInterceptor] = [],
      additionalHeaders: [String: String] = [:], autoPersistQueries: Bool = false, useGETForQueries: Bool = false,
      useGETForPersistedQueryRetry: Bool = false,
      streamProtocol: RequestChainNetworkTransport.StreamProtocol = .any, clientName: String? = nil,
      clientVersion: String? = nil,
      deadline: TimeInterval? = nil, sendEnhancedClientAwareness: Bool = true, acceptsErrorsAsJSON: Bool = false,
      requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator()
    ) {
      self.sessionConfiguration = sessionConfiguration
      self.session = session
      self.interceptors = interceptors
      self.graphQLInterceptors = graphQLInterceptors
      self.additionalHeaders = additionalHeaders
      self.autoPersistQueries = autoPersistQueries
      self.useGETForQueries = useGETForQueries
      self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
      self.streamProtocol = streamProtocol
      self.clientName = clientName
      self.clientVersion = clientVersion
      self.deadline = deadline
      self.sendEnhancedClientAwareness = sendEnhancedClientAwareness
      self.acceptsErrorsAsJSON = acceptsErrorsAsJSON
      handedCreator = Handoff(requestBodyCreator)
    }
  }

  /// What holds for transports of bytes.
  package var exchangePolicies: ExchangePolicies {
    ExchangePolicies(retry: retry, deduplicatesQueries: deduplicatesQueries, logging: logging)
  }

  /// The transport over HTTP, with interceptors that use a store.
  package func makeTransport(store: ApolloStore) -> RequestChainNetworkTransport {
    var options = DefaultInterceptorProvider.Options()
    options.retry = retry
    options.authenticator = authenticator
    options.logging = logging
    options.deduplicatesQueries = deduplicatesQueries
    options.batcher = batching.map { RequestBatcher(interval: $0.interval, maximumSize: $0.maximumSize) }
    options.acceptsErrorsAsJSON = http.acceptsErrorsAsJSON
    options.graphQLInterceptors = http.graphQLInterceptors
    options.httpInterceptors = http.interceptors
    let provider =
      if let session = http.session {
        DefaultInterceptorProvider(session: session, store: store, options: options)
      } else {
        DefaultInterceptorProvider(
          client: URLSessionClient(sessionConfiguration: http.sessionConfiguration), store: store, options: options)
      }
    let transport = RequestChainNetworkTransport(
      interceptorProvider: provider,
      endpointURL: url, additionalHeaders: http.additionalHeaders, autoPersistQueries: http.autoPersistQueries,
      requestBodyCreator: http.requestBodyCreator, useGETForQueries: http.useGETForQueries,
      useGETForPersistedQueryRetry: http.useGETForPersistedQueryRetry,
      sendEnhancedClientAwareness: http.sendEnhancedClientAwareness)
    transport.streamProtocol = http.streamProtocol
    transport.requestDeadline = http.deadline
    if let name = http.clientName { transport.clientName = name }
    if let version = http.clientVersion { transport.clientVersion = version }
    return transport
  }
}
