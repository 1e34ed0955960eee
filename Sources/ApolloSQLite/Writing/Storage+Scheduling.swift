import ApolloAPI
import ApolloCache

// When what waits is written.

extension Storage {
  /// How long writes are collected, in milliseconds.
  static let delay = 50
  /// For how long at most it is not tried again to write, in milliseconds.
  static let longestDelay = 60_000

  /// Has what waits written after a time, unless that happens earlier anyway. As long as writing fails, a time that was
  /// chosen stays.
  func schedule(after milliseconds: Int) {
    let clock = clock.withLock { $0 }, end = clock.instant(after: .milliseconds(milliseconds))
    let isNext = state.withLock { state in
      if let next = state.nextWriting, next <= end || state.failureCount > 0 { return false }
      state.nextWriting = end
      return true
    }
    guard isNext else { return }
    // (If another thread has chosen a time as well, one of the two wakes too early. Then it writes too early.)
    let waking = Task(priority: .utility) { [weak self] in
      try? await clock.sleep(until: end)
      self?.onQueueLater { storage in
        let isNext = storage.state.withLock { state in
          // (An earlier time may have been chosen meanwhile.)
          guard state.nextWriting == end else { return false }
          state.nextWriting = nil
          return true
        }
        if isNext { try storage.writePending() }
      }
    }
    let needless = state.withLock { state -> Task<Void, Never>? in
      if state.isClosed { return waking }
      let previous = state.waking
      state.waking = waking
      return previous
    }
    needless?.cancel()
  }
}
