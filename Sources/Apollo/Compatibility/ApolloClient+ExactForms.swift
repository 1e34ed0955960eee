import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import Foundation

// The verbs of Apollo iOS 1 and 2 without any other parameters. An app's own protocol asks for them in these forms, and
// a function with more parameters does not answer it, whatever their defaults. The forms of `ApolloClientProtocol` are
// where that protocol is.

extension ApolloClient {
  /// Runs a query and waits for its result.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Query.Data> {
    try await fetch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Reads a query from the cache. The result is nil if the cache does not have all of the data.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Query.Data>? {
    try await fetch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Runs a query: one result, or two if the cache has all of the data.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork, requestConfiguration: RequestConfiguration?
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    try fetch(query: query, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Runs a query and gives each of its results. The fetch behavior decides how many there are.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration?
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    try fetch(query: query, fetchBehavior: fetchBehavior, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Runs a mutation and waits for its result.
  @_disfavoredOverload @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await perform(
      mutation: mutation, publishResultToStore: true, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Runs an operation, sends files with it, and waits for its result.
  @_disfavoredOverload @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Operation.Data> {
    try await upload(operation: operation, files: files, requestConfiguration: requestConfiguration, context: nil)
  }

  /// The events of a subscription, until the server ends it.
  @_disfavoredOverload
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription, requestConfiguration: RequestConfiguration?
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    try subscribe(
      subscription: subscription, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, context: nil)
  }

  /// Runs a query, and calls a handler again each time its data changes in the cache. As in Apollo iOS 2.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy, requestConfiguration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: requestConfiguration,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates), context: nil,
      callbackQueue: .main, resultHandler: resultHandler)
  }

  /// Runs a query with a fetch behavior, and calls a handler again each time its data changes in the cache.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watch(
      query: query, cachePolicy: fetchBehavior, requestConfiguration: requestConfiguration,
      refetchOnFailedUpdates: refetchOnFailedUpdates, resultHandler: resultHandler)
  }

  /// Runs a query, and calls a handler again each time its data changes in the cache. As in Apollo iOS 1.11 and later.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, refetchOnFailedUpdates: Bool, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: nil,
      refetchPolicy: WatchRefetchPolicy(refetchOnFailedUpdates: refetchOnFailedUpdates), context: context,
      callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  /// Runs a query, and calls a handler again each time its data changes in the cache. As in Apollo iOS 0.34 to 0.42.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: nil, context: nil, callbackQueue: .main,
      resultHandler: resultHandler)
  }

  /// Runs a query, and calls a handler again each time its data changes in the cache. As in Apollo iOS 0.27 to 0.33.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: nil, context: nil, callbackQueue: queue,
      resultHandler: resultHandler)
  }

  /// Runs a mutation, and calls a handler with its result. As in Apollo iOS 0.34 to 0.37.
  @_disfavoredOverload @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation: mutation, publishResultToStore: true, requestConfiguration: nil, contextIdentifier: nil, context: nil,
      queue: queue, resultHandler: resultHandler)
  }
}

extension GraphQLQueryWatcher {
  /// A handler that may be passed between threads, as in Apollo iOS 2. A watcher also takes one that may not.
  public typealias ResultHandler = @Sendable (Result<GraphQLResult<Query.Data>, any Error>) -> Void

  /// Asks the server again, or reads the cache, as the policy says. It stops a request of this watcher that is under way.
  @_disfavoredOverload
  public func refetch(cachePolicy: some QueryCachePolicy) {
    refetch(cachePolicy: cachePolicy, requestConfiguration: nil)
  }
}
