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
  /// The cache. Operations share what they have read.
  public let store: ApolloStore
  let networkTransport: any NetworkTransport

  /// A client over HTTP with a cache in memory and the default interceptors.
  public convenience init(url: URL) {
    let store = ApolloStore()
    let transport = RequestChainNetworkTransport(
      interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: url)
    self.init(networkTransport: transport, store: store)
  }

  /// - Parameter store: It must be the one that the transport's interceptors use.
  public init(networkTransport: any NetworkTransport, store: ApolloStore = ApolloStore()) {
    self.networkTransport = networkTransport
    self.store = store
  }

  /// Runs a query.
  ///
  /// - Parameters:
  ///   - cachePolicy: Where the data may come from: by default from the cache if it has everything, else from the server.
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called.
  ///   - resultHandler: Called once, or twice with `returnCacheDataAndFetch`.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Query.Data>? = nil
  ) -> any Cancellable {
    networkTransport.send(
      operation: query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: queue, completionHandler: resultHandler ?? { _ in })
  }

  /// Runs a query, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameter refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    let watcher = GraphQLQueryWatcher(
      client: self, query: query, refetchOnFailedUpdates: refetchOnFailedUpdates, context: context,
      callbackQueue: callbackQueue, resultHandler: resultHandler)
    watcher.fetch(cachePolicy: cachePolicy)
    return watcher
  }

  /// Runs a mutation.
  ///
  /// - Parameter publishResultToStore: Merge the result into the cache.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable {
    networkTransport.send(
      operation: mutation, cachePolicy: publishResultToStore ? .default : .fetchIgnoringCacheCompletely,
      contextIdentifier: contextIdentifier, context: context, callbackQueue: queue,
      completionHandler: resultHandler ?? { _ in })
  }

  /// Runs a subscription until it ends or is cancelled.
  ///
  /// - Parameter resultHandler: Called with each event, or with the error that ended it.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    networkTransport.send(
      operation: subscription, cachePolicy: .default, contextIdentifier: nil, context: context, callbackQueue: queue,
      completionHandler: resultHandler)
  }

  /// Removes everything from the cache. Watchers are told.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
  ) {
    Task {
      await store.clearCache()
      callbackQueue.async { completion?(.success(())) }
    }
  }
}
