public import ApolloAPI

// The `async` verbs with the policies of release 2, which say by their type how many results there are.

extension ApolloClient {
  /// Runs a query and waits for its result.
  ///
  /// - Throws: ``OperationError``, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await lastResult(of: OperationCall(query, cachePolicy, context: context))
  }

  /// Reads a query from the cache.
  ///
  /// - Returns: nil if the cache does not have all of the data.
  /// - Throws: ``OperationError`` if the cache cannot be read, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data>? {
    do {
      return try await fetch(query: query, cachePolicy: cachePolicy.requestPolicy, context: context)
    } catch let error as any ApolloError where error.code == .cacheMiss {
      return nil
    }
  }

  /// Runs a query: one result, or two if the cache has all of the data.
  ///
  ///     for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork) { … }
  ///
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork, context: (any RequestContext)? = nil
  ) throws -> ResultSequence<Query.Data> {
    ResultSequence(
      operationName: Query.operationName,
      stream: run(OperationCall(query, cachePolicy, context: context)).stream())
  }

  /// The events of a subscription, until the server ends it.
  ///
  ///     for try await event in try client.subscribe(subscription: ReviewAddedSubscription()) { … }
  ///
  /// - Parameter cachePolicy: Of release 2; see ``CachePolicy/Subscription``.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription = .cacheThenNetwork,
    context: (any RequestContext)? = nil
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    subscribe(to: subscription, context: context)
  }
}
