import ApolloOutbox
import ApolloRequestChain
import ApolloHTTP
import ApolloOperations
import ApolloTransport
import ApolloConcurrency
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ApolloClient {
  /// All settings of a client. Only the address of the server must be given; everything else has a default.
  ///
  ///     var configuration = ApolloClient.Configuration(url: url)
  ///     configuration.retry = .automatic
  ///     configuration.http.additionalHeaders = ["X-App": "7"]
  ///     let client = ApolloClient(configuration: configuration)
  ///
  /// `ApolloClient(configuration:webSocketURL:)` in `ApolloWebSocket` makes a client that sends subscriptions over a
  /// WebSocket.
  public struct Configuration: Sendable {
    /// The address of the server.
    public var url: URL
    /// How requests are sent over HTTP.
    public var http: HTTP
    /// Where results are kept. The default is in memory, without a limit.
    public var cache: Cache
    /// How often a failed operation is tried again, and after which failures. By default, an operation is tried again
    /// only if an interceptor asks for it, and at most three times. Over a WebSocket, an operation is tried again only
    /// if it fails before its first response.
    public var retry: MaxRetryInterceptor.Configuration
    /// Gives requests their credentials, and renews credentials that the server refuses, over HTTP and WebSockets. nil,
    /// the default: no credentials are added.
    public var authenticator: (any Authenticator)?
    /// Whether identical queries that are under way at the same time are sent only once. The default is false.
    public var deduplicatesQueries: Bool
    /// How operations that start at about one moment are sent in one request. nil, the default: one request for each.
    public var batching: Batching?
    /// Makes what logs what is sent and received, over every transport. It is called once for a client. nil, the default:
    /// nothing is logged.
    public var logging: (@Sendable () -> LoggingInterceptor)?
    /// Settings of all operations: timeout, header fields and so on. The ``RequestConfiguration`` of an operation takes
    /// precedence. By default nothing is set.
    public var defaultRequestConfiguration: RequestConfiguration
    /// The outbox of the client: where mutations wait that were enqueued. nil, the default: they are kept in memory, and
    /// end with the process.
    public var outbox: Outbox.Configuration?
    /// Knows whether there is a network. nil, the default: a ``SystemNetworkMonitor``, if the client has an outbox.
    public var networkMonitor: (any NetworkMonitor)?
    /// The time by which the client and all of its parts wait and tell dates: retries, polling, deadlines, ages, batches,
    /// WebSockets, the outbox. A store or a transport that the app has made goes by it as well. nil, the default: the time of
    /// the device. What waits for another process or for the system itself, as Foundation's timeouts do, goes by that of the
    /// device in any case.
    public var clock: (any ClientClock)?

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - url: The address of the server.
    ///   - http: How requests are sent over HTTP.
    ///   - cache: Where results are kept. The default is in memory, without a limit.
    ///   - retry: How often a failed operation is tried again, and after which failures.
    ///   - authenticator: Gives requests their credentials. nil, the default: no credentials are added.
    ///   - deduplicatesQueries: Whether identical queries that are under way at the same time are sent only once. The
    ///     default is false.
    ///   - batching: How several operations are sent in one request. nil, the default: one request for each.
    ///   - logging: Makes what logs. nil, the default: nothing is logged.
    ///   - defaultRequestConfiguration: Settings of all operations.
    ///   - outbox: The outbox of the client. nil, the default: mutations that are enqueued are kept in memory.
    ///   - networkMonitor: Knows whether there is a network. nil, the default: the system is asked, if there is an outbox.
    ///   - clock: The time by which the client and its parts wait. nil, the default: that of the device.
    public init(
      url: URL, http: HTTP = HTTP(), cache: Cache = .inMemory(),
      retry: MaxRetryInterceptor.Configuration = MaxRetryInterceptor.Configuration(),
      authenticator: (any Authenticator)? = nil, deduplicatesQueries: Bool = false, batching: Batching? = nil,
      logging: (@Sendable () -> LoggingInterceptor)? = nil,
      defaultRequestConfiguration: RequestConfiguration = RequestConfiguration(),
      outbox: Outbox.Configuration? = nil, networkMonitor: (any NetworkMonitor)? = nil, clock: (any ClientClock)? = nil
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
      self.outbox = outbox
      self.networkMonitor = networkMonitor
      self.clock = clock
    }
  }

  /// Makes a client that sends all operations over HTTP, through the default interceptors.
  ///
  /// - Parameter configuration: The settings of the client.
  public convenience init(configuration: Configuration) { self.init(configuration) { http, _ in http } }

  /// Makes a client over the transport of a configuration and perhaps others.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the client.
  ///   - join: Makes the transport of the client, of the one over HTTP and the cache.
  package convenience init(
    _ configuration: Configuration,
    joining join: (_ http: RequestChainNetworkTransport, _ store: ApolloStore) -> any NetworkTransport
  ) {
    let store = configuration.cache.makeStore()
    self.init(
      networkTransport: join(configuration.makeTransport(store: store), store), store: store,
      defaultRequestConfiguration: configuration.defaultRequestConfiguration, policies: configuration.exchangePolicies,
      outbox: configuration.outbox)
  }

  /// Makes a client with a transport of the app, such as a `WebSocketTransport` for all operations.
  ///
  /// The client uses the cache, the retries, the deduplication, the logging and the default request configuration of
  /// the configuration. The address, `http`, `authenticator` and `batching` have no effect, because the transport
  /// decides them.
  ///
  /// - Parameters:
  ///   - networkTransport: Sends the operations. If it has a cache, the client uses that cache; otherwise it is given
  ///     the one of the configuration.
  ///   - configuration: The settings of the client.
  public convenience init(networkTransport: any NetworkTransport, configuration: Configuration) {
    self.init(
      networkTransport: networkTransport,
      store: (networkTransport as? any ClientTransport)?.store ?? configuration.cache.makeStore(),
      defaultRequestConfiguration: configuration.defaultRequestConfiguration, policies: configuration.exchangePolicies,
      outbox: configuration.outbox)
  }
}

extension ApolloClient.Configuration {
  /// Where a client keeps results.
  public enum Cache: Sendable {
    /// In memory, as long as the client exists.
    ///
    /// - Parameter sizeLimit: How many bytes the records may take, estimated. nil, the default: no limit.
    case inMemory(sizeLimit: Int? = nil)
    /// In a store that the app has made: with a backend, or one that several clients share.
    case store(ApolloStore)

    /// The store of one client.
    func makeStore() -> ApolloStore {
      switch self {
      case .inMemory(let sizeLimit): ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: sizeLimit))
      case .store(let store): store
      }
    }
  }

  /// How several operations are sent in one request.
  public struct Batching: Hashable, Sendable {
    /// How long the first operation of a batch waits for others. The default is ten milliseconds.
    public var interval: Duration
    /// How many operations a batch has at most; a full batch is sent at once. The default is ten.
    public var maximumSize: Int

    /// Makes settings for batches.
    ///
    /// - Parameters:
    ///   - interval: How long the first operation of a batch waits for others. The default is ten milliseconds.
    ///   - maximumSize: How many operations a batch has at most. The default is ten.
    public init(interval: Duration = .milliseconds(10), maximumSize: Int = 10) {
      self.interval = interval
      self.maximumSize = maximumSize
    }
  }

  /// How a client sends requests over HTTP.
  public struct HTTP: Sendable {
    /// The configuration of the URL session: proxies, cellular access, timeouts of all requests. The default is
    /// `URLSessionConfiguration.default`. It has no effect if ``session`` is set. If its
    /// `httpMaximumConnectionsPerHost` is that of Foundation, the client has 64, so that subscriptions do not hold up
    /// other operations; another number stays.
    public var sessionConfiguration: URLSessionConfiguration
    /// Sends the requests: another HTTP engine, or the app's own session. nil, the default: a ``URLSessionClient`` with
    /// ``sessionConfiguration``.
    public var session: (any ApolloURLSession)?
    /// Interceptors around each exchange over HTTP, from the outermost to the innermost. The default is none.
    public var interceptors: [any HTTPInterceptor]
    /// Interceptors around each operation over HTTP, from the outermost to the innermost. The default is none.
    public var graphQLInterceptors: [any GraphQLInterceptor]
    /// Header fields of each request, by name. The default is none.
    public var additionalHeaders: [String: String]
    /// Whether queries and mutations are sent as the hash of their document. The document itself is sent only if the
    /// server does not know the hash. It needs code that was generated with operation identifiers. The default is
    /// false.
    public var autoPersistQueries: Bool
    /// Whether queries are sent as `GET` rather than as `POST`. Mutations are always sent as `POST`. The default is
    /// false.
    public var useGETForQueries: Bool
    /// Whether a query whose hash the server did not know is sent again as `GET` rather than as `POST`. The default is
    /// false.
    public var useGETForPersistedQueryRetry: Bool
    /// The protocol in which subscriptions, and operations with `@defer` or `@stream`, ask to be answered. By default
    /// the server chooses.
    public var streamProtocol: StreamProtocol
    /// The name of the app, sent as the header field `apollographql-client-name`. nil, the default: the bundle's
    /// identifier.
    public var clientName: String?
    /// The version of the app, sent as the header field `apollographql-client-version`. nil, the default: the bundle's
    /// version.
    public var clientVersion: String?
    /// How many seconds a query or a mutation may take in all, including retries. nil, the default: no limit.
    public var deadline: TimeInterval?
    /// Whether requests name this library and its version, in `extensions`. The default is true.
    public var sendEnhancedClientAwareness: Bool
    /// Whether a response with an error status, in plain JSON and with GraphQL errors, is read as a GraphQL response
    /// rather than as a failure. The default is false. See ``ResponseCodeInterceptor/init(acceptsErrorsAsJSON:)``.
    public var acceptsErrorsAsJSON: Bool
    /// Where redirects may lead, and where the authenticator's credentials are sent. nil, the default: as the session
    /// says, which by default is the client's own origins only.
    public var origins: OriginPolicy?
    /// How much a server may send. nil, the default: as the session says, which by default is what ``ResponseLimits`` says.
    /// What an `AsyncHTTPSession` unpacks has the limit of that session as well.
    public var limits: ResponseLimits?
    /// Makes the JSON object of each request. The default is an ``ApolloRequestBodyCreator``.
    public var requestBodyCreator: any RequestBodyCreator {
      get { handedCreator.value }
      set { handedCreator = Handoff(newValue) }
    }
    private var handedCreator: Handoff<any RequestBodyCreator>

    /// Makes settings for HTTP.
    ///
    /// - Parameters:
    ///   - sessionConfiguration: The configuration of the URL session, if `session` is nil.
    ///   - session: Sends the requests. nil, the default: a URL session with `sessionConfiguration`.
    ///   - interceptors: Interceptors around each exchange. The default is none.
    ///   - graphQLInterceptors: Interceptors around each operation. The default is none.
    ///   - additionalHeaders: Header fields of each request, by name. The default is none.
    ///   - autoPersistQueries: Whether queries and mutations are sent as the hash of their document. The default is
    ///     false.
    ///   - useGETForQueries: Whether queries are sent as `GET`. The default is false.
    ///   - useGETForPersistedQueryRetry: Whether a query whose hash the server did not know is sent again as `GET`. The
    ///     default is false.
    ///   - streamProtocol: The protocol for responses in parts. By default the server chooses.
    ///   - clientName: The name of the app. nil, the default: the bundle's identifier.
    ///   - clientVersion: The version of the app. nil, the default: the bundle's version.
    ///   - deadline: How many seconds a query or a mutation may take in all. nil, the default: no limit.
    ///   - sendEnhancedClientAwareness: Whether requests name this library and its version. The default is true.
    ///   - acceptsErrorsAsJSON: Whether GraphQL errors in plain JSON with an error status are a GraphQL response. The
    ///     default is false.
    ///   - requestBodyCreator: Makes the JSON object of each request.
    ///   - origins: Where redirects may lead, and where the authenticator's credentials are sent. nil, the default: the
    ///     client's own origins only.
    ///   - limits: How much a server may send. nil, the default: what ``ResponseLimits`` says.
    public init(
      sessionConfiguration: URLSessionConfiguration = .default, session: (any ApolloURLSession)? = nil,
      interceptors: [any HTTPInterceptor] = [], graphQLInterceptors: [any GraphQLInterceptor] = [],
      additionalHeaders: [String: String] = [:], autoPersistQueries: Bool = false, useGETForQueries: Bool = false,
      useGETForPersistedQueryRetry: Bool = false,
      streamProtocol: StreamProtocol = .any, clientName: String? = nil,
      clientVersion: String? = nil,
      deadline: TimeInterval? = nil, sendEnhancedClientAwareness: Bool = true, acceptsErrorsAsJSON: Bool = false,
      requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(), origins: OriginPolicy? = nil,
      limits: ResponseLimits? = nil
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
      self.origins = origins
      self.limits = limits
      handedCreator = Handoff(requestBodyCreator)
    }
  }

  /// The rules for credentials, retries, deduplication, logging and a missing network.
  var exchangePolicies: ExchangePolicies {
    ExchangePolicies(
      retry: retry, deduplicatesQueries: deduplicatesQueries, log: logging?(),
      networkMonitor: networkMonitor ?? outbox.map { _ in SystemNetworkMonitor() },
      waitingSize: (http.limits ?? ResponseLimits()).waitingSize, clock: clock)
  }

  /// Makes the transport over HTTP, with interceptors that use a store.
  func makeTransport(store: ApolloStore) -> RequestChainNetworkTransport {
    var options = DefaultInterceptorProvider.Options()
    options.retry = retry
    options.authenticator = authenticator
    options.deduplicatesQueries = deduplicatesQueries
    options.batcher = batching.map {
      RequestBatcher(interval: $0.interval, maximumSize: $0.maximumSize)
    }
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
    transport.origins = http.origins
    transport.limits = http.limits
    transport.streamProtocol = http.streamProtocol
    transport.requestDeadline = http.deadline
    if let name = http.clientName { transport.clientName = name }
    if let version = http.clientVersion { transport.clientVersion = version }
    return transport
  }
}
