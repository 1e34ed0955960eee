public import Apollo
public import ApolloAPI
import ApolloCache
public import ApolloTransport
public import Observation

/// The data of a query for a screen, with what is going on.
///
///     @State private var hero = QueryState(HeroQuery(), client: client)
///
///     var body: some View {
///       switch hero.phase {
///       case .loading: ProgressView()
///       case .waiting: Text("Waiting for a network")
///       case .failed(let error): Text("\(error)")
///       case .content(let data): Text(data.hero?.name ?? "")
///       case .none: EmptyView()
///       }
///     }
///
/// What memory has of the data is there before the first frame. From then on the state follows the cache, like a
/// ``GraphQLQueryWatcher``, until it is released. States of one query share one watcher and one request, unless they are
/// asked for in different ways.
///
/// Data and what is going on are told apart: a request that fails, or that is under way, leaves the data as it is. A screen
/// is drawn anew only if something changes that it reads; equal data changes nothing.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class QueryState<Query: GraphQLQuery> {
  /// The data, or the placeholder; nil if there is none.
  public private(set) var data: Query.Data?
  /// The data of the ``query`` before this one; nil if there was no other.
  public private(set) var previousData: Query.Data?
  /// Whether the ``data`` is a placeholder, which stands there until there is data. It is never written to the cache.
  public private(set) var isPlaceholder = false
  /// How much of the data is there. A placeholder does not count.
  public private(set) var dataState = DataState.empty
  /// Whether data is being asked for.
  public internal(set) var fetchStatus = FetchStatus.idle
  /// Whether a page is being asked for, by ``fetchMore(_:requestConfiguration:)``.
  public internal(set) var isFetchingMore = false
  /// Why the last request failed: an error of the connection, or ``ResultError`` if the response has no data. nil if it did
  /// not, and from the next response on.
  public private(set) var error: (any Error)?
  /// The errors of fields in the last response.
  public private(set) var errors: [GraphQLError] = []
  /// How old the data is, and whether the cache had it; nil without data.
  public private(set) var cacheInfo: CacheInfo?
  /// Whether some of the data is older than it may be, by the ages of the cache. It becomes true at that moment.
  public private(set) var isStale = false

  /// The query. Another one begins anew: it has what memory has of it, and the data of this one becomes ``previousData``.
  /// A request for this one is stopped, and what comes of it is not shown. An equal one changes nothing.
  public var query: Query {
    didSet {
      guard query != oldValue else { return }
      if data != nil, !isPlaceholder { previousData = data }
      restart()
      onQueryChange?(query)
    }
  }

  /// Whether it asks for nothing and shows nothing. The default is false.
  public var isSkipped: Bool {
    didSet {
      if isSkipped != oldValue { restart() }
    }
  }

  /// After how many seconds the query is sent again and again, while the state is in sight. nil, the default: what the
  /// configuration says. See `RequestConfiguration.pollInterval`.
  public var pollInterval: Double? {
    didSet { watch?.poll(self, every: pollInterval) }
  }

  /// Makes what is shown until there is data, of the data of the query before; nil: there is nothing to show.
  ///
  ///     QueryState(SearchQuery(text: text), client: client, placeholder: { $0 })  // what was found before
  public typealias Placeholder = @MainActor (_ previousData: Query.Data?) -> Query.Data?

  @ObservationIgnored let client: ApolloClient?
  @ObservationIgnored private let options: WatchOptions
  @ObservationIgnored private let placeholder: Placeholder?
  @ObservationIgnored private(set) var watch: SharedWatch<Query>?
  /// What is told of another query, such as the binding that the query comes from.
  @ObservationIgnored var onQueryChange: ((Query) -> Void)?
  /// Whether the last request has failed for want of a network.
  @ObservationIgnored private var lackedNetwork = false
  @ObservationIgnored private var refetches: [CheckedContinuation<GraphQLResult<Query.Data>, any Error>] = []
  @ObservationIgnored var more: Task<GraphQLResult<Query.Data>, any Error>?
  @ObservationIgnored var subscriptions: [Task<Void, Never>] = []
  /// Lets the watcher go when the state has been out of sight for long.
  @ObservationIgnored private var grace: Task<Void, Never>?
  @ObservationIgnored private(set) var isHidden = false

  /// Makes a state, which begins at once.
  ///
  /// - Parameters:
  ///   - query: The query, with its variables.
  ///   - client: Sends it. nil: the state has an error that says so.
  ///   - cachePolicy: When the cache is read and when the server is asked. By default the cache if it has all of the data,
  ///     and otherwise the server.
  ///   - requestConfiguration: What is different for its requests. nil, the default: nothing. A state with a configuration
  ///     shares nothing with other states.
  ///   - refetchPolicy: When the server is asked after a change of the cache. By default when the cache no longer has all
  ///     of the data.
  ///   - placeholder: Makes what is shown until there is data. nil, the default: there is nothing to show.
  ///   - isSkipped: Whether it waits until ``isSkipped`` is set to false. The default is false.
  public convenience init(
    _ query: Query, client: ApolloClient?, cachePolicy: any QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: ApolloClient.WatchRefetchPolicy = .onMiss,
    placeholder: Placeholder? = nil, isSkipped: Bool = false
  ) {
    self.init(
      query, client,
      WatchOptions(
        cachePolicy: cachePolicy, requestConfiguration: requestConfiguration, refetchPolicy: refetchPolicy),
      placeholder: placeholder, isSkipped: isSkipped, isHidden: false)
  }

  init(
    _ query: Query, _ client: ApolloClient?, _ options: WatchOptions, placeholder: Placeholder?, isSkipped: Bool,
    isHidden: Bool
  ) {
    self.query = query
    self.client = client
    self.options = options
    self.placeholder = placeholder
    self.isSkipped = isSkipped
    self.isHidden = isHidden
    restart()
  }

  deinit {
    grace?.cancel()
    for subscription in subscriptions { subscription.cancel() }
    if let watch { Task { @MainActor in watch.removeReleased() } }
  }

  // MARK: What a screen shows

  /// What to show.
  public var phase: Phase<Query.Data> {
    if isSkipped { return .none }
    if let data { return .content(data) }
    switch fetchStatus {
    case .paused: return .waiting
    case .idle: return error.map { .failed($0) } ?? .loading
    case .fetching: return .loading
    }
  }

  /// Whether the data is being asked for anew.
  public var isRefreshing: Bool { dataState != .empty && fetchStatus == .fetching }

  // MARK: What a screen does

  /// Asks the server again. What is shown stays until there is an answer, and if there is none.
  ///
  /// Two calls at one time are one request, also of two states that share it.
  ///
  /// - Returns: The response.
  /// - Throws: ``OperationError``, which ``error`` has as well; `CancellationError` if the query was changed, or the state
  ///   skipped or cancelled meanwhile.
  @discardableResult
  public func refetch() async throws -> GraphQLResult<Query.Data> {
    if watch == nil, isHidden, !isSkipped { begin() }
    guard let watch else { throw client == nil ? StateError.noClient : CancellationError() }
    return try await withCheckedThrowingContinuation { continuation in
      refetches.append(continuation)
      watch.refetch()
      lookAtActivity()
    }
  }

  /// Stops a request that is under way, and follows the cache no longer. What is shown stays.
  public func cancel() {
    end()
    setStatus(.idle)
  }

  /// Tells the state that it is out of sight, or in sight again.
  ///
  /// Out of sight it does not poll, and what would have the query sent again (`RequestConfiguration.refetchesOn`) does so when
  /// it is in sight again. After a while it lets its watcher go. What it shows stays.
  ///
  /// - Parameters:
  ///   - isHidden: Whether it is out of sight.
  ///   - grace: After which time it lets its watcher go. The default is 30 seconds.
  public func hide(_ isHidden: Bool, grace: Duration = .seconds(30)) {
    guard isHidden != self.isHidden else { return }
    self.isHidden = isHidden
    self.grace?.cancel()
    self.grace = nil
    guard isHidden else {
      if let watch { watch.hide(self, false) } else if !isSkipped { begin(keepsData: true) }
      return
    }
    guard let watch, let client else { return }
    watch.hide(self, true)
    let clock = client.clock
    self.grace = Task { [weak self] in
      guard (try? await clock.sleep(until: clock.now + grace)) != nil, !Task.isCancelled else { return }
      self?.letGo()
    }
  }

  private func letGo() {
    guard isHidden else { return }
    end()
    rest()
  }

  /// Waits until it is in sight, if there is something to wait for.
  private func rest() { setStatus(dataState == .complete ? .idle : .paused) }

  // MARK: What happens

  private func restart() {
    let wasWatched = watch != nil
    end()
    clearError()
    if isSkipped {
      show(nil)
      setStatus(.idle)
    } else if isHidden, !wasWatched {
      show(client.flatMap { cached($0) })
      rest()
    } else {
      begin()
    }
  }

  private func end() {
    watch?.leave(self)
    watch = nil
    lackedNetwork = false
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    finishRefetches(.failure(CancellationError()))
  }

  /// - Parameter keepsData: Whether what is shown stays if memory does not have all of the data. The default is false.
  private func begin(keepsData: Bool = false) {
    guard let client else {
      error = StateError.noClient
      return
    }
    let cached = cached(client)
    if cached?.data != nil || !keepsData { show(cached) }
    let (watch, isNew) = SharedWatch.find(query, client, options)
    self.watch = watch
    watch.join(self)
    if isHidden { watch.hide(self, true) }
    if let pollInterval { watch.poll(self, every: pollInterval) }
    if options.cachePolicy.requestPolicy == .returnCacheDataElseFetch, cached?.cacheInfo.isHit == true {
      if isNew { watch.follow() }
    } else {
      watch.ask(options.cachePolicy)
    }
    lookAtActivity()
    if data == nil, let placeholder = placeholder?(previousData) {
      data = placeholder
      isPlaceholder = true
    }
  }

  /// What memory has, if the cache is to be read.
  private func cached(_ client: ApolloClient) -> GraphQLResult<Query.Data>? {
    switch options.cachePolicy.requestPolicy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: return nil
    default: break
    }
    let own = options.requestConfiguration, defaults = client.defaultRequestConfiguration
    return client.store.readIfInMemory(
      query, ttlEnforcement: own?.ttlEnforcement ?? defaults.ttlEnforcement ?? .strict,
      returnsPartialData: own?.returnsPartialData ?? defaults.returnsPartialData ?? false)
  }

  /// A request has begun, or has ended, or there is a network again or none any more.
  func lookAtActivity() {
    guard let watch else { return }
    if lackedNetwork, !watch.isAsking, !watch.isOffline { watch.refetch() }
    if watch.isAsking {
      setStatus(watch.isOffline ? .paused : .fetching)
    } else {
      // (What a request has brought was handed out before this.)
      finishRefetches(.failure(CancellationError()))
      setStatus(lackedNetwork ? .paused : .idle)
    }
  }

  /// Shows why something else than a request of the query has failed.
  func fail(_ error: any Error) { self.error = error }

  /// Some of the data is older than it may be from now on.
  func expire() {
    if data != nil, !isStale { isStale = true }
  }

  /// - Parameters:
  ///   - result: What the watcher has delivered.
  ///   - isLast: Whether nothing more comes of its request.
  func receive(_ result: Result<GraphQLResult<Query.Data>, any Error>, isLast: Bool) {
    guard let watch else { return }
    switch result {
    case .success(let result):
      if isLast { lackedNetwork = false }
      if result.hasData || result.source == .cache {
        show(result)
        clearError()
      } else {
        // What was shown before is better than nothing.
        setErrors(result.errors ?? [])
        do { _ = try result.dataOrThrow() } catch { self.error = error }
      }
    case .failure(let failure):
      if failure.isSignOut {
        // What was shown was for the user who is gone.
        show(nil)
        previousData = nil
      }
      lackedNetwork = failure.isNetworkFailure && watch.isOffline
      error = failure
    }
    guard isLast else { return }
    setStatus(lackedNetwork ? .paused : .idle)
    finishRefetches(result)
  }

  private func finishRefetches(_ result: Result<GraphQLResult<Query.Data>, any Error>) {
    let waiting = refetches
    refetches = []
    for refetch in waiting { refetch.resume(with: result) }
  }

  private func show(_ result: GraphQLResult<Query.Data>?) {
    let data = result?.data, state = Self.state(of: result)
    if !areEqual(self.data, data) { self.data = data }
    if isPlaceholder { isPlaceholder = false }
    if dataState != state { dataState = state }
    setErrors(result?.errors ?? [])
    cacheInfo = data == nil ? nil : result?.cacheInfo
    let isStale = cacheInfo?.isStale ?? false
    if self.isStale != isStale { self.isStale = isStale }
  }

  private static func state(of result: GraphQLResult<Query.Data>?) -> DataState {
    guard let result, result.hasData else { return .empty }
    if result.hasNext { return .streaming }
    return result.cacheInfo.isPartial ? .partial : .complete
  }

  // Those who observe a property are told of each assignment, also of an equal value.

  private func setStatus(_ status: FetchStatus) {
    if fetchStatus != status { fetchStatus = status }
  }

  private func setErrors(_ errors: [GraphQLError]) {
    if self.errors.map(\.message) != errors.map(\.message) { self.errors = errors }
  }

  private func clearError() {
    if error != nil { error = nil }
  }
}
