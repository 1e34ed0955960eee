import ApolloAPI

/// Waits for a connection. It is told once, of the connection or of the failure.
final class ConnectionWaiter: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, any Error>)
    case settled(Result<Void, any Error>)
  }

  private let state = Locked(State.new)

  func settle(_ outcome: Result<Void, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      defer { if case .settled = state {} else { state = .settled(outcome) } }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(with: outcome)
  }

  /// Waits until it is settled. Cancelling the task settles it.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if case .settled(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      settle(.failure(CancellationError()))
    }
  }
}
