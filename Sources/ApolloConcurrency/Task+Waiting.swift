extension Task where Failure == any Error {
  /// The value of the task; or a `CancellationError` as soon as the waiting task is cancelled.
  ///
  /// `value` continues to wait in that case. The awaited task is not cancelled, because others may wait for it, too.
  package func valueUnlessCancelled() async throws -> Success {
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
