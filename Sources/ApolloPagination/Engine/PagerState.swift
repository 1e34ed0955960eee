import Apollo
import ApolloAPI
import ApolloCache

/// All pages of a pager, and what it is doing.
struct PagerState<InitialQuery: GraphQLQuery, PaginatedQuery: GraphQLQuery>: Sendable {
  typealias Output = PaginationOutput<InitialQuery, PaginatedQuery>

  /// Grows whenever all pages are replaced or forgotten. What began under another number has no effect.
  private(set) var generation = 0
  private var lastGeneration = 0
  /// The fetch of a first page that will replace the pages that are there, once it has data; nil if none is under way.
  var fetch: Fetch?
  /// The fetch of a first page that was begun last, whatever has become of it; nil before that, and after a reset.
  private(set) var lastFetch: BegunFetch?
  /// How many calls wait for a first page. A fetch that takes the place of another one is for the calls of both.
  var fetchWaiterCount = 0

  var initialWatcher: GraphQLQueryWatcher<InitialQuery>?
  private(set) var initialPage: GraphQLResult<InitialQuery.Data>?
  /// What the server has sent last for the first page, without errors and without what the cache has changed in it. As
  /// long as it has sent nothing, the page as it was when it came from the cache.
  var initialAnswer: GraphQLResult<InitialQuery.Data>?
  /// Whether the cache has had the first page, and no page stood apart then.
  private(set) var isInitialPageStored = false
  /// Whether the cache makes one list of the pages; nil while that is not known.
  var isOneList: Bool?
  /// Whether the one list is not what is shown, because the cache does not have the first page or another one. Then the
  /// pages that come are kept here, and are not watched.
  var isListCut = false
  /// Whether another write has changed the first page, or the one list, since a page was loaded last. A request that was
  /// given up may cut the list: then it leads to a page that was loaded already, and that is not a fault of the server.
  private(set) var wasChanged = false
  /// The pages for which the one list had to begin anew, and the clearing of the cache after which that was.
  private var begunAnew: (pages: Set<Variables>, clearing: StoreEpoch)?
  /// The errors of the page that was to be loaded into the one list, and has no data.
  private var listErrors: [GraphQLError] = []
  private var next = Pages()
  private var previous = Pages()

  /// The load that is under way; nil if there is none.
  var load: Load?
  private var lastLoad = 0
  /// What the app says of the pages beside those of the last output; nil if there is none.
  private(set) var infos: PageInfos<InitialQuery, PaginatedQuery>?

  struct Fetch: Sendable {
    let generation: Int
    var watcher: GraphQLQueryWatcher<InitialQuery>?
    /// What the server has sent.
    var answer: GraphQLResult<InitialQuery.Data>?
  }

  struct BegunFetch: Sendable {
    let generation: Int
    /// Ends with its request. (It throws nothing.)
    let task: Task<Void, any Error>
  }

  /// A load of one page or of all pages.
  struct Load: Sendable {
    let id: Int
    /// nil: of all pages.
    let direction: PaginationDirection?
    /// Runs the load, for all calls that wait for it; nil for a load of all pages, which has one call.
    var task: LoadTask?
    /// How many calls wait for it. When none is left, it is given up, and winds down.
    var waiterCount = 1
    /// The page apart that it is about to bring.
    var page: (variables: Variables, direction: PaginationDirection)?
    /// Stops its request.
    var cancel: (@Sendable () -> Void)?
    /// The outputs that are kept for its end: when an output is delivered, the load that brought it is over.
    var heldOutput: Output?
    var heldError: (any Error)?
    /// Why its page has no data.
    var problem: (any Error)?
    /// An error of another page that came after the output which is kept.
    var otherError: (any Error)?

    /// Forgets what is kept of pages that are gone.
    mutating func forgetOutputs() { (heldOutput, heldError, problem, otherError) = (nil, nil, nil, nil) }
  }

  /// The pages in one direction.
  struct Pages: Sendable {
    /// The one beside the first page comes first.
    var list: [Page] = []
    /// The places in the list, by the variables of the pages.
    var places: [Variables: Int] = [:]
    /// What the server has sent last, as for the first page, by the variables of the pages.
    var answers: [Variables: GraphQLResult<PaginatedQuery.Data>] = [:]
    /// The variables that have brought data, with their order.
    var loaded: [Variables: Int] = [:]
    /// The variables to which the last page leads, if they have brought data already.
    var repeated: Variables?

    /// Removes the pages from a place on.
    ///
    /// - Returns: Their watchers.
    mutating func remove(from place: Int) -> [GraphQLQueryWatcher<PaginatedQuery>] {
      guard place < list.count else { return [] }
      let watchers = list[place...].compactMap(\.watcher)
      list.removeSubrange(place...)
      for page in places.filter({ $0.value >= place }).keys {
        (places[page], loaded[page], answers[page]) = (nil, nil, nil)
      }
      repeated = nil
      return watchers
    }

    /// Removes the pages that are in the one list, which was read.
    mutating func removeThoseInList() {
      let kept = list.indices.filter { !list[$0].isInList }
      guard kept.count < list.count else { return }
      let newPlaces = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
      list = kept.map { list[$0] }
      places = places.compactMapValues { newPlaces[$0] }
    }
  }

  struct Page: Sendable {
    var result: GraphQLResult<PaginatedQuery.Data>
    /// Whether it is in the one list of the cache, and stands here only until that is read.
    var isInList: Bool
    /// nil while the page is being loaded, and if it has no data.
    var watcher: GraphQLQueryWatcher<PaginatedQuery>?
  }

  subscript(direction: PaginationDirection) -> Pages {
    get { direction == .next ? next : previous }
    set { if direction == .next { next = newValue } else { previous = newValue } }
  }

  func hasData(_ page: Variables, _ direction: PaginationDirection) -> Bool {
    self[direction].places[page].map { self[direction].list[$0].result.data != nil } ?? false
  }

  /// Whether a page that is to follow the others is one of them. (The last page may not have led to it when it came:
  /// offsets are smaller after elements were removed.)
  func isRepeated(_ page: Variables, _ direction: PaginationDirection) -> Bool {
    self[direction].repeated == page || hasData(page, direction)
  }

  /// What the server has sent last for a page behind the first one.
  subscript(answerTo page: Variables, direction: PaginationDirection) -> GraphQLResult<PaginatedQuery.Data>? {
    get { self[direction].answers[page] }
    set { self[direction].answers[page] = newValue }
  }

  // MARK: Changes

  /// Forgets everything.
  ///
  /// - Returns: The new generation, and what has to be cancelled outside of the lock.
  mutating func reset() -> (generation: Int, cancels: [@Sendable () -> Void]) {
    var cancels = forget(keepingLoad: nil)
    if let watcher = fetch?.watcher { cancels.append { watcher.cancel() } }
    (fetch, lastFetch) = (nil, nil)
    lastGeneration += 1
    generation = lastGeneration
    return (generation, cancels)
  }

  /// Begins the fetch of a first page. The pages that are there stay until it has data.
  ///
  /// - Parameter start: Starts the task of the fetch, given the generation of its pages.
  /// - Returns: The fetch, and what has to be cancelled outside of the lock.
  mutating func beginFetch(
    _ start: (_ generation: Int) -> Task<Void, any Error>
  ) -> (fetch: BegunFetch, cancel: (@Sendable () -> Void)?) {
    var cancel: (@Sendable () -> Void)?
    if let earlier = fetch?.watcher { cancel = { earlier.cancel() } }
    lastGeneration += 1
    fetch = Fetch(generation: lastGeneration)
    let begun = BegunFetch(generation: lastGeneration, task: start(lastGeneration))
    lastFetch = begun
    return (begun, cancel)
  }

  /// Puts the page of a fetch in the place of all pages.
  ///
  /// - Parameters:
  ///   - fetch: The fetch.
  ///   - load: The load that goes on, because the fetch is a part of it. nil: none.
  /// - Returns: What has to be cancelled outside of the lock.
  mutating func replacePages(by fetch: Fetch, keepingLoad load: Int?) -> [@Sendable () -> Void] {
    let cancels = forget(keepingLoad: load)
    generation = fetch.generation
    (initialWatcher, initialAnswer) = (fetch.watcher, fetch.answer)
    self.fetch = nil
    self.load?.forgetOutputs()
    return cancels
  }

  /// Finds the page apart that is behind another one, or that a load is about to bring there.
  ///
  /// - Parameters:
  ///   - page: The variables of the other one; nil for the first page.
  ///   - direction: In which direction.
  /// - Returns: Its variables; nil if there is none.
  func page(behind page: Variables?, _ direction: PaginationDirection) -> Variables? {
    let pages = self[direction], loading = load?.page.flatMap { $0.direction == direction ? $0.variables : nil }
    guard let place = place(behind: page, direction) else { return nil }
    guard place < pages.list.count else { return loading == page ? nil : loading }
    let variables = pages.places.first { $0.value == place }?.key
    return pages.list[place].watcher != nil || variables == loading ? variables : nil
  }

  private func place(behind page: Variables?, _ direction: PaginationDirection) -> Int? {
    guard let page else { return 0 }
    return self[direction].places[page].map { $0 + 1 }
  }

  /// Removes the pages behind another one, and ends a load that would bring one more.
  ///
  /// - Parameters:
  ///   - page: The variables of the other one; nil for the first page.
  ///   - direction: In which direction.
  /// - Returns: What has to be cancelled outside of the lock.
  mutating func removePages(behind page: Variables?, _ direction: PaginationDirection) -> [@Sendable () -> Void] {
    guard let place = place(behind: page, direction) else { return [] }
    var cancels = self[direction].remove(from: place).map { watcher in { @Sendable in watcher.cancel() } }
    if let load, load.direction ?? direction == direction {
      if let cancel = load.cancel { cancels.append(cancel) }
      if let task = load.task { cancels.append(task.cancel) }
      self.load = nil
    }
    return cancels
  }

  private mutating func forget(keepingLoad kept: Int?) -> [@Sendable () -> Void] {
    var cancels = (next.list + previous.list).compactMap(\.watcher).map { watcher in { @Sendable in watcher.cancel() } }
    if let initialWatcher { cancels.append { initialWatcher.cancel() } }
    let load = load, isKept = load != nil && load?.id == kept
    if !isKept, let cancel = load?.cancel { cancels.append(cancel) }
    if !isKept, let task = load?.task { cancels.append(task.cancel) }
    var empty = Self()
    (empty.fetch, empty.lastFetch, empty.fetchWaiterCount, empty.lastLoad) = (
      fetch, lastFetch, fetchWaiterCount, lastLoad
    )
    (empty.generation, empty.lastGeneration) = (generation, lastGeneration)
    if isKept { empty.load = load }
    self = empty
    return cancels
  }

  /// The pages for which the one list had to begin anew since a clearing of the cache.
  func begunAnew(since clearing: StoreEpoch) -> Set<Variables> {
    begunAnew.flatMap { $0.clearing == clearing ? $0.pages : nil } ?? []
  }

  mutating func noteBegunAnew(_ pages: Set<Variables>, since clearing: StoreEpoch) { begunAnew = (pages, clearing) }

  /// Begins a load, unless there is one.
  ///
  /// - Parameter direction: The direction of the page; nil for all pages.
  /// - Returns: The number of the load.
  mutating func beginLoad(_ direction: PaginationDirection?) -> Int? {
    guard load == nil else { return nil }
    lastLoad += 1
    load = Load(id: lastLoad, direction: direction)
    return lastLoad
  }

  /// Takes a result of the first query. A result without data leaves the data that is there.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - wasCleared: Whether the cache was cleared since it was asked for. Then it may not be in the cache, although
  ///     nothing keeps it out. The default is false.
  /// - Returns: The output.
  mutating func take(_ result: GraphQLResult<InitialQuery.Data>, wasCleared: Bool = false) -> Output {
    if initialPage?.data != nil, result.source == .cache || hasBegunLoading { noteChange() }
    takeInitialPage(result, wasCleared: wasCleared)
    return makeOutput(.initial(result))
  }

  /// Whether a page was loaded behind the first one, or is being loaded. (Before that, an answer only follows what the
  /// cache had of a first page.)
  private var hasBegunLoading: Bool { load != nil || !next.loaded.isEmpty || !previous.loaded.isEmpty }

  private mutating func noteChange() {
    wasChanged = true
    // It was said of pages that may not be those of the list any more.
    if isOneList == true { (next.repeated, previous.repeated) = (nil, nil) }
  }

  private mutating func takeInitialPage(_ result: GraphQLResult<InitialQuery.Data>, wasCleared: Bool = false) {
    initialPage = result.following(initialPage)
    guard result.hasData else { return }
    if initialAnswer == nil, !result.hasReportedErrors { initialAnswer = result }
    next.removeThoseInList()
    previous.removeThoseInList()
    // (It may come in another way than by the fetch, such as after that has failed.)
    let isStored = (result.isStored || wasCleared) && initialWatcher?.writesCache == true
    if isStored, next.list.isEmpty, previous.list.isEmpty {
      (isInitialPageStored, isListCut) = (true, false)
    } else if !isStored, isInitialPageStored {
      isListCut = true
    }
  }

  /// Takes the whole list after a page was added to it. Errors of fields are in the list.
  ///
  /// - Parameters:
  ///   - list: The list; nil if the page has no data.
  ///   - page: The page.
  /// - Returns: The output.
  mutating func take(
    list: GraphQLResult<InitialQuery.Data>?, after page: GraphQLResult<PaginatedQuery.Data>
  ) -> Output {
    if let list { takeInitialPage(list) }
    listErrors = list == nil ? page.errors ?? [] : []
    return makeOutput(.paginated(page))
  }

  /// Takes a page beside the others. A result without data leaves the data that is there.
  ///
  /// - Parameters:
  ///   - result: The page.
  ///   - page: Its variables.
  ///   - direction: Where it is.
  ///   - isInList: Whether it is in the one list of the cache, which is not read now. The default is false.
  /// - Returns: The output.
  mutating func take(
    _ result: GraphQLResult<PaginatedQuery.Data>, of page: Variables, _ direction: PaginationDirection,
    isInList: Bool = false
  ) -> Output {
    if let place = self[direction].places[page] {
      let known = self[direction].list[place].result
      self[direction].list[place].result = result.following(known)
      self[direction].list[place].isInList = isInList
    } else {
      self[direction].places[page] = self[direction].list.count
      self[direction].list.append(Page(result: result, isInList: isInList))
    }
    if !isInList, result.hasData, !result.hasReportedErrors, self[direction].answers[page] == nil {
      self[direction].answers[page] = result
    }
    return makeOutput(.paginated(result))
  }

  /// Keeps a watcher for its page.
  mutating func keep(
    _ watcher: GraphQLQueryWatcher<PaginatedQuery>, of page: Variables, _ direction: PaginationDirection
  ) {
    if let place = self[direction].places[page] { self[direction].list[place].watcher = watcher }
  }

  /// Notes that a page has data.
  ///
  /// - Parameters:
  ///   - page: The variables of the page.
  ///   - following: The variables to which the page leads; nil if it is the last page.
  ///   - direction: Where the page is.
  mutating func noteLoaded(_ page: Variables, following: Variables?, _ direction: PaginationDirection) {
    defer { wasChanged = false }
    self[direction].repeated = nil
    // The one list may have been cut in the meantime, so that pages come again, and also the one that was loaded.
    if isOneList == true, wasChanged {
      (next.loaded, previous.loaded) = ([:], [:])
      if following != page { self[direction].loaded[page] = 0 }
      return
    }
    if let order = self[direction].loaded[page] {
      self[direction].loaded = self[direction].loaded.filter { $0.value < order }
    }
    self[direction].loaded[page] = self[direction].loaded.count
    if let following, self[direction].loaded[following] != nil { self[direction].repeated = following }
  }

  /// Makes an output of the pages as they are now, as if one of them had changed.
  ///
  /// - Parameters:
  ///   - page: The variables of the one; nil for the first page.
  ///   - direction: Where it is.
  /// - Returns: The output; nil if the page is not there.
  mutating func output(of page: Variables?, _ direction: PaginationDirection) -> Output? {
    guard let page else { return initialPage.map { makeOutput(.initial($0)) } }
    return self[direction].places[page].map { makeOutput(.paginated(self[direction].list[$0].result)) }
  }

  private mutating func makeOutput(_ updated: Output.QueryWrapper) -> Output {
    var initialPage = initialPage
    if !listErrors.isEmpty {
      let errors = (initialPage?.errors ?? []) + listErrors
      initialPage?.errors = errors
    }
    let output = Output(
      previousPages: previous.list.reversed().map(\.result), initialPage: initialPage,
      nextPages: next.list.map(\.result), lastUpdatedPage: updated)
    infos = PageInfos(of: output)
    return output
  }
}
