import ApolloAPI

extension Task where Failure == any Error {
  /// What the task returns, or a `CancellationError` as soon as whoever waits here is cancelled.
  ///
  /// (`value` goes on waiting then, for a task that others may wait for as well.)
  func valueUnlessCancelled() async throws -> Success {
    let waiter = Waiter<Success>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.begin(continuation)
        Task<Void, Never> { waiter.end(with: await self.result) }
      }
    } onCancel: {
      waiter.end(with: .failure(Swift.CancellationError()))
    }
  }
}

/// Resumes with the first of several results.
private final class Waiter<Value: Sendable>: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
  }

  private let state = Locked(State.new)

  func begin(_ continuation: CheckedContinuation<Value, any Error>) {
    let result: Result<Value, any Error>? = state.withLock { state in
      if case .ended(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  func end(with result: Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .new:
        state = .ended(result)
        return nil
      case .waiting(let continuation):
        state = .ended(result)
        return continuation
      case .ended: return nil
      }
    }
    continuation?.resume(with: result)
  }
}
