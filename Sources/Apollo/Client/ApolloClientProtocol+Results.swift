import ApolloOperations
import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import Foundation

// How the results of functions with callbacks become results of `async` functions and sequences.

extension ApolloClientProtocol {
  /// The results of an operation that is run by a function with a callback.
  ///
  /// They end with the last result of a query or a mutation, with an error, or when the function has released its
  /// handler. Cancelling the task that iterates them cancels the operation.
  ///
  /// - Parameters:
  ///   - type: The type of the operation.
  ///   - policy: The policy under which it is run. It says which result is the last one.
  ///   - status: Told of the state of a subscription.
  ///   - begin: Calls the function.
  /// - Returns: The results.
  func callbackResults<Operation: GraphQLOperation>(
    of type: Operation.Type, under policy: CachePolicy, reporting status: SubscriptionStatus? = nil,
    _ begin: (DispatchQueue, @escaping GraphQLResultHandler<Operation.Data>) -> any Cancellable
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let (stream, continuation) = AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>.makeStream()
    let running = Locked<Handoff<any Cancellable>?>(nil)
    // Set before the function is called, because a closure that is set after the end is not called. (Before the stream
    // is returned, nothing cancels it.)
    continuation.onTermination = { reason in
      switch reason {
      case .cancelled:
        status?.update(.finished(.cancelled))
        running.withLock { $0 }?.value.cancel()
      case .finished(let error): status?.update(.finished(error.map { .error($0) } ?? .completed))
      @unknown default: status?.update(.finished(.completed))
      }
    }
    let handler = CompletionToken { continuation.finish() }
      .guarding { (result: Result<GraphQLResult<Operation.Data>, any Error>) in
        if case .success = result { status?.update(.active) }
        continuation.yield(with: result)
        guard case .success(let value) = result, Operation.operationType != .subscription else { return }
        // (What a mock makes up need not say that it came from a server.)
        let isOnly = policy == .fetchIgnoringCacheData || policy == .fetchIgnoringCacheCompletely
        if value.isLast(of: Operation.operationType, under: policy) || (isOnly && !value.hasNext) {
          continuation.finish()
        }
      }
    // Safe: an app's request, which is only cancelled (see Handoff).
    let begun = Handoff(begin(DispatchQueue.global().oneByOne, handler))
    running.withLock { $0 = begun }
    return stream
  }

  /// The last of the results of an operation.
  nonisolated(nonsending) func lastResult<Operation: GraphQLOperation>(
    of type: Operation.Type, in results: AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>
  ) async throws -> GraphQLResult<Operation.Data> {
    var last: GraphQLResult<Operation.Data>?
    do {
      for try await result in results { last = result }
    } catch {
      throw OperationError.thrown(error, operationName: Operation.operationName)
    }
    try Task.checkCancellation()
    guard let last else {
      throw OperationError.noAnswer(from: "\(Self.self)", operationName: Operation.operationName)
    }
    return last
  }

  nonisolated(nonsending) func lastResult<Query: GraphQLQuery>(
    of query: Query, under policy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    _ context: (any RequestContext)?
  ) async throws -> GraphQLResult<Query.Data> {
    if let client = self as? ApolloClient {
      return try await client.lastResult(
        of: OperationCall(query, policy, context: context, configuration: configuration))
    }
    return try await lastResult(of: Query.self, in: callbackResults(of: query, under: policy, context))
  }

  func resultSequence<Query: GraphQLQuery>(
    of query: Query, under policy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    _ context: (any RequestContext)?
  ) -> ApolloClient.ResultSequence<Query.Data> {
    if let client = self as? ApolloClient {
      return ApolloClient.ResultSequence(
        client.run(OperationCall(query, policy, context: context, configuration: configuration)))
    }
    return ApolloClient.ResultSequence(
      operationName: Query.operationName, stream: callbackResults(of: query, under: policy, context))
  }

  func watchedResults<Query: GraphQLQuery>(
    of query: Query, under policy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    _ context: (any RequestContext)?
  ) -> ApolloClient.WatchedResults<Query> {
    if let client = self as? ApolloClient {
      return client.watchedResults(
        of: query, cachePolicy: policy, configuration: configuration, context: context)
    }
    // Safe: the client and the context are an app's (see Handoff).
    nonisolated(unsafe) let client: any ApolloClientProtocol = self, context = context
    return ApolloClient.WatchedResults(query, policy, isStartedWhenMade: true) { query, policy, handler in
      client.watch(
        query: query, cachePolicy: policy.requestPolicy, context: context,
        callbackQueue: DispatchQueue.global().oneByOne, resultHandler: handler)
    }
  }

  private func callbackResults<Query: GraphQLQuery>(
    of query: Query, under policy: some QueryCachePolicy, _ context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    callbackResults(of: Query.self, under: policy.requestPolicy) { queue, handler in
      fetch(
        query: query, cachePolicy: policy.requestPolicy, contextIdentifier: nil, context: context, queue: queue,
        resultHandler: handler)
    }
  }
}
