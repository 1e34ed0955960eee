import Observation

/// Waits until something about the states of screens is true, for programs and tests without a screen that would show it.
@MainActor
public func until(_ condition: @MainActor () -> Bool) async throws {
  while !condition() {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = condition()
    } onChange: {
      continuation.finish()
    }
    for await _ in changes {}
    try Task.checkCancellation()
  }
}
