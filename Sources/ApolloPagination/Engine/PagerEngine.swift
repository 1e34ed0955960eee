import ApolloConcurrency
import Apollo
package import ApolloAPI
import ApolloCache

/// What a pager does, whatever its queries and its model.
protocol PageLoading: AnyObject, Sendable {
  func canLoad(_ direction: PaginationDirection) -> Bool
  func fetch(_ policy: any QueryCachePolicy) async
  func begin(_ direction: PaginationDirection, _ policy: any QueryCachePolicy) throws(PaginationError) -> PageLoad
  func finish(_ load: PageLoad) async throws(PaginationError)
  func loadAll(fromInitialPage: Bool) async throws(PaginationError)
  func reset()
}

extension PageLoading {
  func load(_ direction: PaginationDirection, _ policy: any QueryCachePolicy) async throws(PaginationError) {
    try await finish(begin(direction, policy))
  }
}

/// What an output says besides the pages.
package struct PageFacts: Sendable {
  /// The load that is over with the output, and the direction of its page; nil if the output has another cause.
  package fileprivate(set) var load: (id: Int, direction: PaginationDirection)?
  /// Why the page that has changed has no data; nil if it has some.
  package fileprivate(set) var problem: (any Error)?
  /// The errors of fields in all pages.
  package fileprivate(set) var errors: [GraphQLError] = []
  /// Whether the first page has data. (No other page comes without it.)
  fileprivate(set) var hasData = false
  /// Whether it says nothing but what the pages are now, so that the next output of this kind stands for it as well.
  fileprivate(set) var isChange = false
  /// Asks the app, which is asked once for each page; nil if a request has failed.
  fileprivate(set) var lookBeside: (@Sendable (PaginationDirection) -> Bool)?

  /// Whether there is a page beside those of the output. A closure of the app may run for that.
  ///
  /// - Returns: nil if a request has failed, which says nothing of pages.
  package func canLoad(_ direction: PaginationDirection) -> Bool? { lookBeside?(direction) }

  /// Asks the app now, so that its closures need not run later.
  func askApp() {
    for direction in [PaginationDirection.next, .previous] { _ = canLoad(direction) }
  }
}

/// Runs a load, and has what that threw. (It throws nothing itself.)
typealias LoadTask = Task<PaginationError?, any Error>

/// A load of one page, for one of the calls that wait for it.
package struct PageLoad: Sendable {
  package let id: Int
  package let direction: PaginationDirection
  let task: LoadTask
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
    /// Called in the order of the outputs, under a lock. The last parameter says whether the output is still wanted.
    var send: @Sendable (Result<Output, any Error>, PageFacts, _ isCurrent: @escaping @Sendable () -> Bool) -> Void
    /// Forgets all outputs, which later subscribers would be given.
    var forget: @Sendable () -> Void
    /// Returns when all outputs have been delivered.
    var flush: @Sendable () async -> Void
  }

  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) let client: any ApolloClientProtocol
  let initialQuery: InitialQuery
  let rules: PageRules<InitialQuery, PaginatedQuery>
  let sink: Sink
  let state = Locked(State())

  init(
    client: any ApolloClientProtocol, initialQuery: InitialQuery, rules: PageRules<InitialQuery, PaginatedQuery>,
    sink: Sink
  ) {
    self.client = client
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

  // MARK: Other pages

  /// Begins to load a page. A call for the page that is on its way joins that load, unless it was given up.
  func begin(_ direction: PaginationDirection, _ policy: any QueryCachePolicy) throws(PaginationError) -> PageLoad {
    let load = state.withLock { state -> PageLoad? in
      if let load = state.load, load.direction == direction, load.waiterCount > 0, let task = load.task {
        state.load?.waiterCount += 1
        return PageLoad(id: load.id, direction: direction, task: task)
      }
      guard let (id, generation, earlier) = beginLoad(direction, &state) else { return nil }
      let task = LoadTask {
        _ = await earlier?.result
        return await self.outcome(of: id) { () async throws(PaginationError) in
          var generation = generation
          _ = try await self.loadPage(direction, of: id, policy: policy, &generation)
        }
      }
      state.load?.task = task
      return PageLoad(id: id, direction: direction, task: task)
    }
    guard let load else { throw .loadInProgress }
    return load
  }

  /// Begins a load, unless there is one that has not been given up.
  ///
  /// - Parameters:
  ///   - direction: The direction of the page; nil for all pages.
  ///   - state: The pages, under the lock.
  /// - Returns: The number of the load, the generation of the pages, and the load that was given up, which has to wind
  ///   down first.
  private func beginLoad(
    _ direction: PaginationDirection?, _ state: inout State
  ) -> (id: Int, generation: Int, earlier: LoadTask?)? {
    let earlier = state.load
    if earlier?.waiterCount == 0 { endLoad(&state) }
    guard let id = state.beginLoad(direction) else { return nil }
    return (id, state.generation, earlier?.task)
  }

  /// Waits for a load, and for its outputs.
  func finish(_ load: PageLoad) async throws(PaginationError) {
    let failure: PaginationError?
    do {
      failure = try await load.task.valueUnlessCancelled()
    } catch {
      _ = await leave(load.id)?.result
      failure = .cancellation
    }
    await sink.flush()
    if Task.isCancelled { throw .cancellation }
    if let failure { throw failure }
  }

  /// One of the calls that wait for a load was cancelled. The load is stopped when none is left.
  ///
  /// - Returns: What winds down then; nil if others wait for the load, or it is over.
  @discardableResult func leave(_ id: Int) -> LoadTask? {
    let task = state.withLock { state -> LoadTask? in
      guard state.load?.id == id else { return nil }
      state.load?.waiterCount -= 1
      return state.load?.waiterCount == 0 ? state.load?.task : nil
    }
    task?.cancel()
    return task
  }

  func loadAll(fromInitialPage: Bool) async throws(PaginationError) {
    guard let (id, generation, earlier) = state.withLock({ beginLoad(nil, &$0) }) else { throw .loadInProgress }
    _ = await earlier?.result
    let error = await outcome(of: id) { () async throws(PaginationError) in
      try await self.loadAll(id, fromInitialPage: fromInitialPage, generation)
    }
    await sink.flush()
    if let error { throw error }
  }

  private func loadAll(_ id: Int, fromInitialPage: Bool, _ generation: Int) async throws(PaginationError) {
    try checkCancellation(generation)
    var generation = generation
    if fromInitialPage {
      guard try await beginAnew(for: id, &generation) else { return }
    } else if pageInfo(.next) == nil {
      throw .missingInitialPage
    }
    var begun: Int
    repeat {
      begun = generation
      for direction in [PaginationDirection.next, .previous] {
        while canLoad(direction) {
          // A page that has failed is not asked for again.
          guard
            try await loadPage(direction, of: id, policy: CachePolicy.fetchIgnoringCacheData, &generation)
          else { return }
        }
      }
      // (If the list has begun anew, both directions have.)
    } while generation != begun
  }

  /// Runs a load to its end.
  ///
  /// - Returns: What it threw; nil if it threw nothing.
  private func outcome(
    of id: Int, _ body: @escaping () async throws(PaginationError) -> Void
  ) async -> PaginationError? {
    do throws(PaginationError) {
      try await body()
    } catch {
      endLoad(id)
      return error
    }
    endLoad(id)
    return nil
  }

  private func endLoad(_ id: Int) {
    state.withLock { state in
      if state.load?.id == id { endLoad(&state) }
    }
  }

  private func endLoad(_ state: inout State) {
    guard let load = state.load else { return }
    state.load = nil
    let page = load.direction.map { (load.id, $0) }
    if let output = load.heldOutput { send(.success(output), state, of: page, load.problem) }
    if let error = load.heldError { send(.failure(error), state, of: page) }
    if let error = load.otherError { send(.failure(error), state) }
  }

  /// Loads a page that has a watcher of its own. If the request is cancelled, data that the cache had stays, and is
  /// watched.
  func loadApart(
    _ query: PaginatedQuery, direction: PaginationDirection, policy: any QueryCachePolicy, generation: Int,
    for load: Int
  ) async -> Bool {
    let page = query.variables, requestPolicy = policy.requestPolicy
    let watcher = GraphQLQueryWatcher(
      client: client, query: query, queue: nil,
      onAnswer: { [weak self] in
        self?.noteAnswer($0, isDelivered: $1, of: page, [direction], generation, \.[answerTo: page, direction]) {
          .paginated($1, $0.take($2, of: page, direction))
        }
      }
    ) { [weak self] result in
      guard let self else { return }
      let isLast: Bool
      switch result {
      case .success(let result): isLast = result.isLast(of: .query, under: requestPolicy)
      // (If the cache has the page, it is loaded all the same.)
      case .failure: isLast = !state.withLock { $0.hasData(page, direction) }
      }
      deliver(generation, ofLoad: isLast ? load : nil) { state in
        guard state.load?.id == load || state[direction].places[page] != nil else { return nil }
        return result.map { state.take($0, of: page, direction) }
      }
    }
    change(generation) { if $0.load?.id == load { $0.load?.page = (page, direction) } }
    watcher.start(policy)
    // (A target or an event may have it asked for anew.)
    await run(Task { await watcher.waitUntilAnswered() }, generation, for: load, cancel: watcher.stopRequest)
    // The page after it is found by its data, whatever an optimistic update hides of it.
    if let answer = watcher.hiddenAnswer, !state.withLock({ $0.hasData(page, direction) }) {
      deliver(generation, ofLoad: load) {
        $0.load?.id == load ? .success($0.take(answer, of: page, direction)) : nil
      }
    }
    let hasData = state.withLock { state in
      guard state.generation == generation, state.hasData(page, direction) else { return false }
      state.keep(watcher, of: page, direction)
      return true
    }
    if !hasData { watcher.cancel() }
    return hasData
  }

  func run(
    _ request: Task<Void, Never>, _ generation: Int, for load: Int, cancel: @escaping @Sendable () -> Void
  ) async {
    let isWanted = state.withLock { state in
      guard state.generation == generation, state.load?.id == load else { return false }
      state.load?.cancel = cancel
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
  ///
  /// - Parameters:
  ///   - generation: The generation of the pages.
  ///   - load: The load whose last output it is, so that it is delivered when that is over. nil: it has another cause.
  ///   - body: Changes the pages. It returns nil if there is nothing to deliver.
  func deliver(
    _ generation: Int, ofLoad load: Int?, _ body: (inout State) -> Result<Output, any Error>?
  ) {
    var signOut: (any Error)?
    state.withLock { state in
      guard state.generation == generation else { return }
      guard let output = body(&state) else { return }
      if case .failure(let error) = output, error.isSignOut { return signOut = error }
      // While all pages are loaded, only the last output is kept. What follows one that is kept has to be newer.
      guard var current = state.load else { return send(output, state) }
      let isOfLoad = current.id == load, isHeld = isOfLoad || current.direction == nil
      guard isHeld || current.heldOutput != nil else { return send(output, state) }
      switch output {
      case .success(let output):
        current.heldOutput = output
        if isHeld { current.problem = output.lastUpdatedPage.problem }
      case .failure(let error): if isOfLoad { current.heldError = error } else { current.otherError = error }
      }
      state.load = current
    }
    if let signOut { end(with: signOut) }
  }

  /// Forgets the pages of a user who has signed out. That is told once, whatever watchers there were.
  private func end(with error: any Error) {
    let generation = restart()
    sink.forget()
    state.withLock { state in
      if state.generation == generation { send(.failure(error), state) }
    }
  }

  /// Changes what is known of the pages, unless the pager was reset.
  func change(_ generation: Int, _ body: (inout State) -> Void) {
    state.withLock { state in
      if state.generation == generation { body(&state) }
    }
  }

  /// Sends an output. If it has pages, they are those of the state.
  private func send(
    _ output: Result<Output, any Error>, _ current: State, of load: (Int, PaginationDirection)? = nil,
    _ problem: (any Error)? = nil
  ) {
    var facts = PageFacts()
    facts.load = load
    if case .success(let output) = output {
      facts.problem = load == nil ? output.lastUpdatedPage.problem : problem
      facts.errors = output.allErrors
      facts.hasData = output.initialPage?.hasData == true
      facts.isChange = load == nil && facts.problem == nil
      let infos = current.infos
      facts.lookBeside = { [rules] in infos?.info($0, by: rules)?.canLoad($0) ?? false }
    }
    let generation = current.generation
    // (It is called under a lock, where the app's closures must not be released. So it does not keep the engine.)
    sink.send(output, facts) { [state] in state.withLock { $0.generation == generation } }
  }

  func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  func checkCancellation(_ generation: Int, of load: Int? = nil) throws(PaginationError) {
    let isOver = state.withLock { $0.generation != generation || load != nil && $0.load?.id != load }
    if Task.isCancelled || isOver { throw .cancellation }
  }
}
