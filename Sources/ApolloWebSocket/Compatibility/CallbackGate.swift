import ApolloAPI

/// Holds up the reading of messages while callbacks were not called yet with those before.
final class CallbackGate: Sendable {
  private struct State {
    /// The bytes of the messages that were let through, and with which callbacks were not called yet.
    var bytes = 0
    /// The messages that wait: one for each connection that is read.
    var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// A message that is larger than the limit may be there by itself.
    func hasRoom(for size: Int, _ limit: Int) -> Bool { bytes == 0 || size <= limit - bytes }
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Adds a message, once there is room for it.
  func add(_ bytes: Int) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard state.waiting.isEmpty, state.hasRoom(for: bytes, limit) else {
          state.waiting.append((bytes, continuation))
          return false
        }
        state.bytes += bytes
        return true
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Callbacks were called with a message.
  func remove(_ bytes: Int) {
    let passed = state.withLock { state in
      state.bytes -= bytes
      var passed: [CheckedContinuation<Void, Never>] = []
      while let next = state.waiting.first, state.hasRoom(for: next.bytes, limit) {
        state.bytes += next.bytes
        passed.append(next.continuation)
        state.waiting.removeFirst()
      }
      return passed
    }
    for continuation in passed { continuation.resume() }
  }
}
