import ApolloAPI

/// Holds the state of one subscription, and tells its watchers. The state of a finished subscription does not change.
package final class SubscriptionStatus: Sendable {
  private struct Contents {
    var state = SubscriptionState.pending
    var watchers: [Int: AsyncStream<SubscriptionState>.Continuation] = [:]
    var lastWatcher = 0
    /// How often something was told.
    var count = 0
  }

  private let contents = Locked(Contents())
  /// Gives the state of a stream that an app has made, which calls no ``update(_:)``.
  private let provider: (@Sendable () -> SubscriptionState)?

  package init(provider: (@Sendable () -> SubscriptionState)? = nil) { self.provider = provider }

  /// The app no longer listens, and did not say so.
  deinit { update(.finished(.cancelled)) }

  var state: SubscriptionState { provider?() ?? contents.withLock { $0.state } }

  /// Tells the watchers what the provider says now. Without a provider, this does nothing.
  ///
  /// - Parameter end: The last state, where the stream has ended and the provider may not say so.
  func refresh(ending end: SubscriptionState.FinishReason? = nil) {
    guard let provider else { return }
    // If something else was told meanwhile, what the provider has said may be older than that: it is asked again.
    while true {
      let count = contents.withLock { $0.count }
      if update(provider(), after: count) { break }
    }
    if let end { update(.finished(end)) }
  }

  package func update(_ state: SubscriptionState) { update(state, after: nil) }

  /// Tells the watchers the state, if it is another one.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - count: How often something was told before the state was asked for. nil: it is not an answer.
  /// - Returns: False if something else was told since then. Then nothing has happened.
  @discardableResult
  private func update(_ state: SubscriptionState, after count: Int?) -> Bool {
    let watchers = contents.withLock { contents -> [AsyncStream<SubscriptionState>.Continuation]? in
      if let count, count != contents.count { return nil }
      contents.count += 1
      if case .finished = contents.state { return [] }
      guard contents.state != state else { return [] }
      contents.state = state
      // Watchers are told under the lock, so that all of them see one order. This only fills the buffers of streams; it
      // does not call code of the app.
      for watcher in contents.watchers.values { watcher.yield(state) }
      guard case .finished = state else { return [] }
      defer { contents.watchers = [:] }
      return Array(contents.watchers.values)
    }
    for watcher in watchers ?? [] { watcher.finish() }
    return watchers != nil
  }

  var states: AsyncStream<SubscriptionState> {
    refresh()
    return AsyncStream { continuation in
      let id = contents.withLock { contents -> Int? in
        continuation.yield(contents.state)
        if case .finished = contents.state { return nil }
        contents.lastWatcher += 1
        contents.watchers[contents.lastWatcher] = continuation
        return contents.lastWatcher
      }
      guard let id else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        _ = self?.contents.withLock { $0.watchers.removeValue(forKey: id) }
      }
    }
  }
}
