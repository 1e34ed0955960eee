import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import ApolloCache
import Foundation

extension GraphQLQueryWatcher: ActiveQuery {
  func end(with error: any Error) {
    stop()
    guard let queue else {
      resultHandler(.failure(error))
      return cancel()
    }
    queue.async {
      if !self.state.withLock({ $0.watch.isEnded }) { self.resultHandler(.failure(error)) }
      self.cancel()
    }
  }

  var watchedQuery: any GraphQLQuery { query }

  func reads(_ key: CacheKey) -> Bool {
    state.withLock { $0.observer }.map { store.isObserved(key, by: $0) } ?? false
  }

  func refetches(on event: ApolloClient.RefetchEvent) -> Bool { refetchCondition?.isMet(event) ?? false }

  func waitUntilAnswered() async { await state.withLock { $0.fetch }?.value }

  func refetchToEnd() async {
    guard let number = change({ $0.ask() }) else { return }
    await send(number, CachePolicy.fetchIgnoringCacheData, configuration).value
  }
}
