import ApolloOutbox
import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Foundation

/// The functions of a client. Code that takes this protocol can be tested with a mock in place of an ``ApolloClient``.
///
/// The requirements are those of Apollo iOS 1.25, and `outbox` and `enqueue(_:options:)`, which have default
/// implementations. Each function of Apollo iOS also exists in the forms of earlier versions: without
/// `context:`, as up to 1.2, and `perform` without `contextIdentifier:`. A type implements one form of each function;
/// the default implementations of all other forms call it.
public protocol ApolloClientProtocol: AsyncVerbs {
  /// The cache.
  var store: ApolloStore { get }

  /// Removes everything from the cache.
  func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, any Error>) -> Void)?)

  /// Runs a query.
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable

  /// Runs a query, as of releases up to 1.2.
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable

  /// Runs a query, and calls the handler again whenever its data changes in the cache.
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: (any RequestContext)?, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>

  /// Runs a query, and calls the handler again whenever its data changes in the cache, as of releases up to 1.2.
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>

  /// Runs a mutation.
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable

  /// Runs a mutation, as of releases that do not know whose it is.
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable

  /// Runs a mutation, as of releases up to 1.2.
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable

  /// The mutations that wait to be sent.
  var outbox: Outbox { get }

  /// Puts a mutation into the outbox. The function of the same name that takes each option by itself calls it.
  @discardableResult
  nonisolated(nonsending) func enqueue<Mutation: GraphQLMutation>(
    _ mutation: Mutation, options: Outbox.EnqueueOptions<Mutation>
  ) async throws -> Outbox.QueuedMutation<Mutation>

  /// Runs an operation and sends files with it.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable

  /// Runs an operation and sends files with it, as of releases up to 1.2.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable

  /// Runs a subscription until it ends or is cancelled.
  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable

  /// Runs a subscription until it ends or is cancelled, as of releases up to 1.2.
  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, queue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable
}

extension ApolloClient: ApolloClientProtocol {
  /// Runs a query, and calls the handler again whenever its data changes in the cache. The server is asked if the cache
  /// no longer has all of the data after a change.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: (any RequestContext)?, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    watcher(
      of: query, cachePolicy: cachePolicy, configuration: nil, context: context,
      callbackQueue: callbackQueue, resultHandler: resultHandler)
  }

  /// Runs a query, with ``defaultRequestConfiguration``.
  @_disfavoredOverload @discardableResult
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable {
    fetch(
      query: query, cachePolicy: cachePolicy, requestConfiguration: nil, contextIdentifier: contextIdentifier,
      context: context, queue: queue, resultHandler: resultHandler)
  }

  /// Runs a mutation, with ``defaultRequestConfiguration``.
  @_disfavoredOverload
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    perform(
      mutation: mutation, publishResultToStore: publishResultToStore, requestConfiguration: nil,
      contextIdentifier: contextIdentifier, context: context, queue: queue, resultHandler: resultHandler)
  }

  /// Runs an operation and sends files with it, with ``defaultRequestConfiguration``.
  @_disfavoredOverload
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    upload(
      operation: operation, files: files, requestConfiguration: nil, context: context, queue: queue,
      resultHandler: resultHandler)
  }

  /// Runs a subscription until it ends or is cancelled, with ``defaultRequestConfiguration``.
  @_disfavoredOverload
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    subscribe(
      subscription: subscription, requestConfiguration: nil, context: context, queue: queue,
      resultHandler: resultHandler)
  }
}
