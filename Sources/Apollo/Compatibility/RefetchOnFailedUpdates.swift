import ApolloTransport
public import ApolloAPI
public import Foundation

// Watchers with a Boolean for what `ApolloClient.WatchRefetchPolicy` says, as in Apollo iOS 1 and 2.

extension ApolloClient.WatchRefetchPolicy {
  init(refetchOnFailedUpdates: Bool) { self = refetchOnFailedUpdates ? .onMiss : .never }
}

extension ApolloClient {
  /// Runs a query, and calls a handler again each time its data changes in the cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Whether the server is asked when, after a change, the cache no longer has all of the
  ///     data: ``ApolloClient/WatchRefetchPolicy/onMiss``, or ``ApolloClient/WatchRefetchPolicy/never``.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates),
      automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry, context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Runs a query with a fetch behavior of Apollo iOS 2, and calls a handler again each time its data changes in the
  /// cache.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - fetchBehavior: When the cache is read, and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Whether the server is asked when, after a change, the cache no longer has all of the
  ///     data. The default is true.
  ///   - callbackQueue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each result.
  /// - Returns: The watcher. It watches until it is cancelled or released.
  public func watch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, cachePolicy: fetchBehavior, requestConfiguration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates), callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }

  /// Gives the data of a query, now and each time it changes in the cache, until the task ends.
  ///
  /// A consumer that is slower than the changes misses some of them, but never the last one.
  /// ``ApolloClient/WatchedResults`` tells what else the sequence can do.
  ///
  ///     for try await result in client.watch(query: HeroQuery()) { … }
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Whether the server is asked when, after a change, the cache no longer has all of the
  ///     data: ``ApolloClient/WatchRefetchPolicy/onMiss``, or ``ApolloClient/WatchRefetchPolicy/never``.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, refetchOnFailedUpdates: Bool,
    automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates),
      automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry, context: context)
  }
}

extension GraphQLQueryWatcher {
  /// Whether the server is asked when, after a change, the cache no longer has all of the data: whether the
  /// ``refetchPolicy`` is not ``ApolloClient/WatchRefetchPolicy/never``.
  public var refetchOnFailedUpdates: Bool { refetchPolicy != .never }

  /// Makes a watcher. It does nothing until one of its functions `fetch` or `refetch` is called;
  /// the function `watch` of ``ApolloClient`` that has a handler makes one and starts it.
  ///
  /// - Parameters:
  ///   - client: An ``ApolloClient``, or a stand-in for one in an app's tests.
  ///   - query: The query to run, with its variables.
  ///   - requestConfiguration: What is different for the requests of this watcher. Only an ``ApolloClient`` uses it.
  ///     nil, the default: nothing.
  ///   - refetchOnFailedUpdates: Whether the server is asked when, after a change, the cache no longer has all of the
  ///     data: ``ApolloClient/WatchRefetchPolicy/onMiss``, or ``ApolloClient/WatchRefetchPolicy/never``.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each result and each error.
  public convenience init(
    client: any ApolloClientProtocol, query: Query, requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool, automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    self.init(
      client: client, query: query, requestConfiguration: requestConfiguration,
      refetchPolicy: ApolloClient.WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates),
      automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry, context: context, callbackQueue: callbackQueue,
      resultHandler: resultHandler)
  }
}
