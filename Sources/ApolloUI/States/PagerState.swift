public import Apollo
public import ApolloAPI
public import ApolloPagination
import ApolloConcurrency
import ApolloTransport
import Dispatch
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
  /// Why the first page was not loaded, or what went wrong later; nil from the next page on that comes.
  public var error: (any Error)? { facts.error }
  /// Why the next page was not loaded; nil from the next attempt on.
  public var errorNext: (any Error)? { facts.errorNext }
  /// Why the page before the first one was not loaded; nil from the next attempt on.
  public var errorPrevious: (any Error)? { facts.errorPrevious }
  /// Whether some page is there, which may be empty. Before that there is nothing to tell.
  public var hasLoaded: Bool { facts.hasLoaded }

  private let facts = PagerFacts()
  private var list: [Item] = []
  /// What was loaded last. An error is that of this load.
  private var lastLoad: PaginationDirection?
  /// The load of the page that was loaded last; nil when it has returned.
  private var page: PageLoad?
  /// Whether the item that came into view last is near the end of a list.
  private var isNearEnd: (([Item]) -> Bool)?
  private let pager: GraphQLQueryPager<[Item]>
  private var subscription: Handoff<any Cancellable>?
  private var task: Task<Void, Never>?
  /// How many times the first page is being asked for.
  private var loadCount = 0

  /// Makes a state of a pager, and loads its first page.
  ///
  /// - Parameter pager: The pager. Other parts of the app may use it as well.
  public init(_ pager: GraphQLQueryPager<[Item]>) {
    self.pager = pager
    if let items = pager.readIfInMemory() {
      self.items = items
      facts.hasLoaded = true
    }
    let subscription = pager.subscribe(onUpdate: { [weak self] output in
      // (A pager of the app may have another queue. What a load has brought is shown before the load returns to the main actor,
      // because both go through the main queue in this order.)
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.show(output) } }
    })
    self.subscription = Handoff(subscription)
    // Another part of the app may have loaded pages.
    guard !pager.hasOutput else { return }
    load { [pager] in await pager.fetch() }
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
        extractPageInfo: { (page: PageExtractionData<Query, Query, [Item]?>) in
          switch page {
          case .initial(let data, _), .paginated(let data, _): Neighbors(next: next(data), previous: previous(data))
          }
        },
        pageResolver: { neighbors, direction in direction == .next ? neighbors.next : neighbors.previous },
        initialTransform: items, pageTransform: items))
  }

  deinit {
    subscription?.value.cancel()
    task?.cancel()
  }

  // MARK: What a screen does

  /// Loads the page behind the last one, unless a page is on its way.
  public func loadNext() async {
    if hasNext { await load(.next) }
  }

  /// Loads the page before the first one, unless a page is on its way.
  public func loadPrevious() async {
    if hasPrevious { await load(.previous) }
  }

  private func load(_ direction: PaginationDirection) async {
    guard !isLoadingNext, !isLoadingPrevious else { return }
    setError(nil, direction)
    do {
      let load = try pager.begin(direction)
      (page, lastLoad) = (load, direction)
      if direction == .next { facts.isLoadingNext = true } else { facts.isLoadingPrevious = true }
      defer {
        // (Unless what it has brought was followed by another load.)
        if page?.id == load.id {
          endPage()
          (page, lastLoad) = (nil, nil)
        }
      }
      try await pager.finish(load)
    } catch {
      // A page that was given up for a new first page is not an error.
      if error.code != .cancelled { setError(error, direction) }
    }
  }

  private func endPage() {
    if isLoadingNext { facts.isLoadingNext = false }
    if isLoadingPrevious { facts.isLoadingPrevious = false }
  }

  private func setError(_ error: (any Error)?, _ direction: PaginationDirection) {
    if direction == .next { facts.errorNext = error } else { facts.errorPrevious = error }
  }

  /// Loads the first page anew. What is shown stays until it is there. Then it takes the place of all pages.
  public func refetch() async {
    (facts.error, facts.errorNext, facts.errorPrevious, lastLoad) = (nil, nil, nil, nil)
    beginLoading()
    await pager.refetch()
    endLoading()
  }

  private func load(_ body: @escaping @Sendable () async -> Void) {
    beginLoading()
    task = Task { [weak self] in
      await body()
      self?.endLoading()
    }
  }

  private func beginLoading() {
    loadCount += 1
    if !isLoading { facts.isLoading = true }
  }

  private func endLoading() {
    loadCount -= 1
    if loadCount == 0 { facts.isLoading = false }
  }

  // MARK: What happens

  private func show(_ output: Result<[Item], any Error>) {
    switch output {
    case .success(let items):
      if !areEqual(self.items, items) { self.items = items }
      if !hasLoaded { facts.hasLoaded = true }
      if error != nil { facts.error = nil }
    case .failure(let failure):
      if failure.isSignOut {
        // What was shown was for the user who is gone.
        items = []
        (facts.hasLoaded, lastLoad) = (false, nil)
      }
      switch lastLoad {
      case .next: facts.errorNext = failure
      case .previous: facts.errorPrevious = failure
      case nil: facts.error = failure
      }
    }
    if hasNext != pager.canLoadNext { facts.hasNext.toggle() }
    if hasPrevious != pager.canLoadPrevious { facts.hasPrevious.toggle() }
    // (A row of the new page may come into view before the load returns.)
    if let page, !pager.isUnderWay(page) { endPage() }
    loadNextIfNearEnd()
  }

  /// Takes the item that has come into view, for now and for what comes later.
  private func note(isNearEnd: @escaping ([Item]) -> Bool) {
    self.isNearEnd = isNearEnd
    loadNextIfNearEnd()
  }

  private func loadNextIfNearEnd() {
    // (After a failure the user decides whether to try again.)
    guard hasNext, !isLoadingNext, errorNext == nil, let isNearEnd, isNearEnd(items) else { return }
    Task { await loadNext() }
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
