public import ApolloAPI
public import ApolloCache
public import Foundation

/// What a client can do: for code that is to be tested without one.
public protocol ApolloClientProtocol: AnyObject {
  var store: ApolloStore { get }

  func clearCache(callbackQueue: DispatchQueue, completion: ((Result<Void, any Error>) -> Void)?)

  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable

  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, refetchOnFailedUpdates: Bool, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>

  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable

  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable

  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable
}

extension ApolloClient: ApolloClientProtocol {}
