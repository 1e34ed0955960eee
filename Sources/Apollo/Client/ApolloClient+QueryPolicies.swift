import ApolloOperations
import ApolloTransport
public import ApolloAPI

// The `async` verbs with the cache policies of Apollo iOS 2. The type of the policy tells how many results there are.

extension ApolloClient {
  /// Runs a query and waits for its result.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the query.
  /// - Throws: ``OperationError``, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await lastResult(of: OperationCall(query, cachePolicy, context: context, configuration: requestConfiguration))
  }

  /// Reads a query from the cache. The server is not asked.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: The policy that reads the cache only.
  ///   - requestConfiguration: What is different for this operation, such as the deadline. nil: the client's default.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result; nil if the cache does not have all of the data.
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
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    ApolloClient.ResultSequence(
      run(OperationCall(query, cachePolicy, context: context, configuration: requestConfiguration)))
  }

  /// Runs a query and gives each of its results. The fetch behavior decides how many there are.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - fetchBehavior: When the cache is read, and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func fetch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    ApolloClient.ResultSequence(
      run(OperationCall(query, fetchBehavior, context: context, configuration: requestConfiguration)))
  }

  /// The events of a subscription, until the server ends it.
  ///
  ///     for try await event in try client.subscribe(subscription: ReviewAddedSubscription()) { … }
  ///
  /// - Parameters:
  ///   - subscription: The subscription to start, with its variables.
  ///   - cachePolicy: Whether what the cache has of the subscription comes first. The default is `.cacheThenNetwork`:
  ///     it does.
  ///   - requestConfiguration: What is different for this operation, such as the deadline and the buffering. nil: the
  ///     client's default.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The events. Leaving the loop or cancelling its task ends the subscription.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription = .cacheThenNetwork,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    run(
      OperationCall(
        subscription, cachePolicy.toFetchBehavior(), context: context, configuration: requestConfiguration)
    ).subscription().naming(Subscription.operationName)
  }
}
