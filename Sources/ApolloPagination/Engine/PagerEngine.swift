import Apollo
import ApolloAPI
import ApolloCache

/// What a pager does, whatever its queries and its model.
protocol PageLoading: AnyObject, Sendable {
  func canLoad(_ direction: PaginationDirection) -> Bool
  func fetch(_ policy: any QueryCachePolicy) async
  func load(_ direction: PaginationDirection, _ policy: any QueryCachePolicy) async throws(PaginationError)
  func loadAll(fromInitialPage: Bool) async throws(PaginationError)
  func reset()
}

/// Loads pages, watches them, and delivers all of them each time one has come or has changed.
///
/// Each page has a watcher of its own, unless the cache makes one list of the pages: then the watcher of the first page
/// has the whole list, and other pages are only fetched.
final class PagerEngine<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: PageLoading {
  typealias State = PagerState<InitialQuery, PaginatedQuery>
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>

  /// Where outputs go.
  struct Sink: Sendable {
    /// Called in the order of the outputs, under a lock. The second parameter says whether the output is still wanted.
    var send: @Sendable (Result<Output, any Error>, _ isCurrent: @escaping @Sendable () -> Bool) -> Void
    /// Returns when all outputs have been delivered.
    var flush: @Sendable () async -> Void
  }

  private let client: Handoff<any ApolloClientProtocol>
  let initialQuery: InitialQuery
  let rules: PageRules<InitialQuery, PaginatedQuery>
  private let sink: Sink
  let state = Locked(State())

  init(
    client: any ApolloClientProtocol, initialQuery: InitialQuery, rules: PageRules<InitialQuery, PaginatedQuery>,
    sink: Sink
  ) {
    self.client = Handoff(client)
    self.initialQuery = initialQuery
    self.rules = rules
    self.sink = sink
  }

  deinit { reset() }

  func reset() { _ = restart() }

  /// Forgets everything.
  ///
  /// - Returns: The new generation.
  private func restart() -> Int {
    let (generation, cancels) = state.withLock { $0.reset() }
    for cancel in cancels { cancel() }
    return generation
  }

  // MARK: The first page

  func fetch(_ policy: any QueryCachePolicy) async {
    await fetchInitialPage(policy, restart())
    await sink.flush()
  }

  private func fetchInitialPage(_ policy: any QueryCachePolicy, _ generation: Int) async {
    let watcher = GraphQLQueryWatcher(client: client.value, query: initialQuery, queue: nil) { [weak self] result in
      self?.deliver(generation) { state in result.map { state.take($0) } }
    }
    let isWanted = state.withLock { state in
      guard state.generation == generation else { return false }
      state.initialWatcher = watcher
      state.isInitialPageStored = watcher.writesCache && policy.requestPolicy != .fetchIgnoringCacheCompletely
      return true
    }
    guard isWanted else { return watcher.cancel() }
    let request = watcher.start(policy)
    await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      watcher.cancel()
    }
    // A fetch that was cancelled leaves nothing behind.
    if Task.isCancelled, isCurrent(generation) { reset() }
  }

  // MARK: Other pages

  func load(_ direction: PaginationDirection, _ policy: any QueryCachePolicy) async throws(PaginationError) {
    try await whileLoading(all: false) { (generation) async throws(PaginationError) in
      _ = try await self.loadPage(direction, policy: policy, generation: generation)
    }
  }

  func loadAll(fromInitialPage: Bool) async throws(PaginationError) {
    if fromInitialPage { reset() }
    try await whileLoading(all: true) { (generation) async throws(PaginationError) in
      if fromInitialPage {
        await self.fetchInitialPage(CachePolicy.fetchIgnoringCacheData, generation)
        try self.checkCancellation(generation)
      } else if self.pageInfo(.next) == nil {
        throw .missingInitialPage
      }
      for direction in [PaginationDirection.next, .previous] {
        while self.canLoad(direction) {
          // A page that has failed is not asked for again.
          guard try await self.loadPage(direction, policy: CachePolicy.fetchIgnoringCacheData, generation: generation)
          else { return }
        }
      }
    }
  }

  /// Runs a load while no other load is under way.
  private func whileLoading(
    all: Bool, _ body: (_ generation: Int) async throws(PaginationError) -> Void
  ) async throws(PaginationError) {
    let generation = state.withLock { state -> Int? in
      guard !state.isLoading else { return nil }
      state.isLoading = true
      state.isLoadingAll = all
      return state.generation
    }
    guard let generation else { throw .loadInProgress }
    do throws(PaginationError) {
      try await body(generation)
    } catch {
      endLoading(generation)
      await sink.flush()
      throw error
    }
    endLoading(generation)
    await sink.flush()
  }

  private func endLoading(_ generation: Int) {
    state.withLock { state in
      guard state.generation == generation else { return }
      state.isLoading = false
      state.isLoadingAll = false
      state.cancelLoad = nil
      if let output = state.heldOutput { send(.success(output), generation) }
      if let error = state.heldError { send(.failure(error), generation) }
      (state.heldOutput, state.heldError) = (nil, nil)
    }
  }

  /// Loads one page.
  ///
  /// - Returns: Whether it has data.
  private func loadPage(
    _ direction: PaginationDirection, policy: any QueryCachePolicy, generation: Int
  ) async throws(PaginationError) -> Bool {
    let query = try nextQuery(direction)
    let hasData: Bool
    if let list = listWatcher(for: query) {
      hasData = await loadIntoList(of: list, query: query, direction: direction, policy: policy, generation: generation)
    } else {
      hasData = await loadApart(query, direction: direction, policy: policy, generation: generation)
    }
    try checkCancellation(generation)
    if hasData {
      let page = query.variables, following = followingQuery(direction)?.variables
      change(generation) { $0.noteLoaded(page, following: following, direction) }
    }
    return hasData
  }

  /// Loads a page that has a watcher of its own.
  func loadApart(
    _ query: PaginatedQuery, direction: PaginationDirection, policy: any QueryCachePolicy, generation: Int
  ) async -> Bool {
    let page = query.variables
    let watcher = GraphQLQueryWatcher(client: client.value, query: query, queue: nil) { [weak self] result in
      self?.deliver(generation) { state in result.map { state.take($0, of: page, direction) } }
    }
    await run(watcher.start(policy), generation, cancel: watcher.cancel)
    let hasData = state.withLock { state in
      guard state.generation == generation, !Task.isCancelled, state.hasData(page, direction) else { return false }
      state.keep(watcher, of: page, direction)
      return true
    }
    if !hasData { watcher.cancel() }
    return hasData
  }

  func run(_ request: Task<Void, Never>, _ generation: Int, cancel: @escaping @Sendable () -> Void) async {
    let isWanted = state.withLock { state in
      guard state.generation == generation else { return false }
      state.cancelLoad = cancel
      return true
    }
    if !isWanted { cancel() }
    await withTaskCancellationHandler {
      await request.value
    } onCancel: {
      cancel()
    }
  }

  // MARK: Outputs

  /// Changes the pages, unless the pager was reset, and delivers the output.
  func deliver(_ generation: Int, _ body: (inout State) -> Result<Output, any Error>) {
    var signOut: (any Error)?
    state.withLock { state in
      guard state.generation == generation else { return }
      let output = body(&state)
      if case .failure(let error) = output, error.isSignOut { return signOut = error }
      guard state.isLoadingAll else { return send(output, generation) }
      switch output {
      case .success(let output): state.heldOutput = output
      case .failure(let error): state.heldError = error
      }
    }
    if let signOut { end(with: signOut) }
  }

  /// Forgets the pages of a user who has signed out. That is told once, whatever watchers there were.
  private func end(with error: any Error) {
    let generation = restart()
    state.withLock { _ in send(.failure(error), generation) }
  }

  /// Changes what is known of the pages, unless the pager was reset.
  func change(_ generation: Int, _ body: (inout State) -> Void) {
    state.withLock { state in
      if state.generation == generation { body(&state) }
    }
  }

  private func send(_ output: Result<Output, any Error>, _ generation: Int) {
    sink.send(output) { [weak self] in self?.isCurrent(generation) ?? false }
  }

  private func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  private func checkCancellation(_ generation: Int) throws(PaginationError) {
    if Task.isCancelled || !isCurrent(generation) { throw .cancellation }
  }
}
