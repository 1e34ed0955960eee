public import ApolloAPI

// The verbs of the client for `async` code. Ending the task that waits ends the operation.

extension ApolloClient {
  /// Runs a query and waits for its result.
  ///
  ///     let result = try await client.fetch(query: HeroQuery(episode: .empire))
  ///     print(result.data?.hero?.name ?? "no hero")
  ///
  /// With `returnCacheDataAndFetch` it is the server's; ``results(of:cachePolicy:requestConfiguration:context:)`` has both.
  ///
  /// - Parameter requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: ``OperationError``, or `CancellationError`.
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await lastResult(
      of: OperationCall(query, cachePolicy: cachePolicy, context: context, configuration: requestConfiguration))
  }

  /// Runs a query: one result, or two with `returnCacheDataAndFetch`.
  ///
  /// - Parameter requestConfiguration: What is different for this operation: timeout, header fields and so on.
  public func results<Query: GraphQLQuery>(
    of query: Query, cachePolicy: CachePolicy, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> ResultSequence<Query.Data> {
    ResultSequence(
      operationName: Query.operationName,
      stream: run(
        OperationCall(query, cachePolicy: cachePolicy, context: context, configuration: requestConfiguration)
      ).stream())
  }

  /// Runs a mutation and waits for its result.
  ///
  /// - Parameters:
  ///   - publishResultToStore: Merge the result into the cache.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: ``OperationError``, or `CancellationError`.
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    let policy = publishResultToStore ? CachePolicy.default : .fetchIgnoringCacheCompletely
    return try await lastResult(
      of: OperationCall(mutation, cachePolicy: policy, context: context, configuration: requestConfiguration))
  }

  /// Runs an operation, sends files with it, and waits for its result.
  ///
  /// - Parameters:
  ///   - files: Each names the variable that it is the value of.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  /// - Throws: ``OperationError``, or `CancellationError`.
  @discardableResult
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data> {
    try await lastResult(
      of: OperationCall(
        operation, cachePolicy: .default, context: context, configuration: requestConfiguration, files: files))
  }

  /// The events of a subscription, until the server ends it.
  ///
  ///     for try await event in client.subscribe(to: ReviewAddedSubscription()) { … }
  ///
  /// The stream's ``SubscriptionStream/states`` say whether the connection is there.
  ///
  /// - Parameter requestConfiguration: What is different for this operation: deadline, buffering and so on.
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    run(OperationCall(subscription, cachePolicy: .default, context: context, configuration: requestConfiguration))
      .subscription().naming(Subscription.operationName)
  }

  /// The data of a query, now and whenever it changes in the cache, until the task ends.
  ///
  /// A slow consumer misses values in between, never the last one. See ``WatchedResults`` for what else it can do.
  ///
  ///     for try await result in client.watch(query: HeroQuery()) { … }
  ///
  /// - Parameters:
  ///   - requestConfiguration: What is different for the requests of this watcher: timeout, header fields and so on.
  ///   - refetchOnFailedUpdates: Ask the server if the cache no longer has all of the data after a change.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, requestConfiguration: RequestConfiguration? = nil,
    refetchOnFailedUpdates: Bool = true, context: (any RequestContext)? = nil
  ) -> WatchedResults<Query> {
    watchedResults(of: query, cachePolicy, requestConfiguration, refetchOnFailedUpdates, context)
  }

  func watchedResults<Query: GraphQLQuery>(
    of query: Query, _ cachePolicy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    _ refetchOnFailedUpdates: Bool, _ context: (any RequestContext)?
  ) -> WatchedResults<Query> {
    let context = Handoff(context)
    return WatchedResults(query, cachePolicy) { [self] query, handler in
      GraphQLQueryWatcher(
        client: self, query: query, configuration: configuration, refetchOnFailedUpdates: refetchOnFailedUpdates,
        context: context.value, queue: nil, resultHandler: handler)
    }
  }

  func lastResult<Operation: GraphQLOperation>(
    of call: OperationCall<Operation>
  ) async throws -> GraphQLResult<Operation.Data> {
    let result: GraphQLResult<Operation.Data>?
    do {
      result = try await run(call).last()
    } catch {
      throw OperationError.wrap(error, operationName: Operation.operationName)
    }
    try Task.checkCancellation()
    guard let result else {
      throw OperationError.noAnswer(from: "\(type(of: networkTransport))", operationName: Operation.operationName)
    }
    return result
  }
}

/// The results of an operation, as they come.
///
/// Iterating throws ``OperationError``, or ends when its task is cancelled. It can be iterated once.
public struct ResultSequence<Data: SelectionSet>: AsyncSequence, Sendable {
  let operationName: String
  let stream: AsyncThrowingStream<GraphQLResult<Data>, any Error>

  public struct AsyncIterator: AsyncIteratorProtocol {
    let operationName: String
    var iterator: AsyncThrowingStream<GraphQLResult<Data>, any Error>.Iterator

    public mutating func next() async throws -> GraphQLResult<Data>? {
      do {
        return try await iterator.next()
      } catch {
        throw OperationError.wrap(error, operationName: operationName)
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(operationName: operationName, iterator: stream.makeAsyncIterator())
  }
}
