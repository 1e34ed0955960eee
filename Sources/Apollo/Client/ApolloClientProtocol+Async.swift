import ApolloOperations
import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
import Foundation

// The `async` verbs of `any ApolloClientProtocol`; three more are those of `AsyncVerbs`. An `ApolloClient` runs its own
// functions of the same names. For any other type, such as a mock of an app's tests, each verb calls the function with a
// callback that the type implements.

extension ApolloClientProtocol {
  /// Removes everything from the cache. It also ends when the function with a completion has released the completion
  /// without calling it.
  ///
  /// - Throws: What a backend throws; then nothing has changed.
  @_disfavoredOverload
  nonisolated(nonsending) public func clearCache() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      // A mock may call its completion twice, or release it uncalled.
      let waiting = Locked<CheckedContinuation<Void, any Error>?>(done)
      let resume = { @Sendable (result: Result<Void, any Error>) in
        let waiter = waiting.withLock { $0.take() }
        waiter?.resume(with: result)
      }
      clearCache(callbackQueue: .global(), completion: CompletionToken { resume(.success(())) }.guarding(resume))
    }
  }

  /// Runs a query under a policy of Apollo iOS 2, and waits for its result.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked. With `networkFirst` only an ``ApolloClient``
  ///     reads the cache after a failure.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the query.
  /// - Throws: ``OperationError``, or `CancellationError`.
  @_disfavoredOverload
  nonisolated(nonsending) public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await lastResult(of: query, under: cachePolicy, requestConfiguration, context)
  }

  /// Reads a query from the cache. The server is not asked.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: The policy that reads the cache only.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: ``OperationError`` if the cache cannot be read, or `CancellationError`.
  @_disfavoredOverload
  nonisolated(nonsending) public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data>? {
    do {
      return try await lastResult(of: query, under: cachePolicy, requestConfiguration, context)
    } catch let error as any ApolloError where error.code == .cacheMiss {
      return nil
    }
  }

  /// Runs a query and gives each of its results: one, or two if the cache has all of the data.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked. Only an ``ApolloClient`` knows
  ///     `revalidateCache`; for others it is `cacheAndNetwork`.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``. Cancelling its task cancels the operation.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    resultSequence(of: query, under: cachePolicy, requestConfiguration, context)
  }

  /// Runs a query and gives each of its results. The fetch behavior decides how many there are.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - fetchBehavior: When the cache is read, and when the server is asked. Only an ``ApolloClient`` reads the cache
  ///     after a failure.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``. Cancelling its task cancels the operation.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) throws -> ApolloClient.ResultSequence<Query.Data> {
    resultSequence(of: query, under: fetchBehavior, requestConfiguration, context)
  }

  /// Runs a query and gives each of its results: one, or two with `returnCacheDataAndFetch`.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``. Cancelling its task cancels the operation.
  @_disfavoredOverload
  public func results<Query: GraphQLQuery>(
    of query: Query, cachePolicy: CachePolicy, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.ResultSequence<Query.Data> {
    resultSequence(of: query, under: cachePolicy, requestConfiguration, context)
  }
}

// MARK: - Events and changes

extension ApolloClientProtocol {
  /// The events of a subscription, until the server ends it.
  ///
  /// A type other than ``ApolloClient`` ends it with an error, or by releasing the handler that it was given: no
  /// callback tells of the end.
  ///
  /// - Parameters:
  ///   - subscription: The subscription to start, with its variables.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The events. Iterating throws ``OperationError``. Leaving the loop or cancelling its task ends the
  ///   subscription.
  @_disfavoredOverload
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    if let client = self as? ApolloClient {
      return client.subscribe(to: subscription, requestConfiguration: requestConfiguration, context: context)
    }
    let status = SubscriptionStatus()
    let events = callbackResults(of: Subscription.self, under: .default, reporting: status) { queue, handler in
      subscribe(subscription: subscription, context: context, queue: queue, resultHandler: handler)
    }
    return SubscriptionStream(events, status: status, operationName: Subscription.operationName)
  }

  /// The events of a subscription, with a policy of Apollo iOS 2, until the server ends it.
  ///
  /// - Parameters:
  ///   - subscription: The subscription to start, with its variables.
  ///   - cachePolicy: Whether what the cache has of the subscription comes first. The default is `.cacheThenNetwork`:
  ///     it does. Only an ``ApolloClient`` uses it.
  ///   - requestConfiguration: What is different for this operation. Only an ``ApolloClient`` uses it. nil, the default:
  ///     nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The events, as from ``subscribe(to:requestConfiguration:context:)``.
  /// - Throws: Nothing; iterating throws ``OperationError``.
  @_disfavoredOverload
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription = .cacheThenNetwork,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    if let client = self as? ApolloClient {
      return try client.subscribe(
        subscription: subscription, cachePolicy: cachePolicy, requestConfiguration: requestConfiguration,
        context: context)
    }
    return subscribe(to: subscription, requestConfiguration: requestConfiguration, context: context)
  }

  /// Gives the data of a query, now and each time it changes in the cache, until the task ends.
  ///
  /// With a type other than ``ApolloClient`` the results are those that its `watch` gives to the handler.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked. With `networkFirst` only an ``ApolloClient``
  ///     reads the cache after a failure.
  ///   - requestConfiguration: What is different for the requests of this watcher. Only an ``ApolloClient`` uses it. nil,
  ///     the default: nothing.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence. Iterating throws ``OperationError``.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watchedResults(of: query, under: cachePolicy, requestConfiguration, context)
  }
}
