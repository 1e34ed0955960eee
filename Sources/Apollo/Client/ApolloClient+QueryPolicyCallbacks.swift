import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import Foundation

// The verbs with callbacks, and the watchers, with the cache policies of Apollo iOS 2. There is one function for each
// type of policy, so that a policy can be written with a dot: `.networkFirst`.

extension ApolloClient {
  /// Runs a query under a policy of Apollo iOS 2 that gives one result, and calls a handler.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation, such as the timeout and header fields. nil: the
  ///     client's default.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another queue
  ///     it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once.
  /// - Returns: Cancels the operation. The handler is not called after that.
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
      on: queue, to: resultHandler)
  }

  /// Reads a query from the cache, and calls a handler. The server is not asked.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation, such as the deadline. nil: the client's default.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another queue
  ///     it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once, with an error if the cache does not have all of the data.
  /// - Returns: Cancels the operation. The handler is not called after that.
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
      on: queue, to: resultHandler)
  }

  /// Runs a query under a policy of Apollo iOS 2 that gives up to two results, and calls a handler with each.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation, such as the timeout and header fields. nil: the
  ///     client's default.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another queue
  ///     it stops the process in Swift 6 mode.
  ///   - resultHandler: Called once or twice.
  /// - Returns: Cancels the operation. The handler is not called after that.
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
      on: queue, to: resultHandler)
  }

  /// Runs a query under a policy of Apollo iOS 2, and calls a handler again each time its data changes in the cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another
  ///     queue it stops the process in Swift 6 mode.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: WatchRefetchPolicy = .onMiss,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Reads a query from the cache, and calls a handler again each time its data changes in the cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Has no effect under this policy, which does not ask the server.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another
  ///     queue it stops the process in Swift 6 mode.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates), context: context,
      callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Runs a query under a policy of Apollo iOS 2 that gives up to two results, and calls a handler again each time its
  /// data changes in the cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is made on the main actor needs `.main`; on another
  ///     queue it stops the process in Swift 6 mode.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: WatchRefetchPolicy = .onMiss,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Delivers the data of a query under a cache policy of Apollo iOS 2, now and each time it changes in the cache,
  /// until the task ends. A consumer that is slower than the changes misses some of them, but never the last one.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: WatchRefetchPolicy = .onMiss,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watchedResults(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context)
  }

  /// Delivers the data of a query from the cache, now and each time it changes in the cache, until the task ends. The
  /// server is not asked. A consumer that is slower than the changes misses some of them, but never the last one.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Has no effect under this policy, which does not ask the server.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool = true,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watchedResults(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates), context: context)
  }

  /// Delivers the data of a query under a cache policy of Apollo iOS 2, now and each time it changes in the cache,
  /// until the task ends. A consumer that is slower than the changes misses some of them, but never the last one.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: WatchRefetchPolicy = .onMiss,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watchedResults(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context)
  }
}

extension GraphQLQueryWatcher {
  /// Runs the query again under a policy of Apollo iOS 2 that gives one result. It stops a request that is under way.
  public func fetch(cachePolicy: CachePolicy.Query.SingleResponse) { start(cachePolicy) }

  /// Reads the query from the cache again. It stops a request that is under way.
  public func fetch(cachePolicy: CachePolicy.Query.CacheOnly) { start(cachePolicy) }

  /// Runs the query again under a policy of Apollo iOS 2 that gives up to two results. It stops a request that is under
  /// way.
  public func fetch(cachePolicy: CachePolicy.Query.CacheAndNetwork) { start(cachePolicy) }
}
