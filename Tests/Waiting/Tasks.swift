import Foundation

/// Runs what blocks its thread on a thread of its own, so that it holds none of the threads that tasks share.
///
/// - Parameters:
///   - stackSize: In bytes; nil, the default: the system's.
///   - body: What to run.
public func onOwnThread<Value: Sendable>(
  stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }
}

/// Starts a task whose body has run to its first wait when this returns.
///
/// (Before systems of 2025, Apple's begin it a little later.)
public func begin<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
  guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { try await body() } }
  return Task.immediate { try await body() }
}

/// Waits until the task is cancelled, and throws `CancellationError`.
public func untilCancelled() async throws -> Never {
  let (ends, continuation) = AsyncStream<Never>.makeStream()
  for await _ in ends {}
  continuation.finish()
  throw CancellationError()
}

/// What became of a body, so that it can be cleaned up behind it whatever that was.
public func catching<Success>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
) async -> Result<Success, any Error> {
  do { return .success(try await body()) } catch { return .failure(error) }
}
