import ApolloAPI

/// What a chain ends with, for one who waits for nothing else.
final class LastResult<Data: SelectionSet>: Sendable {
  typealias Outcome = Result<GraphQLResult<Data>, any Error>

  private struct State {
    var outcome: Outcome?
    var hasEnded = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Takes results. A failure is the end, and so is that nobody holds it any more.
  func receiver() -> @Sendable (Outcome) -> Void {
    let end = OnRelease { self.end() }
    return { outcome in withExtendedLifetime(end) { self.take(outcome) } }
  }

  /// The last result, when it has come; nil if there was none.
  var value: GraphQLResult<Data>? {
    get async throws {
      if !state.withLock({ $0.hasEnded }) {
        await withCheckedContinuation { continuation in
          let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting = continuation }
            return state.hasEnded
          }
          if hasEnded { continuation.resume() }
        }
      }
      return try state.withLock { $0.outcome }?.get()
    }
  }

  private func take(_ outcome: Outcome) {
    let isEnd = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.outcome = outcome
      if case .failure = outcome { return true }
      return false
    }
    if isEnd { end() }
  }

  /// Lets go of whoever waits. Nothing is taken any more.
  func end() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.hasEnded = true
      return state.waiting
    }
    waiting?.resume()
  }
}
