import ApolloAPI

extension GraphQLQueryWatcher {
  /// Polls as the configuration says, unless it was told something else.
  func startPolling() {
    if state.withLock({ $0.polling == nil && !$0.isPollingChosen }) { setPolling(every: pollInterval) }
  }

  /// Sends the query again and again from now on, whatever the configuration says.
  ///
  /// - Parameter interval: In seconds; nil, or 0 and less: no longer.
  package func poll(every interval: Double?) {
    state.withLock { $0.isPollingChosen = true }
    setPolling(every: interval)
  }

  private func setPolling(every interval: Double?) {
    var polling: Polling?
    if let interval, interval > 0, let activeQueries {
      polling = Polling(every: interval, activeQueries) { [weak self] in
        guard let self else { return false }
        if self.isHeard { self.proceed { $0.poll() } }
        return true
      }
    }
    state.withLock { state in state.polling = state.watch.isEnded ? nil : polling }
  }

  private var isHeard: Bool { state.withLock { $0.isHidden ? { false } : $0.isHeard }() }
}
