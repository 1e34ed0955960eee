import ApolloTransport
import ApolloAPI
import ApolloCache
import Logging

extension GraphQLQueryWatcher {
  // MARK: What follows

  /// Called by the store for each write that concerns this query, in the order of the writes.
  func cacheDidChange(_ written: WrittenState) async {
    guard let observer = state.withLock({ $0.isApart ? nil : $0.observer }) else { return }
    // (It is looked for only if it may have to be named.)
    let mayWarn = written.cause != .outside && state.withLock { $0.watch.hasAskedEnough }
    let field = mayWarn ? written.changedField(of: observer) : nil
    // A watcher of the cache alone follows the part that a guess leaves. Others wait for the end of the guess. (A record
    // may have to be loaded first. Then the next change, whatever it concerns, may bring what this one has changed.)
    if deliversParts {
      let concerns = written.concerns(observer)
      state.withLock { $0.owesPart = !$0.watch.asksServer && ($0.owesPart || concerns) }
    }
    await written.observe(query, for: observer, returnsPartialData: deliversParts) { [weak self] reading in
      guard let self, !reading.isMissOfLayers || state.withLock({ $0.owesPart }) else { return }
      state.withLock { $0.owesPart = false }
      if let hidden = takeHidden() {
        take(hidden.answer, reading, of: hidden.request, isLate: hidden.isOlder(than: reading))
      } else if let result = GraphQLResult(reading, of: query, in: store) {
        deliverCached(result)
      }
      if mayWarn, field != nil, asks(for: reading) { warn(of: written.cause, field, written) }
      self.request(reading, since: written.cause)
    }
  }

  /// Asks the server if what the cache has is a reason to.
  ///
  /// - Parameters:
  ///   - reading: What the cache has.
  ///   - cause: What changed it. nil, the default, if it is looked at again.
  func request(_ reading: ReadResult<Query.Data>, since cause: ChangeCause? = nil) {
    // It is told when that is over, and looks again.
    if reading.isMissOfLayers { return }
    proceed { watch in
      guard self.asks(for: reading) else {
        watch.haveData(since: cause)
        return .nothing
      }
      return reading.isHit ? watch.wantNewer(since: cause) : watch.lackData(since: cause)
    }
  }

  private func asks(for reading: ReadResult<Query.Data>) -> Bool {
    switch refetchPolicy {
    case .never: false
    case .onMiss: !reading.isHit
    case .always: true
    }
  }

  /// Takes the watch to its next phase, and does what follows.
  func proceed(_ change: (inout WatchState) -> WatchState.Step) {
    switch self.change(change) {
    case .nothing: break
    case .ask(let number, let isAutomatic):
      sendByItself(number, isAutomatic: isAutomatic)
    case .pause(let seconds, let number):
      let clock = activeQueries?.clock ?? .system, end = clock.instant(after: .waiting(seconds))
      let pause = Task { [weak self] in
        if (try? await clock.sleep(until: end)) != nil { await self?.endPause(number) }
      }
      state.withLock { state in
        state.pause?.cancel()
        state.pause = pause
      }
    }
  }

  /// Whether what is shown is kept out of the cache.
  var isApart: Bool { state.withLock { $0.isApart } }

  private func endPause(_ number: Int) async {
    guard change({ $0.endPause(number) }), !isApart else { return }
    await observe { [weak self] in self?.request($0) }
  }

  /// Ends a request. What was noticed while it was under way may be over, so the cache is looked at again.
  func end(_ number: Int) async {
    switch change({ $0.end(number) }) {
    case nil: break
    case _ where isApart: break
    case .change: await observe { [weak self] in self?.request($0) }
    case .expiry: await observe { [weak self] in if $0.isStale { self?.proceed { $0.expire() } } }
    }
  }

  /// Says, once for two operations, that their watchers ask in turn.
  private func warn(of cause: ChangeCause, _ field: String?, _ written: WrittenState) {
    guard case .observer(let other) = cause, written.isFirstFeud(Query.operationName, other) else { return }
    Logger(label: "apollo").warning("\(Self.feudWarning(with: other, field))")
  }

  static func feudWarning(with other: String, _ field: String?) -> String {
    """
    The watchers of \(Query.operationName) and \(other) ask the server in turn: the answer to each of them changes \
    \(field.map { "'\($0)'" } ?? "a field"), so that the other asks again. They wait longer and longer from now on. \
    Give the objects keys and select these in both operations, or select the same fields.
    """
  }
}
