import ApolloOperations
import ApolloTransport
public import ApolloAPI
public import Foundation

// The operations of the client for `async` code whose results are sequences, and how the client waits for one result.
// Cancelling the task that waits cancels the operation. The functions with one result are `AsyncVerbs`.

extension ApolloClient {
  /// Runs a query and gives each of its results: one, or two with `returnCacheDataAndFetch`.
  ///
  /// - Parameters:
  ///   - query: The query to run, with its variables.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``.
  public func results<Query: GraphQLQuery>(
    of query: Query, cachePolicy: CachePolicy, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> ApolloClient.ResultSequence<Query.Data> {
    ApolloClient.ResultSequence(
      run(OperationCall(query, cachePolicy: cachePolicy, context: context, configuration: requestConfiguration)))
  }

  /// The events of a subscription, until the server ends it.
  ///
  ///     for try await event in client.subscribe(to: ReviewAddedSubscription()) { … }
  ///
  /// The stream's ``SubscriptionStream/states`` say whether the connection is there.
  ///
  /// - Parameters:
  ///   - subscription: The subscription to start, with its variables.
  ///   - requestConfiguration: What is different for this operation, such as the deadline and the buffering. nil: the
  ///     client's default.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The events. Leaving the loop or cancelling its task ends the subscription.
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, requestConfiguration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    run(OperationCall(subscription, cachePolicy: .default, context: context, configuration: requestConfiguration))
      .subscription().naming(Subscription.operationName)
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
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - pollInterval: After how many seconds the query is sent again and again; see
  ///     ``RequestConfiguration/pollInterval``. nil: what the configuration says.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The results as a sequence.
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil,
    refetchPolicy: WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    pollInterval: TimeInterval? = nil, context: (any RequestContext)? = nil
  ) -> ApolloClient.WatchedResults<Query> {
    watchedResults(
      of: query, cachePolicy: cachePolicy,
      configuration: RequestConfiguration(requestConfiguration, pollInterval: pollInterval),
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context)
  }

  func watchedResults<Query: GraphQLQuery>(
    of query: Query, cachePolicy: some QueryCachePolicy, configuration: RequestConfiguration?,
    refetchPolicy: WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)?
  ) -> ApolloClient.WatchedResults<Query> {
    // Safe: an app's object (see Handoff).
    nonisolated(unsafe) let context = context
    return ApolloClient.WatchedResults(query, cachePolicy) { [self] query, _, handler in
      GraphQLQueryWatcher(
        client: self, query: query, configuration: configuration, refetchPolicy: refetchPolicy,
        automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry, context: context, queue: nil,
        resultHandler: handler)
    }
  }

  func lastResult<Operation: GraphQLOperation>(
    of call: OperationCall<Operation>
  ) async throws -> GraphQLResult<Operation.Data> {
    try await lastResult(of: run(call))
  }

  @inline(__always)
  func lastResult<Operation: GraphQLOperation>(
    of run: OperationRun<Operation>
  ) async throws -> GraphQLResult<Operation.Data> {
    let result: GraphQLResult<Operation.Data>?
    do {
      result = try await run.last()
    } catch {
      throw OperationError.thrown(error, operationName: Operation.operationName)
    }
    try Task.checkCancellation()
    guard let result else {
      throw OperationError.noAnswer(from: "\(type(of: networkTransport))", operationName: Operation.operationName)
    }
    return result
  }
}

extension ApolloClient {
  /// The results of an operation, as they come.
  ///
  /// Iterating throws ``OperationError``, or ends when its task is cancelled. It can be iterated once.
  public struct ResultSequence<Data: SelectionSet>: AsyncSequence, Sendable {
    private let operationName: String
    private let stream: AsyncThrowingStream<GraphQLResult<Data>, any Error>
    /// The error because of which no result is given, though it has come before; nil: each is given.
    private let refusal: @Sendable () -> (any Error)?

    init(
      operationName: String, stream: AsyncThrowingStream<GraphQLResult<Data>, any Error>,
      refusal: @escaping @Sendable () -> (any Error)? = { nil }
    ) {
      self.operationName = operationName
      self.stream = stream
      self.refusal = refusal
    }

    init<Operation: GraphQLOperation>(_ run: OperationRun<Operation>) where Operation.Data == Data {
      self.init(operationName: Operation.operationName, stream: run.stream(), refusal: run.refusal)
    }

    /// Iterates the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let operationName: String
      fileprivate let refusal: @Sendable () -> (any Error)?
      fileprivate let stream: AsyncThrowingStream<GraphQLResult<Data>, any Error>

      /// Waits for the next result.
      ///
      /// - Returns: The result; nil after the last one.
      /// - Throws: ``OperationError``, or `CancellationError`.
      public mutating func next() async throws -> GraphQLResult<Data>? { try await next(isolation: nil) }

      /// Waits for the next result.
      ///
      /// - Parameter actor: The actor that iterates. nil: none.
      /// - Returns: The result; nil after the last one.
      /// - Throws: ``OperationError``, or `CancellationError`.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> GraphQLResult<Data>? {
        do {
          // Each iterator of such a stream continues where the previous one stopped.
          var iterator = stream.makeAsyncIterator()
          let result = try await iterator.next()
          // (On the actor, which may have been busy meanwhile.)
          if result != nil, let error = refusal() { throw error }
          return result
        } catch {
          throw OperationError.thrown(error, operationName: operationName)
        }
      }
    }

    /// Begins to iterate. A sequence can be iterated once.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(operationName: operationName, refusal: refusal, stream: stream)
    }
  }
}
