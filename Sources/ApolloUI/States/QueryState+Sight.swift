import Apollo
import ApolloCache

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension QueryState {
  /// Tells the state that it is out of sight, or in sight again.
  ///
  /// Out of sight it does not poll, and what would have the query sent again (`RequestConfiguration.refetchesOn`) does so when
  /// it is in sight again. After a while it lets its watcher go. What it shows stays.
  ///
  /// - Parameters:
  ///   - isHidden: Whether it is out of sight.
  ///   - grace: After which time it lets its watcher go. The default is 30 seconds.
  public func hide(_ isHidden: Bool, grace: Duration = .seconds(30)) {
    guard isHidden != self.isHidden else { return }
    self.isHidden = isHidden
    self.grace?.cancel()
    self.grace = nil
    guard isHidden else {
      if let watch { watch.hide(self, false) } else if !isSkipped { begin(keepsData: true) }
      return
    }
    guard let watch, let client else { return }
    watch.hide(self, true)
    let clock = client.clock
    self.grace = Task { [weak self] in
      guard (try? await clock.sleep(until: clock.now + grace)) != nil, !Task.isCancelled else { return }
      self?.letGo()
    }
  }

  private func letGo() {
    guard isHidden else { return }
    end()
    rest()
  }
}
