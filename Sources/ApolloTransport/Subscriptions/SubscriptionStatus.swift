import ApolloAPI

/// Holds the state of one subscription, and tells its watchers. The state of a finished subscription does not change.
package final class SubscriptionStatus: Sendable {
  private struct Contents {
    var state = SubscriptionState.connecting
    var watchers: [Int: AsyncStream<SubscriptionState>.Continuation] = [:]
    var lastWatcher = 0
  }

  private let contents = Locked(Contents())
  /// Gives the state of a stream that an app has made, which calls no ``update(_:)``.
  private let provider: (@Sendable () -> SubscriptionState)?

  package init(provider: (@Sendable () -> SubscriptionState)? = nil) { self.provider = provider }

  var state: SubscriptionState { provider?() ?? contents.withLock { $0.state } }

  /// Tells the watchers what the provider says now. Without a provider, this does nothing.
  ///
  /// - Parameter end: The last state, where the stream has ended and the provider may not say so.
  func refresh(ending end: SubscriptionState.FinishReason? = nil) {
    guard let provider else { return }
    let state = provider()
    if contents.withLock({ $0.state }) != state { update(state) }
    if let end { update(.finished(end)) }
  }

  package func update(_ state: SubscriptionState) {
    let watchers = contents.withLock { contents -> [AsyncStream<SubscriptionState>.Continuation] in
      switch (contents.state, state) {
      case (.finished, _), (.active, .active): return []
      default: contents.state = state
      }
      // Watchers are told under the lock, so that all of them see one order. This only fills the buffers of streams; it
      // does not call code of the app.
      for watcher in contents.watchers.values { watcher.yield(state) }
      guard case .finished = state else { return [] }
      defer { contents.watchers = [:] }
      return Array(contents.watchers.values)
    }
    for watcher in watchers { watcher.finish() }
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
