public import Apollo
public import ApolloAPI
public import ApolloPagination
import ApolloConcurrency
import ApolloTransport
public import Observation

/// A list that grows page by page, for a screen that scrolls.
///
///     let feed = PagerState(
///       FeedQuery(first: 10), client: client,
///       items: { $0.feed.edges.map(\.node) },
///       next: { data in
///         guard data.feed.pageInfo.hasNextPage, let cursor = data.feed.pageInfo.endCursor else { return nil }
///         return FeedQuery(first: 10, after: .some(cursor))
///       })
///
///     List {
///       ForEach(feed.items) { post in
///         PostView(post).onAppear { feed.loadNextIfNeeded(at: post) }
///       }
///     }
///
/// The first page is loaded at once: what memory has of it is there before the first frame. All pages follow the cache.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class PagerState<Item: Sendable>: Observable {
  /// The items of all pages, in their order.
  public private(set) var items: [Item] {
    get {
      _ = facts.items
      return list
    }
    set {
      list = newValue
      facts.items &+= 1
    }
  }
  /// Whether there is a page behind the last one.
  public var hasNext: Bool { facts.hasNext }
  /// Whether there is a page before the first one.
  public var hasPrevious: Bool { facts.hasPrevious }
  /// Whether the first page is being asked for.
  public var isLoading: Bool { facts.isLoading }
  /// Whether the next page is being asked for.
  public var isLoadingNext: Bool { facts.isLoadingNext }
  /// Whether the page before the first one is being asked for.
  public var isLoadingPrevious: Bool { facts.isLoadingPrevious }
  /// Why the first page was not loaded, or what went wrong later with pages that are there: an error of the connection
  /// such as a `URLError`, `ResultError` if a response has no data, or `PaginationError`. nil from the next success on.
  public var error: (any Error)? { facts.error }
  /// Why the next page was not loaded; nil from the next attempt on.
  public var errorNext: (any Error)? { facts.errorNext }
  /// Why the page before the first one was not loaded; nil from the next attempt on.
  public var errorPrevious: (any Error)? { facts.errorPrevious }
  /// The errors that the server reported for fields of the pages.
  public var errors: [GraphQLError] { facts.errors }
  /// Whether some page is there, which may be empty. Before that there is nothing to tell.
  public var hasLoaded: Bool { facts.hasLoaded }

  private let facts = PagerFacts()
  private var list: [Item] = []
  /// The load of the page beside the others that was begun last; nil when it is over.
  private var page: PageLoad?
  /// Whether an output of the pager was shown. The pages that the pager has already come as one, through its queues.
  private var hasShown = false
  /// Whether the item that came into view last is near the end of a list.
  private var isNearEnd: (([Item]) -> Bool)?
  private let pager: GraphQLQueryPager<[Item]>
  private var subscription: Handoff<any Cancellable>?
  private var signOutListener: AnyObject?
  /// The loads of the first page that are under way. They end with the state, if it has the pager alone. (They throw
  /// nothing.)
  private var loads: [Int: Task<Void, any Error>] = [:]
  /// The number of the load of the first page that was begun last.
  private var lastLoad = 0
  /// The load of a page beside the others, which ends with the state.
  private var pageTask: Task<Void, any Error>?
  /// Whether others may use the pager as well.
  private let isShared: Bool

  /// Makes a state of a pager, and loads its first page.
  ///
  /// - Parameter pager: The pager. Other parts of the app may use it as well.
  public convenience init(_ pager: GraphQLQueryPager<[Item]>) { self.init(pager, isShared: true) }

  private init(_ pager: GraphQLQueryPager<[Item]>, isShared: Bool) {
    self.pager = pager
    self.isShared = isShared
    if let items = pager.pages ?? pager.readIfInMemory() {
      self.items = items
      facts.hasLoaded = true
    }
    let subscription = pager.observe { [weak self] output, facts in self?.show(output, facts) }
    self.subscription = Handoff(subscription)
    // (A pager that watches nothing is not told.)
    signOutListener = pager.onSignOut { [weak self] in self?.forget() }
    // Another part of the app may have loaded pages.
    guard !pager.hasPages else { return }
    beginLoading { await pager.fetch() }
  }

  /// Makes a state of a query whose pages follow each other, and loads its first page.
  ///
  /// - Parameters:
  ///   - first: The query for the first page.
  ///   - client: Sends it.
  ///   - items: Takes the items out of a page.
  ///   - next: Makes the query for the page behind a page; nil if that was the last one.
  ///   - previous: Makes the query for the page before a page; nil if that was the first one. By default there is never
  ///     one.
  public convenience init<Query: GraphQLQuery>(
    _ first: Query, client: ApolloClient, items: @escaping @Sendable (Query.Data) -> [Item],
    next: @escaping @Sendable (Query.Data) -> Query?,
    previous: @escaping @Sendable (Query.Data) -> Query? = { _ in nil }
  ) {
    self.init(
      GraphQLQueryPager(
        client: client, initialQuery: first,
        extractPageInfo: { (page: PageExtractionData<Query, Query, PaginationOutput<Query, Query>?>) in
          switch page {
          case .initial(let data, _), .paginated(let data, _): Neighbors(next: next(data), previous: previous(data))
          }
        },
        pageResolver: { neighbors, direction in direction == .next ? neighbors.next : neighbors.previous },
        transform: { output in output.allData.flatMap(items) }),
      isShared: false)
  }

  deinit {
    subscription?.value.cancel()
    // (Another state may wait for what this one has asked for.)
    if !isShared { for load in loads.values { load.cancel() } }
    pageTask?.cancel()
  }

  // MARK: What a screen does

  // (A view that ends its task has asked all the same: one that comes meanwhile does not ask again. But a call that has
  // ended keeps no state that the app has released.)

  /// Loads the page behind the last one, unless a page is on its way. If the task is cancelled, this returns at once,
  /// and the page comes all the same.
  public func loadNext() async {
    guard mayLoad(hasNext) else { return }
    try? await begin(.next)?.valueUnlessCancelled()
  }

  /// Loads the page before the first one, unless a page is on its way. If the task is cancelled, this returns at once,
  /// and the page comes all the same.
  public func loadPrevious() async {
    guard mayLoad(hasPrevious) else { return }
    try? await begin(.previous)?.valueUnlessCancelled()
  }

  /// Loads the first page anew. What is shown stays until it is there. Then it takes the place of all pages. If the task
  /// is cancelled, this returns at once, and the page comes all the same.
  public func refetch() async {
    (facts.error, facts.errorNext, facts.errorPrevious) = (nil, nil, nil)
    try? await beginLoading { [pager] in await pager.refetch() }.valueUnlessCancelled()
  }

  // MARK: What happens

  /// - Parameter isKnown: Whether the outputs have said that there is a page.
  /// - Returns: Whether that is so, or the pager has to find out, because none of its outputs has come yet.
  private func mayLoad(_ isKnown: Bool) -> Bool { isKnown || !hasShown && pager.hasPages }

  /// Begins to load the page beside the others, unless one is on its way.
  ///
  /// - Parameter direction: Where the page is.
  /// - Returns: Ends with the load; nil if none was begun.
  @discardableResult
  private func begin(_ direction: PaginationDirection) -> Task<Void, any Error>? {
    guard !isLoadingNext, !isLoadingPrevious else { return nil }
    set(nil, direction)
    do {
      let load = try pager.begin(direction)
      page = load
      if direction == .next { facts.isLoadingNext = true } else { facts.isLoadingPrevious = true }
      let task = Task<Void, any Error> { [weak self, pager] in
        let failure = await pager.outcome(of: load)
        self?.end(load, failure)
      }
      pageTask = task
      return task
    } catch {
      fail(error, direction)
      return nil
    }
  }

  private func end(_ load: PageLoad, _ failure: PaginationError?) {
    // (Unless what it has brought was followed by another load.)
    if page?.id == load.id { endPage() }
    if let failure { fail(failure, load.direction) }
    loadNextIfNearEnd()
  }

  private func endPage() {
    page = nil
    if isLoadingNext { facts.isLoadingNext = false }
    if isLoadingPrevious { facts.isLoadingPrevious = false }
  }

  private func fail(_ error: PaginationError, _ direction: PaginationDirection) {
    switch error {
    // The page was given up for a new first page, or it comes in another way.
    case .cancellation, .loadInProgress, .pageHasNoMoreContent: break
    // A new first page has come meanwhile, whose output tells what is beside it.
    case .missingInitialPage where pager.hasPages: break
    case .missingInitialPage:
      // The pager was reset, of which no output tells.
      forgetNeighbors()
      set(error, direction)
    default: set(error, direction)
    }
  }

  // (Without a direction, the error is one of pages that are there.)
  private func set(_ error: (any Error)?, _ direction: PaginationDirection?) {
    let error = error.map { OperationError.unwrap($0) }
    // (Observers are told of each assignment.)
    switch direction {
    case .next: if error != nil || errorNext != nil { facts.errorNext = error }
    case .previous: if error != nil || errorPrevious != nil { facts.errorPrevious = error }
    case nil: if error != nil || self.error != nil { facts.error = error }
    }
  }

  /// Begins to load the first page.
  ///
  /// - Parameter load: Loads it.
  /// - Returns: Ends with the load.
  @discardableResult
  private func beginLoading(_ load: @escaping @Sendable () async -> Void) -> Task<Void, any Error> {
    lastLoad += 1
    if !isLoading { facts.isLoading = true }
    let task = Task<Void, any Error> { [weak self, lastLoad] in
      await load()
      self?.endLoading(lastLoad)
    }
    loads[lastLoad] = task
    return task
  }

  private func endLoading(_ number: Int) {
    loads[number] = nil
    guard loads.isEmpty else { return }
    facts.isLoading = false
    loadNextIfNearEnd()
  }

  private func show(_ output: Result<[Item], any Error>, _ facts: PageFacts) {
    let direction = facts.load?.direction
    hasShown = true
    switch output {
    case .success(let items):
      if !areEqual(self.items, items) { self.items = items }
      if !hasLoaded, direction != nil || facts.problem == nil { self.facts.hasLoaded = true }
      set(facts.problem, direction)
      if errors != facts.errors { self.facts.errors = facts.errors }
    case .failure(let failure):
      if failure.isSignOut { forget() }
      set(failure, direction)
    }
    // (A row of the new page may come into view before the load returns.)
    if let load = facts.load, load.id == page?.id { endPage() }
    // (Not the pager, which may have pages by now that come with the next output.)
    if let canLoad = facts.canLoad(.next), canLoad != hasNext { self.facts.hasNext = canLoad }
    if let canLoad = facts.canLoad(.previous), canLoad != hasPrevious { self.facts.hasPrevious = canLoad }
    loadNextIfNearEnd()
  }

  /// Forgets what was shown, which was for the user who is gone.
  private func forget() {
    isNearEnd = nil
    if !items.isEmpty { items = [] }
    if !errors.isEmpty { facts.errors = [] }
    // (The errors say what the user's server said. That the user is gone stays to be seen.)
    if error?.isSignOut == false { facts.error = nil }
    set(nil, .next)
    set(nil, .previous)
    if hasLoaded { facts.hasLoaded = false }
    forgetNeighbors()
  }

  private func forgetNeighbors() {
    if hasNext { facts.hasNext = false }
    if hasPrevious { facts.hasPrevious = false }
  }

  /// Takes the item that has come into view, for now and for what comes later.
  private func note(isNearEnd: @escaping ([Item]) -> Bool) {
    self.isNearEnd = isNearEnd
    loadNextIfNearEnd()
  }

  /// Loads the next page by itself: not behind a first page that may be replaced at once, and not after a failure, when the
  /// user decides whether to try again.
  private func loadNextIfNearEnd() {
    guard hasNext, !isLoading, !isLoadingNext, errorNext == nil, items.isEmpty || isNearEnd?(items) == true else {
      return
    }
    begin(.next)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PagerState where Item: Identifiable {
  /// Loads the next page if one of the last items has come into view. An item that comes into view while a page is on its way
  /// counts when that is over.
  ///
  /// - Parameters:
  ///   - item: The item that has come into view.
  ///   - distance: How many of the last items count. The default is 5.
  public func loadNextIfNeeded(at item: Item, within distance: Int = 5) {
    let id = item.id
    guard let place = items.lastIndex(where: { $0.id == id }) else { return }
    note { items in
      // (If it is gone, as after a refetch, its place in the list is still in view.)
      (items.lastIndex { $0.id == id } ?? place) >= items.count - distance
    }
  }
}

/// The queries for the pages beside a page.
private struct Neighbors<Query: GraphQLQuery>: PaginationInfo {
  var next, previous: Query?

  var canLoadNext: Bool { next != nil }
  var canLoadPrevious: Bool { previous != nil }
}
