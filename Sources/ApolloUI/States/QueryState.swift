public import Apollo
public import ApolloAPI
import ApolloCache
public import ApolloTransport
import Dispatch
public import Observation

/// The data of a query for a screen, with what is going on.
///
///     @State private var hero = QueryState(HeroQuery(), client: client)
///
///     var body: some View {
///       switch hero.phase {
///       case .loading: ProgressView()
///       case .failed(let error): Text("\(error)")
///       case .content(let data): Text(data.hero?.name ?? "")
///       case .none: EmptyView()
///       }
///     }
///
/// What memory has of the data is there before the first frame. From then on the state follows the cache, like a
/// ``GraphQLQueryWatcher``, until it is released.
///
/// Data and what is going on are told apart: a request that fails, or that is under way, leaves the data as it is. A screen
/// is drawn anew only if something changes that it reads; equal data changes nothing.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable
public final class QueryState<Query: GraphQLQuery> {
  /// The data; nil if there is none.
  public private(set) var data: Query.Data?
  /// The data of the ``query`` before this one; nil if there was no other.
  public private(set) var previousData: Query.Data?
  /// How much of the data is there.
  public private(set) var dataState = DataState.empty
  /// Whether data is being asked for.
  public private(set) var fetchStatus = FetchStatus.idle
  /// Why the last request failed: an error of the connection, or ``ResultError`` if the response has no data. nil if it did
  /// not, and from the next response on.
  public private(set) var error: (any Error)?
  /// The errors of fields in the last response.
  public private(set) var errors: [GraphQLError] = []
  /// How old the data is, and whether the cache had it; nil without data.
  public private(set) var cacheInfo: CacheInfo?

  /// The query. Another one begins anew: it has what memory has of it, and the data of this one becomes ``previousData``.
  /// A request for this one is stopped, and what comes of it is not shown. An equal one changes nothing.
  public var query: Query {
    didSet {
      guard query != oldValue else { return }
      if data != nil { previousData = data }
      restart()
    }
  }

  /// Whether it asks for nothing and shows nothing. The default is false.
  public var isSkipped: Bool {
    didSet {
      guard isSkipped != oldValue else { return }
      restart()
    }
  }

  @ObservationIgnored private let client: ApolloClient?
  @ObservationIgnored private let cachePolicy: any QueryCachePolicy
  @ObservationIgnored private let requestConfiguration: RequestConfiguration?
  @ObservationIgnored private let refetchPolicy: ApolloClient.WatchRefetchPolicy
  @ObservationIgnored private var watcher: GraphQLQueryWatcher<Query>?
  /// Tells watchers of earlier queries apart from the one of now.
  @ObservationIgnored private var number = 0
  /// Whether the request that is under way only reads what memory had already.
  @ObservationIgnored private var isReading = false
  @ObservationIgnored private var refetches: [CheckedContinuation<GraphQLResult<Query.Data>, any Error>] = []

  /// Makes a state, which begins at once.
  ///
  /// - Parameters:
  ///   - query: The query, with its variables.
  ///   - client: Sends it. nil: the state has an error that says so.
  ///   - cachePolicy: When the cache is read and when the server is asked. By default the cache if it has all of the data,
  ///     and otherwise the server.
  ///   - requestConfiguration: What is different for its requests, such as an interval for polling. nil, the default: nothing.
  ///   - refetchPolicy: When the server is asked after a change of the cache. By default when the cache no longer has all
  ///     of the data.
  ///   - isSkipped: Whether it waits until ``isSkipped`` is set to false. The default is false.
  public init(
    _ query: Query, client: ApolloClient?, cachePolicy: any QueryCachePolicy = CachePolicy.default,
    requestConfiguration: RequestConfiguration? = nil, refetchPolicy: ApolloClient.WatchRefetchPolicy = .onMiss,
    isSkipped: Bool = false
  ) {
    self.query = query
    self.client = client
    self.cachePolicy = cachePolicy
    self.requestConfiguration = requestConfiguration
    self.refetchPolicy = refetchPolicy
    self.isSkipped = isSkipped
    if !isSkipped { begin() }
  }

  // (A watcher that is released before its first result says so in the log, unless it was cancelled.)
  deinit { watcher?.cancel() }

  // MARK: What a screen shows

  /// What to show.
  public var phase: Phase<Query.Data> {
    if isSkipped { return .none }
    if let data { return .content(data) }
    if let error, fetchStatus == .idle { return .failed(error) }
    return .loading
  }

  /// Whether the data is being asked for anew.
  public var isRefreshing: Bool { data != nil && fetchStatus == .fetching }

  // MARK: What a screen does

  /// Asks the server again. What is shown stays until there is an answer, and if there is none.
  ///
  /// Two calls at one time are one request.
  ///
  /// - Returns: The response.
  /// - Throws: ``OperationError``, which ``error`` has as well; `CancellationError` if the query was changed, or the state
  ///   skipped or cancelled meanwhile.
  @discardableResult
  public func refetch() async throws -> GraphQLResult<Query.Data> {
    guard let watcher else { throw client == nil ? StateError.noClient : CancellationError() }
    return try await withCheckedThrowingContinuation { continuation in
      refetches.append(continuation)
      guard refetches.count == 1 else { return }
      isReading = false
      setStatus(.fetching)
      watcher.start(CachePolicy.fetchIgnoringCacheData)
    }
  }

  /// Stops a request that is under way, and follows the cache no longer. What is shown stays.
  public func cancel() {
    end()
    setStatus(.idle)
  }

  // MARK: What happens

  private func restart() {
    end()
    clearError()
    if isSkipped {
      show(nil)
      setStatus(.idle)
    } else {
      begin()
    }
  }

  private func end() {
    number += 1
    watcher?.cancel()
    watcher = nil
    isReading = false
    finishRefetches(.failure(CancellationError()))
  }

  private func begin() {
    guard let client else {
      error = StateError.noClient
      return
    }
    let policy = cachePolicy.requestPolicy, number = number, defaults = client.defaultRequestConfiguration
    let returnsParts = requestConfiguration?.returnsPartialData ?? defaults.returnsPartialData ?? false
    let enforcement = requestConfiguration?.ttlEnforcement ?? defaults.ttlEnforcement ?? .strict
    var cached: GraphQLResult<Query.Data>?
    switch policy {
    case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: break
    default:
      cached = client.store.readIfInMemory(query, ttlEnforcement: enforcement, returnsPartialData: returnsParts)
    }
    show(cached)
    isReading =
      policy == .returnCacheDataDontFetch || policy == .returnCacheDataElseFetch && cached?.cacheInfo.isHit == true
    setStatus(isReading ? .idle : .fetching)
    // Both are called on the main queue, in the order in which they happen.
    let watcher = GraphQLQueryWatcher(
      client: client, query: query, configuration: requestConfiguration, refetchPolicy: refetchPolicy, queue: .main,
      onActivity: { [weak self] in
        DispatchQueue.main.async { MainActor.assumeIsolated { self?.lookAtActivity(of: number) } }
      },
      resultHandler: { [weak self] result in
        MainActor.assumeIsolated { self?.receive(result, from: number) }
      })
    self.watcher = watcher
    watcher.start(cachePolicy)
  }

  private func lookAtActivity(of number: Int) {
    guard number == self.number, let watcher else { return }
    let isAsking = watcher.isAsking
    if !isAsking {
      isReading = false
      // (What a request has brought was handed out before this.)
      finishRefetches(.failure(CancellationError()))
    }
    setStatus(isAsking && !isReading ? .fetching : .idle)
  }

  private func receive(_ result: Result<GraphQLResult<Query.Data>, any Error>, from number: Int) {
    guard number == self.number else { return }
    let isFinal: Bool
    switch result {
    case .success(let result):
      isFinal = result.source == .server && !result.hasNext
      if result.hasData || result.source == .cache {
        show(result)
        clearError()
      } else {
        // What was shown before is better than nothing.
        setErrors(result.errors ?? [])
        do { _ = try result.dataOrThrow() } catch { self.error = error }
      }
    case .failure(let failure):
      isFinal = true
      if failure.isSignOut {
        // What was shown was for the user who is gone.
        show(nil)
        previousData = nil
      }
      error = failure
    }
    guard isFinal else { return }
    isReading = false
    setStatus(.idle)
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
    if dataState != state { dataState = state }
    setErrors(result?.errors ?? [])
    cacheInfo = data == nil ? nil : result?.cacheInfo
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
