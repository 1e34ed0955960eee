import ApolloAPI
public import ApolloCache
public import Foundation

/// A clock whose time passes when a test says so.
///
///     let clock = TestClock()
///     var configuration = ApolloClient.Configuration(url: url)
///     configuration.clock = clock
///     configuration.retry = .automatic
///     let client = ApolloClient(configuration: configuration)
///     let data = Task { try await client.fetch(query: HeroQuery()) }
///     await clock.advanceToNext()  // Something waits, here for the next try; its time has come now.
///
/// What is woken runs in tasks of its own, so a test waits for what it does, or for its next wait.
public final class TestClock: ClientClock {
  private struct Sleeper {
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// The date that was set last, and when that was.
    var origin: (date: Date, now: ContinuousClock.Instant)
    var now: ContinuousClock.Instant
    var sleepers: [Int: Sleeper] = [:]
    /// Those that were cancelled before they slept.
    var cancelled: Set<Int> = []
    var lastNumber = 0
    /// The calls that wait until there are so many sleepers.
    var watchers: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

    init(_ date: Date) {
      now = .now
      origin = (date, now)
    }

    // (Times that are added one to the other would be inexact in the end.)
    var date: Date { origin.date.addingTimeInterval((now - origin.now) / .seconds(1)) }
  }

  private let state: Locked<State>

  /// Makes a clock that stands.
  ///
  /// - Parameter date: The date that it begins with. The default is one in 2027.
  public init(date: Date = Date(timeIntervalSince1970: 1_800_000_000)) { state = Locked(State(date)) }

  /// The date. Setting it changes nothing that waits, as when a user sets the date of a device.
  public var date: Date {
    get { state.withLock { $0.date } }
    set { state.withLock { $0.origin = (newValue, $0.now) } }
  }

  /// The time by which waits are measured.
  public var now: ContinuousClock.Instant { state.withLock { $0.now } }

  /// How long everything waits that waits now, the shortest wait first.
  public var waits: [Duration] {
    state.withLock { state in state.sleepers.values.map { $0.deadline - state.now }.sorted() }
  }

  /// Waits until a time, which ``advance(by:)`` brings.
  ///
  /// - Parameter deadline: When to return.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: ContinuousClock.Instant) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add(Sleeper(deadline: deadline, continuation: $0), number) }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func add(_ sleeper: Sleeper, _ number: Int) {
    let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      if state.cancelled.remove(number) != nil { return (.failure(CancellationError()), []) }
      if sleeper.deadline <= state.now { return (.success(()), []) }
      state.sleepers[number] = sleeper
      let count = state.sleepers.count
      let satisfied = state.watchers.filter { $0.value.count <= count }
      for number in satisfied.keys { state.watchers[number] = nil }
      return (nil, satisfied.values.map(\.continuation))
    }
    if let result { sleeper.continuation.resume(with: result) }
    for watcher in watchers { watcher.resume() }
  }

  /// Lets time pass: everything whose time comes is woken, one time after the other.
  ///
  /// - Parameter duration: How much time passes.
  public func advance(by duration: Duration) async {
    let end = now + duration
    while let next = state.withLock({ $0.sleepers.values.map(\.deadline).min() }), next <= end {
      move(to: next)
      // What is woken may wait again, for less than is left.
      for _ in 0..<20 { await Task.yield() }
    }
    move(to: end)
  }

  /// Waits until something waits, and lets time pass until its end.
  public func advanceToNext() async {
    await untilWaiting()
    if let next = state.withLock({ $0.sleepers.values.map(\.deadline).min() }) { move(to: next) }
  }

  /// Waits until something waits for this clock, or the task is cancelled, as by the time limit of a test.
  ///
  /// - Parameter count: For how many waits. The default is one.
  public func untilWaiting(_ count: Int = 1) async {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          let isThere = state.sleepers.count >= count || state.cancelled.remove(number) != nil
          if !isThere { state.watchers[number] = (count, continuation) }
          return isThere
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: number)
        if watcher == nil { state.cancelled.insert(number) }
        return watcher
      }
      watcher?.continuation.resume()
    }
  }

  private func move(to instant: ContinuousClock.Instant) {
    let woken = state.withLock { state in
      guard instant > state.now else { return [Sleeper]() }
      state.now = instant
      let due = state.sleepers.filter { $0.value.deadline <= instant }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
