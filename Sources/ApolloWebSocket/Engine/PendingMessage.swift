import ApolloAPI

/// The wait for one message of a connection. It ends with what comes first: what the system calls back with, the end of
/// the connection, or the end of the waiting task.
///
/// A system may tell of the end of a connection in another way, and never call back.
final class PendingMessage: Sendable {
  private let waiting = Locked<CheckedContinuation<WebSocketMessage?, any Error>?>(nil)

  /// Waits for a message. One task may wait at a time.
  ///
  /// - Parameter receive: Asks the system for a message, and gets a function to call back with it. nil is a message of an
  ///   unknown kind.
  /// - Returns: The message.
  /// - Throws: Why there is none; a `CancellationError` if the task is cancelled.
  func next(
    _ receive: (@escaping @Sendable (Result<WebSocketMessage?, any Error>) -> Void) -> Void
  ) async throws -> WebSocketMessage? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiting.withLock { $0 = continuation }
        // (The handler below may have been called before there was something to end.)
        if Task.isCancelled { return end(CancellationError()) }
        receive { [self] in settle($0) }
      }
    } onCancel: {
      end(CancellationError())
    }
  }

  /// Ends the wait, if there is one. A message that the system has kept can be asked for after that.
  func end(_ error: any Error) { settle(.failure(error)) }

  private func settle(_ result: Result<WebSocketMessage?, any Error>) {
    let continuation = waiting.withLock { waiting -> CheckedContinuation<WebSocketMessage?, any Error>? in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(with: result)
  }
}
