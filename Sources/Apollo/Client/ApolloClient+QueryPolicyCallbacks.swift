public import ApolloAPI
public import Foundation

// The verbs with callbacks, and the watchers, with the policies of release 2. There is one of each for each type of policy,
// as in release 2, so that a policy can be written with a dot: `.networkFirst`.

extension ApolloClient {
  /// Runs a query under a policy of release 2, and calls back.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    send(
      OperationCall(
        query, cachePolicy, contextIdentifier: contextIdentifier, context: context, configuration: requestConfiguration),
      queue, resultHandler)
  }

  /// Runs a query under a policy of release 2, and calls back.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once, with an error if the cache does not have all of the data.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration? = nil, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    send(
      OperationCall(
        query, cachePolicy, contextIdentifier: contextIdentifier, context: context, configuration: requestConfiguration),
      queue, resultHandler)
  }

  /// Runs a query under a policy of release 2, and calls back.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Tells whose request it is; a watcher with the same one is not told of the result.
  ///   - context: For interceptors of your own.
  ///   - queue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue than
  ///     `.main` it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once or twice.
  @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> any Cancellable {
    send(
      OperationCall(
        query, cachePolicy, contextIdentifier: contextIdentifier, context: context, configuration: requestConfiguration),
      queue, resultHandler)
  }

  /// Runs a query under a policy of release 2, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue
  ///     than `.main` it stops the process in Swift 6 mode.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context, callbackQueue, resultHandler)
  }

  /// Runs a query under a policy of release 2, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change; not under this policy.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue
  ///     than `.main` it stops the process in Swift 6 mode.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context, callbackQueue, resultHandler)
  }

  /// Runs a query under a policy of release 2, and calls the handler again whenever its data changes in the cache.
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor belongs there; on another queue
  ///     than `.main` it stops the process in Swift 6 mode.
  /// - Returns: The watcher. It watches until it is cancelled or nobody holds it any more.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context, callbackQueue, resultHandler)
  }

  /// The data of a query under a policy of release 2, now and whenever it changes in the cache, until the task ends.
  ///
  /// A slow consumer misses values in between, never the last one.
  ///
  /// - Parameter requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil
  ) -> WatchedResults<Query> {
    watchedResults(of: query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context)
  }

  /// The data of a query under a policy of release 2, now and whenever it changes in the cache, until the task ends.
  ///
  /// A slow consumer misses values in between, never the last one.
  ///
  /// - Parameter requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil
  ) -> WatchedResults<Query> {
    watchedResults(of: query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context)
  }

  /// The data of a query under a policy of release 2, now and whenever it changes in the cache, until the task ends.
  ///
  /// A slow consumer misses values in between, never the last one.
  ///
  /// - Parameter requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil
  ) -> WatchedResults<Query> {
    watchedResults(of: query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context)
  }
}

extension GraphQLQueryWatcher {
  /// Runs the query again under a policy of release 2, and delivers what comes. A request that is under way is stopped.
  public func fetch(cachePolicy: CachePolicy.Query.SingleResponse) { start(cachePolicy) }

  /// Runs the query again under a policy of release 2, and delivers what comes. A request that is under way is stopped.
  public func fetch(cachePolicy: CachePolicy.Query.CacheOnly) { start(cachePolicy) }

  /// Runs the query again under a policy of release 2, and delivers what comes. A request that is under way is stopped.
  public func fetch(cachePolicy: CachePolicy.Query.CacheAndNetwork) { start(cachePolicy) }
}
