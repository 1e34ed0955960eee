import Apollo
import ApolloCache

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// Tells the state that it is out of sight, or in sight again.
  ///
  /// Out of sight it does not poll, and what would have the query sent again (`RequestConfiguration.refetchesOn`) does so when
  /// it is in sight again. After a while it lets its watcher go: what it shows stays, and an event still counts, and
  /// so does a refetch that the client was asked for (`ApolloClient.refetch(matching:)`).
  ///
  /// - Parameters:
  ///   - isHidden: Whether it is out of sight.
  ///   - grace: After which time it lets its watcher go. The default is 30 seconds.
  public func hide(_ isHidden: Bool, grace: Duration = .seconds(30)) {
    lastGrace = grace
    guard isHidden != self.isHidden else { return }
    self.isHidden = isHidden
    self.grace?.cancel()
    self.grace = nil
    if let watch {
      watch.hide(self, isHidden)
      beginGrace()
    } else if !isHidden, !isSkipped, !isCancelled {
      begin(keepsData: true)
    }
  }

  /// Lets the watcher go after a while, if the state is out of sight.
  func beginGrace() {
    guard isHidden, watch != nil, grace == nil, let client else { return }
    grace = Task { [weak self, clock = client.clock, lastGrace] in
      guard (try? await clock.sleep(for: lastGrace)) != nil, !Task.isCancelled else { return }
      self?.letGo()
    }
  }

  /// Lets the watcher go, unless the state is in sight again, or a refetch waits for an answer.
  func letGo() {
    grace = nil
    // (A refetch begins it again at its end.)
    guard isHidden, let watch, refetches.isEmpty else { return }
    // (It hears events in place of the watcher from here on.)
    keepUntilSignOut()
    // (What waits for a network waits for an event. A request that is under way was for one, or for data that is not
    // there, and this state does not hear whether it is answered.)
    hasMissedEvent = watch.hasMissedEvent || lackedNetwork || watch.isAsking || watch.hasNewRequest
    end()
    rest()
  }
}
