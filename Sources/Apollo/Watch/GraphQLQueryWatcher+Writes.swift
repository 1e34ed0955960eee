import ApolloTransport
import ApolloAPI
package import ApolloCache

// A watcher is not told of what its requests write, because it reads the cache when their results come. What is written by a
// request that brings no result is told to it like the writes of others.

extension GraphQLQueryWatcher {
  /// A request begins. It takes the place of one that has not ended.
  func beginWrites() {
    state.withLock { state in
      if state.isUnanswered { disownWrites(&state) }
      (state.isUnanswered, state.hidden, state.asked) = (true, nil, .current)
    }
  }

  /// A request has ended.
  ///
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - isAnswered: Whether all results have come that follow its writes.
  func endWrites(of number: Int, isAnswered: Bool) {
    state.withLock { state in
      guard state.isUnanswered, state.watch.lastNumber == number else { return }
      state.isUnanswered = false
      if !isAnswered { disownWrites(&state) }
    }
  }

  /// No result follows the writes of the requests so far.
  package func disownWrites() { state.withLock { disownWrites(&$0) } }

  private func disownWrites(_ state: inout State) {
    state.writes = State().writes
    if let observer = state.observer { store.setWrites(state.writes, of: observer) }
  }

  // MARK: Hidden answers

  /// What the last request has brought, if an optimistic update hides a part of it. It is delivered when that is over.
  package var hiddenAnswer: GraphQLResult<Query.Data>? { state.withLock { $0.hidden?.answer } }

  /// Takes the answer to a request of which an optimistic update hides a part.
  func noteHidden(_ hidden: HiddenAnswer) {
    // (It is in the cache, which is followed from now on.)
    state.withLock { ($0.hidden, $0.isApart) = (hidden, false) }
    tell(.hidden(hidden.answer, request: hidden.request))
  }

  /// Takes the hidden answer, because no optimistic update hides anything any more.
  ///
  /// - Returns: The answer, if it has errors: these are not all in the cache. Otherwise nil.
  func takeHidden() -> HiddenAnswer? {
    let hidden = state.withLock { state in
      defer { state.hidden = nil }
      return state.hidden
    }
    return hidden.flatMap { $0.answer.hasReportedErrors ? $0 : nil }
  }
}

extension GraphQLQueryWatcher {
  /// How its writes are known, for an observer that is not told of them either.
  package var ownWrites: ObserverWrites { state.withLock { $0.writes } }
}
