import Apollo
import ApolloAPI
import ApolloCache
import ApolloConcurrency
import Foundation

/// Finds out whether the cache has the one list of a query all the time, whatever part of it may be missing.
///
/// The first page that comes into a cache without the list is the list: a page from its middle must not be that.
final class ListPresence<Query: GraphQLQuery>: Sendable {
  private struct State: Sendable {
    var observer: ObserverID?
    var wasGone = false
  }

  private let query: Query
  private let store: ApolloStore
  private let state = Locked(State())

  init(of query: Query, in store: ApolloStore) {
    (self.query, self.store) = (query, store)
    let observer = store.addObserver(ignoring: ObserverWrites(asked: UUID())) { [weak self] written in
      guard let self, let observer = state.withLock({ $0.observer }) else { return }
      await written.observe(self.query, for: observer) { [weak self] in self?.take($0) }
    }
    state.withLock { $0.observer = observer }
  }

  deinit {
    if let observer = state.withLock({ $0.observer }) { store.removeObserver(observer) }
  }

  /// Looks at the cache, and follows it from then on.
  ///
  /// - Returns: Whether the list is there.
  func isThere() async -> Bool {
    guard let observer = state.withLock({ $0.observer }) else { return true }
    await withCheckedContinuation { done in
      store.observe(query, for: observer) { reading in
        self.take(reading)
        done.resume()
      }
    }
    return !state.withLock { $0.wasGone }
  }

  /// Whether the list has been there since ``isThere()`` was called.
  func hasStayed() async -> Bool {
    await store.waitUntilTold()
    return !state.withLock { $0.wasGone }
  }

  private func take(_ reading: ReadResult<Query.Data>) {
    guard !reading.isHit, !reading.isMissOfLayers, let miss = reading.firstMiss else { return }
    // (What is missing in an element is missing in a list.)
    let isInElement = miss.path.contains { if case .index = $0 { true } else { false } }
    if !isInElement { state.withLock { $0.wasGone = true } }
  }
}
