public import ApolloHTTP
public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The interceptors that most apps need. Subclasses add their own:
///
///     override func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
///       [TokenInterceptor()] + super.interceptors(for: operation)
///     }
open class DefaultInterceptorProvider: InterceptorProvider, UserForgetting {
  /// What the interceptors do beyond sending, parsing and caching. By default all of it is off.
  public struct Options: Sendable {
    /// How often an operation is tried, how long it waits before each retry, and which failures are retried without an
    /// interceptor asking for it.
    public var retry = MaxRetryInterceptor.Configuration()
    /// Gives requests their credentials, and renews them. nil, the default: none.
    public var authenticator: (any Authenticator)?
    /// Makes an interceptor that logs what is sent and received, for each operation. nil, the default: nothing is
    /// logged.
    public var logging: (@Sendable () -> LoggingInterceptor)?
    /// Whether identical queries that are under way at a time are sent once. The default is false.
    public var deduplicatesQueries = false
    /// Sends operations that start at about one moment in one request. nil, the default: each is sent by itself.
    public var batcher: RequestBatcher?
    /// Whether errors as `application/json` with a status that is not one of success are read as a GraphQL response;
    /// see ``ResponseCodeInterceptor/init(acceptsErrorsAsJSON:)``. The default is false.
    public var acceptsErrorsAsJSON = false
    /// Interceptors around each operation. They come after the interceptor that counts retries. The default is none.
    public var graphQLInterceptors: [any GraphQLInterceptor] = []
    /// Interceptors around each exchange over HTTP. The default is none.
    public var httpInterceptors: [any HTTPInterceptor] = []

    /// Makes options with everything off.
    public init() {}
  }

  /// The interceptors of Apollo iOS 2, for providers that add to them. They use the session and the cache of the
  /// transport that asks for them.
  public static let shared: any InterceptorProvider & Sendable = SharedInterceptorProvider()

  package let sender: HTTPSender
  private let cache: ApolloStore
  private let options: Options
  /// For operations that ask for them, whatever the options say.
  let deduplicator = RequestDeduplicator()
  private let batcher: RequestBatcher
  /// The client that this provider made, and that ends together with it; nil if the app passed a client.
  private let ownClient: URLSessionClient?

  /// Makes a provider.
  ///
  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - shouldInvalidateClientOnDeinit: Whether the client is invalidated when the provider is released. The default
  ///     is true.
  ///   - store: The cache.
  ///   - options: What the interceptors do beyond sending, parsing and caching.
  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true, store: ApolloStore,
    options: Options = Options()
  ) {
    sender = HTTPSender(client)
    cache = store
    self.options = options
    ownClient = shouldInvalidateClientOnDeinit ? client : nil
    batcher = options.batcher ?? RequestBatcher()
  }

  /// Makes a provider, in the form that a subclass written for Apollo iOS 0.45 to 1.25 overrides.
  @_disfavoredOverload
  public init(client: URLSessionClient, shouldInvalidateClientOnDeinit: Bool, store: ApolloStore) {
    sender = HTTPSender(client)
    cache = store
    options = Options()
    ownClient = shouldInvalidateClientOnDeinit ? client : nil
    batcher = RequestBatcher()
  }

  /// Makes a provider with a session of the app.
  ///
  /// - Parameters:
  ///   - session: Sends the requests.
  ///   - store: The cache.
  ///   - options: What the interceptors do beyond sending, parsing and caching.
  public init(session: any ApolloURLSession, store: ApolloStore, options: Options = Options()) {
    sender = HTTPSender(session)
    cache = store
    self.options = options
    ownClient = sender.madeClient
    batcher = options.batcher ?? RequestBatcher()
  }

  deinit {
    ownClient?.invalidate()
  }

  /// The interceptors for one operation, in the order in which they are called. Subclasses add their own.
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
        sender: sender, interceptors: options.httpInterceptors, deduplicator: deduplicator,
        deduplicates: options.deduplicatesQueries, batcher: batcher, batches: options.batcher != nil))
    interceptors.append(ResponseCodeInterceptor(acceptsErrorsAsJSON: options.acceptsErrorsAsJSON))
    interceptors.append(MultipartResponseParsingInterceptor())
    interceptors.append(JSONResponseParsingInterceptor())
    interceptors.append(AutomaticPersistedQueryInterceptor())
    interceptors.append(CacheWriteInterceptor(store: cache))
    return interceptors
  }

  /// Has the authenticator of the options forget its credentials. A subclass with credentials of its own calls `super`.
  open func forgetUser() async throws { await options.authenticator?.forgetCredentials() }

  /// The interceptor that sees every error before the caller does. nil, the default: none. Subclasses may give one.
  open func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}

/// A provider that implements nothing, so everything is as the protocol's defaults have it.
private struct SharedInterceptorProvider: InterceptorProvider, Sendable {}

extension DefaultInterceptorProvider: SenderHolding {}

extension DefaultInterceptorProvider: ClockUsing {
  package func use(_ clock: any ClientClock) { (options.authenticator as? any ClockUsing)?.use(clock) }
}

extension DefaultInterceptorProvider: StoreHolding {
  var store: ApolloStore? { cache }
}
