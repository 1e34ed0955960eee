import ApolloOutbox
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

/// Something that watches the cache for a user.
protocol Watching: AnyObject, Sendable {
  /// Ends it, because the user has signed out or the client was closed.
  func end(with error: any Error)

  /// Notes an event that may be a reason to send a query again. The default is to do nothing.
  func hear(_ event: ApolloClient.RefetchEvent)

  /// Notes that queries are sent again. The default is to do nothing.
  func hear(_ targets: [ApolloClient.RefetchTarget])
}

extension Watching {
  func hear(_ event: ApolloClient.RefetchEvent) {}
  func hear(_ targets: [ApolloClient.RefetchTarget]) {}
}

/// A query that is watched.
protocol ActiveQuery: Watching {
  var watchedQuery: any GraphQLQuery { get }

  /// Whether its answers are in the cache, so that others with an equal query have them as well.
  var sharesAnswers: Bool { get }

  /// Whether it reads a record.
  func reads(_ key: CacheKey) -> Bool

  /// Whether an event is a reason to send it again.
  func refetches(on event: ApolloClient.RefetchEvent) -> Bool

  /// There is a network again, or there is none any more.
  func networkDidChange()

  /// Waits until the request that is under way has ended, if there is one.
  func waitUntilAnswered() async

  /// Sends it again.
  ///
  /// - Returns: A task that ends with the request, and does not keep the query; nil if the query is no longer watched.
  func sendAgain() -> Task<RequestFate, Never>?
}

/// The queries of a client that are watched, and what the system says of the app and of the network.
final class ActiveQueries: Sendable {
  private struct State {
    var watching: [ObjectIdentifier: Weak] = [:]
    var lastNumber = 0
    var isInBackground = false
    var isSigningOut = false
    var observers: [SystemObserver] = []
    /// Knows whether there is a network; nil as long as no query needs to know.
    var network: NetworkListener?
    var clock: any ClientClock
  }

  private struct Weak {
    weak var watching: (any Watching)?
    /// When it was added, so that queries are sent in this order.
    let number: Int
  }

  private let state: Locked<State>
  /// The monitor of the client; nil if it has none: then the system is asked.
  private let monitor: (any NetworkMonitor)?

  init(_ clock: any ClientClock, _ monitor: (any NetworkMonitor)? = nil) {
    state = Locked(State(clock: clock))
    self.monitor = monitor
  }

  var isInBackground: Bool { state.withLock { $0.isInBackground } }

  /// Whether there is no network, as far as the client's monitor, or the system, knows.
  var isOffline: Bool { state.withLock { $0.network }?.monitor.isOnline == false }

  /// By which they are sent again. Tests set it.
  var clock: any ClientClock {
    get { state.withLock { $0.clock } }
    set { state.replace(\.clock, with: newValue) }
  }

  private var watching: [any Watching] {
    state.withLock { state in
      state.watching.values.sorted { $0.number < $1.number }.compactMap(\.watching)
    }
  }

  var all: [any ActiveQuery] { watching.compactMap { $0 as? any ActiveQuery } }

  func add(_ watching: any Watching) {
    state.withLock { state in
      state.lastNumber += 1
      state.watching[ObjectIdentifier(watching)] = Weak(watching: watching, number: state.lastNumber)
    }
  }

  // MARK: The user

  /// Whether the user is being signed out: the caches may still have the user's data.
  var isSigningOut: Bool { state.withLock { $0.isSigningOut } }

  /// From now on, what watches is given no data.
  func beginSignOut() { state.withLock { $0.isSigningOut = true } }

  /// The caches are empty.
  func endSignOut() { state.withLock { $0.isSigningOut = false } }

  /// Ends all that watch.
  func endAll(_ error: any Error) { for watching in watching { watching.end(with: error) } }

  /// Waits until the requests that are under way have ended.
  func waitUntilAnswered() async { for query in all { await query.waitUntilAnswered() } }

  func remove(_ watching: ObjectIdentifier) { state.withLock { _ = $0.watching.removeValue(forKey: watching) } }

  // MARK: Events

  /// Notices from now on what the system says of the app and of the network.
  func listenToSystem(_ center: NotificationCenter = .default) {
    guard state.withLock({ $0.network == nil }) else { return }
    let listener = NetworkListener(monitor ?? SystemNetworkMonitor()) { [weak self] in self?.networkDidChange($0) }
    state.withLock { if $0.network == nil { $0.network = listener } }
    let observers = AppPhase.notifications.compactMap { name, phase -> SystemObserver? in
      guard let event = phase.event else { return nil }
      return SystemObserver(Notification.Name(name), in: center) { [weak self] in self?.post(event) }
    }
    state.withLock { if $0.observers.isEmpty { $0.observers = observers } }
  }

  /// - Parameter isRestored: Whether there is a network again, where there was none.
  private func networkDidChange(_ isRestored: Bool) {
    // (Queries that are sent for the event are not sent once more by states that were waiting.)
    if isRestored { post(.networkRestored) }
    for query in all { query.networkDidChange() }
  }

  /// Sends all queries again for which an event is a reason.
  @discardableResult func post(_ event: ApolloClient.RefetchEvent) -> Int {
    if event == .foreground || event == .background {
      state.withLock { $0.isInBackground = event == .background }
    }
    return send(hear: { $0.hear(event) }, those: { $0.refetches(on: event) }).count
  }

  /// Sends queries again. Those that are equal and share their answers are one group.
  ///
  /// - Parameters:
  ///   - hear: Tells something that watches why, because it may listen in place of a query.
  ///   - isMeant: Whether a query is to be sent.
  /// - Returns: The query of each group, with its request; nil in place of that if none of the watchers is left.
  private func send(
    hear: (any Watching) -> Void, those isMeant: (any ActiveQuery) -> Bool
  ) -> [(query: any GraphQLQuery, request: Task<Bool, Never>?)] {
    // A state may get a watcher in place of its listener now, or a listener in place of its watcher. The new one is
    // added before the former one is asked what it has missed. So listeners come first, and those that are new last.
    let earlier = watching
    for each in earlier { hear(each) }
    let sent = QueryGroup.groups(of: all.filter(isMeant)).map { (query: $0.query, request: $0.send()) }
    let told = Set(earlier.map { ObjectIdentifier($0) })
    for each in watching where !told.contains(ObjectIdentifier(each)) { hear(each) }
    return sent
  }

  // MARK: Targets

  /// Sends the watched queries that match.
  ///
  /// - Returns: The query of each group, with its request; nil in place of that if none of the watchers is left.
  @discardableResult func send(
    _ targets: [ApolloClient.RefetchTarget]
  ) -> [(query: any GraphQLQuery, request: Task<Bool, Never>?)] {
    send(hear: { $0.hear(targets) }, those: { query in targets.contains { $0.matches(query) } })
  }
}

extension ActiveQueries: QueriesByName {
  func refetch(named names: [String]) { send(names.map { .named($0) }) }
}

/// Listens to a network monitor as long as it lives.
private final class NetworkListener: Sendable {
  let monitor: any NetworkMonitor
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - monitor: The monitor.
  ///   - body: Called when there is a network again, or none any more; with true if there is one again, where it was
  ///     known that there was none.
  init(_ monitor: any NetworkMonitor, _ body: @escaping @Sendable (Bool) -> Void) {
    self.monitor = monitor
    let wasKnown = monitor.isOnline != nil
    let changes = monitor.changes()
    // (A network that the monitor has found just now is among the changes, perhaps.)
    let first = monitor.isOnline, isKnown = wasKnown || first == false
    task = Task {
      var last = isKnown ? first : nil
      for await isOnline in changes {
        let wasOnline = last
        last = isOnline
        // A network that was not known before says nothing of a time without one.
        if isOnline, wasOnline == nil { continue }
        // (A change that was taken back before it was looked at comes as one without a difference.)
        body(isOnline && wasOnline == false)
      }
    }
  }

  deinit { task.cancel() }
}

/// Observes a notification as long as it lives.
private final class SystemObserver: Sendable {
  private let center: NotificationCenter
  // Safe: the token is only given back to the center that made it.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(_ name: Notification.Name, in center: NotificationCenter, _ body: @escaping @Sendable () -> Void) {
    self.center = center
    token = center.addObserver(forName: name, object: nil, queue: nil) { _ in body() }
  }

  deinit { center.removeObserver(token) }
}

extension AppPhase {
  fileprivate var event: ApolloClient.RefetchEvent? {
    switch self {
    case .foreground: .foreground
    case .background: .background
    case .end: nil
    }
  }
}

extension ApolloClient.RefetchTarget {
  fileprivate func matches(_ active: any ActiveQuery) -> Bool {
    if case .reading(let key) = self { return active.reads(key) }
    return mayMatch(active.watchedQuery)
  }

  /// Whether a query matches, as far as that can be told without knowing what it reads.
  func mayMatch(_ query: any GraphQLQuery) -> Bool {
    switch self {
    case .type(let type): Swift.type(of: query) == type
    case .named(let name): Swift.type(of: query).operationName == name
    case .query(let other): AnyHashable(query) == AnyHashable(other)
    case .reading, .watched: true
    }
  }
}
