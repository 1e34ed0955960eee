import Apollo
public import ApolloAPI
public import ApolloCache
public import ApolloTransport

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// Asks the server for more of a list whose pages the cache puts together (`@connection`, `@pagination`): the answer
  /// becomes a part of what this state shows. Where the cache does not do that, a ``PagerState`` does.
  ///
  ///     try await feed.fetchMore(FeedQuery(first: 10, after: .some(cursor)))
  ///
  /// A call while a page is on its way sends nothing: it waits for that page.
  ///
  /// - Parameters:
  ///   - next: The query for the next page.
  ///   - requestConfiguration: What is different for this request. nil, the default: nothing.
  /// - Returns: The response.
  /// - Throws: ``OperationError``.
  @discardableResult
  public func fetchMore(
    _ next: Query, requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    guard let client else { throw StateError.noClient }
    if let more { return try await more.value }
    let more = Task {
      try await client.fetch(
        query: next, cachePolicy: .networkOnly, requestConfiguration: requestConfiguration)
    }
    self.more = more
    facts.isFetchingMore = true
    defer {
      self.more = nil
      facts.isFetchingMore = false
    }
    return try await more.value
  }

  /// Listens to a subscription as long as the state shows its ``query``. What the events say of objects is in the cache, and
  /// so it is shown. An error that ends the events is in ``error``.
  ///
  ///     feed.subscribeToMore(PostAddedSubscription()) { transaction, event in
  ///       try await transaction.update(FeedList()) { $0.posts.insert(event.postAdded, at: 0) }
  ///     }
  ///
  /// - Parameters:
  ///   - subscription: The subscription, with its variables.
  ///   - update: Changes the cache for an event, such as a list that the object of the event is to be in. nil, the default:
  ///     nothing is changed.
  public func subscribeToMore<Subscription: GraphQLSubscription>(
    _ subscription: Subscription,
    update: (@Sendable (ApolloStore.ReadWriteTransaction, Subscription.Data) async throws -> Void)? = nil
  ) {
    guard let client, watch != nil else { return }
    let events = client.subscribe(to: subscription)
    subscriptions.append(
      Task { [weak self] in
        do {
          for try await event in events {
            guard let update, event.data != nil else { continue }
            try await client.store.withinReadWriteTransaction { transaction in
              if let data = event.data { try await update(transaction, data) }
            }
          }
        } catch {
          if !Task.isCancelled { self?.fail(error) }
        }
      })
  }
}
