import ApolloTransport
public import ApolloAPI
import ApolloCache

extension ApolloClient {
  /// The data of a query, now and each time it changes in the cache.
  ///
  ///     let heroes = client.watch(query: HeroQuery(episode: .jedi))
  ///     for try await result in heroes { show(result) }
  ///
  /// While it is iterated, ``refetch(cachePolicy:requestConfiguration:)`` asks the server again, and
  /// ``setQuery(_:cachePolicy:)`` continues with other variables. Both may be called from any thread, and their
  /// result is the next element of the sequence. A consumer that is slower than the changes misses some results, but never the
  /// last one.
  ///
  /// An error does not end the watch, but for those with which a sign-out and ``ApolloClient/close()`` end it. It is
  /// thrown by the iteration, and ends the `for` loop; another loop over this sequence continues with the next result.
  /// The watch ends with ``cancel()`` as well, and when the sequence and its iterators are released. One task iterates
  /// at a time.
  public struct WatchedResults<Query: GraphQLQuery>: AsyncSequence, Sendable {
    /// A result of the query.
    public typealias Element = GraphQLResult<Query.Data>
    private let watch: Watch<Query>

    init(
      _ query: Query, _ cachePolicy: some QueryCachePolicy, isStartedWhenMade: Bool = false,
      makeWatcher: @escaping Watch<Query>.MakeWatcher
    ) {
      watch = Watch(isStartedWhenMade: isStartedWhenMade, query, cachePolicy, makeWatcher: makeWatcher)
    }

    /// The query that is watched now.
    public var query: Query { watch.query }

    /// Asks the server again. It stops a request of this watch that is under way.
    ///
    /// - Parameters:
    ///   - cachePolicy: Where the data may come from. By default the server is asked whatever the cache has.
    ///   - requestConfiguration: What is different for this request. nil, the default: what the watch began with.
    public func refetch(
      cachePolicy: some QueryCachePolicy = CachePolicy.fetchIgnoringCacheData,
      requestConfiguration: RequestConfiguration? = nil
    ) {
      watch.refetch(cachePolicy, requestConfiguration)
    }

    /// Continues with other variables. It stops the request of the previous query, and none of its results is delivered
    /// any more.
    ///
    /// - Parameters:
    ///   - query: The query with the new variables.
    ///   - cachePolicy: Where the first result may come from. By default the cache if it has all of the data, and
    ///     otherwise the server.
    public func setQuery(_ query: Query, cachePolicy: some QueryCachePolicy = CachePolicy.default) {
      watch.setQuery(query, cachePolicy)
    }

    /// Stops watching. The iteration ends.
    public func cancel() { watch.cancel() }

    /// Begins to iterate, or continues after an iteration that ended with an error.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }

    /// Iterates the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let watch: Watch<Query>

      /// Waits for the next result.
      ///
      /// - Returns: The result; nil after the watch or the task was cancelled.
      /// - Throws: ``OperationError``. The watch continues, unless the user has signed out or the client was closed.
      public func next() async throws -> GraphQLResult<Query.Data>? { try await next(isolation: nil) }

      /// Waits for the next result, without leaving an actor in between.
      ///
      /// - Parameter actor: The actor that iterates. nil: none.
      /// - Returns: The result; nil after the watch or the task was cancelled.
      /// - Throws: ``OperationError``. The watch continues, unless the user has signed out or the client was closed.
      public func next(isolation actor: isolated (any Actor)?) async throws -> GraphQLResult<Query.Data>? {
        do {
          return try await watch.next(isolation: actor)?.get()
        } catch {
          throw OperationError.thrown(error, operationName: Query.operationName)
        }
      }
    }
  }
}

/// A watcher that can be replaced, and the outcomes that it has delivered and that have not been iterated yet.
final class Watch<Query: GraphQLQuery>: Sendable {
  typealias Outcome = Result<GraphQLResult<Query.Data>, any Error>
  /// An outcome, and the number of the watcher that it is of.
  private typealias Given = (outcome: Outcome, number: Int)
  private typealias Waiter = CheckedContinuation<Given?, Never>
  typealias MakeWatcher =
    @Sendable (
      Query, any QueryCachePolicy, @escaping @Sendable (Outcome) -> Void
    ) -> GraphQLQueryWatcher<Query>

  private struct State {
    var query: Query
    var watcher: GraphQLQueryWatcher<Query>?
    /// The number of the current watcher.
    var number = 0
    /// At most one result and one error, in the order in which they came.
    var outcomes: [Outcome] = []
    /// The iterators that wait. An outcome is given to one of them at once, so that a consumer that waits misses none.
    var waiting: [(number: Int, continuation: Waiter)] = []
    var waiters = 0
    var isCancelled = false
    /// Nothing follows what has come: the user has signed out, or the client was closed.
    var isOver = false
  }

  private let makeWatcher: MakeWatcher
  /// Whether a watcher runs its query as soon as it is made.
  private let isStartedWhenMade: Bool
  private let state: Locked<State>

  init(
    isStartedWhenMade: Bool, _ query: Query, _ cachePolicy: some QueryCachePolicy, makeWatcher: @escaping MakeWatcher
  ) {
    self.isStartedWhenMade = isStartedWhenMade
    self.makeWatcher = makeWatcher
    state = Locked(State(query: query))
    setQuery(query, cachePolicy)
  }

  deinit { cancel() }

  var query: Query { state.withLock { $0.query } }

  func setQuery(_ query: Query, _ cachePolicy: some QueryCachePolicy) {
    let number = state.withLock { state -> Int? in
      guard !state.isCancelled else { return nil }
      state.number += 1
      state.outcomes = []
      state.isOver = false
      return state.number
    }
    guard let number else { return }
    // (The watcher may have a result before this returns.)
    let watcher = makeWatcher(query, cachePolicy) { [weak self] in self?.take($0, from: number) }
    watcher.setListening { [weak self] in self?.state.withLock { $0.outcomes.isEmpty } ?? false }
    watcher.whenEnded { [weak self] in self?.end(number) }
    let (isKept, superseded) = state.withLock { state in
      // Two queries may be set at one time. The later one is kept.
      guard state.number == number else { return (false, watcher as GraphQLQueryWatcher?) }
      let previous = state.watcher
      (state.query, state.watcher) = (query, watcher)
      return (true, previous)
    }
    superseded?.cancel()
    if isKept, !isStartedWhenMade { watcher.start(cachePolicy) }
  }

  func refetch(_ cachePolicy: some QueryCachePolicy, _ configuration: RequestConfiguration?) {
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

  /// Waits for the next outcome.
  ///
  /// - Parameter actor: The actor that waits for it.
  /// - Returns: The outcome; nil if the watch or the task was cancelled.
  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Outcome? {
    while let given = await wait(isolation: actor) {
      // Between the outcome and this, the actor may have been busy: another query was set, or the user has signed out.
      let outcome = state.withLock { state -> Outcome? in
        guard state.number == given.number else { return nil }
        guard state.isOver, given.outcome.isSuccess, case .failure(let error)? = state.outcomes.first, error.isSignOut
        else { return given.outcome }
        return state.outcomes.removeFirst()
      }
      if let outcome { return outcome }
    }
    return nil
  }

  private func wait(isolation actor: isolated (any Actor)?) async -> Given? {
    let number = state.withLock { state in
      state.waiters += 1
      return state.waiters
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let given: Given?? = state.withLock { state in
          if state.isCancelled || Task.isCancelled { return .some(nil) }
          if !state.outcomes.isEmpty { return (state.outcomes.removeFirst(), state.number) }
          if state.isOver { return .some(nil) }
          state.waiting.append((number, continuation))
          return nil
        }
        if let given { continuation.resume(returning: given) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: nil)
    }
  }

  private func take(_ outcome: Outcome, from number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.number == number, !state.isOver else { return nil }
      // What has come before was the former user's.
      if case .failure(let error) = outcome, error.isSignOut { (state.outcomes, state.isOver) = ([], true) }
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.outcomes.removeAll { $0.isSuccess == outcome.isSuccess }
      state.outcomes.append(outcome)
      return nil
    }
    waiter?.resume(returning: (outcome, number))
  }

  /// Ends the iteration, when what has come was taken.
  private func end(_ number: Int) {
    let waiting = state.withLock { state in
      guard state.number == number else { return [] as [(number: Int, continuation: Waiter)] }
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
