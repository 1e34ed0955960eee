import ApolloAPI

/// Holds up the reading of messages while callbacks were not called yet with those before.
final class CallbackGate: Sendable {
  private struct State {
    var bytes = 0
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Adds a message, once there is room for it. A message that is larger than the limit may wait by itself.
  func add(_ bytes: Int) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        let isOpen = state.bytes == 0 || bytes <= limit - state.bytes
        state.bytes += bytes
        if !isOpen { state.waiting = continuation }
        return isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Callbacks were called with a message.
  func remove(_ bytes: Int) {
    let waiting = state.withLock { state in
      state.bytes -= bytes
      defer { if state.bytes <= limit { state.waiting = nil } }
      return state.bytes <= limit ? state.waiting : nil
    }
    waiting?.resume()
  }
}
