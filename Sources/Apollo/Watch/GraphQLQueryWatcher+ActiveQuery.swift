import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

extension GraphQLQueryWatcher: ActiveQuery {
  func end(with error: any Error) {
    // (After the end, so that requests which end with it are not told before that.)
    defer { stop() }
    guard let queue else { return finish(with: error) }
    queue.async { self.finish(with: error) }
  }

  private func finish(with error: any Error) {
    // (While a user signs out, it may be told twice: by its request, which is refused, and by the sign-out.)
    guard !state.withLock({ $0.watch.isEnded }) else { return }
    tellEnd(error)
    cancel()
    state.withLock { $0.onEnd }?()
  }

  /// Has a body called when this has ended by itself, after its handler. It may be called more than once.
  func whenEnded(_ body: @escaping @Sendable () -> Void) {
    let isEnded = state.withLock { state in
      state.onEnd = body
      return state.watch.isEnded
    }
    if isEnded { body() }
  }

  var watchedQuery: any GraphQLQuery { query }

  var sharesAnswers: Bool { state.withLock { writesCache($0) && !$0.isApart } }

  /// Whether what it asks the server for is in the cache when it is delivered.
  package var writesCache: Bool { state.withLock { writesCache($0) } }

  func writesCache(_ state: State) -> Bool {
    state.watch.ownPolicy != .fetchIgnoringCacheCompletely
      && state.watch.configuration?.writeResultsToCache ?? clientWritesCache
  }

  /// Tells the watcher that what is shown already is kept out of the cache.
  package func stayApart() { state.withLock { $0.isApart = true } }

  func reads(_ key: CacheKey) -> Bool {
    state.withLock { $0.observer }.map { store.isObserved(key, by: $0) } ?? false
  }

  func refetches(on event: ApolloClient.RefetchEvent) -> Bool {
    guard let refetchCondition, refetchCondition.isMet(event) else { return false }
    return state.withLock { state in
      guard state.watch.asksServer else { return false }
      state.hasMissedEvent = state.isHidden
      return !state.isHidden
    }
  }

  /// Tells the watcher whether what it shows is out of sight. Then it does not poll, and an event after which it would send
  /// its query has it sent when it is in sight again.
  ///
  /// - Returns: Whether that is now, so that a request has begun.
  @discardableResult package func hide(_ isHidden: Bool) -> Bool {
    let isReason = state.withLock { state in
      state.isHidden = isHidden
      guard !isHidden else { return false }
      defer { state.hasMissedEvent = false }
      return state.hasMissedEvent
    }
    if isReason { askAgain() }
    return isReason
  }

  func networkDidChange() { tell(.network) }

  /// Whether an event has come while it was hidden.
  package var hasMissedEvent: Bool { state.withLock { $0.hasMissedEvent } }

  /// Whether there is no network, as far as it is known.
  package var isOffline: Bool { activeQueries?.isOffline ?? false }

  /// Waits until the request that is under way has ended, and those that have taken its place meanwhile.
  package func waitUntilAnswered() async {
    var last: Task<Void, Never>?
    while let fetch = state.withLock({ $0.fetch }), fetch != last {
      await fetch.value
      last = fetch
    }
  }

  func sendAgain() -> Task<RequestFate, Never>? {
    guard let number = change({ $0.ask() }) else { return nil }
    let fate = Locked(RequestFate.cancelled)
    let request = sendByItself(number, fate: fate)
    return Task { [weak self] in
      await request.value
      var last = (request: request, fate: fate.withLock { $0 })
      // A newer request in its place is for all watchers as well.
      while last.fate == .cancelled, let newer = self?.newerRequest(than: last.request) {
        await newer.request.value
        last = (newer.request, newer.fate.withLock { $0 })
      }
      return last.fate
    }
  }

  /// The request that has taken the place of another one; nil if there is none, or if the cache may answer it.
  private func newerRequest(
    than request: Task<Void, Never>
  ) -> (request: Task<Void, Never>, fate: Locked<RequestFate>)? {
    state.withLock { state in
      guard let newer = state.fetch, newer != request, let fate = state.fate else { return nil }
      return (newer, fate)
    }
  }
}
