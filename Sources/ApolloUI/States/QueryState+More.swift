import Apollo
public import ApolloAPI
public import ApolloCache
import ApolloConcurrency
public import ApolloTransport
import Dispatch

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// Asks the server for more of a list whose pages the cache puts together (`@connection`, `@pagination`): the answer
  /// becomes a part of what this state shows. Where the cache does not do that, a ``PagerState`` does.
  ///
  ///     try await feed.fetchMore(FeedQuery(first: 10, after: .some(cursor)))
  ///
  /// When it returns, the page is shown, unless the results of the state are kept out of the cache, which then makes no
  /// list: such a page is only returned. A state that has been out of sight for long shows it when it is in sight again.
  /// One that was cancelled, or whose user has signed out, follows the cache again first. If it shows nothing, it asks for
  /// its ``query`` as a new state does. A call while a page is on its way sends nothing: it waits for that page. If the task of a call is cancelled,
  /// this returns at once, and the page comes as long as the state lives.
  ///
  /// - Parameters:
  ///   - next: The query for the next page.
  ///   - requestConfiguration: What is different for this request. nil, the default: what is for the
  ///     requests of the state.
  /// - Returns: The response.
  /// - Throws: `OperationError`; ``StateError`` if the state is skipped or has no client; `CancellationError` if the
  ///   task was cancelled, the query was changed, or the state was skipped or cancelled meanwhile.
  @discardableResult
  public func fetchMore(
    _ next: Query, requestConfiguration: RequestConfiguration? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    guard let client else { throw StateError.noClient }
    guard !isSkipped else { throw StateError.isSkipped }
    if let more { return try await more.valueUnlessCancelled() }
    if watch == nil, isCancelled || !isHidden {
      isCancelled = false
      // (A list that is shown is not asked for again: its first page would take the place of the others.)
      let isShown = data != nil && !isPlaceholder && isStored
      begin(keepsData: true, asks: !isShown, follows: isShown)
      beginGrace()
    }
    var configuration = requestConfiguration ?? options.requestConfiguration ?? RequestConfiguration()
    configuration.writesToCacheAsynchronously = false
    lastMore += 1
    let number = lastMore
    let more = Task<GraphQLResult<Query.Data>, any Error> { [weak self, configuration] in
      // (With another query, another page may be on its way.)
      defer { if self?.lastMore == number { self?.forgetMore() } }
      let result = try await client.fetch(
        query: next, cachePolicy: .networkOnly, requestConfiguration: configuration)
      // The watcher tells of what was written, on the main queue.
      await client.store.waitUntilTold()
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        DispatchQueue.main.async { done.resume() }
      }
      return result
    }
    self.more = more
    facts.isFetchingMore = true
    return try await more.valueUnlessCancelled()
  }

  /// Stops a request for a page.
  func forgetMore() {
    more?.cancel()
    more = nil
    if isFetchingMore { facts.isFetchingMore = false }
  }

  /// Listens to a subscription as long as the state shows its ``query``, and has a watcher: not while it is skipped, or long
  /// out of sight. One that is equal to another one changes nothing, unless that has ended: then it begins again. What the
  /// events say of objects is in the cache, and so it is shown. An error that ends the events is in ``error``, and so is one
  /// that `update` throws; the next event is taken nevertheless.
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
    guard let client else { return fail(StateError.noClient) }
    let key = AnyHashable(subscription)
    guard listeners[key]?.isEnded ?? true else { return }
    let listener = Listener { state in
      let events = client.subscribe(to: subscription), user = SignOutListener(client) {}
      return Task { [weak state] in
        do {
          for try await event in events {
            guard let update, event.data != nil else { continue }
            do {
              try await client.store.withinReadWriteTransaction { transaction in
                // (An event of a user who has signed out meanwhile may have waited for this thread.)
                if let data = event.data, !user.isOver { try await update(transaction, data) }
              }
            } catch {
              // The next event may find what this one has lacked.
              if !Task.isCancelled { state?.fail(error) }
            }
          }
        } catch {
          if !Task.isCancelled { state?.fail(error) }
        }
        if !Task.isCancelled { state?.listeners[key]?.isEnded = true }
      }
    }
    listeners[key] = listener
    if watch != nil { subscriptions.append(listener.start(self)) }
  }

  /// Listens again, with a new watcher.
  func startSubscriptions() {
    for key in listeners.keys { listeners[key]?.isEnded = false }
    subscriptions = listeners.values.map { $0.start(self) }
  }

  /// Stops listening, because another state takes the place of this one.
  ///
  /// - Returns: What was listened to.
  func handOverListeners() -> [AnyHashable: Listener] {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    defer { listeners = [:] }
    return listeners
  }

  /// What listens to a subscription.
  struct Listener {
    /// Whether the events have come to an end.
    var isEnded = false
    /// Begins to listen for a state.
    let start: @MainActor (QueryState<Query>) -> Task<Void, Never>

    init(_ start: @escaping @MainActor (QueryState<Query>) -> Task<Void, Never>) { self.start = start }
  }
}
