import ApolloConcurrency
import Apollo
import ApolloAPI
import ApolloCache

// The first page, which takes the place of all pages.

extension PagerEngine {
  /// Fetches the first page. It returns when that is over; if another fetch has taken its place, when that one is.
  func fetch(_ policy: any QueryCachePolicy) async {
    await waiting { () async -> Void in
      var last = await beginInitialPage(policy, for: nil)
      while !Task.isCancelled, let later = state.withLock({ $0.lastFetch }), later.generation > last {
        try? await later.task.valueUnlessCancelled()
        last = later.generation
      }
    }
    await sink.flush()
  }

  /// Fetches the first page. Until it has data, all pages that are there stay, and are watched.
  ///
  /// - Parameters:
  ///   - policy: When the cache is read and when the server is asked.
  ///   - load: The load that it is a part of.
  /// - Returns: The generation of its pages. It is the pager's if the fetch has brought something.
  func fetchInitialPage(_ policy: any QueryCachePolicy, for load: Int) async -> Int {
    await waiting { await beginInitialPage(policy, for: load) }
  }

  /// Begins with the first page anew, for a load.
  ///
  /// - Parameters:
  ///   - load: The load.
  ///   - generation: The generation of the pages; afterwards, that of the new ones.
  /// - Returns: Whether the page has come. If not, it has failed, which was told, and the pages that were there are still
  ///   there.
  /// - Throws: The error for a load that is over.
  func beginAnew(for load: Int, _ generation: inout Int) async throws(PaginationError) -> Bool {
    let fetched = await fetchInitialPage(CachePolicy.fetchIgnoringCacheData, for: load)
    // (If another fetch has taken its place, nothing was told.)
    let isReplaced = state.withLock { $0.lastFetch?.generation } != fetched
    if !Task.isCancelled, !isReplaced, isCurrent(generation) { return false }
    generation = fetched
    try checkCancellation(generation)
    return true
  }

  /// Runs a call that waits for the first page. At its end, the fetch is stopped if no call waits any more: not even one
  /// whose own fetch was replaced.
  private func waiting<Value>(_ body: () async -> Value) async -> Value {
    state.withLock { $0.fetchWaiterCount += 1 }
    let value = await body()
    let left = state.withLock { state -> Task<Void, any Error>? in
      state.fetchWaiterCount -= 1
      return state.fetchWaiterCount == 0 ? state.lastFetch?.task : nil
    }
    // (Most often it has ended by itself.)
    left?.cancel()
    _ = await left?.result
    return value
  }

  /// Begins a fetch, and waits until it is over, or the calling task is cancelled.
  private func beginInitialPage(_ policy: any QueryCachePolicy, for load: Int?) async -> Int {
    let (fetch, cancelEarlier) = state.withLock { state in
      state.beginFetch { generation in
        Task<Void, any Error> { await self.runFetch(generation, policy, for: load) }
      }
    }
    cancelEarlier?()
    try? await fetch.task.valueUnlessCancelled()
    return fetch.generation
  }

  private func runFetch(_ generation: Int, _ policy: any QueryCachePolicy, for load: Int?) async {
    // The pages that are there are not told of its answer, because the answer takes their place.
    let shown = state.withLock { $0.initialWatcher }, store = client.store
    // When the page was asked for, counted in clearings of the cache; nil when that request is over.
    let asked = Locked(Optional(store.lastClearing))
    let watcher = GraphQLQueryWatcher(
      client: client, query: initialQuery, queue: nil, writingAs: shown,
      onAnswer: { [weak self] in self?.take(answer: $0, isDelivered: $1, generation) }
    ) { [weak self] result in
      let wasCleared = asked.withLock { $0.map { $0 != store.lastClearing } ?? false }
      self?.take(result, generation, for: load, wasCleared: wasCleared)
    }
    let isWanted = state.withLock { state in
      guard state.fetch?.generation == generation else { return false }
      state.fetch?.watcher = watcher
      return true
    }
    guard isWanted else { return watcher.cancel() }
    watcher.start(policy)
    await withTaskCancellationHandler {
      await watcher.waitUntilAnswered()
    } onCancel: {
      watcher.stopRequest()
    }
    asked.withLock { $0 = nil }
    watcher.disownWrites()
    // A page that an optimistic update hides takes the place of the others when it comes to light. A load of all pages
    // does not wait for that: the page after it is found by its data.
    if load != nil, !Task.isCancelled, let answer = watcher.hiddenAnswer {
      take(.success(answer), generation, for: load)
    }
    let isUnanswered = state.withLock { state in
      guard state.fetch?.generation == generation, watcher.hiddenAnswer == nil else { return false }
      state.fetch = nil
      return true
    }
    guard isUnanswered else { return }
    watcher.cancel()
    // Its answer may be in the cache, or come there.
    shown?.disownWrites()
  }

  /// Takes a result of the first query.
  private func take(
    _ result: Result<GraphQLResult<InitialQuery.Data>, any Error>, _ generation: Int, for load: Int?,
    wasCleared: Bool = false
  ) {
    let cancels = state.withLock { state -> [@Sendable () -> Void] in
      guard let fetch = state.fetch, fetch.generation == generation else { return [] }
      let hasData = (try? result.get().data) != nil
      guard hasData || state.initialPage?.data == nil else { return [] }
      return state.replacePages(by: fetch, keepingLoad: load)
    }
    for cancel in cancels { cancel() }
    // A failure that has replaced nothing is told by the pages that are there.
    let taking = state.withLock { $0.fetch?.generation == generation ? $0.generation : generation }
    deliver(taking, ofLoad: load) { state in
      // (Where an optimistic update hides a newer first page, its end is told to the watchers of both.)
      if let fetch = state.fetch, fetch.generation != taking, fetch.watcher?.hiddenAnswer != nil,
        case .success = result
      {
        return nil
      }
      return result.map { state.take($0, wasCleared: wasCleared) }
    }
  }

  /// Takes an answer of the server to the first query, before what it makes of the pages.
  private func take(answer: GraphQLResult<InitialQuery.Data>, isDelivered: Bool, _ generation: Int) {
    let isOfFetch = state.withLock { state in
      guard state.fetch?.generation == generation else { return false }
      if !answer.hasReportedErrors { state.fetch?.answer = answer }
      return true
    }
    guard !isOfFetch else { return }
    noteAnswer(answer, isDelivered: isDelivered, of: nil, [.next, .previous], generation, \.initialAnswer) {
      .initial($1, $0.take($2))
    }
  }
}
