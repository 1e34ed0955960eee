import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache

// The requests of a watcher, one at a time.

extension GraphQLQueryWatcher {
  /// Sends the query, and delivers what comes. It stops a request that is under way.
  ///
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - cachePolicy: When the cache is read and when the server is asked.
  ///   - configuration: What is different for this request. nil: nothing.
  ///   - isAutomatic: Whether it is sent because of a change in the cache. The default is false.
  ///   - fate: Where it is noted what becomes of the request.
  /// - Returns: A task that ends when the last result was handed to the queue of the handler.
  @discardableResult func send(
    _ number: Int, _ cachePolicy: some QueryCachePolicy, _ configuration: RequestConfiguration?,
    isAutomatic: Bool = false, fate: Locked<RequestFate> = Locked(.cancelled)
  ) -> Task<Void, Never> {
    beginWrites()
    let results = results(of: query, under: cachePolicy, configuration, isAutomatic: isAutomatic)
    let task = Task { [weak self] in
      var last = RequestFate.cancelled
      do {
        for try await result in results {
          await self?.receive(result, of: number)
          last = result.isStored && result.hasData && !result.hasNext ? .shared : .own
        }
        self?.endWrites(of: number, isAnswered: !Task.isCancelled)
      } catch {
        last = .own
        self?.endWrites(of: number, isAnswered: false)
        if !Task.isCancelled { await self?.fail(error, of: number) }
      }
      // (What is in the cache is there for the others, also if the watcher has ended since.)
      let end = last != .shared && Task.isCancelled ? RequestFate.cancelled : last
      fate.withLock { $0 = end }
      await self?.end(number)
    }
    let readsCache = cachePolicy.requestPolicy.readsCache
    let stopped = state.withLock { state -> Task<Void, Never>? in
      // (Another thread may have begun a newer request meanwhile.)
      if state.watch.isEnded || state.watch.request.map({ $0 > number }) == true { return task }
      let previous = state.fetch
      (state.fetch, state.fate) = (task, readsCache ? nil : fate)
      return previous
    }
    stopped?.cancel()
    return task
  }

  /// Sends the query as the app has asked for it last, whatever the cache has.
  ///
  /// - Parameters:
  ///   - number: The number of the request.
  ///   - isAutomatic: Whether it is sent because of a change in the cache. The default is false.
  ///   - fate: Where it is noted what becomes of the request.
  /// - Returns: A task that ends when the last result was handed to the queue of the handler.
  @discardableResult func sendByItself(
    _ number: Int, isAutomatic: Bool = false, fate: Locked<RequestFate> = Locked(.cancelled)
  ) -> Task<Void, Never> {
    let (policy, configuration) = state.withLock { ($0.watch.ownPolicy, $0.watch.configuration) }
    return send(number, policy, configuration, isAutomatic: isAutomatic, fate: fate)
  }

  /// Delivers an error, and continues to watch, because the data may come in another way. After a sign-out it may not.
  private func fail(_ error: any Error, of request: Int) async {
    // A callback is given the error itself. A sequence wraps it in an ``OperationError``.
    let error = queue == nil ? error : OperationError.unwrap(error)
    if error.isSignOut { return end(with: error) }
    await observe { [weak self] _ in self?.deliver(.failure(error), of: request) }
  }
}
