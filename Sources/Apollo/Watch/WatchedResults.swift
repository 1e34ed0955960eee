public import ApolloAPI
import ApolloCache

/// The data of a query, now and whenever it changes in the cache.
///
///     let heroes = client.watch(query: HeroQuery(episode: .jedi))
///     for try await result in heroes { show(result) }
///
/// Meanwhile ``refetch(cachePolicy:requestConfiguration:)`` asks the server, and ``setQuery(_:cachePolicy:)`` goes on with other
/// variables: both from any thread, and what comes of them is the sequence's next result. A slow consumer misses results in
/// between, never the last one.
///
/// An error does not end the watch, as with a ``GraphQLQueryWatcher``. It is thrown by the iteration, which a `for` loop ends with;
/// another loop over this sequence goes on with what comes next. The watch ends with ``cancel()``, and when nobody iterates or
/// holds the sequence any more. One task iterates at a time.
public struct WatchedResults<Query: GraphQLQuery>: AsyncSequence, Sendable {
  public typealias Element = GraphQLResult<Query.Data>
  private let watch: Watch<Query>

  init(
    _ query: Query, _ cachePolicy: some QueryCachePolicy, makeWatcher: @escaping Watch<Query>.MakeWatcher
  ) {
    watch = Watch(query, makeWatcher: makeWatcher)
    watch.start(cachePolicy)
  }

  /// The query that is watched.
  public var query: Query { watch.query }

  /// Asks the server again. A request of this watch that is under way is stopped.
  ///
  /// - Parameters:
  ///   - cachePolicy: By default the server is asked whatever the cache has.
  ///   - requestConfiguration: What is different for this request; nil for what the watch began with.
  public func refetch(
    cachePolicy: CachePolicy = .fetchIgnoringCacheData, requestConfiguration: RequestConfiguration? = nil
  ) {
    watch.refetch(cachePolicy, requestConfiguration)
  }

  /// Goes on with another query of the same type: other variables. What is under way for the one before is stopped, and none of
  /// its results comes any more.
  ///
  /// - Parameter cachePolicy: Where the first result may come from.
  public func setQuery(_ query: Query, cachePolicy: CachePolicy = .default) {
    watch.setQuery(query)
    watch.start(cachePolicy)
  }

  /// Stops watching. The iteration ends.
  public func cancel() { watch.cancel() }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let watch: Watch<Query>

    /// The next result; nil when the watch or the task was cancelled.
    ///
    /// - Throws: ``OperationError``. The watch goes on.
    public func next() async throws -> GraphQLResult<Query.Data>? {
      do {
        return try await watch.next()?.get()
      } catch {
        throw OperationError.wrap(error, operationName: Query.operationName)
      }
    }
  }
}

/// A watcher that can be exchanged, and what it has delivered and nobody has taken yet.
final class Watch<Query: GraphQLQuery>: Sendable {
  typealias Outcome = Result<GraphQLResult<Query.Data>, any Error>
  typealias MakeWatcher = @Sendable (Query, @escaping @Sendable (Outcome) -> Void) -> GraphQLQueryWatcher<Query>

  private struct State {
    var query: Query
    var watcher: GraphQLQueryWatcher<Query>?
    /// Which of the watchers it is, by their order.
    var number = 0
    /// At most one result and one error, in their order.
    var outcomes: [Outcome] = []
    /// Who waits for an outcome. It is handed over at once, so that a consumer that waits misses none.
    var waiting: [(number: Int, continuation: CheckedContinuation<Outcome?, Never>)] = []
    var waiters = 0
    var isCancelled = false
  }

  private let makeWatcher: MakeWatcher
  private let state: Locked<State>

  init(_ query: Query, makeWatcher: @escaping MakeWatcher) {
    self.makeWatcher = makeWatcher
    state = Locked(State(query: query))
    setQuery(query)
  }

  deinit { cancel() }

  var query: Query { state.withLock { $0.query } }

  func setQuery(_ query: Query) {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let watcher = makeWatcher(query) { [weak self] in self?.take($0, from: number) }
    let superseded = state.withLock { state in
      // Two may be set at the same time: the later one counts.
      guard state.number == number else { return watcher as GraphQLQueryWatcher? }
      let previous = state.watcher
      (state.query, state.watcher, state.outcomes) = (query, watcher, [])
      return previous
    }
    superseded?.cancel()
  }

  func start(_ cachePolicy: some QueryCachePolicy) { state.withLock { $0.watcher }?.start(cachePolicy) }

  func refetch(_ cachePolicy: CachePolicy, _ configuration: RequestConfiguration?) {
    state.withLock { $0.watcher }?.refetch(cachePolicy: cachePolicy, requestConfiguration: configuration)
  }

  func cancel() {
    let (watcher, waiting) = state.withLock { state in
      defer { (state.watcher, state.outcomes, state.waiting) = (nil, [], []) }
      state.number += 1
      state.isCancelled = true
      return (state.watcher, state.waiting)
    }
    watcher?.cancel()
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
  }

  /// The next outcome; nil when this, or the task, was cancelled.
  func next() async -> Outcome? {
    let number = state.withLock { state in
      state.waiters += 1
      return state.waiters
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome?? = state.withLock { state in
          if state.isCancelled || Task.isCancelled { return .some(nil) }
          if !state.outcomes.isEmpty { return state.outcomes.removeFirst() }
          state.waiting.append((number, continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: nil)
    }
  }

  private func take(_ outcome: Outcome, from number: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome?, Never>? in
      guard state.number == number else { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.outcomes.removeAll { $0.isSuccess == outcome.isSuccess }
      state.outcomes.append(outcome)
      return nil
    }
    waiter?.resume(returning: outcome)
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
