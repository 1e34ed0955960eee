import ApolloRequestChain
import ApolloTransport
public import ApolloAPI
public import Foundation

// The functions of clients in the forms of all versions of Apollo iOS. So code that was written for any of them
// compiles, including mocks of a client. Each form calls the one that the client implements.

extension ApolloClientProtocol {
  /// Runs a query by the form without `context:`, which is lost.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "fetch", form: 0, of: 2) {
      fetch(
        query: query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, queue: queue,
        resultHandler: resultHandler)
    } fail: {
      failMissing("fetch", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a query without a context.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "fetch", form: 1, of: 2) {
      fetch(
        query: query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: nil, queue: queue,
        resultHandler: resultHandler)
    } fail: {
      failMissing("fetch", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a query that is told apart from no other.
  @_disfavoredOverload
  public func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> any Cancellable {
    fetch(
      query: query, cachePolicy: cachePolicy, contextIdentifier: nil, context: context, queue: queue,
      resultHandler: resultHandler)
  }

  /// Watches a query by the form without `context:`, which is lost.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, context: (any RequestContext)?, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    RequirementForms.call(of: self, "watch", form: 0, of: 2) {
      watch(query: query, cachePolicy: cachePolicy, callbackQueue: callbackQueue, resultHandler: resultHandler)
    } fail: {
      _ = failMissing("watch", of: self, on: callbackQueue, resultHandler)
      return GraphQLQueryWatcher(client: self, query: query, callbackQueue: callbackQueue, resultHandler: resultHandler)
    }
  }

  /// Watches a query without a context.
  @_disfavoredOverload
  public func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, callbackQueue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query> {
    RequirementForms.call(of: self, "watch", form: 1, of: 2) {
      watch(
        query: query, cachePolicy: cachePolicy, context: nil, callbackQueue: callbackQueue, resultHandler: resultHandler
      )
    } fail: {
      _ = failMissing("watch", of: self, on: callbackQueue, resultHandler)
      return GraphQLQueryWatcher(client: self, query: query, callbackQueue: callbackQueue, resultHandler: resultHandler)
    }
  }

  /// Runs a mutation by the forms without `contextIdentifier:`, which is lost.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: (any RequestContext)?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "perform", form: 0, of: 3) {
      perform(
        mutation: mutation, publishResultToStore: publishResultToStore, context: context, queue: queue,
        resultHandler: resultHandler)
    } fail: {
      failMissing("perform", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a mutation that is told apart from no other.
  @_disfavoredOverload
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "perform", form: 1, of: 3) {
      perform(
        mutation: mutation, publishResultToStore: publishResultToStore, queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("perform", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a mutation without a context.
  @_disfavoredOverload
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "perform", form: 2, of: 3) {
      perform(
        mutation: mutation, publishResultToStore: publishResultToStore, contextIdentifier: nil, context: nil,
        queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("perform", of: self, on: queue, resultHandler)
    }
  }

  /// Sends files by the form without `context:`, which is lost.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "upload", form: 0, of: 2) {
      upload(operation: operation, files: files, queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("upload", of: self, on: queue, resultHandler)
    }
  }

  /// Sends files without a context.
  @_disfavoredOverload
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> any Cancellable {
    RequirementForms.call(of: self, "upload", form: 1, of: 2) {
      upload(operation: operation, files: files, context: nil, queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("upload", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a subscription by the form without `context:`, which is lost.
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: (any RequestContext)?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "subscribe", form: 0, of: 2) {
      subscribe(subscription: subscription, queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("subscribe", of: self, on: queue, resultHandler)
    }
  }

  /// Runs a subscription without a context.
  @_disfavoredOverload
  public func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, queue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> any Cancellable {
    RequirementForms.call(of: self, "subscribe", form: 1, of: 2) {
      subscribe(subscription: subscription, context: nil, queue: queue, resultHandler: resultHandler)
    } fail: {
      failMissing("subscribe", of: self, on: queue, resultHandler)
    }
  }
}
