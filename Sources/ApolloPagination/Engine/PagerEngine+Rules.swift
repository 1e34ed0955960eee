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

  /// Finds the page that a load brings next.
  ///
  /// - Parameters:
  ///   - direction: Where it is.
  ///   - load: The load.
  ///   - generation: The generation of the pages.
  /// - Returns: Its query, and the watcher of the one list in which it will be; nil in place of that if it stands apart.
  /// - Throws: The error for a pager that has no such page.
  func beginPage(
    _ direction: PaginationDirection, of load: Int, _ generation: Int
  ) throws(PaginationError) -> (query: PaginatedQuery, list: GraphQLQueryWatcher<InitialQuery>?) {
    while true {
      let infos = state.withLock { $0.infos }
      let query = try nextQuery(direction), list = listWatcher(for: query)
      let isBegun = state.withLock { state in
        guard state.generation == generation, state.load?.id == load else { return true }
        // (The pages may have changed while the app was asked.)
        guard state.infos === infos else { return false }
        if list == nil { state.load?.page = (query.variables, direction) }
        return true
      }
      if isBegun { return (query, list) }
    }
  }

  /// Takes an answer of the server to a page. If it leads to another page than the one behind it, and to another one
  /// than the answer before did, elements were added or removed. Then with what is behind it some would be left out, or
  /// there twice, so that goes. What the cache has changed in pages, as by a guess, is not a reason: the answers are
  /// looked at as they came, both among the same other pages. An answer with errors does not tell where it leads. Nor
  /// does one that differs from the answer before only in its cursors, which some servers make anew for each answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - isDelivered: Whether an output follows that has the page.
  ///   - page: Its variables; nil for the first page.
  ///   - directions: Where pages may be behind it.
  ///   - generation: The generation of the pages.
  ///   - answers: Where the answer before it is.
  ///   - take: Puts an answer among pages that end with it, and has what the app is asked about.
  func noteAnswer<Data>(
    _ answer: GraphQLResult<Data>, isDelivered: Bool, of page: Variables?, _ directions: [PaginationDirection],
    _ generation: Int, _ answers: WritableKeyPath<State, GraphQLResult<Data>?>,
    _ take: (inout State, Data, GraphQLResult<Data>) -> PageExtractionData<InitialQuery, PaginatedQuery, Output?>
  ) {
    guard !answer.hasReportedErrors else { return }
    while true {
      let pages = state.withLock { $0 }
      guard pages.generation == generation else { return }
      let strays = directions.filter { direction in
        guard let behind = pages.page(behind: page, direction) else { return false }
        var pages = pages
        let earlier = pages[keyPath: answers]
        _ = pages.removePages(behind: page, direction)
        func following(_ result: GraphQLResult<Data>?) -> Variables? {
          guard let result, let data = result.data else { return nil }
          var pages = pages
          let info = rules.info(take(&pages, data, result))
          return info.canLoad(direction) ? rules.query(info, direction)?.variables : nil
        }
        let now = following(answer), before = following(earlier)
        guard now != behind, now != before else { return false }
        guard let now, let before, let data = answer.data, let earlier = earlier?.data else { return true }
        return now.contentWithoutCursors(of: data) != before.contentWithoutCursors(of: earlier)
      }
      let cancels = state.withLock { state -> [@Sendable () -> Void]? in
        guard state.generation == generation else { return [] }
        // (A load may have begun while the app was asked.)
        let isCurrent = directions.allSatisfy { state.page(behind: page, $0) == pages.page(behind: page, $0) }
        guard isCurrent else { return nil }
        state[keyPath: answers] = answer
        let cancels = strays.flatMap { state.removePages(behind: page, $0) }
        // (From here on, what is behind the page is found by it.)
        if let stray = strays.first { _ = state.output(of: page, stray) }
        return cancels
      }
      guard let cancels else { continue }
      for cancel in cancels { cancel() }
      guard let stray = strays.first, !isDelivered else { return }
      return deliver(generation, ofLoad: nil) { $0.output(of: page, stray).map { .success($0) } }
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

extension Variables {
  /// The content of a page without what a server may make anew for each answer: fields called cursors, and outside of lists
  /// the strings that are values of these variables. (In lists these may be ids, which tell which elements there are.)
  fileprivate func contentWithoutCursors(of page: some SelectionSet) -> String {
    var writer = __JSONWriter(variables: self)
    page.__write(to: &writer)
    var strings: Set<String> = []
    func collect(_ value: JSONValue) {
      switch value {
      case let string as String: strings.insert(string)
      case let list as [JSONValue]: list.forEach(collect)
      case let object as JSONObject: object.values.forEach(collect)
      default: break
      }
    }
    func content(of value: JSONValue, named name: String, isInList: Bool) -> String {
      switch value {
      case let string as String:
        let isCursor = name.lowercased().hasSuffix("cursor") || !isInList && strings.contains(string)
        return isCursor ? "cursor" : string.debugDescription
      case let list as [JSONValue]:
        return "[\(list.map { content(of: $0, named: name, isInList: true) }.joined(separator: ","))]"
      case let object as JSONObject:
        let fields = object.sorted { $0.key < $1.key }
        return "{\(fields.map { "\($0):\(content(of: $1, named: $0, isInList: isInList))" }.joined(separator: ","))}"
      default: return "\(value)"
      }
    }
    if let values = try? ResponseReader.jsonValue(ResponseBytes(json)) { collect(values) }
    let text = writer.text
    guard let value = try? ResponseReader.jsonValue(ResponseBytes(Array(text.utf8))) else { return text }
    return content(of: value, named: "", isInList: false)
  }
}
