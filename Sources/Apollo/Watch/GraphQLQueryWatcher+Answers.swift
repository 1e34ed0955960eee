import ApolloAPI
import ApolloCache
package import ApolloTransport

// Answers of the server: as they come, and with what the cache has changed in them.

extension GraphQLQueryWatcher {
  /// Takes a whole answer of the server to the query, without what the cache has changed in it.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - isDelivered: Whether the handler of results is called with it next. It is not if another watcher of the query
  ///     has asked, or an optimistic update hides a part of it.
  package typealias AnswerHandler =
    @Sendable (_ answer: GraphQLResult<Query.Data>, _ isDelivered: Bool) -> Void

  /// Tells of an answer to this watcher, and to all others of the same query if the cache has it. One whose place this
  /// watcher may take is not told.
  func tellAnswer(_ answer: GraphQLResult<Query.Data>, isHidden: Bool) {
    guard answer.source == .server, !answer.hasNext, answer.hasData else { return }
    onAnswer?(answer, !isHidden)
    guard answer.isStored, let activeQueries else { return }
    let ownWrites = state.withLock { $0.writes }.identifier(isAutomatic: false)
    for case let other as GraphQLQueryWatcher in activeQueries.all where other.onAnswer != nil && other.query == query {
      let isTold = other.state.withLock { !$0.isApart && $0.writes.identifier(isAutomatic: false) != ownWrites }
      if isTold { other.onAnswer?(answer, false) }
    }
  }

  /// Delivers a result with the data of the cache, which may be newer by now, and starts to watch that data.
  func receive(_ result: GraphQLResult<Query.Data>, of request: Int) async {
    await observe { [weak self] reading in
      guard let self else { return }
      let isHidden = !take(result, reading, of: request) { self.tellAnswer(result, isHidden: $0) }
      // Nothing tells the watcher of a write that came between its own and this, of what its own has left out, or of a
      // clearing before it has read anything.
      if isHidden || reading.isHit { return }
      if result.isStored && reading.isOvertaken || isCleared(result) { self.request(reading) }
    }
  }

  /// Whether an answer would be in the cache if the cache had not been cleared since it was asked for.
  private func isCleared(_ answer: GraphQLResult<Query.Data>) -> Bool {
    guard answer.source == .server, answer.hasData else { return false }
    let asked = state.withLock { writesCache($0) ? $0.asked : nil }
    return asked.map { !store.takes($0) } ?? false
  }

  /// Delivers an answer with the data of the cache, unless an optimistic update hides a part of it.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - reading: What the cache has.
  ///   - request: The number of the request that has brought the answer.
  ///   - isLate: Whether something else was written since the answer was. The default is false.
  ///   - willTake: Called before that, with whether it is hidden. By default nothing is.
  /// - Returns: Whether it was delivered.
  @discardableResult func take(
    _ answer: GraphQLResult<Query.Data>, _ reading: ReadResult<Query.Data>, of request: Int, isLate: Bool = false,
    willTake: (_ isHidden: Bool) -> Void = { _ in }
  ) -> Bool {
    var result = answer
    // (What was written after a clearing is newer than an answer that was asked for before.)
    let isFollowed = result.isStored || isCleared(result)
    if isFollowed, !result.hasReportedErrors, reading.errors.isEmpty, case .success(let data) = reading.data {
      result.data = data
      result.noteStored()
    } else if isFollowed, result.hasData, result.tellsWhereErrorsAre {
      // An optimistic update hides a part of it, and the result without the update is not what is to be shown. (Where
      // the app wants parts, one of the cache may be the part that is left.)
      if reading.isMissOfLayers, result.source == .server || !deliversParts {
        willTake(true)
        let cached = reading.dataBelowLayers?.response().array
        noteHidden(HiddenAnswer(answer: result, request: request, cached: cached))
        return false
      }
      takeWithErrors(reading, isLate: isLate, &result)
    }
    willTake(false)
    deliver(.success(result), of: request)
    return true
  }

  /// Takes what the cache has of a result, where one of them has errors. A result without errors does not become a failure
  /// because of those in another part of a list. In place of an answer that is late, the cache counts where it has
  /// values instead of errors.
  private func takeWithErrors(
    _ reading: ReadResult<Query.Data>, isLate: Bool, _ result: inout GraphQLResult<Query.Data>
  ) {
    var taken = result
    if !taken.take(reading) {
      guard isLate, let cached = GraphQLResult(reading, of: query, in: store) else { return }
      taken = cached
      for error in result.errors ?? [] {
        var single = result
        single.errors = [error]
        if single.take(reading), single.errors?.count ?? 0 > reading.errors.count {
          taken.errors = (taken.errors ?? []) + [error]
        }
      }
    }
    result = (try? errorPolicy.apply(to: taken, of: Query.operationName)) ?? result
  }
}
