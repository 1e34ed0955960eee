import ApolloAPI
import ApolloCache

/// The operations of a client that wait for a server, so that a sign-out can end them.
///
/// What waits runs in a task of its own. Cancelling that task does not cancel the task of the caller: the call throws an
/// error there, and the task goes on.
package final class RunningOperations: Sendable {
  private struct State {
    var cancels: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    /// Operations that were asked for before this epoch have ended.
    var ended: StoreEpoch?
    var isSigningOut = false

    func takes(_ asked: StoreEpoch) -> Bool { !isSigningOut && ended.map { asked >= $0 } ?? true }
  }

  private let state = Locked(State())

  init() {}

  /// Whether an operation that was asked for in an epoch goes on: there was no sign-out since.
  func takes(_ asked: StoreEpoch) -> Bool { state.withLock { $0.takes(asked) } }

  /// Runs a body that a sign-out cancels, and does not wait for then.
  ///
  /// - Parameters:
  ///   - asked: When the operation was asked for.
  ///   - body: What to run.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, and `CancellationError` if there was a sign-out.
  func run<T: Sendable>(_ asked: StoreEpoch, _ body: @escaping @Sendable () async throws -> T) async throws -> T {
    guard takes(asked) else { throw CancellationError() }
    let end = OneOutcome<T>(), work = Locked<Work<T>?>(body)
    let task = Self.begin { end.settle(await Self.outcome(of: work)) }
    let number = add(asked) {
      task.cancel()
      end.settle(.failure(CancellationError()))
    }
    guard let number else {
      task.cancel()
      throw CancellationError()
    }
    defer { remove(number) }
    return try await withTaskCancellationHandler {
      try await end.value
    } onCancel: {
      task.cancel()
    }
  }

  private typealias Work<T> = @Sendable () async throws -> T

  /// Runs a body, and lets go of what it holds: a caller that goes on finds the operation's ticket ended.
  private static func outcome<T>(of work: Locked<Work<T>?>) async -> Result<T, any Error> {
    guard let body = work.withLock({ $0.take() }) else { return .failure(CancellationError()) }
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  /// Starts a task. It begins before this returns, where the system can do that, so that operations begin in the order of
  /// their calls.
  private static func begin(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return Task { await body() } }
    return Task.immediate { await body() }
  }

  /// Notes how an operation is cancelled that this package does not run.
  ///
  /// - Returns: What to give to ``remove(_:)`` when the operation has ended; nil if there was a sign-out already.
  func add(_ asked: StoreEpoch, _ cancel: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard state.takes(asked) else { return nil }
      state.lastNumber += 1
      state.cancels[state.lastNumber] = cancel
      return state.lastNumber
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.cancels.removeValue(forKey: number) } }

  /// Cancels all operations, and begins none until ``endSignOut()``.
  func beginSignOut() {
    let cancels = state.withLock { state in
      state.isSigningOut = true
      defer { state.cancels = [:] }
      return state.cancels.sorted { $0.key < $1.key }.map(\.value)
    }
    for cancel in cancels { cancel() }
  }

  /// What is asked for from now on is another user's.
  func endSignOut() {
    let epoch = StoreEpoch.begin()
    state.withLock { state in
      state.ended = epoch
      state.isSigningOut = false
    }
  }
}

/// An outcome that is settled once, and awaited once.
private final class OneOutcome<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var isSettled = false
    var waiter: CheckedContinuation<Value, any Error>?
  }

  private let state = Locked(State())

  /// What is settled later has no effect.
  func settle(_ outcome: Result<Value, any Error>) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      guard !state.isSettled else { return nil }
      state.isSettled = true
      guard let waiter = state.waiter.take() else {
        state.outcome = outcome
        return nil
      }
      return waiter
    }
    waiter?.resume(with: outcome)
  }

  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    }
  }
}

extension OperationError {
  /// The error with which everything ends that is under way when a user signs out.
  static func signedOut(_ operationName: String? = nil) -> OperationError {
    OperationError(
      .signedOut, "The user has signed out, so the operation was ended.", operationName: operationName)
  }
}

extension ApolloErrorCode {
  /// The user has signed out: see ``ApolloClient/signOut()``.
  public static let signedOut = Self("signedOut")
}

extension Error {
  /// Whether it is the error of a sign-out.
  package var isSignOut: Bool { (self as? any ApolloError)?.code == .signedOut }
}
