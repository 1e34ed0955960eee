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

    public init() {}
  }

  let client: URLSessionClient
  private let cache: ApolloStore
  private let options: Options
  /// For operations that ask for them, whatever the options say.
  private let deduplicator = RequestDeduplicator()
  private let batcher: RequestBatcher
  private let shouldInvalidateClientOnDeinit: Bool

  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true, store: ApolloStore,
    options: Options = Options()
  ) {
    self.client = client
    cache = store
    self.options = options
    self.shouldInvalidateClientOnDeinit = shouldInvalidateClientOnDeinit
    batcher = options.batcher ?? RequestBatcher()
  }

  deinit {
    if shouldInvalidateClientOnDeinit { client.invalidate() }
  }

  open func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors: [any ApolloInterceptor] = []
    interceptors.reserveCapacity(10)
    interceptors.append(MaxRetryInterceptor(configuration: options.retry))
    interceptors.append(CacheReadInterceptor(store: cache))
    if let authenticator = options.authenticator {
      interceptors.append(AuthenticationInterceptor(authenticator: authenticator))
    }
    if let logging = options.logging { interceptors.append(logging()) }
    interceptors.append(
      NetworkFetchInterceptor(
        client: client, deduplicator: deduplicator, deduplicates: options.deduplicatesQueries, batcher: batcher,
        batches: options.batcher != nil))
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

extension DefaultInterceptorProvider: StoreHolding {
  var store: ApolloStore? { cache }
}
