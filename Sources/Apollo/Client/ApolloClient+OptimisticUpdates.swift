import ApolloOutbox
import ApolloOperations
import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

// Mutations whose result is shown before the server has confirmed it. (The `async` form is disfavored, because a call with
// none of its parameters is that of `AsyncVerbs`.)

extension ApolloClient {
  /// Changes the cache as a mutation is expected to change it; see `Outbox.MutationGuess`.
  public typealias MutationGuess<Mutation: GraphQLMutation> = Outbox.MutationGuess<Mutation>

  /// Changes the cache by the result of a mutation; see `Outbox.MutationUpdate`.
  public typealias MutationUpdate<Mutation: GraphQLMutation> = Outbox.MutationUpdate<Mutation>

  /// Runs a mutation, shows its likely result at once, and waits for its result.
  ///
  ///     try await client.perform(
  ///       mutation: LikeMutation(id: "7"),
  ///       optimisticData: .init(like: .init(id: "7", isLiked: true)))
  ///
  /// Reads and watchers see the guess until the server has answered. Then the guess goes and the result comes in one
  /// commit, so watchers are told once, and not at all if the guess was right. If the mutation fails or is cancelled, the
  /// guess is taken back. Whenever the cache changes meanwhile, the guess is made again on what is there then. Errors of a
  /// guess are told to `ApolloStore.onOptimisticFailure`; the mutation is sent nevertheless.
  ///
  /// - Parameters:
  ///   - mutation: The mutation to run, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. nil, the default: there is no guess by data.
  ///   - optimisticUpdate: Changes the cache as the mutation will, after `optimisticData` was written. It may run any
  ///     number of times. nil, the default: nothing more is changed.
  ///   - optimisticID: Names the guess. A guess of the same name is replaced: for a control that the user drags. nil, the
  ///     default: it is a guess by itself.
  ///   - update: Changes the cache by the real data, in the commit of the result. What it throws is in the result's
  ///     ``CacheInfo/error``; then it has changed nothing. Without data it is not called. nil, the default: nothing is
  ///     changed but what the result says.
  ///   - refetchQueries: The queries that are sent again when the mutation has data. They are not waited for.
  ///   - publishResultToStore: Whether the result is written to the cache. The default is true.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - context: A value for interceptors of the app. nil: none.
  /// - Returns: The result of the mutation.
  /// - Throws: ``OperationError``, or `CancellationError`.
  @_disfavoredOverload @discardableResult
  @preconcurrency nonisolated(nonsending) public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimisticData: Mutation.Data? = nil, optimisticUpdate: MutationGuess<Mutation>? = nil,
    optimisticID: String? = nil, update: MutationUpdate<Mutation>? = nil,
    refetchQueries: [RefetchTarget] = [],
    publishResultToStore: Bool = true,
    requestConfiguration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    let result = try await lastResult(
      of: OperationCall(
        mutation, showing: optimisticData, guess: optimisticUpdate, id: optimisticID, update: update,
        publishesResult: publishResultToStore, configuration: requestConfiguration, context: context))
    if result.hasData, !refetchQueries.isEmpty { refetch(matching: refetchQueries, completion: nil) }
    return result
  }

  /// Runs a mutation, shows its likely result at once, and calls a handler with its result.
  ///
  /// See the form of this function with `async` for what a guess is.
  ///
  /// - Parameters:
  ///   - mutation: The mutation to run, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. nil, the default: there is no guess by data.
  ///   - optimisticUpdate: Changes the cache as the mutation will, after `optimisticData` was written. It may run any
  ///     number of times. nil, the default: nothing more is changed.
  ///   - optimisticID: Names the guess. A guess of the same name is replaced. nil, the default: it is a guess by itself.
  ///   - update: Changes the cache by the real data, in the commit of the result. nil, the default: nothing is changed but
  ///     what the result says.
  ///   - refetchQueries: The queries that are sent again when the mutation has data.
  ///   - publishResultToStore: Whether the result is written to the cache. The default is true.
  ///   - requestConfiguration: What is different for this operation: timeout, header fields and so on.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told of the result. nil:
  ///     every watcher is.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - queue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with the result, or with the error that ended the mutation.
  /// - Returns: Cancels the mutation and takes the guess back. The handler is not called after that.
  @discardableResult
  @preconcurrency public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimisticData: Mutation.Data? = nil, optimisticUpdate: MutationGuess<Mutation>? = nil,
    optimisticID: String? = nil, update: MutationUpdate<Mutation>? = nil,
    refetchQueries: [RefetchTarget] = [],
    publishResultToStore: Bool = true,
    requestConfiguration: RequestConfiguration? = nil, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, queue: DispatchQueue = .main,
    resultHandler: GraphQLResultHandler<Mutation.Data>? = nil
  ) -> any Cancellable & Sendable {
    send(
      OperationCall(
        mutation, showing: optimisticData, guess: optimisticUpdate, id: optimisticID, update: update,
        publishesResult: publishResultToStore, configuration: requestConfiguration,
        contextIdentifier: contextIdentifier, context: context),
      on: queue,
      to: { [self] outcome in
        if case .success(let result) = outcome, result.hasData, !result.hasNext, !refetchQueries.isEmpty {
          refetch(matching: refetchQueries)
        }
        resultHandler?(outcome)
      })
  }
}
