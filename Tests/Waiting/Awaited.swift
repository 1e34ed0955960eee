import Foundation
public import Testing

/// How long a test waits for what has to happen, on a machine of any speed.
public let patience = Duration.seconds(240)

/// Something that a test waits for did not happen.
public struct NothingHappened: Error, CustomStringConvertible {
  public let description = "What was waited for has not happened in \(patience)."
}

/// A value that one side changes and the other side waits for.
///
/// Who waits is woken by the change, and not by a clock.
public final class Awaited<Value>: @unchecked Sendable {
  // Sendable: the variables are touched under the lock only.
  private let lock = NSLock()
  private var current: Value
  private var version = 0
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var waiters = 0

  public init(_ value: Value) { current = value }

  /// The value as it is now.
  public var value: Value { lock.withLock { current } }

  /// Changes the value, and wakes everyone who waits.
  @discardableResult
  public func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer {
      version += 1
      let woken = waiting.values
      waiting = [:]
      lock.unlock()
      for continuation in woken { continuation.resume() }
    }
    return try body(&current)
  }

  /// Waits until the value fulfils a condition.
  public func until(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (Value) throws -> Bool
  ) async throws {
    try await take(isolation: isolation, sourceLocation: sourceLocation) { value in try condition(value) ? () : nil }
  }

  /// Waits until there is something to take out of the value, and takes it.
  ///
  /// - Parameter body: Takes something out; nil if it is not there yet.
  public func take<Result>(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout Value) throws -> Result?
  ) async throws -> Result {
    let end = ContinuousClock.now + patience
    while true {
      let seen = version(of: body)
      if let result = try seen.result.get() { return result }
      guard ContinuousClock.now < end else {
        Issue.record("What was waited for has not happened.", sourceLocation: sourceLocation)
        throw NothingHappened()
      }
      try await waitForChange(after: seen.version, until: end)
    }
  }

  /// What a body makes of the value, and the version of the value that it saw.
  private func version<Result>(
    of body: (inout Value) throws -> Result?
  ) -> (result: Swift.Result<Result?, any Error>, version: Int) {
    lock.withLock { (Swift.Result { try body(&current) }, version) }
  }

  /// Waits for a change, or for the end.
  private func waitForChange(after seen: Int, until end: ContinuousClock.Instant) async throws {
    let number = lock.withLock {
      waiters += 1
      return waiters
    }
    let alarm = Task {
      try await Task.sleep(until: end, clock: .continuous)
      leave(number)?.resume()
    }
    defer { alarm.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isLate = lock.withLock {
          if version == seen, !Task.isCancelled {
            waiting[number] = continuation
            return false
          }
          return true
        }
        if isLate { continuation.resume(with: Result { try Task.checkCancellation() }) }
      }
    } onCancel: {
      leave(number)?.resume(throwing: CancellationError())
    }
  }

  private func leave(_ number: Int) -> CheckedContinuation<Void, any Error>? {
    lock.withLock { waiting.removeValue(forKey: number) }
  }
}

/// Something that happens once, or more often.
public typealias Event = Awaited<Int>

extension Awaited<Int> {
  /// An event that has not happened.
  public convenience init() { self.init(0) }

  /// It has happened.
  public func happen() { change { $0 += 1 } }

  /// Waits until it has happened, or has happened so often.
  public func wait(for count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await until(sourceLocation: sourceLocation) { $0 >= count }
  }
}
