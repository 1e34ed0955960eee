import ApolloAPI

/// Gives a turn to one caller at a time, in the order in which they asked. Waiting callers do not block a thread.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting = FirstInFirstOut<@Sendable () -> Void>()
  }

  private let state = Locked(State())

  /// Takes the turn if it is free. The caller must then give it back with ``release()``.
  func takeIfFree() -> Bool {
    state.withLock { state in
      guard !state.isTaken else { return false }
      state.isTaken = true
      return true
    }
  }

  /// Takes the turn, and calls `body` when it has come: at once, or on the thread that gives it back. So `body` only
  /// starts the work, and the work gives the turn back.
  func take(_ body: @escaping @Sendable () -> Void) {
    let isFree = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return true
      }
      state.waiting.append(body)
      return false
    }
    if isFree { body() }
  }

  /// Takes the turn; returns when it has been given.
  func take() async {
    if takeIfFree() { return }
    await withCheckedContinuation { continuation in take { continuation.resume() } }
  }

  /// Gives the turn to the caller that has waited longest.
  func release() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      state.isTaken = next != nil
      return next
    }
    next?()
  }
}
