import ApolloOutbox
import ApolloOperations
import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

extension ApolloClientProtocol {
  /// Puts a mutation into the outbox: it is sent when there is a network, after those of its scope that came before.
  ///
  ///     let queued = try await client.enqueue(
  ///       RenameMutation(id: "7", name: "Luke"),
  ///       optimisticData: .init(rename: .init(id: "7", name: "Luke")))
  ///
  /// When this returns, the mutation is kept in the storage of the outbox, and what is expected of it is shown in the
  /// cache. Each try carries the same key, in the header field `Idempotency-Key` and in `extensions.idempotencyKey`, by
  /// which a server can tell that it has done the mutation already.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. It is kept, and shown again after the app was
  ///     started again. nil, the default: no data is expected.
  ///   - optimisticUpdate: Changes the cache as the mutation will, after `optimisticData` was written. It may run any
  ///     number of times, and ends with the process: see ``Outbox/Registry``. nil, the default: nothing more is changed.
  ///   - update: Changes the cache by the real data, in the commit of the result. It ends with the process as well. nil,
  ///     the default: what the registry says.
  ///   - files: The files that are sent with the mutation. A storage on disk keeps a copy of each. The default is none.
  ///   - scope: Mutations of one scope are sent one after the other, and scopes beside each other. The default is one scope
  ///     for all.
  ///   - policy: What happens after a failure, among other things.
  ///   - localID: The temporary id of the object that the mutation makes, of ``Outbox/makeLocalID()``. nil, the default: it
  ///     is found in `optimisticData`.
  ///   - idMapping: Finds the server's id for that object in the real data, such as `\.createTodo.id`. nil, the default:
  ///     what the registry says. Without either, later mutations that name the temporary id fail.
  ///   - refetchQueries: The names of queries that are asked again when the mutation was done, which may be in a later
  ///     launch. Those that are not watched then are passed over. The default is none.
  /// - Returns: The mutation, which can be observed, waited for and cancelled.
  /// - Throws: ``OperationError`` if the mutation cannot be kept, or its variables are not JSON; what the storage throws if
  ///   it cannot be read, or cannot copy a file; and `CancellationError` if all mutations are cancelled meanwhile. Then
  ///   nothing has happened.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticData: Mutation.Data? = nil,
    optimisticUpdate: ApolloClient.MutationGuess<Mutation>? = nil,
    update: ApolloClient.MutationUpdate<Mutation>? = nil, files: [GraphQLFile] = [],
    scope: String = Outbox.defaultScope, policy: Outbox.Policy = Outbox.Policy(), localID: String? = nil,
    idMapping: (@Sendable (Mutation.Data) -> String?)? = nil, refetchQueries: [String] = []
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    var options = Outbox.EnqueueOptions<Mutation>()
    options.optimisticData = optimisticData
    options.optimisticUpdate = optimisticUpdate
    options.update = update
    (options.files, options.scope, options.policy) = (files, scope, policy)
    (options.localID, options.idMapping, options.refetchQueries) = (localID, idMapping, refetchQueries)
    return try await enqueue(mutation, options: options)
  }

  /// Puts a mutation into the outbox, and calls a completion when it is kept there.
  ///
  /// See the form of this function with `async`. Calls are taken in their order. A mutation belongs to the owner of the
  /// outbox at the time of the call: if there is another one before it is kept, or a sign-out, it is not taken, and the
  /// completion is given an error.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - optimisticData: The data that the server is expected to answer with. nil, the default: no data is expected.
  ///   - optimisticUpdate: Changes the cache as the mutation will. nil, the default: nothing more is changed.
  ///   - update: Changes the cache by the real data, in the commit of the result. nil, the default: what the registry says.
  ///   - files: The files that are sent with the mutation. The default is none.
  ///   - scope: Mutations of one scope are sent one after the other. The default is one scope for all.
  ///   - policy: What happens after a failure, among other things.
  ///   - localID: The temporary id of the object that the mutation makes. nil, the default: it is found in
  ///     `optimisticData`.
  ///   - idMapping: Finds the server's id for that object in the real data. nil, the default: what the registry says.
  ///   - refetchQueries: The names of queries that are asked again when the mutation was done. The default is none.
  ///   - queue: Where the completion is called.
  ///   - completion: Called with the mutation when it is kept, or with the error because of which it cannot be.
  public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticData: Mutation.Data? = nil,
    optimisticUpdate: ApolloClient.MutationGuess<Mutation>? = nil,
    update: ApolloClient.MutationUpdate<Mutation>? = nil, files: [GraphQLFile] = [],
    scope: String = Outbox.defaultScope, policy: Outbox.Policy = Outbox.Policy(), localID: String? = nil,
    idMapping: (@Sendable (Mutation.Data) -> String?)? = nil, refetchQueries: [String] = [],
    queue: DispatchQueue = .main,
    completion: @escaping (Result<Outbox.QueuedMutation<Mutation>, any Error>) -> Void
  ) {
    var options = Outbox.EnqueueOptions<Mutation>()
    options.optimisticData = optimisticData
    options.optimisticUpdate = optimisticUpdate
    options.update = update
    (options.files, options.scope, options.policy) = (files, scope, policy)
    (options.localID, options.idMapping, options.refetchQueries) = (localID, idMapping, refetchQueries)
    // Safe: the client and the completion are an app's (see Handoff).
    nonisolated(unsafe) let client: any ApolloClientProtocol = self, completion = completion
    outbox.inOrder(options) { options in
      let result: Result<Outbox.QueuedMutation<Mutation>, any Error>
      do { result = .success(try await client.enqueue(mutation, options: options.get())) } catch {
        result = .failure(error)
      }
      queue.async { completion(result) }
    }
  }
}

extension ApolloClient {
  /// Puts a mutation into the outbox, with options that stand in one value.
  ///
  /// - Parameters:
  ///   - mutation: The mutation, with its variables.
  ///   - options: What is said of it.
  /// - Returns: The mutation, which can be observed, waited for and cancelled.
  /// - Throws: ``OperationError`` if the mutation cannot be kept, or its variables are not JSON; what the storage throws if
  ///   it cannot be read, or cannot copy a file; and `CancellationError` if all mutations are cancelled meanwhile. Then
  ///   nothing has happened.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, options: Outbox.EnqueueOptions<Mutation>
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    try await outbox.take(mutation, options)
  }
}

extension ApolloClientProtocol {
  /// An outbox in which nothing waits: that of a type which does not say it, since its ``enqueue(_:options:)`` sends at
  /// once.
  public var outbox: Outbox {
    Outbox(
      nil, route: TransportRoute(NoTransport(), store: store), store: store, defaults: RequestConfiguration(),
      activeQueries: ActiveQueries(.system))
  }

  /// Sends the mutation at once, with the type's own `perform`, or `upload` if there are files: what a type does that does
  /// not say it, such as a mock of an app's tests. Of the options, only the files count.
  @discardableResult
  nonisolated(nonsending) public func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, options: Outbox.EnqueueOptions<Mutation>
  ) async throws -> Outbox.QueuedMutation<Mutation> {
    .sent(by: "\(Self.self)") { queue, handler in
      options.files.isEmpty
        ? perform(
          mutation: mutation, publishResultToStore: true, contextIdentifier: nil, context: nil, queue: queue,
          resultHandler: handler)
        : upload(operation: mutation, files: options.files, context: nil, queue: queue, resultHandler: handler)
    }
  }
}

/// The transport of an outbox into which nothing is put.
private final class NoTransport: NetworkTransport {
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let handler = completionHandler
    callbackQueue.async {
      handler(
        .failure(
          OperationError(
            .invalidRequest, "This client has no outbox of its own.", operationName: Operation.operationName)))
    }
    return EmptyCancellable()
  }
}
