import ApolloTransport
import ApolloCache

extension ApolloClient {
  /// Ends the client, and waits until its files are closed: when this returns, another client can open them.
  ///
  ///     try await client.close()
  ///
  /// A client that is released closes its files as well, but some time later. Watchers and pagers end with an error whose
  /// code is ``ApolloErrorCode/cancelled``; a result that waits for a callback's queue then is not given any more.
  /// Watchers of fragments end without another value. What is in the outbox stays there for the next client. Operations
  /// that are under way go on, and their results are not kept. Neither this client nor another one with the same cache
  /// can be used any more. A second call waits for the first one.
  ///
  /// To remove a user's data, call ``signOut()`` first.
  ///
  /// - Throws: The first error of a part that could not be written. All files are closed nevertheless.
  public func close() async throws {
    let task = closing.withLock { task in
      if let task { return task }
      let new = Task { try await self.closeFiles() }
      task = new
      return new
    }
    try await task.value
  }

  private func closeFiles() async throws {
    activeQueries.endAll(OperationError(.cancelled, "The client was closed."))
    await outbox.close()
    var failure: (any Error)?
    for store in stores {
      do { try await store.flush() } catch { failure = failure ?? error }
      do { try await (store.cache as? any ClosableCache)?.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
