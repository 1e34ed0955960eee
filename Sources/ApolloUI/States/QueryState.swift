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
@MainActor
public final class QueryState<Query: GraphQLQuery>: Observable {
  /// The data, or the placeholder; nil if there is none.
  public private(set) var data: Query.Data? {
    get {
      _ = facts.data
      return values.data
    }
    set {
      values.data = newValue
      facts.data &+= 1
    }
  }
  /// The data of the ``query`` before this one; nil if there was no other.
  public private(set) var previousData: Query.Data? {
    get {
      _ = facts.previousData
      return values.previousData
    }
    set {
      values.previousData = newValue
      facts.previousData &+= 1
    }
  }
  /// Whether the ``data`` is a placeholder, which stands there until there is data. It is never written to the cache.
  public var isPlaceholder: Bool { facts.isPlaceholder }
  /// How much of the data is there. A placeholder does not count.
  public var dataState: DataState { facts.dataState }
  /// Whether data is being asked for.
  public var fetchStatus: FetchStatus { facts.fetchStatus }
  /// Whether a page is being asked for, by ``fetchMore(_:requestConfiguration:)``.
  public var isFetchingMore: Bool { facts.isFetchingMore }
  /// Why the last request failed: an error of the connection, or ``ResultError`` if the response has no data. nil if it did
  /// not, and from the next response on.
  public var error: (any Error)? { facts.error }
  /// The errors of fields in the last response.
  public var errors: [GraphQLError] { facts.errors }
  /// How old the data is, and whether the cache had it; nil without data.
  public var cacheInfo: CacheInfo? { facts.cacheInfo }
  /// Whether some of the data is older than it may be, by the ages of the cache. It becomes true at that moment.
  public var isStale: Bool { facts.isStale }

  /// The query. Another one begins anew: it has what memory has of it, and the data of this one becomes ``previousData``.
  /// A request for this one is stopped, and what comes of it is not shown. An equal one changes nothing.
  public var query: Query {
    get {
      _ = facts.query
      return values.query
    }
    set {
      guard newValue != values.query else { return }
      if data != nil, !isPlaceholder { previousData = data }
      values.query = newValue
      facts.query &+= 1
      restart()
      onQueryChange?(newValue)
    }
  }

  /// Whether it asks for nothing and shows nothing. The default is false.
  public var isSkipped: Bool {
    get { facts.isSkipped }
    set {
      guard newValue != facts.isSkipped else { return }
      facts.isSkipped = newValue
      restart()
    }
  }

  /// After how many seconds the query is sent again and again, while the state is in sight. nil, the default: what the
  /// configuration says. See `RequestConfiguration.pollInterval`.
  public var pollInterval: Double? {
    get { facts.pollInterval }
    set {
      facts.pollInterval = newValue
      watch?.poll(self, every: newValue)
    }
  }

  /// Makes what is shown until there is data, of the data of the query before; nil: there is nothing to show.
  ///
  ///     QueryState(SearchQuery(text: text), client: client, placeholder: { $0 })  // what was found before
  public typealias Placeholder = @MainActor (_ previousData: Query.Data?) -> Query.Data?

  private struct Values {
    var query: Query
    var data: Query.Data?, previousData: Query.Data?
  }

  let facts = QueryFacts()
  private var values: Values
  let client: ApolloClient?
  private let options: WatchOptions
  private let placeholder: Placeholder?
  private(set) var watch: SharedWatch<Query>?
  /// What is told of another query, such as the binding that the query comes from.
  var onQueryChange: ((Query) -> Void)?
  /// Whether the last request has failed for want of a network.
  private var lackedNetwork = false
  private var refetches: [CheckedContinuation<GraphQLResult<Query.Data>, any Error>] = []
  var more: Task<GraphQLResult<Query.Data>, any Error>?
  var subscriptions: [Task<Void, Never>] = []
  /// Lets the watcher go when the state has been out of sight for long.
  var grace: Task<Void, Never>?
  var isHidden = false

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
    values = Values(query: query)
    self.client = client
    self.options = options
    self.placeholder = placeholder
    facts.isSkipped = isSkipped
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

  /// Waits until it is in sight, if there is something to wait for.
  func rest() { setStatus(dataState == .complete ? .idle : .paused) }

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

  func end() {
    watch?.leave(self)
    watch = nil
    lackedNetwork = false
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    finishRefetches(.failure(CancellationError()))
  }

  /// - Parameter keepsData: Whether what is shown stays if memory does not have all of the data. The default is false.
  func begin(keepsData: Bool = false) {
    guard let client else {
      facts.error = StateError.noClient
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
      facts.isPlaceholder = true
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
  func fail(_ error: any Error) { facts.error = error }

  /// Some of the data is older than it may be from now on.
  func expire() {
    if data != nil, !isStale { facts.isStale = true }
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
        do { _ = try result.dataOrThrow() } catch { facts.error = error }
      }
    case .failure(let failure):
      if failure.isSignOut {
        // What was shown was for the user who is gone.
        show(nil)
        previousData = nil
      }
      lackedNetwork = failure.isNetworkFailure && watch.isOffline
      facts.error = failure
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
    if !areEqual(values.data, data) { self.data = data }
    if isPlaceholder { facts.isPlaceholder = false }
    if dataState != state { facts.dataState = state }
    setErrors(result?.errors ?? [])
    facts.cacheInfo = data == nil ? nil : result?.cacheInfo
    let isStale = cacheInfo?.isStale ?? false
    if self.isStale != isStale { facts.isStale = isStale }
  }

  private static func state(of result: GraphQLResult<Query.Data>?) -> DataState {
    guard let result, result.hasData else { return .empty }
    if result.hasNext { return .streaming }
    return result.cacheInfo.isPartial ? .partial : .complete
  }

  // Those who observe a property are told of each assignment, also of an equal value.

  private func setStatus(_ status: FetchStatus) {
    if fetchStatus != status { facts.fetchStatus = status }
  }

  private func setErrors(_ errors: [GraphQLError]) {
    if !(self.errors.isEmpty && errors.isEmpty), self.errors.map(\.message) != errors.map(\.message) {
      facts.errors = errors
    }
  }

  private func clearError() {
    if error != nil { facts.error = nil }
  }
}
