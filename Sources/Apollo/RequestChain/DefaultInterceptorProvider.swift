public import ApolloAPI
public import ApolloCache

/// The interceptors that most apps need. Subclasses add their own:
///
///     override func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
///       [TokenInterceptor()] + super.interceptors(for: operation)
///     }
open class DefaultInterceptorProvider: InterceptorProvider {
  /// What the interceptors do beyond sending, parsing and caching. All of it is off unless it is asked for.
  public struct Options: Sendable {
    /// How often an operation is tried, how long retries wait, and which failures are retried by themselves.
    public var retry = MaxRetryInterceptor.Configuration()
    /// Says who asks, and renews what has expired.
    public var authenticator: (any Authenticator)?
    /// Logs what is sent and received: made anew for each operation.
    public var logging: (@Sendable () -> LoggingInterceptor)?
    /// Identical queries that are under way at the same time are sent once.
    public var deduplicatesQueries = false
    /// Operations that are sent at about the same time go in one request.
    public var batcher: RequestBatcher?
    /// See ``ResponseCodeInterceptor/init(acceptsErrorsAsJSON:)``.
    public var acceptsErrorsAsJSON = false
    /// Stand around each operation, behind the interceptor that counts retries.
    public var graphQLInterceptors: [any GraphQLInterceptor] = []
    /// Stand around each exchange over HTTP.
    public var httpInterceptors: [any HTTPInterceptor] = []

    public init() {}
  }

  /// The interceptors of release 2 of Apollo iOS, for providers that add to them. They use the session and the cache of the
  /// transport that asks for them.
  public static let shared: any InterceptorProvider & Sendable = SharedInterceptorProvider()

  private let engine: any HTTPEngine
  private let cache: ApolloStore
  private let options: Options
  /// For operations that ask for them, whatever the options say.
  private let deduplicator = RequestDeduplicator()
  private let batcher: RequestBatcher
  /// Ends with this provider.
  private let ownClient: URLSessionClient?

  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true, store: ApolloStore,
    options: Options = Options()
  ) {
    engine = client
    cache = store
    self.options = options
    ownClient = shouldInvalidateClientOnDeinit ? client : nil
    batcher = options.batcher ?? RequestBatcher()
  }

  /// - Parameters:
  ///   - session: Sends the requests.
  ///   - store: The cache.
  ///   - options: What the interceptors do beyond sending, parsing and caching.
  public init(session: any ApolloURLSession, store: ApolloStore, options: Options = Options()) {
    engine = session.engine
    cache = store
    self.options = options
    ownClient = engine as? SessionClient
    batcher = options.batcher ?? RequestBatcher()
  }

  deinit {
    ownClient?.invalidate()
  }

  open func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors: [any ApolloInterceptor] = []
    interceptors.reserveCapacity(10)
    interceptors.append(MaxRetryInterceptor(configuration: options.retry))
    interceptors += options.graphQLInterceptors
    interceptors.append(CacheReadInterceptor(store: cache))
    if let authenticator = options.authenticator {
      interceptors.append(AuthenticationInterceptor(authenticator: authenticator))
    }
    if let logging = options.logging { interceptors.append(logging()) }
    interceptors.append(
      NetworkFetchInterceptor(
        engine: engine, interceptors: options.httpInterceptors, deduplicator: deduplicator,
        deduplicates: options.deduplicatesQueries, batcher: batcher, batches: options.batcher != nil))
    interceptors.append(ResponseCodeInterceptor(acceptsErrorsAsJSON: options.acceptsErrorsAsJSON))
    interceptors.append(MultipartResponseParsingInterceptor())
    interceptors.append(JSONResponseParsingInterceptor())
    interceptors.append(AutomaticPersistedQueryInterceptor())
    interceptors.append(CacheWriteInterceptor(store: cache))
    return interceptors
  }

  open func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}

/// A provider with every default.
private struct SharedInterceptorProvider: InterceptorProvider, Sendable {}

extension DefaultInterceptorProvider: StoreHolding {
  var store: ApolloStore? { cache }
}
