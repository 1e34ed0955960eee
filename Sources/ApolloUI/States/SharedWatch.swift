import Apollo
import ApolloAPI
import Dispatch

/// The watcher of a query, for all states that show this query in the same way.
///
/// States of one query have one watcher and one request, if their cache policies and refetch policies are the same and none
/// of them has a request configuration of its own. So what one of them was told does not hold for another one.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
final class SharedWatch<Query: GraphQLQuery> {
  private struct Member {
    weak var state: QueryState<Query>?
    var isHidden = false
    /// In seconds.
    var pollInterval: Double?
  }

  private let watcher: GraphQLQueryWatcher<Query>
  private let asksCacheOnly: Bool
  /// By which other states find it; nil if none is to.
  private let key: WatchKey?
  // (A key path of a generic type is made anew at each use: see Facts.swift.)
  private var members: [Member] = []
  /// Whether the last state has left it, or the watcher has ended.
  private var isEnded = false {
    didSet {
      // (Another one may have taken its place.)
      if isEnded, let key, SharedWatches.all[key] === self { SharedWatches.all[key] = nil }
    }
  }
  /// Whether the request that is under way goes to the server, whatever the cache has.
  private var isRefetching = false
  /// The number of the last request, and whether it is under way, as far as what it has brought was handed out.
  private var last = 0, isUnderWay = false
  /// The request whose last result was handed out, although it has not ended yet.
  private var answered = 0
  /// Whether there was no network at the beginning of the last request, or some time after it.
  private var lackedNetwork = false

  /// Makes a watch, or finds the one that another state has.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - client: Sends it.
  ///   - options: How it is asked for.
  /// - Returns: The watch, and whether it was made.
  static func find(_ query: Query, _ client: ApolloClient, _ options: WatchOptions) -> (watch: SharedWatch, isNew: Bool)
  {
    guard options.requestConfiguration == nil else {
      return (SharedWatch(query, client, options, nil), true)
    }
    let key = WatchKey(query, client, options)
    if let watch = SharedWatches.all[key] as? SharedWatch { return (watch, false) }
    let watch = SharedWatch(query, client, options, key)
    SharedWatches.all[key] = watch
    return (watch, true)
  }

  private init(_ query: Query, _ client: ApolloClient, _ options: WatchOptions, _ key: WatchKey?) {
    self.key = key
    asksCacheOnly = options.asksCacheOnly
    let relay = Relay<Query>()
    // (The watcher tells of everything on its queue, which is the main queue.)
    watcher = GraphQLQueryWatcher(
      client: client, query: query, configuration: options.requestConfiguration, refetchPolicy: options.refetchPolicy,
      cachePolicy: options.cachePolicy.requestPolicy, queue: .main,
      onEvent: { event in MainActor.assumeIsolated { relay.watch?.take(event) } }, resultHandler: { _ in })
    relay.watch = self
  }

  // (A watcher that is released before its first result says so in the log, unless it was cancelled.)
  deinit { watcher.cancel() }

  // MARK: States

  func join(_ state: QueryState<Query>, isHidden: Bool, pollInterval: Double?) {
    members.append(Member(state: state, isHidden: isHidden, pollInterval: pollInterval))
    update()
  }

  func leave(_ state: QueryState<Query>) {
    members.removeAll { $0.state === state }
    removeReleased()
  }

  /// Notices that states are gone.
  func removeReleased() {
    members.removeAll { $0.state == nil }
    isEnded = members.isEmpty
    if isEnded { watcher.cancel() } else { update() }
  }

  /// Tells whether a state is out of sight.
  func hide(_ state: QueryState<Query>, _ isHidden: Bool) { change(state) { $0.isHidden = isHidden } }

  /// Tells how often a state wants to poll.
  func poll(_ state: QueryState<Query>, every interval: Double?) { change(state) { $0.pollInterval = interval } }

  private func change(_ state: QueryState<Query>, _ body: (inout Member) -> Void) {
    guard let place = members.firstIndex(where: { $0.state === state }) else { return }
    body(&members[place])
    update()
  }

  private var pollInterval: Double? = nil {
    didSet {
      if pollInterval != oldValue { watcher.poll(every: pollInterval ?? watcher.pollInterval) }
    }
  }

  /// Whether all states are out of sight.
  private var isHidden = false {
    didSet {
      // (It is sent again for an event that has come.)
      if isHidden != oldValue, watcher.hide(isHidden) { noteRefetch() }
    }
  }

  private func update() {
    let shown = members.filter { !$0.isHidden }
    // A state that was told nothing polls as the configuration says, whatever another one was told.
    let isTold = shown.contains { $0.pollInterval != nil }
    let intervals = isTold ? shown.compactMap { $0.pollInterval ?? watcher.pollInterval } : []
    // (One that does not poll does not keep others from it.)
    pollInterval = intervals.filter { $0 > 0 }.min() ?? intervals.min()
    isHidden = members.allSatisfy { $0.isHidden }
  }

  // MARK: Requests

  /// Whether data is being asked for.
  var isAsking: Bool { isBusy && (!asksCacheOnly || isRefetching) }

  private var isBusy: Bool { isUnderWay && answered != last }

  /// Whether a request has begun of which the states are not told yet.
  var hasNewRequest: Bool { watcher.lastRequest > last }

  /// Whether there is no network, as far as it is known.
  var isOffline: Bool { watcher.isOffline }

  /// Asks for the data, unless that is being done.
  func ask(_ policy: any QueryCachePolicy) {
    if !isBusy { start(policy) }
  }

  private func start(_ policy: any QueryCachePolicy) {
    guard !isEnded else { return }
    watcher.start(policy)
    noteRequest()
  }

  /// Tells the watcher that what is shown already is kept out of the cache.
  func stayApart() { watcher.stayApart() }

  /// Watches what the cache has, which is all of the data.
  func follow() { watcher.follow() }

  /// Asks the server, whatever the cache has, unless that is being done.
  func refetch() {
    if isRefetching, isBusy { return }
    guard !isEnded else { return }
    watcher.askAgain()
    noteRefetch()
  }

  /// A request has begun.
  private func noteRequest() { (last, isUnderWay, lackedNetwork) = (watcher.lastRequest, true, isOffline) }

  /// A request to the server has begun, whatever the cache has.
  private func noteRefetch() {
    isRefetching = true
    noteRequest()
  }

  /// Whether an event has come while all states were out of sight.
  var hasMissedEvent: Bool { watcher.hasMissedEvent }

  // MARK: What happens

  private func take(_ event: WatchEvent<Query.Data>) {
    switch event {
    case .requests(let last, let isUnderWay):
      // (What is told of earlier requests is over.)
      guard last >= self.last else { return }
      if last > self.last { lackedNetwork = isOffline }
      (self.last, self.isUnderWay) = (last, isUnderWay)
      if !isBusy { isRefetching = false }
      for member in members { member.state?.lookAtActivity() }
    case .network:
      // (There was none for a moment, if there is one.)
      if isBusy { lackedNetwork = true }
      for member in members { member.state?.lookAtNetwork() }
    case .expiry: for member in members { member.state?.expire() }
    case .result(let result, let request, let deferred): receive(result, of: request, deferred)
    case .hidden(let result, let request):
      guard request >= last, result.source == .server, !result.hasNext else { return }
      answered = request
      for member in members { member.state?.endRequest(.success(result)) }
    case .end(let error):
      (isEnded, isUnderWay) = (true, false)
      for member in members { member.state?.end(with: error) }
    }
  }

  private func receive(
    _ result: Result<GraphQLResult<Query.Data>, any Error>, of request: Int?, _ deferred: DeferredOutcome?
  ) {
    let isCurrent = request.map { $0 >= last } ?? true
    var isLast = false
    switch result {
    case .success(let result):
      // (After the failure of a request, the cache may stand in for the server.)
      let isAnswer = result.source == .server || result.cacheInfo.fetchError != nil
      isLast = isCurrent && isAnswer && !result.hasNext
    case .failure:
      // A request has taken the place of the one that has failed.
      guard isCurrent else { return }
      isLast = request != nil
    }
    if isLast, let request { answered = request }
    for member in members { member.state?.receive(result, deferred, isLast: isLast) }
    if isLast, result.serverFailure()?.isNetworkFailure == true { askAfterBreak() }
  }

  /// Asks again if a request has failed for want of a network, which was back before the failure came.
  private func askAfterBreak() {
    guard lackedNetwork, !isOffline, !isBusy else { return }
    refetch()
    for member in members { member.state?.lookAtActivity() }
  }
}

/// Reaches a watch from the closures of its watcher, which must not keep it.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private final class Relay<Query: GraphQLQuery>: Sendable {
  @MainActor weak var watch: SharedWatch<Query>?

  nonisolated init() {}
}

/// What states have in common that share a watcher. (An object, because the watch and the table of watches both hold it.)
private final class WatchKey: Hashable {
  private struct Members: Hashable {
    let client: ObjectIdentifier
    let query: AnyHashable
    let cachePolicy: AnyHashable
    let refetchPolicy: ApolloClient.WatchRefetchPolicy
  }

  private let members: Members

  init(_ query: AnyHashable, _ client: ApolloClient, _ options: WatchOptions) {
    members = Members(
      client: ObjectIdentifier(client), query: query, cachePolicy: AnyHashable(options.cachePolicy),
      refetchPolicy: options.refetchPolicy)
  }

  static func == (a: WatchKey, b: WatchKey) -> Bool { a.members == b.members }
  func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// The watches that states have in common, until they end.
@MainActor
private enum SharedWatches {
  static var all: [WatchKey: AnyObject] = [:]
}
