import Apollo
import ApolloAPI

/// Receives the responses of one operation from the task of the connection, for the task that waits for the operation.
///
/// The task of the connection makes one call after the other.
final class OperationSink: Sendable {
  private struct State {
    var end: Result<Void, any Error>?
    var waiting: CheckedContinuation<Void, any Error>?
  }

  private let onResponse: @Sendable (TransportResponse) async throws -> Void
  private let onState: @Sendable (SubscriptionState) -> Void
  private let state = Locked(State())

  init(
    receive: @escaping @Sendable (TransportResponse) async throws -> Void,
    report: @escaping @Sendable (SubscriptionState) -> Void
  ) {
    onResponse = receive
    onState = report
  }

  /// Waits for the end of the operation.
  ///
  /// - Parameter start: Called when this is ready to be told of the end.
  /// - Throws: The error that ended the operation.
  func untilEnd(_ start: () -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.waiting = continuation }
        return state.end
      }
      if let end { continuation.resume(with: end) } else { start() }
    }
  }

  /// Receives a response. It returns when the response has been read and written to the cache; it does not wait for a
  /// consumer.
  func receive(_ payload: ResponseBytes) async {
    guard state.withLock({ $0.end == nil }) else { return }
    do {
      try await onResponse(TransportResponse(payload))
    } catch {
      finish(throwing: error)
    }
  }

  func report(_ state: SubscriptionState) { onState(state) }

  /// Ends the operation. No response follows.
  func finish(throwing error: (any Error)?) {
    let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    let waiting = state.withLock { state in
      guard state.end == nil else { return nil as CheckedContinuation<Void, any Error>? }
      state.end = end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(with: end)
  }
}
