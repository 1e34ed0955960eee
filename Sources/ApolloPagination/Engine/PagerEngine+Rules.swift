import Apollo
import ApolloAPI

// Which page comes next, and whether the cache makes one list of it and the others. No lock is held while the app's
// closures run.

extension PagerEngine {
  func canLoad(_ direction: PaginationDirection) -> Bool { pageInfo(direction)?.canLoad(direction) ?? false }

  /// What the last page in a direction says about the one beside it; nil if there is no page.
  func pageInfo(_ direction: PaginationDirection) -> (any PaginationInfo)? {
    state.withLock { $0.infos }?.info(direction, by: rules)
  }

  /// The query for the page beside the last one.
  func nextQuery(_ direction: PaginationDirection) throws(PaginationError) -> PaginatedQuery {
    guard let info = pageInfo(direction) else { throw .missingInitialPage }
    guard info.canLoad(direction) else { throw .pageHasNoMoreContent }
    guard let query = rules.query(info, direction) else { throw .noQuery }
    let variables = query.variables
    let (isRepeated, wasChanged) = state.withLock { ($0.isRepeated(variables, direction), $0.wasChanged) }
    guard !isRepeated else { throw .repeatedPage }
    // (An app that has emptied the one list is led to its first page, with which the list begins anew.)
    guard query as? InitialQuery != initialQuery || wasChanged && listWatcher(for: query) != nil else {
      throw .repeatedPage
    }
    return query
  }

  /// The query for the page beside the last one; nil if there is no such page.
  func followingQuery(_ direction: PaginationDirection) -> PaginatedQuery? {
    pageInfo(direction).flatMap { $0.canLoad(direction) ? rules.query($0, direction) : nil }
  }

  /// Finds out whether a page apart that has come from the server again leads to another page than the one behind it. Then
  /// elements were added or removed, and with what is behind it some would be left out, or there twice.
  ///
  /// - Parameters:
  ///   - result: The page.
  ///   - page: Its variables; nil for the first page.
  ///   - directions: Where pages may be behind it.
  ///   - generation: The generation of the pages.
  ///   - take: Puts the page among pages that end with it, and has what the app is asked about.
  /// - Returns: The directions in which what is behind it does not follow any more.
  func strayDirections<Data>(
    _ result: Result<GraphQLResult<Data>, any Error>, of page: Variables?, _ directions: [PaginationDirection],
    _ generation: Int,
    _ take: (inout State, Data, GraphQLResult<Data>) -> PageExtractionData<InitialQuery, PaginatedQuery, Output?>
  ) -> [PaginationDirection] {
    guard case .success(let result) = result, result.source == .server, !result.hasNext, let data = result.data else {
      return []
    }
    let pages = state.withLock { $0 }
    guard pages.generation == generation else { return [] }
    return directions.filter { direction in
      guard let behind = pages.page(behind: page, direction) else { return false }
      var pages = pages
      _ = pages.removePages(behind: page, direction)
      let info = rules.info(take(&pages, data, result))
      let following = info.canLoad(direction) ? rules.query(info, direction) : nil
      return following?.variables != behind
    }
  }

  /// The watcher of the one list that the cache makes of the pages; nil if each page has its own watcher.
  func listWatcher(for query: PaginatedQuery) -> GraphQLQueryWatcher<InitialQuery>? {
    let (watcher, page, isStored, known) = state.withLock {
      ($0.initialWatcher, $0.initialPage, $0.isInitialPageStored, $0.isOneList)
    }
    guard isStored, known != false, let watcher, let data = page?.data else { return nil }
    if known == true { return watcher }
    let variables = initialQuery.variables
    // Whether pages of another query are in the list shows when the first of them has come.
    let mayBe =
      query is InitialQuery ? data.isOneList(variables, query.variables) : data.hasPages(variables)
    return mayBe ? watcher : nil
  }

  /// Whether the cache has put the data of a page into the list.
  func isPageOfList(_ data: PaginatedQuery.Data, _ query: PaginatedQuery) -> Bool {
    guard !(query is InitialQuery), let list = state.withLock({ $0.initialPage })?.data else { return true }
    return list.sharesPages(initialQuery.variables, with: data, query.variables)
  }
}
