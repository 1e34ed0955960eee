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
      // Nothing tells the watcher of a write that came between its own and this.
      if !isHidden, result.isStored, reading.isOvertaken { self.request(reading) }
    }
  }

  /// Delivers an answer with the data of the cache, unless an optimistic update hides a part of it.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - reading: What the cache has.
  ///   - request: The number of the request that has brought the answer.
  ///   - willTake: Called before that, with whether it is hidden. By default nothing is.
  /// - Returns: Whether it was delivered.
  @discardableResult func take(
    _ answer: GraphQLResult<Query.Data>, _ reading: ReadResult<Query.Data>, of request: Int,
    willTake: (_ isHidden: Bool) -> Void = { _ in }
  ) -> Bool {
    var result = answer
    if result.isStored, !result.hasReportedErrors, reading.errors.isEmpty, case .success(let data) = reading.data {
      result.data = data
    } else if result.isStored, result.hasData, result.tellsWhereErrorsAre {
      // An optimistic update hides a part of it, and the result without the update is not what is to be shown.
      if reading.isMissOfLayers {
        willTake(true)
        noteHidden(result, of: request)
        return false
      }
      takeWithErrors(reading, &result)
    }
    willTake(false)
    deliver(.success(result), of: request)
    return true
  }

  /// Takes what the cache has of a result, where one of them has errors. A result without errors does not become a failure
  /// because of those in another part of a list.
  private func takeWithErrors(_ reading: ReadResult<Query.Data>, _ result: inout GraphQLResult<Query.Data>) {
    var taken = result
    guard taken.take(reading) else { return }
    result = (try? errorPolicy.apply(to: taken, of: Query.operationName)) ?? result
  }
}
