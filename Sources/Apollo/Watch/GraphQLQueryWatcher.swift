import ApolloOperations
import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
import ApolloCache
public import Foundation
import Logging

/// Runs a query, and delivers its data again each time it changes in the cache.
///
/// Each write that changes the data is delivered once, in the order of the writes. An error is delivered as well, and
/// does not end the watch. It watches until ``cancel()`` is called or the watcher is released.
public final class GraphQLQueryWatcher<Query: GraphQLQuery>: Cancellable, Sendable {
  struct State {
    var watch = WatchState()
    var hasDelivered = false
    /// Whether what was delivered last is kept out of the cache, as the app has said. Then changes of the cache are not those
    /// of what is shown.
    var isApart = false
    /// Whether a result of the last request will follow what it writes. Such writes are its own.
    var isUnanswered = false
    /// Whether a part that a guess leaves has changed and was not delivered yet.
    var owesPart = false
    /// Whether the interval of polling is another one than that of the configuration.
    var isPollingChosen = false
    /// Whether what it shows is out of sight, and whether an event has come since.
    var isHidden = false, hasMissedEvent = false
    /// When the last request was asked for, counted in clearings of the cache.
    var asked = StoreEpoch.current
    /// Identifies its own writes.
    var writes = ObserverWrites(asked: UUID(), automatic: UUID(), name: Query.operationName)
    /// What the last request has brought, if an optimistic update hides a part of it.
    var hidden: HiddenAnswer?
    /// Whether the results are taken.
    var isHeard: @Sendable () -> Bool = { true }
    /// Called when a sign-out, or the end of the client, has ended it.
    var onEnd: (@Sendable () -> Void)?
    // What ends with the watch.
    var observer: ObserverID?
    var fetch: Task<Void, Never>?
    /// Where it is noted what becomes of that request; nil: it may be answered without the server.
    var fate: Locked<RequestFate>?
    var pause: Task<Void, Never>?
    var polling: Polling?
  }

  /// An answer that waits for the end of an optimistic update. (Few watchers have one, so it stands apart.)
  final class HiddenAnswer: Sendable {
    let answer: GraphQLResult<Query.Data>
    /// The number of its request.
    let request: Int
    /// What the cache has in its place below the update, as JSON.
    let cached: [UInt8]?

    init(answer: GraphQLResult<Query.Data>, request: Int, cached: [UInt8]?) {
      (self.answer, self.request, self.cached) = (answer, request, cached)
    }

    /// Whether the cache has something else by now, below the updates that are left.
    func isOlder(than reading: ReadResult<Query.Data>) -> Bool {
      guard reading.isHit, let cached, let data = reading.dataBelowLayers ?? (try? reading.data.get()) else {
        return false
      }
      return cached != data.response().array
    }
  }

  /// The query that is watched.
  public let query: Query
  /// When the server is asked after a change.
  public let refetchPolicy: ApolloClient.WatchRefetchPolicy
  /// Whether the server is asked when the first of the fields is older than it may be.
  public let automaticallyRefreshOnExpiry: Bool
  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) private let client: any ApolloClientProtocol
  let store: ApolloStore
  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) private let context: (any RequestContext)?
  let configuration: RequestConfiguration?
  package let pollInterval: Double?
  let refetchCondition: RequestConfiguration.RefetchCondition?
  /// Whether the client writes results to the cache, where a configuration does not say it.
  let clientWritesCache: Bool
  /// Whether data is delivered of which the cache has a part only.
  let deliversParts: Bool
  let errorPolicy: ErrorPolicy
  /// Where the handler is called; nil: on the thread on which the result arrives.
  let queue: DispatchQueue?
  // Safe: an app's handler (see Handoff).
  nonisolated(unsafe) let resultHandler: GraphQLResultHandler<Query.Data>
  let state = Locked(State())
  /// Called on the queue with everything that happens, in its order, in place of the handler. nil: nothing is.
  private let onEvent: (@Sendable (WatchEvent<Query.Data>) -> Void)?
  /// Called with each whole answer to the query. nil: nothing is.
  let onAnswer: AnswerHandler?

  /// Makes a watcher. It does nothing until one of its functions `fetch` or `refetch` is called;
  /// the function `watch` of ``ApolloClient`` that has a handler makes one and starts it.
  ///
  /// - Parameters:
  ///   - client: An ``ApolloClient``, or a stand-in for one in an app's tests.
  ///   - query: The query to run, with its variables.
  ///   - requestConfiguration: What is different for the requests of this watcher. Only an ``ApolloClient`` uses it.
  ///     nil, the default: nothing.
  ///   - refetchPolicy: When the server is asked after a change. By default when the cache no longer has all of the data.
  ///   - automaticallyRefreshOnExpiry: Whether the server is asked when the first of the fields is older than it may be.
  ///     The default is false.
  ///   - context: A value for interceptors of the app. nil: none.
  ///   - callbackQueue: Where the handler is called. A handler that is isolated to the main actor needs `.main`:
  ///     neither the compiler nor the process checks that, and on another queue it races.
  ///   - resultHandler: Called with each result and each error.
  public convenience init(
    client: any ApolloClientProtocol, query: Query, requestConfiguration: RequestConfiguration? = nil,
    refetchPolicy: ApolloClient.WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    self.init(
      client: client, query: query, configuration: requestConfiguration,
      refetchPolicy: refetchPolicy, automaticallyRefreshOnExpiry: automaticallyRefreshOnExpiry,
      context: context, queue: callbackQueue, resultHandler: resultHandler)
  }

  /// Makes a watcher. It may be one that may take the place of another one: neither of these is told of what the other one
  /// writes, until one of them disowns it.
  package init(
    client: any ApolloClientProtocol, query: Query, configuration: RequestConfiguration? = nil,
    refetchPolicy: ApolloClient.WatchRefetchPolicy = .onMiss, automaticallyRefreshOnExpiry: Bool = false,
    context: (any RequestContext)? = nil, cachePolicy: CachePolicy = .returnCacheDataElseFetch,
    queue: DispatchQueue?, writingAs other: GraphQLQueryWatcher? = nil,
    onEvent: (@Sendable (WatchEvent<Query.Data>) -> Void)? = nil, onAnswer: AnswerHandler? = nil,
    resultHandler: @escaping GraphQLResultHandler<Query.Data>
  ) {
    (self.onEvent, self.onAnswer) = (onEvent, onAnswer)
    self.client = client
    store = client.store
    self.query = query
    self.refetchPolicy = refetchPolicy
    self.automaticallyRefreshOnExpiry = automaticallyRefreshOnExpiry
    self.context = context
    self.configuration = configuration
    let defaults = (client as? ApolloClient)?.defaultRequestConfiguration
    deliversParts = configuration?.returnsPartialData ?? defaults?.returnsPartialData ?? false
    let errorPolicy = configuration?.errorPolicy ?? .inherited
    self.errorPolicy = errorPolicy == .inherited ? defaults?.errorPolicy ?? .all : errorPolicy
    clientWritesCache = defaults?.writeResultsToCache ?? true
    pollInterval = (configuration?.pollInterval ?? defaults?.pollInterval).flatMap { $0 > 0 ? $0 : nil }
    refetchCondition = configuration?.refetchesOn ?? defaults?.refetchesOn
    self.queue = queue?.oneByOne
    self.resultHandler = resultHandler
    var onExpiry: (@Sendable () -> Void)?
    if automaticallyRefreshOnExpiry || onEvent != nil {
      onExpiry = { [weak self] in
        guard let self, !isApart else { return }
        tell(.expiry)
        if automaticallyRefreshOnExpiry { proceed { $0.expire() } }
      }
    }
    if let other { state.withLock { $0.writes = other.state.withLock { $0.writes } } }
    let writes = state.withLock { $0.writes }
    let observer = store.addObserver(ignoring: writes, onExpiry: onExpiry) { [weak self] in
      await self?.cacheDidChange($0)
    }
    state.withLock { ($0.observer, $0.watch) = (observer, WatchState(cachePolicy, configuration)) }
    activeQueries?.add(self)
    if pollInterval != nil || refetchCondition != nil || onEvent != nil { activeQueries?.listenToSystem() }
  }

  var activeQueries: ActiveQueries? { (client as? ApolloClient)?.activeQueries }

  deinit {
    if let notice = earlyEnd { Logger(label: "apollo").notice("\(notice)") }
    cancel()
  }

  /// What is logged when the watcher is released before its handler was ever called; nil if it was called, or is not to
  /// be.
  var earlyEnd: String? {
    guard state.withLock({ $0.watch.hasAsked && !$0.hasDelivered && !$0.watch.isEnded }) else { return nil }
    return
      "The watcher of \(Query.operationName) was released before its first result, so its handler is never called. "
      + "If that was not meant, keep what watch(query:resultHandler:) returns."
  }

  /// Asks the server again. It stops a request of this watcher that is under way.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked. By default the server is asked whatever the
  ///     cache has.
  ///   - requestConfiguration: What is different for this request. nil: the watcher's configuration.
  public func refetch(
    cachePolicy: some QueryCachePolicy = CachePolicy.fetchIgnoringCacheData,
    requestConfiguration: RequestConfiguration? = nil
  ) { start(cachePolicy, requestConfiguration) }

  /// Runs the query again. It stops a request of this watcher that is under way.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this request. nil: the watcher's configuration.
  public func fetch(cachePolicy: some QueryCachePolicy, requestConfiguration: RequestConfiguration? = nil) {
    start(cachePolicy, requestConfiguration)
  }

  /// Runs the query again, with a fetch behavior of Apollo iOS 2. It stops a request of this watcher that is under way.
  ///
  /// - Parameters:
  ///   - fetchBehavior: When the cache is read and when the server is asked.
  ///   - requestConfiguration: What is different for this request. nil: the watcher's configuration.
  public func fetch(fetchBehavior: FetchBehavior, requestConfiguration: RequestConfiguration? = nil) {
    start(fetchBehavior, requestConfiguration)
  }

  /// Runs the query and delivers its results. It stops a request that is under way.
  ///
  /// - Parameters:
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - configuration: What is different for this request. nil, the default: the watcher's configuration.
  /// - Returns: A task that ends when the last result was handed to the queue of the handler. Without a queue, the
  ///   handler has returned by then.
  @discardableResult package func start(
    _ cachePolicy: some QueryCachePolicy, _ configuration: RequestConfiguration? = nil
  ) -> Task<Void, Never> {
    let policy = cachePolicy.requestPolicy
    defer { startPolling() }
    let configuration = configuration ?? self.configuration
    guard let number = change({ $0.ask(under: policy, configuration) }) else { return Task {} }
    return send(number, cachePolicy, configuration)
  }

  /// Watches what the cache has, for a caller that has read it a moment ago, without a request. The server is asked when
  /// data is missing.
  package func follow() {
    startPolling()
    Task { [weak self] in
      await self?.observe { [weak self] reading in
        guard let self else { return }
        if let result = GraphQLResult(reading, of: query, in: store) { deliverCached(result) }
        if !reading.isHit { request(reading) }
      }
    }
  }

  /// Asks the server again, whatever the cache has. It stops a request that is under way.
  package func askAgain() {
    defer { startPolling() }
    if let number = change({ $0.ask() }) { sendByItself(number) }
  }

  /// Tells the watcher how to find out whether its results are taken.
  func setListening(_ isHeard: @escaping @Sendable () -> Bool) { state.withLock { $0.isHeard = isHeard } }

  /// The number of the last request.
  package var lastRequest: Int { state.withLock { $0.watch.lastNumber } }

  /// Changes what the watcher does, and tells of it if a request has begun or has ended.
  @discardableResult func change<Step>(_ body: (inout WatchState) -> Step) -> Step {
    state.withLock { state in
      let request = state.watch.request
      defer {
        // (Under the lock, so that all see one order.)
        if state.watch.request != request, onEvent != nil {
          tell(.requests(last: state.watch.lastNumber, isUnderWay: state.watch.request != nil))
        }
      }
      return body(&state.watch)
    }
  }

  /// Stops watching, and stops a request that is under way. The handler is not called after that.
  public func cancel() {
    change { $0.cancel() }
    stop()
  }

  /// Stops a request that is under way. What was read so far is still watched.
  package func stopRequest() { state.withLock { $0.fetch }?.cancel() }

  func stop() {
    let (observer, tasks) = state.withLock { state in
      let ended = (state.observer, [state.fetch, state.pause])
      (state.observer, state.fetch, state.pause, state.polling) = (nil, nil, nil, nil)
      return ended
    }
    if let observer { store.removeObserver(observer) }
    activeQueries?.remove(ObjectIdentifier(self))
    for task in tasks { task?.cancel() }
  }

  /// Reads the query from the cache, which the caller has written to as this watcher, and watches what was read.
  ///
  /// - Parameter body: Run between what is told of earlier and of later writes. It is given nil if the cache does not
  ///   have all of the data, or has errors that the ``ErrorPolicy`` refuses; and it is not run if the watcher was cancelled.
  package func reread(_ body: @escaping @Sendable (GraphQLResult<Query.Data>?) -> Void) async {
    await observe { [weak self, query, store, errorPolicy] reading in
      let result = GraphQLResult(reading, of: query, in: store)
      body(result.flatMap { try? errorPolicy.apply(to: $0, of: Query.operationName) })
      // (As where a watcher takes its own answer.)
      if !reading.isHit, reading.isOvertaken { self?.request(reading) }
    }
  }

  /// Runs a query as this watcher, which is not told of what the query writes to the cache.
  ///
  /// - Parameters:
  ///   - query: This watcher's query, or another one.
  ///   - policy: When the cache is read and when the server is asked.
  ///   - configuration: What is different for this request. nil: nothing.
  ///   - isAutomatic: Whether it is sent because of a change in the cache. The default is false.
  ///   - writesUncertainResults: Whether a result is written although one of its errors has no path. The default is true.
  /// - Returns: The results. Cancelling the task that iterates them cancels the request.
  package func results<Other: GraphQLQuery>(
    of query: Other, under policy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    isAutomatic: Bool = false, writesUncertainResults: Bool = true
  ) -> AsyncThrowingStream<GraphQLResult<Other.Data>, any Error> {
    let identifier = state.withLock { $0.writes }.identifier(isAutomatic: isAutomatic)
    if let client = client as? ApolloClient {
      var call = OperationCall(
        query, policy, contextIdentifier: identifier, context: context, configuration: configuration)
      call.watch(deliversPartFirst: deliversParts, writesUncertainResults: writesUncertainResults)
      return client.run(call).stream()
    }
    return client.callbackResults(of: Other.self, under: policy.requestPolicy) { queue, handler in
      client.fetch(
        query: query, cachePolicy: policy.requestPolicy, contextIdentifier: identifier, context: context,
        queue: queue, resultHandler: handler)
    }
  }

  /// Reads the query from the cache, and watches what was read. It returns when the body has been run.
  ///
  /// - Parameter body: Run between what is told of earlier and of later writes. It is not run if the watcher was
  ///   cancelled.
  func observe(_ body: @escaping @Sendable (ReadResult<Query.Data>) -> Void) async {
    guard let observer = state.withLock({ $0.observer }) else { return }
    await withCheckedContinuation { done in
      store.observe(query, for: observer, returnsPartialData: deliversParts) {
        body($0)
        done.resume()
      }
    }
  }

  /// Gives the handler what the cache has.
  func deliverCached(_ result: GraphQLResult<Query.Data>) {
    do { deliver(.success(try errorPolicy.apply(to: result, of: Query.operationName))) } catch {
      deliver(.failure(queue == nil ? error : OperationError.unwrap(error)))
    }
  }

  /// - Parameters:
  ///   - result: The result.
  ///   - request: The number of the request that has brought it. nil, the default: none has.
  func deliver(_ result: Result<GraphQLResult<Query.Data>, any Error>, of request: Int? = nil) {
    // (It was made while a user signs out, and will end with that. The data is still the user's.)
    if case .success = result, activeQueries?.isSigningOut == true { return }
    state.withLock { state in
      state.hasDelivered = true
      if case .success(let result) = result, result.hasData { state.isApart = !result.isStored && !writesCache(state) }
    }
    guard onEvent == nil else {
      let data = Query.hasDeferredFragments ? (try? result.get())?.data : nil
      return tell(.result(result, request: request, deferred: data.map { DeferredOutcome(in: $0) }))
    }
    guard let queue else { return resultHandler(result) }
    queue.async { [weak self] in
      guard let self, self.isWatching else { return }
      self.resultHandler(result)
    }
  }

  /// Whether it goes on. When it is told to end, what waits for the queue is not told any more, but the end is.
  private var isWatching: Bool { state.withLock { $0.observer != nil } }

  /// Tells why nothing follows, on the queue.
  func tellEnd(_ error: any Error) {
    if let onEvent { onEvent(.end(error)) } else { resultHandler(.failure(error)) }
  }

  func tell(_ event: WatchEvent<Query.Data>) {
    guard let onEvent, let queue else { return }
    queue.async { [weak self] in
      if self?.isWatching == true { onEvent(event) }
    }
  }
}
