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
  var networkTransport: any NetworkTransport { route.transport }
  private let route: TransportRoute

  /// A client over HTTP with a cache in memory and the default interceptors.
  ///
  /// - Parameter sendEnhancedClientAwareness: Requests say which library they come from, in their `extensions`.
  public convenience init(url: URL, sendEnhancedClientAwareness: Bool = true) {
    let store = ApolloStore()
    let transport = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url,
      sendEnhancedClientAwareness: sendEnhancedClientAwareness)
    self.init(networkTransport: transport, store: store)
  }

  /// - Parameter store: It must be the one that the transport's interceptors use.
  public init(networkTransport: any NetworkTransport, store: ApolloStore) {
    self.store = store
    (networkTransport as? any StoreUsing)?.use(store)
    route = TransportRoute(networkTransport, store: store)
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
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once, or twice with `returnCacheDataAndFetch`.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Query.Data>? = nil
  ) -> any Cancellable {
    send(
      OperationCall(query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), queue,
      resultHandler)
  }

  /// Runs a query, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameters:
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue
  ///     than `.main` it stops the process in Swift 6 mode.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(query, cachePolicy, refetchOnFailedUpdates, context, callbackQueue, resultHandler)
  }

  func watcher<Query: GraphQLQuery>(
    _ query: Query, _ cachePolicy: some QueryCachePolicy, _ refetchOnFailedUpdates: Bool,
    _ context: (any RequestContext)?, _ queue: DispatchQueue,
    _ resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, refetchOnFailedUpdates: refetchOnFailedUpdates, context: context,
      callbackQueue: queue, resultHandler: resultHandler)
    watcher.start(cachePolicy)
    return watcher
  }

  /// Runs a mutation.
  ///
  /// - Parameters:
  ///   - publishResultToStore: Merge the result into the cache.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable {
    send(
      OperationCall(
        mutation, cachePolicy: publishResultToStore ? .default : .fetchIgnoringCacheCompletely,
        contextIdentifier: contextIdentifier, context: context), queue, resultHandler)
  }

  /// Runs an operation and sends files with it.
  ///
  /// Each file names the variable that it is the value of. Large files do not pass through memory.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Gets ``ApolloClientError/noUploadTransport`` if the client's transport sends no files.
  @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Operation.Data>? = nil
  ) -> any Cancellable {
    send(OperationCall(operation, cachePolicy: .default, context: context, files: files), queue, resultHandler)
  }

  /// Runs a subscription until it ends or is cancelled.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called with each event, or with the error that ended it.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    send(OperationCall(subscription, cachePolicy: .default, context: context), queue, resultHandler)
  }

  func run<Operation: GraphQLOperation>(_ call: OperationCall<Operation>) -> OperationRun<Operation> {
    OperationRun(call, by: route)
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
