public import ApolloAPI
public import ApolloCache
public import Foundation

/// Runs operations against a server, through one normalized cache.
///
/// Every verb comes in two styles: with a callback, as here, and for `async` code (see the other extension).
///
///     let client = ApolloClient(url: URL(string: "https://example.com/graphql")!)
///     client.fetch(query: HeroQuery(episode: .empire)) { result in … }
public final class ApolloClient: Sendable {
  public enum ApolloClientError: ApolloError, Hashable {
    case noUploadTransport

    public var code: ApolloErrorCode { .configuration }

    public var message: String { "The client's network transport is no UploadingNetworkTransport: it sends no files." }
  }

  /// The cache. Operations share what they have read.
  public let store: ApolloStore
  /// What is different for every operation of this client, unless its own ``RequestConfiguration`` says otherwise. Of release 2 of
  /// Apollo iOS.
  public let defaultRequestConfiguration: RequestConfiguration
  var networkTransport: any NetworkTransport { route.transport }
  private let route: TransportRoute

  /// A client over HTTP with a cache in memory and the default interceptors.
  ///
  /// ``init(configuration:)`` has all other settings.
  ///
  /// - Parameters:
  ///   - sendEnhancedClientAwareness: Requests say which library they come from, in their `extensions`.
  ///   - defaultRequestConfiguration: What is different for every operation.
  public convenience init(
    url: URL, sendEnhancedClientAwareness: Bool = true,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
  ) {
    var configuration = Configuration(url: url)
    configuration.http.sendEnhancedClientAwareness = sendEnhancedClientAwareness
    configuration.defaultRequestConfiguration = defaultRequestConfiguration
    self.init(configuration: configuration)
  }

  /// A client over a transport that the app has made.
  ///
  /// - Parameters:
  ///   - store: It must be the one that the transport's interceptors use. A transport that has none takes it.
  ///   - defaultRequestConfiguration: What is different for every operation.
  public convenience init(
    networkTransport: any NetworkTransport, store: ApolloStore,
    defaultRequestConfiguration: RequestConfiguration = RequestConfiguration()
  ) {
    self.init(networkTransport, store, defaultRequestConfiguration, ExchangePolicies())
  }

  package init(
    _ networkTransport: any NetworkTransport, _ store: ApolloStore,
    _ defaultRequestConfiguration: RequestConfiguration, _ policies: ExchangePolicies
  ) {
    self.store = store
    self.defaultRequestConfiguration = defaultRequestConfiguration
    (networkTransport as? any StoreUsing)?.use(store)
    route = TransportRoute(networkTransport, store: store, policies: policies)
  }

  /// A client with the cache that the transport's own interceptors use, if the transport can tell; else with a new one.
  public convenience init(networkTransport: any NetworkTransport) {
    self.init(
      networkTransport: networkTransport, store: (networkTransport as? any StoreUsing)?.store ?? ApolloStore())
  }

  /// Runs a query.
  ///
  /// - Parameters:
  ///   - cachePolicy: Where the data may come from: by default from the cache if it has everything, else from the server.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once, or twice with `returnCacheDataAndFetch`.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, requestConfiguration: RequestConfiguration? = nil,
    contextIdentifier: UUID? = nil, context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Query.Data>? = nil
  ) -> any Cancellable {
    send(
      OperationCall(
        query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
        configuration: requestConfiguration), queue, resultHandler)
  }

  /// Runs a query, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue
  ///     than `.main` it stops the process in Swift 6 mode.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true, context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context, callbackQueue, resultHandler)
  }

  func watcher<Query: GraphQLQuery>(
    _ query: Query, _ cachePolicy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    _ refetchOnFailedUpdates: Bool, _ context: (any RequestContext)?, _ queue: DispatchQueue,
    _ resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, requestConfiguration: configuration, refetchOnFailedUpdates: refetchOnFailedUpdates,
      context: context, callbackQueue: queue, resultHandler: resultHandler)
    watcher.start(cachePolicy)
    return watcher
  }

  /// Runs a mutation.
  ///
  /// - Parameters:
  ///   - publishResultToStore: Merge the result into the cache.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, requestConfiguration: RequestConfiguration? = nil,
    contextIdentifier: UUID? = nil, context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable {
    send(
      OperationCall(
        mutation, cachePolicy: publishResultToStore ? .default : .fetchIgnoringCacheCompletely,
        contextIdentifier: contextIdentifier, context: context, configuration: requestConfiguration), queue,
      resultHandler)
  }

  /// Runs an operation and sends files with it.
  ///
  /// Each file names the variable that it is the value of. Large files do not pass through memory.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Gets ``ApolloClientError/noUploadTransport`` if the client's transport sends no files.
  @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Operation.Data>? = nil
  ) -> any Cancellable {
    send(
      OperationCall(
        operation, cachePolicy: .default, context: context, configuration: requestConfiguration, files: files), queue,
      resultHandler)
  }

  /// Runs a subscription until it ends or is cancelled.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for this operation: deadline, header fields and so on.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called with each event, or with the error that ended it.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    send(
      OperationCall(subscription, cachePolicy: .default, context: context, configuration: requestConfiguration), queue,
      resultHandler)
  }

  func run<Operation: GraphQLOperation>(_ call: OperationCall<Operation>) -> OperationRun<Operation> {
    var call = call
    call.fill(from: defaultRequestConfiguration)
    return OperationRun(call, by: route)
  }

  /// Sends an operation with a callback. A transport of the app's own gets queue and handler as they are.
  func send<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ queue: DispatchQueue, _ handler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    run(call).send(on: queue, to: handler ?? { _ in })
  }

  /// Removes everything from the cache. Watchers are told.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Error>) -> Void)? = nil
  ) {
    store.clearCache(callbackQueue: callbackQueue, completion: completion)
  }
}
