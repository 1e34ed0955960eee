import ApolloOutbox
import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Foundation

/// Runs operations against a GraphQL server, through one normalized cache.
///
/// Each kind of operation has a function with a callback, and one for `async` code.
///
///     let client = ApolloClient(url: URL(string: "https://example.com/graphql")!)
///     client.fetch(query: HeroQuery(episode: .empire)) { result in … }
public final class ApolloClient: Sendable {
  /// Why a client cannot run an operation.
  public enum ApolloClientError: ApolloError, Hashable {
    /// Files were to be sent, and the client's transport is not an ``UploadingNetworkTransport``.
    case noUploadTransport

    /// The kind of this error: ``ApolloErrorCode/configuration``.
    public var code: ApolloErrorCode { .configuration }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noUploadTransport:
        "The client's network transport cannot send files: it is not an UploadingNetworkTransport."
      }
    }
  }

  /// The cache. All operations of the client read and write it.
  public let store: ApolloStore
  /// What holds for every operation of this client, unless the operation's own ``RequestConfiguration`` says otherwise.
  public let defaultRequestConfiguration: RequestConfiguration
  var networkTransport: any NetworkTransport { route.transport }
  let route: TransportRoute
  let activeQueries: ActiveQueries
  /// The clock by which the client waits.
  package var clock: any ClientClock { activeQueries.clock }
  let signingOut = SharedWork()
  /// The task of ``close()``; nil before the first call.
  let closing = Locked<Task<Void, any Error>?>(nil)
  /// The mutations that wait to be sent, and those that were given up.
  public let outbox: Outbox

  /// Makes a client that sends operations over HTTP, with a cache in memory and the default interceptors.
  ///
  /// ``init(configuration:)`` has all other settings.
  ///
  /// - Parameters:
  ///   - url: The address of the GraphQL server.
  ///   - sendEnhancedClientAwareness: Whether requests name this library and its version, in `extensions`. The default
  ///     is true.
  ///   - defaultRequestConfiguration: What holds for every operation that does not say otherwise. The default changes
  ///     nothing.
  public convenience init(
    url: URL, sendEnhancedClientAwareness: Bool = true,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
  ) {
    var configuration = Configuration(url: url)
    configuration.http.sendEnhancedClientAwareness = sendEnhancedClientAwareness
    configuration.defaultRequestConfiguration = defaultRequestConfiguration
    self.init(configuration: configuration)
  }

  /// Makes a client over a transport that the app has made.
  ///
  /// - Parameters:
  ///   - networkTransport: Sends the operations.
  ///   - store: The cache. If the transport's interceptors use a store, it must be that one. A transport without a
  ///     store is given this one.
  ///   - defaultRequestConfiguration: What holds for every operation that does not say otherwise. The default changes
  ///     nothing.
  public convenience init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
  ) {
    self.init(
      networkTransport: networkTransport, store: store, defaultRequestConfiguration: defaultRequestConfiguration,
      policies: ExchangePolicies())
  }

  init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    defaultRequestConfiguration: RequestConfiguration, policies: ExchangePolicies,
    outbox: Outbox.Configuration? = nil
  ) {
    self.store = store
    self.defaultRequestConfiguration = defaultRequestConfiguration
    if let clock = policies.ownClock { store.use(clock) }
    (networkTransport as? any ClientTransport)?.join(policies, store)
    activeQueries = ActiveQueries(policies.clock, policies.networkMonitor)
    route = TransportRoute(networkTransport, store: store, policies: policies)
    self.outbox = Outbox(
      outbox, route: route, store: store, defaults: defaultRequestConfiguration, activeQueries: activeQueries)
  }

  /// Makes a client over a transport that the app has made. The client's cache is the one that the transport's
  /// interceptors use, if the transport can tell; otherwise it is a new one in memory.
  public convenience init(networkTransport: any NetworkTransport) {
    self.init(
      networkTransport: networkTransport, store: (networkTransport as? any ClientTransport)?.store ?? ApolloStore())
  }

  /// Runs a query, and calls a handler with its result.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked: a ``CachePolicy``, a policy of Apollo iOS 2
  ///     or a ``FetchBehavior``. By default the cache if it has all of the data, and otherwise the server.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called once, or twice under a policy with two results, such as `returnCacheDataAndFetch`.
  /// - Returns: Cancels the operation. The handler is not called after that.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Query.Data>? = nil
  ) -> any Cancellable & Sendable {
    send(
      OperationCall(
        query, cachePolicy, contextIdentifier: contextIdentifier, context: context,
        configuration: requestConfiguration),
      on: queue, to: resultHandler)
  }

  /// Runs a query, and calls a handler again each time its data changes in the cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - pollInterval: After how many seconds the query is sent again and again; see
  ///     ``RequestConfiguration/pollInterval``. nil: what the configuration says.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil,
    refetchPolicy: WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    pollInterval: TimeInterval? = nil, context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy,
      configuration: RequestConfiguration(requestConfiguration, pollInterval: pollInterval),
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  func watcher<Query: GraphQLQuery>(
    of query: Query, cachePolicy: some QueryCachePolicy, configuration: RequestConfiguration?,
    refetchPolicy: WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)?,
    callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, requestConfiguration: configuration, refetchPolicy: refetchPolicy,
      automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry, context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
    watcher.start(cachePolicy)
    return watcher
  }

  /// Runs a mutation, and calls a handler with its result.
  ///
  /// - Parameters:
  ///   - mutation: The mutation to run, with its variables.
  ///   - publishResultToStore: Whether the result is written to the cache. The default is true.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with the result, or with the error that ended the mutation.
  /// - Returns: Cancels the operation. The handler is not called after that.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, requestConfiguration: RequestConfiguration? = nil,
    contextIdentifier: UUID? = nil, context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable & Sendable {
    send(
      OperationCall(
        mutation, cachePolicy: publishResultToStore ? .default : .fetchIgnoringCacheCompletely,
        contextIdentifier: contextIdentifier, context: context, configuration: requestConfiguration),
      on: queue, to: resultHandler)
  }

  /// Runs an operation and sends files with it.
  ///
  /// Large files do not pass through memory.
  ///
  /// - Parameters:
  ///   - operation: The operation to run, with its variables.
  ///   - files: The files. Each names the variable whose value it is.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with the result, or with an error. The error is ``ApolloClientError/noUploadTransport``
  ///     if the client's transport cannot send files.
  /// - Returns: Cancels the operation. The handler is not called after that.
  @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Operation.Data>? = nil
  ) -> any Cancellable & Sendable {
    send(
      OperationCall(
        operation, cachePolicy: .default, context: context, configuration: requestConfiguration, files: files),
      on: queue, to: resultHandler)
  }

  /// Starts a subscription, and calls a handler with each event until the subscription ends or is cancelled.
  ///
  /// - Parameters:
  ///   - subscription: The subscription to start, with its variables.
  ///   - requestConfiguration: What is different for this operation: deadline, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each event, or with the error that ended the subscription.
  /// - Returns: Cancels the subscription. The handler is not called after that.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable & Sendable {
    send(
      OperationCall(subscription, cachePolicy: .default, context: context, configuration: requestConfiguration),
      on: queue, to: resultHandler)
  }

  @inline(__always)
  func run<Operation: GraphQLOperation>(_ call: consuming OperationCall<Operation>) -> OperationRun<Operation> {
    if call.files != nil, !route.takesFiles(of: call) { call.refuse(with: ApolloClientError.noUploadTransport) }
    return route.run(call, defaultRequestConfiguration)
  }

  /// Sends an operation with a callback. A transport that an app has made is given the queue and the handler themselves.
  func send<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, on queue: DispatchQueue, to handler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable & Sendable {
    run(call).send(on: queue, to: handler ?? { _ in })
  }

  /// Removes everything from the cache. Watchers are told.
  ///
  /// - Throws: What a backend throws; then nothing has changed.
  public func clearCache() async throws { try await store.clearCache() }

  /// Removes everything from the cache, and calls a completion. Watchers are told.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where the completion is called. By default the main queue, which a completion that is made on the
  ///     main actor needs.
  ///   - completion: Called when everything is removed, or with what a backend threw. nil, the default: nothing is called.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Error>) -> Void)? = nil
  ) {
    store.clearCache(callbackQueue: callbackQueue, completion: completion)
  }
}
