import Apollo
import Fixture0001
import Foundation

// Protocols of an app's own that a client conforms to as it is, so that tests of the app can hand it another one.

/// The verbs of release 2.
public nonisolated protocol ReviewsClient: AnyObject, Sendable {
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.SingleResponse, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Query.Data> where Query.ResponseFormat == SingleResponseFormat
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheOnly, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Query.Data>?
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork, requestConfiguration: RequestConfiguration?
  ) throws -> ApolloClient.ResultSequence<Query.Data> where Query.ResponseFormat == SingleResponseFormat
  func fetch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration?
  ) throws -> ApolloClient.ResultSequence<Query.Data>
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy.Query.CacheAndNetwork, requestConfiguration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, resultHandler: @escaping GraphQLQueryWatcher<Query>.ResultHandler
  ) async -> GraphQLQueryWatcher<Query>
  func watch<Query: GraphQLQuery>(
    query: Query, fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration?,
    refetchOnFailedUpdates: Bool, resultHandler: @escaping GraphQLQueryWatcher<Query>.ResultHandler
  ) async -> GraphQLQueryWatcher<Query>
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Mutation.Data> where Mutation.ResponseFormat == SingleResponseFormat
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], requestConfiguration: RequestConfiguration?
  ) async throws -> GraphQLResult<Operation.Data> where Operation.ResponseFormat == SingleResponseFormat
  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, cachePolicy: CachePolicy.Subscription, requestConfiguration: RequestConfiguration?
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>>
  func clearCache() async throws
}

extension ApolloClient: ReviewsClient {}

/// The verbs of release 1.25, and those of 0.27 and 0.34 that differ.
public nonisolated protocol OlderReviewsClient: AnyObject {
  func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: RequestContext?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Query.Data>?
  ) -> Cancellable
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, refetchOnFailedUpdates: Bool, context: RequestContext?,
    callbackQueue: DispatchQueue, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>
  func watch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) -> GraphQLQueryWatcher<Query>
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool, contextIdentifier: UUID?, context: RequestContext?,
    queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> Cancellable
  func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, queue: DispatchQueue, resultHandler: GraphQLResultHandler<Mutation.Data>?
  ) -> Cancellable
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: RequestContext?, queue: DispatchQueue,
    resultHandler: GraphQLResultHandler<Operation.Data>?
  ) -> Cancellable
  func subscribe<Subscription: GraphQLSubscription>(
    subscription: Subscription, context: RequestContext?, queue: DispatchQueue,
    resultHandler: @escaping GraphQLResultHandler<Subscription.Data>
  ) -> Cancellable
}

extension ApolloClient: OlderReviewsClient {}

/// What an app needs of a watcher.
public nonisolated protocol Refetching: Cancellable {
  func refetch(cachePolicy: CachePolicy)
}

extension GraphQLQueryWatcher: Refetching {}

/// A view model that knows its client by the app's protocols only.
@MainActor public final class OwnProtocolModel {
  private let client: ReviewsClient
  private let older: OlderReviewsClient
  private var watchers: [Refetching] = []
  public private(set) var log: [String] = []

  public init(client: ReviewsClient & OlderReviewsClient) {
    self.client = client
    older = client
  }

  public func load() async throws {
    let query = ReviewsQuery(), mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
    let none = try await client.fetch(query: query, cachePolicy: .cacheOnly, requestConfiguration: nil)
    let first = try await client.fetch(query: query, cachePolicy: .networkOnly, requestConfiguration: nil)
    log.append("fetched \(none?.data?.latest.count ?? 0) \(first.data?.latest.count ?? 0)")
    var count = 0
    for try await _ in try client.fetch(query: query, cachePolicy: .cacheAndNetwork, requestConfiguration: nil) {
      count += 1
    }
    for try await _ in try client.fetch(query: query, fetchBehavior: .CacheAndNetwork, requestConfiguration: nil) {
      count += 1
    }
    log.append("both \(count)")
    let added = try await client.perform(mutation: mutation, requestConfiguration: nil)
    let sent = try await client.upload(operation: mutation, files: [], requestConfiguration: nil)
    log.append("added \(added.data?.createReview?.stars ?? 0) \(sent.data?.createReview?.stars ?? 0)")
    let events = try client.subscribe(
      subscription: ReviewAddedSubscription(), cachePolicy: .networkOnly, requestConfiguration: nil)
    for try await event in events { log.append("event \(event.data?.reviewAdded?.stars ?? 0)") }
  }

  public func watch() async {
    let first = await client.watch(
      query: ReviewsQuery(), cachePolicy: .cacheAndNetwork, requestConfiguration: nil, refetchOnFailedUpdates: true
    ) { [weak self] _ in
      Task { @MainActor in self?.log.append("watched") }
    }
    let second = older.watch(
      query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData, refetchOnFailedUpdates: false, context: nil,
      callbackQueue: .main
    ) { [weak self] _ in
      self?.log.append("watched as before")
    }
    let third = older.watch(query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .main) {
      [weak self] _ in
      self?.log.append("watched on a queue")
    }
    log.append("refetches \(first.refetchOnFailedUpdates) \(second.refetchOnFailedUpdates)")
    watchers = [first, second, third]
  }

  public func stop() {
    for watcher in watchers { watcher.cancel() }
  }
}
