import ApolloAPI

/// The answer to a request, which waits for it.
final class HeldAnswer: Sendable {
  private enum State {
    case notAsked
    /// It is there before it is waited for.
    case early(MockResponse)
    case waiting(CheckedContinuation<MockResponse, any Error>)
    case over
  }

  private let state = Locked(State.notAsked)

  var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

  /// Waits for the answer, or until the task is cancelled.
  func wait(_ isReady: @escaping @Sendable () -> Void) async throws -> MockResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<MockResponse, any Error>? in
          switch state {
          case .over: return .failure(CancellationError())
          case .early(let response):
            state = .over
            return .success(response)
          case .notAsked, .waiting:
            state = .waiting(continuation)
            return nil
          }
        }
        if case .failure(let error)? = outcome { return continuation.resume(throwing: error) }
        isReady()
        if case .success(let response)? = outcome { continuation.resume(returning: response) }
      }
    } onCancel: {
      end()?.resume(throwing: CancellationError())
    }
  }

  /// Gives the answer.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - keeps: Whether it is kept for a request that is about to wait. By default only one that waits is answered.
  /// - Returns: Whether it was waited for.
  @discardableResult
  func give(_ response: MockResponse, keeps: Bool = false) -> Bool {
    let continuation = state.withLock { state -> CheckedContinuation<MockResponse, any Error>? in
      switch state {
      case .waiting(let continuation):
        state = .over
        return continuation
      case .notAsked:
        if keeps { state = .early(response) }
        return nil
      case .early, .over: return nil
      }
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
