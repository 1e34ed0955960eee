package import ApolloTransport
import ApolloAPI
import ApolloCache

/// The operations of a client that wait for a server, so that a sign-out can end them.
///
/// What waits runs in a task of its own. Cancelling that task does not cancel the task of the caller: the call throws an
/// error there, and the task goes on.
final class RunningOperations: Sendable {
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

  /// The epoch that the last sign-out has begun.
  var lastSignOut: StoreEpoch? { state.withLock { $0.ended } }

  /// Runs a body that a sign-out cancels, and does not wait for then.
  ///
  /// - Parameters:
  ///   - asked: When the operation was asked for.
  ///   - beginsAtOnce: Whether the body begins before this function waits, where the system can do that, so that
  ///     operations begin in the order of their calls. Such a task costs more at each step.
  ///   - body: What to run. It returns how it ended.
  /// - Returns: What the body returns; `.stopped` if there was a sign-out.
  nonisolated(nonsending) func run(
    _ asked: StoreEpoch, beginsAtOnce: Bool = true, _ body: @escaping @Sendable () async -> WorkEnding
  ) async -> WorkEnding {
    let work = WorkInProgress(body)
    guard let number = add(asked, { work.end(.stopped) }) else { return .stopped }
    defer { remove(number) }
    return await withTaskCancellationHandler {
      work.begin(atOnce: beginsAtOnce)
      return await work.ending
    } onCancel: {
      work.cancel()
    }
  }

  /// Runs a body that may fail, in the same way.
  ///
  /// - Throws: What the body throws, and `CancellationError` if there was a sign-out.
  nonisolated(nonsending) func attempt(_ asked: StoreEpoch, _ body: @escaping @Sendable () async throws -> Void)
    async throws
  {
    let failure = Locked<(any Error)?>(nil)
    let ending = await run(asked) {
      do { try await body() } catch { failure.withLock { $0 = error } }
      return .done
    }
    guard case .done = ending else { throw CancellationError() }
    if let error = failure.withLock({ $0 }) { throw error }
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

  func remove(_ number: Int) { state.takeOut { $0.cancels.removeValue(forKey: number) } }

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

/// How a body has ended. (A sign-out cancels a body.)
enum WorkEnding: Sendable {
  /// It has come to its end.
  case done
  /// It has failed, or it was cancelled, and may not have been waited for: nothing follows.
  case stopped
  /// What it runs for starts again, as the object says. (It goes with the ending, which is not awaited after a sign-out: an
  /// operation that kept it would keep itself.)
  case retry(any AnyObject & Sendable)

  var isStopped: Bool { if case .stopped = self { true } else { false } }
}

/// A body that runs in a task, and whose end is awaited once. (It is not generic, because every operation makes one, and
/// a generic type would have to be looked up at run time at each step.)
private final class WorkInProgress: Sendable {
  private struct State {
    /// nil as soon as it runs. It is released before the caller goes on, so that the ticket of the operation has ended then.
    var body: (@Sendable () async -> WorkEnding)?
    var task: Task<Void, Never>?
    var isCancelled = false
    var ending: WorkEnding?
    var waiter: CheckedContinuation<WorkEnding, Never>?

    /// Whether it was cancelled, or is not waited for any more.
    var isCalledOff: Bool { isCancelled || ending?.isStopped == true }

    /// - Returns: The task, if it has to be cancelled. That is done outside of the lock: it runs code of the app.
    mutating func take(_ task: Task<Void, Never>) -> Task<Void, Never>? {
      self.task = task
      return isCalledOff ? task : nil
    }
  }

  private let state: Locked<State>

  init(_ body: @escaping @Sendable () async -> WorkEnding) { state = Locked(State(body: body)) }

  nonisolated(nonsending) func run() async {
    end(await runBody())
  }

  private nonisolated(nonsending) func runBody() async -> WorkEnding {
    let (body, isCalledOff) = state.withLock { ($0.body.take(), $0.isCalledOff) }
    guard let body else { return .stopped }
    // What was cancelled before knows it from the start. So what is called off sends nothing, even if another user has
    // signed in meanwhile.
    if isCalledOff { withUnsafeCurrentTask { $0?.cancel() } }
    return await body()
  }

  /// Starts the task.
  func begin(atOnce: Bool) {
    let stopped: Task<Void, Never>?
    if atOnce, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let task = Task.immediate { await run() }
      stopped = state.withLock { $0.take(task) }
    } else {
      // Under the lock, which the body needs to begin. So whatever cancels it from then on finds the task.
      stopped = state.withLock { state in state.take(Task { await run() }) }
    }
    stopped?.cancel()
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      return state.task
    }?.cancel()
  }

  /// Notes the end, unless there was one before.
  ///
  /// - Parameter ending: `.stopped`: the body is cancelled, if it has not ended, and not waited for.
  func end(_ ending: WorkEnding) {
    let (waiter, stopped) = state.withLock { state in
      guard state.ending == nil else {
        return (nil as CheckedContinuation<WorkEnding, Never>?, nil as Task<Void, Never>?)
      }
      state.ending = ending
      return (state.waiter.take(), ending.isStopped ? state.task : nil)
    }
    stopped?.cancel()
    waiter?.resume(returning: ending)
  }

  /// How the body has ended, as soon as that is known.
  var ending: WorkEnding {
    get async {
      await withCheckedContinuation { continuation in
        let ending = state.withLock { state in
          if state.ending == nil { state.waiter = continuation }
          return state.ending
        }
        if let ending { continuation.resume(returning: ending) }
      }
    }
  }
}

extension OperationError {
  /// The error with which everything ends that is under way when a user signs out.
  package static func signedOut(_ operationName: String? = nil) -> OperationError {
    OperationError(
      .signedOut, "The user has signed out, so the operation was ended.", operationName: operationName)
  }
}
