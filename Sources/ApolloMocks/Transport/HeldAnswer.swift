import ApolloAPI

/// The answer to a request, which waits for it.
final class HeldAnswer: Sendable {
  private enum State {
    case notAsked
    case waiting(CheckedContinuation<MockResponse, any Error>)
    case over
  }

  private let state = Locked(State.notAsked)

  var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

  /// Waits for the answer, or until the task is cancelled.
  func wait(_ isReady: @escaping @Sendable () -> Void) async throws -> MockResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOver { continuation.resume(throwing: CancellationError()) } else { isReady() }
      }
    } onCancel: {
      end()?.resume(throwing: CancellationError())
    }
  }

  /// - Returns: Whether it was waited for.
  func give(_ response: MockResponse) -> Bool {
    let continuation = state.withLock { state -> CheckedContinuation<MockResponse, any Error>? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .over
      return continuation
    }
    continuation?.resume(returning: response)
    return continuation != nil
  }

  private func end() -> CheckedContinuation<MockResponse, any Error>? {
    state.withLock { state in
      defer { state = .over }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
  }
}
