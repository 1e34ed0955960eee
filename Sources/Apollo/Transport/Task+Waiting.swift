extension Task where Failure == any Error {
  /// What the task returns, or a `CancellationError` as soon as whoever waits here is cancelled.
  ///
  /// (`value` goes on waiting then, for a task that others may wait for as well.)
  func valueUnlessCancelled() async throws -> Success {
    let values = AsyncThrowingStream<Success, any Error> { continuation in
      Task<Void, Never> {
        continuation.yield(with: await self.result)
        continuation.finish()
      }
    }
    for try await value in values { return value }
    throw Swift.CancellationError()
  }
}
