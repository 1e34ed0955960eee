public import ApolloAPI

// The `async` verbs with the policies of release 2, which say by their type how many results there are.

extension ApolloClient {
  /// Runs a query and waits for its result.
  ///
  /// - Parameter requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: ``OperationError``, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await lastResult(of: OperationCall(query, cachePolicy, context: context, configuration: requestConfiguration))
  }

  /// Reads a query from the cache.
  ///
  /// - Parameter requestConfiguration: What is different for this operation; a deadline for instance.
  /// - Returns: nil if the cache does not have all of the data.
  /// - Throws: ``OperationError`` if the cache cannot be read, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data>? {
    do {
      return try await lastResult(
        of: OperationCall(query, cachePolicy, context: context, configuration: requestConfiguration))
    } catch let error as any ApolloError where error.code == .cacheMiss {
      return nil
    }
  }

  /// Runs a query: one result, or two if the cache has all of the data.
  ///
  ///     for try await result in try client.fetch(query: HeroQuery(), cachePolicy: .cacheAndNetwork) { … }
  ///
  /// - Parameter requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) throws -> ResultSequence<Query.Data> {
    ResultSequence(
      operationName: Query.operationName,
      stream: run(OperationCall(query, cachePolicy, context: context, configuration: requestConfiguration)).stream())
  }

  /// Runs a query: as many results as the behavior leads to.
  ///
  /// - Parameters:
  ///   - fetchBehavior: When the cache is read, and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func fetch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) throws -> ResultSequence<Query.Data> {
    ResultSequence(
      operationName: Query.operationName,
      stream: run(OperationCall(query, fetchBehavior, context: context, configuration: requestConfiguration)).stream())
  }

  /// The events of a subscription, until the server ends it.
  ///
  ///     for try await event in try client.subscribe(subscription: ReviewAddedSubscription()) { … }
  ///
  /// - Parameters:
  ///   - cachePolicy: Of release 2; see ``CachePolicy/Subscription``.
  ///   - requestConfiguration: What is different for this operation: deadline, buffering and so on.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription = .cacheThenNetwork,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    subscribe(to: subscription, requestConfiguration: requestConfiguration, context: context)
  }
}
