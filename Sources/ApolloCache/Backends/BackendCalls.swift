import ApolloConcurrency
import ApolloAPI
import Dispatch

/// Calls a backend: at most one call is running at a time, so a plain class needs no lock.
///
/// Waiting calls do not block a thread. On Linux, and on Apple's systems of 2024 and later, a call runs on a queue of
/// the store, so a backend that blocks its thread does not block the tasks of the app. On older systems it blocks one
/// of their threads.
final class BackendCalls: Sendable {
  private let cache: Handoff<any NormalizedCache>
  private let turns = Turns()
  private let queue = DispatchQueue(label: "apollo.store.backend")

  init(_ cache: any NormalizedCache) { self.cache = Handoff(cache) }

  func use(_ clock: any ClientClock) { (cache.value as? any ClockUsing)?.use(clock) }

  /// The backend, if it takes and gives the records of the engine.
  var records: (any RecordBackend)? {
    cache.value as? any RecordBackend ?? (cache.value as? any RecordBackendHolding)?.recordBackend
  }

  /// Loads records for a table.
  ///
  /// - Parameters:
  ///   - keys: The keys of the records.
  ///   - numbers: The keys of the table.
  ///   - heedsCancelling: See ``run(heedsCancelling:_:)``. The default is true.
  /// - Returns: What is there, in the form that the backend gives it in.
  /// - Throws: What the backend throws.
  func load(
    _ keys: [CacheKey], numberedBy numbers: Locked<StoreKeys>, heedsCancelling: Bool = true
  ) async throws -> LoadedRecords {
    if let records {
      return .stored(
        try await run(heedsCancelling: heedsCancelling) { _ in try records.load(keys, numberedBy: numbers) })
    }
    return .records(try await run(heedsCancelling: heedsCancelling) { try await Self.load(keys, from: $0) })
  }

  /// A backend is asked with sets. Two keys that differ only in how Unicode composes their characters are one in a set, so
  /// it is asked for them one after the other.
  private static func load(_ keys: [CacheKey], from cache: any NormalizedCache) async throws -> [Record?] {
    var records: [Record?] = Array(repeating: nil, count: keys.count), rest = Array(keys.indices)
    while !rest.isEmpty {
      var asked: [CacheKey: Int] = [:], later: [Int] = []
      for index in rest {
        if asked[keys[index]] == nil { asked[keys[index]] = index } else { later.append(index) }
      }
      let found = try await cache.loadRecords(forKeys: Set(asked.keys))
      for (key, index) in asked { records[index] = found[key] }
      rest = later
    }
    return records
  }

  /// The records that are there, as backends and apps see them.
  func records(_ keys: [CacheKey]) async throws -> [Record] {
    let snapshot = RecordSnapshot(hasBackend: true)
    switch try await load(keys, numberedBy: snapshot.keys) {
    case .records(let records): return records.compactMap { $0 }
    case .stored(let records):
      return zip(keys, records).compactMap { key, stored in
        stored.flatMap { $0.isRemoved ? nil : $0.exported(key, by: snapshot) }
      }
    }
  }

  /// Has a backend write what waits, if it is one that writes later.
  func flush() async throws {
    if let records { try await run { _ in try await records.flush() } }
  }

  /// Whether the backend can list its keys.
  var isEnumerable: Bool { cache.value is any EnumerableNormalizedCache }

  /// Some of the keys of a backend that can list them; see ``EnumerableNormalizedCache/keys(after:limit:)``.
  func keys(after key: CacheKey?, limit: Int) async throws -> [CacheKey] {
    try await run { try await ($0 as? any EnumerableNormalizedCache)?.keys(after: key, limit: limit) ?? [] }
  }

  /// Runs a body that makes calls, with no other calls in between.
  ///
  /// - Parameters:
  ///   - heedsCancelling: Whether the calls are cancelled when the caller is. The default is true. False: others need
  ///     what comes of them as well.
  ///   - body: What to run.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  func run<T: Sendable>(
    heedsCancelling: Bool = true, _ body: @escaping @Sendable (any NormalizedCache) async throws -> T
  ) async throws -> T {
    await turns.take()
    defer { turns.release() }
    let task: Task<T, any Error>
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      // A new task starts on the queue. With `withTaskExecutorPreference`, the compiler may leave out the change to the
      // queue before a synchronous function.
      task = Task(executorPreference: QueueExecutor(queue)) { [cache] in try await body(cache.value) }
    } else {
      if heedsCancelling { return try await body(cache.value) }
      task = Task { [cache] in try await body(cache.value) }
    }
    guard heedsCancelling else { return try await task.value }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Blocks this thread until `body` has ended. It must be called on a thread of the store only.
  func wait<T: Sendable>(for body: @escaping @Sendable () async throws -> T) throws -> T {
    let result = Locked<Result<T, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let work: @Sendable () async -> Void = {
      do {
        let value = try await body()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      isDone.signal()
    }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      Task.detached(executorPreference: QueueExecutor(queue), operation: work)
    } else {
      Task.detached(operation: work)
    }
    isDone.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

/// Runs the code of tasks on a queue.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
