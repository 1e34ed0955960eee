import Apollo
import ApolloAPI

// Pages beside the others, of which the cache may make one list.

extension PagerEngine {
  /// Loads one page. If the one list is gone from the cache, it begins anew with its first page.
  ///
  /// - Parameters:
  ///   - direction: Where the page is.
  ///   - load: The load.
  ///   - policy: When the cache is read and when the server is asked.
  ///   - generation: The generation of the pages.
  ///   - isAnew: Whether the list has just begun anew. The default is false.
  /// - Returns: Whether it has data.
  /// - Throws: The error for a page that cannot be loaded.
  func loadPage(
    _ direction: PaginationDirection, of load: Int, policy: any QueryCachePolicy, _ generation: inout Int,
    isAnew: Bool = false
  ) async throws(PaginationError) -> Bool {
    try checkCancellation(generation, of: load)
    let (query, list) = try beginPage(direction, of: load, generation), hasData: Bool, page = query.variables
    if let list {
      // (A cache that is too small for the list would lose it again with the same page, or with another one if the list
      // changes.)
      let clearing = client.store.lastClearing
      var anew = state.withLock { $0.begunAnew(since: clearing) }
      let outcome = await loadIntoList(
        of: list, query: query, direction: direction, policy: policy, generation: generation, for: load,
        isAnew: isAnew || anew.contains(page) || anew.count > 2)
      guard let outcome else {
        try checkCancellation(generation, of: load)
        anew.insert(page)
        guard try await beginAnew(for: load, &generation) else { return false }
        change(generation) { $0.noteBegunAnew(anew, since: clearing) }
        // (The list may be so short by now that its first page is the last.)
        guard canLoad(direction) else { return true }
        return try await loadPage(direction, of: load, policy: policy, &generation, isAnew: true)
      }
      hasData = outcome
    } else {
      hasData = await loadApart(query, direction: direction, policy: policy, generation: generation, for: load)
    }
    if hasData {
      let following = followingQuery(direction)?.variables
      change(generation) { $0.noteLoaded(page, following: following, direction) }
    }
    try checkCancellation(generation, of: load)
    return hasData
  }

  /// Loads a page into the list.
  ///
  /// - Parameters:
  ///   - watcher: The watcher of the list.
  ///   - query: The query of the page.
  ///   - direction: Where the page is.
  ///   - policy: When the server is asked.
  ///   - generation: The generation of the pages.
  ///   - load: The load.
  ///   - isAnew: Whether the list has begun anew for this page. If it is gone all the same, the page stands beside it.
  /// - Returns: Whether it has data; nil if the list is gone, because the page would be all of it.
  func loadIntoList(
    of watcher: GraphQLQueryWatcher<InitialQuery>, query: PaginatedQuery, direction: PaginationDirection,
    policy: any QueryCachePolicy, generation: Int, for load: Int,
    isAnew: Bool
  ) async -> Bool? {
    // The cache has no page behind the end of its list. What it has for the query is the list.
    guard policy.requestPolicy != .returnCacheDataDontFetch else { return false }
    // (What is kept out of the cache stands beside the list, also if that is gone.)
    let isForCache = policy.requestPolicy != .fetchIgnoringCacheCompletely
    let (shown, isListCut) = state.withLock { ($0.initialPage, $0.isListCut) }
    guard let shown else { return false }
    // (Where the cache does not keep the list, it would begin anew with each page.)
    let needsList = isForCache && !isAnew && !isListCut
    let presence = ListPresence(of: initialQuery, showing: shown, in: client.store, ignoring: watcher.ownWrites)
    let isThere = isForCache ? await presence.isThere() : false
    guard isThere || !needsList else { return nil }
    let outcome = await lastResult(of: query, watcher, isWritten: isThere, generation, for: load)
    guard !Task.isCancelled, let outcome else {
      // It may be in the cache, or come there.
      watcher.disownWrites()
      return false
    }
    guard case .success(let page) = outcome, let data = page.data else {
      deliver(generation, ofLoad: load) { state in outcome.map { state.take(list: nil, after: $0) } }
      return false
    }
    let hasStayed = await presence.hasStayed()
    guard hasStayed || !needsList else { return nil }
    // (The cache has no result with an error of which the server does not say where it is.)
    let isStored = hasStayed && page.isStored && page.tellsWhereErrorsAre, isOfList = isPageOfList(data, query)
    guard isStored, !state.withLock({ $0.isListCut }) else {
      takeBesideList(
        page, query: query, direction: direction, isStored: isStored && isOfList, generation: generation, for: load)
      return true
    }
    guard isOfList else {
      await watcher.reread { [weak self] list in
        self?.change(generation) { $0.isOneList = false }
        if let list { self?.deliver(generation, ofLoad: load) { .success($0.take(list)) } }
      }
      // A page of another list is in the cache by now.
      return await loadApart(
        query, direction: direction, policy: CachePolicy.returnCacheDataElseFetch, generation: generation, for: load)
    }
    let variables = query.variables
    await watcher.reread { [weak self] list in
      self?.deliver(generation, ofLoad: load) { state in
        state.isOneList = true
        // An optimistic update, or an object of which a part is missing, may hide the list. The page is in it.
        guard let list else { return .success(state.take(page, of: variables, direction, isInList: true)) }
        return .success(state.take(list: list, after: page))
      }
    }
    return true
  }

  /// Takes a page beside the list, because the cache does not have it, or a page before it.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - query: Its query.
  ///   - direction: Where it is.
  ///   - isStored: Whether the cache has it, among the pages of its list.
  ///   - generation: The generation of the pages.
  ///   - load: The load that has brought it.
  private func takeBesideList(
    _ page: GraphQLResult<PaginatedQuery.Data>, query: PaginatedQuery, direction: PaginationDirection, isStored: Bool,
    generation: Int, for load: Int
  ) {
    let variables = query.variables
    deliver(generation, ofLoad: load) { state in
      state.isListCut = true
      // Where only the first page is out of the cache, the page is in the list, and is shown there when that is read.
      // Behind another page that the cache does not have, it cannot be in the list.
      let isInList = isStored && state[direction].list.allSatisfy(\.isInList)
      return .success(state.take(page, of: variables, direction, isInList: isInList))
    }
  }

  /// Asks the server for a page.
  ///
  /// - Returns: The last part of the response, or the error; nil if the request was cancelled.
  private func lastResult(
    of query: PaginatedQuery, _ watcher: GraphQLQueryWatcher<InitialQuery>, isWritten: Bool, _ generation: Int,
    for load: Int
  ) async -> Result<GraphQLResult<PaginatedQuery.Data>, any Error>? {
    let policy = isWritten ? CachePolicy.fetchIgnoringCacheData : .fetchIgnoringCacheCompletely
    // A page of which it is not certain what its nulls mean stays beside the list.
    let results = watcher.results(of: query, under: policy, nil, writesUncertainResults: false)
    let last = Locked<Result<GraphQLResult<PaginatedQuery.Data>, any Error>?>(nil)
    let request = Task {
      do {
        for try await result in results { last.withLock { $0 = .success(result) } }
      } catch {
        last.withLock { $0 = .failure(error) }
      }
    }
    await run(request, generation, for: load, cancel: request.cancel)
    return last.withLock { $0 }
  }
}
