import Observation

extension FeedModel {
  /// Waits until something about the model is true, for programs without a screen that would show it.
  func until(_ condition: () -> Bool) async throws {
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
}
