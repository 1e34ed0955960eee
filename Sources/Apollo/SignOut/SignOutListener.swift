import ApolloAPI
import ApolloTransport
import Dispatch

/// Tells a state that has no watcher when the user signs out, as long as it lives: what it shows was for this user. It
/// hears in place of the watcher of events and refetches after which the query would be sent again.
package final class SignOutListener: Watching {
  private struct State {
    var isOver = false
    var hasMissedEvent = false
  }

  private let queries: ActiveQueries
  private let query: (any GraphQLQuery)?
  private let condition: RequestConfiguration.RefetchCondition?
  private let body: @MainActor @Sendable () -> Void
  private let state = Locked(State())

  /// Makes a listener.
  ///
  /// - Parameters:
  ///   - client: The client whose user it is.
  ///   - query: The query whose refetches it notes. nil, the default: none.
  ///   - condition: The events that it notes. nil, the default: none.
  ///   - body: Called when the user signs out.
  package init(
    _ client: ApolloClient, of query: (any GraphQLQuery)? = nil,
    refetchesOn condition: RequestConfiguration.RefetchCondition? = nil,
    _ body: @escaping @MainActor @Sendable () -> Void
  ) {
    queries = client.activeQueries
    self.query = query
    self.condition = condition
    self.body = body
    queries.add(self)
    if condition != nil { queries.listenToSystem() }
  }

  deinit { queries.remove(ObjectIdentifier(self)) }

  /// Whether the time of the user is over: a sign-out has begun since it was made.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether one of the events has come, or the query was to be sent again.
  package var hasMissedEvent: Bool { state.withLock { $0.hasMissedEvent } }

  /// Notes an event.
  func hear(_ event: RefetchEvent) {
    guard let condition, condition.isMet(event) else { return }
    state.withLock { $0.hasMissedEvent = true }
  }

  /// Notes a refetch. It is not known which records the query would read, so it counts for all of them.
  func hear(_ targets: [ApolloClient.RefetchTarget]) {
    guard let query, targets.contains(where: { $0.mayMatch(query) }) else { return }
    state.withLock { $0.hasMissedEvent = true }
  }

  func end(with error: any Error) {
    guard error.isSignOut else { return }
    state.withLock { $0.isOver = true }
    DispatchQueue.main.async { [body] in MainActor.assumeIsolated { body() } }
  }
}
