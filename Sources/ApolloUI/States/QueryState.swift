public import Apollo
public import ApolloAPI
import ApolloCache
public import ApolloTransport
public import Observation

/// The data of a query for a screen, with what is going on.
///
///     let hero = QueryState(HeroQuery(), client: client)
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
/// A state begins when it is made. So a model of the app makes it once, above the views that SwiftUI makes again and again;
/// in a view itself, `@Watched` does that.
///
/// What memory has of the data is there before the first frame. From then on the state follows the cache, like a
/// `GraphQLQueryWatcher`, until it is released. States of one query share one watcher and one request, unless they are
/// asked for in different ways.
///
/// Data and what is going on are told apart: a request that fails, or that is under way, leaves the data as it is. A screen
/// is drawn anew only if something changes that it reads; equal data changes nothing.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public final class QueryState<Query: GraphQLQuery>: Observable {
  /// The data, or the placeholder; nil if there is none.
  public internal(set) var data: Query.Data? {
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
  public internal(set) var previousData: Query.Data? {
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
  /// Why the last request failed: an error of the connection, or `ResultError` if the response has no data. nil if it did
  /// not, and from the next response on.
  public var error: (any Error)? { facts.error }
  /// The errors of the last response, and those that the cache has in the place of fields. An error of a field goes
  /// when the field has come in another way.
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
      listeners = [:]
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

  struct Values {
    var query: Query
    var data: Query.Data?, previousData: Query.Data?
  }

  let facts = QueryFacts()
  var values: Values
  let client: ApolloClient?
  let options: WatchOptions
  var placeholder: Placeholder?
  var watch: SharedWatch<Query>?
  /// What is told of another query, such as the binding that the query comes from.
  var onQueryChange: ((Query) -> Void)?
  /// The calls that wait for the answer to a refetch, by their numbers.
  var refetches: [Int: AsyncThrowingStream<GraphQLResult<Query.Data>, any Error>.Continuation] = [:]
  private var lastRefetch = 0
  /// The request for a page, and its number.
  var more: Task<GraphQLResult<Query.Data>, any Error>?
  var lastMore = 0
  /// What is listened to as long as the query is shown, and the tasks that do that while there is a watcher.
  var listeners: [AnyHashable: Listener] = [:]
  var subscriptions: [Task<Void, Never>] = []
  var lastGrace = Duration.seconds(30)
  /// Lets the watcher go when the state has been out of sight for long.
  var grace: Task<Void, Never>?
  // (Flags stand side by side, so that they take up little.)
  var isHidden = false
  /// Whether the last request has failed for want of a network.
  var lackedNetwork = false
  /// Whether an event has come while it was out of sight with a watcher, or the watcher went while it was asking.
  var hasMissedEvent = false
  /// Whether what is shown is in the cache, or was when it came.
  var isStored = false
  /// Whether it follows the cache no longer, as the app has said.
  var isCancelled: Bool {
    get { facts.isCancelled }
    set { if newValue != facts.isCancelled { facts.isCancelled = newValue } }
  }
  /// The errors of the last response that the cache does not have.
  var responseErrors: [GraphQLError] = []
  /// Tells a state without a watcher when the user signs out, and hears of events and refetches for it.
  var signOutListener: SignOutListener?

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
    isHidden: Bool, inPlaceOf former: QueryState? = nil
  ) {
    let formerData = former.flatMap { $0.isPlaceholder ? nil : $0.values.data }
    values = Values(query: query, previousData: formerData ?? former?.values.previousData)
    self.client = client
    self.options = options
    self.placeholder = placeholder
    facts.isSkipped = isSkipped
    self.isHidden = isHidden
    if let former {
      facts.pollInterval = former.pollInterval
      if query == former.values.query { listeners = former.handOverListeners() }
    }
    restart()
  }

  deinit {
    grace?.cancel()
    more?.cancel()
    for subscription in subscriptions { subscription.cancel() }
    if let watch { Task { @MainActor in watch.removeReleased() } }
  }

  // MARK: What a screen shows

  /// What to show.
  public var phase: Phase<Query.Data> {
    if isSkipped { return .none }
    if let data { return .content(data) }
    if isCancelled { return error.map { .failed($0) } ?? .none }
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
  /// Two calls at one time are one request, also of two states that share it. If the task of a call is cancelled, this
  /// returns at once, and the request goes on as long as the state lives.
  ///
  /// - Returns: The response.
  /// - Throws: `OperationError`, whose cause is in ``error`` if it has one; ``StateError`` if the state is skipped or has
  ///   no client; `CancellationError` if the task was cancelled, the query was changed, or the state was skipped or
  ///   cancelled meanwhile. A response without data is returned, and its `ResultError` is in ``error`` only.
  @discardableResult
  public func refetch() async throws -> GraphQLResult<Query.Data> {
    guard client != nil else { throw StateError.noClient }
    guard !isSkipped else { throw StateError.isSkipped }
    if watch == nil {
      isCancelled = false
      begin(keepsData: true, asks: false)
    }
    guard let watch else { throw CancellationError() }
    let (answers, answer) = AsyncThrowingStream<GraphQLResult<Query.Data>, any Error>.makeStream()
    lastRefetch += 1
    let number = lastRefetch
    refetches[number] = answer
    defer {
      refetches[number] = nil
      beginGrace()
    }
    watch.refetch()
    lookAtActivity()
    return try await Self.first(of: answers)
  }

  private nonisolated static func first(
    of answers: AsyncThrowingStream<GraphQLResult<Query.Data>, any Error>
  ) async throws -> GraphQLResult<Query.Data> {
    for try await answer in answers { return answer }
    // (An iteration ends without an element when its task is cancelled.)
    throw CancellationError()
  }

  /// Stops a request that is under way, and follows the cache no longer. What is shown stays. ``refetch()``,
  /// ``fetchMore(_:requestConfiguration:)``, or another ``query``, begins anew.
  public func cancel() {
    isCancelled = true
    end()
    forgetMore()
    hasMissedEvent = false
    keepUntilSignOut(hearsEvents: false)
    setStatus(.idle)
  }

  /// Waits until it is in sight, if there is something to wait for.
  func rest() { setStatus(dataState == .complete ? .idle : .paused) }

  // MARK: What happens

  /// A request has begun, or has ended.
  func lookAtActivity() {
    guard let watch else { return }
    // (What a request has brought was handed out before this.)
    if !watch.isAsking {
      finishRefetches(.failure(CancellationError()))
      endStreaming()
    }
    showStatus()
  }

  /// There is a network again, or there is none any more.
  func lookAtNetwork() {
    guard let watch else { return }
    if lackedNetwork, !watch.isAsking, !watch.isOffline { watch.refetch() }
    showStatus()
  }

  func showStatus() {
    guard let watch else { return }
    if watch.isAsking || lackedNetwork && watch.isOffline {
      setStatus(watch.isOffline ? .paused : .fetching)
    } else {
      setStatus(.idle)
    }
  }

  /// The watch has ended: the user has signed out, or the client was closed.
  func end(with error: any Error) {
    // What was shown was for the user who is gone.
    if error.isSignOut { forgetData() }
    facts.error = error
    endStreaming()
    setStatus(.idle)
    watch = nil
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    finishRefetches(.failure(error))
  }

  /// Shows why something else than a request of the query has failed.
  func fail(_ error: any Error) { facts.error = OperationError.unwrap(error) }

  /// Some of the data is older than it may be from now on.
  func expire() {
    if data != nil, !isStale { facts.isStale = true }
  }
}
