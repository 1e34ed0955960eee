import ApolloAPI
public import Foundation

extension ApolloStore {
  /// Shows a change at once that a server has not confirmed, until ``revertOptimisticUpdate(id:)``.
  ///
  ///     try await store.applyOptimisticUpdate(id: "like 7") { transaction in
  ///       try transaction.updateObject(ofType: PostCard.self, withKey: "Post:7") { $0.isLiked = true }
  ///     }
  ///
  /// Reads and watchers see the change. It is not part of what the cache keeps: a backend never has it, and transactions
  /// that write do not see it. It is no longer shown when the cache is cleared. Each time the cache changes below it, the
  /// body runs again on what is there now. So it may run any number of times, on any thread, and should be short. In the
  /// body, a request is an error.
  ///
  /// If the body throws when it runs again, the change is not shown, and ``onOptimisticFailure`` is called. It is tried
  /// again after the next change of the cache.
  ///
  /// - Parameters:
  ///   - id: Names the change. A change of the same name is replaced, and the new one is on top of all others.
  ///   - body: Changes the cache.
  /// - Throws: What the body throws when it runs first; then nothing has happened, and an earlier change of this name
  ///   stays. ``Error/isWithinTransaction(call:transaction:)`` in the body of a transaction.
  @preconcurrency public func applyOptimisticUpdate(
    id: String, _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void
  ) async throws {
    let layer = OptimisticLayer(id: id, token: UUID(), identity: identity, asked: .current, change: body)
    try await engine.inTurn("applyOptimisticUpdate(id:)") { try await engine.add([layer], keepsFailing: false) }
  }

  /// Shows a change at once that a server has not confirmed, and calls a completion.
  ///
  /// - Parameters:
  ///   - id: Names the change. A change of the same name is replaced.
  ///   - body: Changes the cache. It may run any number of times, on any thread.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called when the change is shown, or with what the body threw. nil, the default: nothing is called.
  @preconcurrency public func applyOptimisticUpdate(
    id: String, _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void,
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    let layer = OptimisticLayer(id: id, token: UUID(), identity: identity, asked: .current, change: body)
    engine.whenTurnComes(
      readsWait: true, { [engine] in try await engine.add([layer], keepsFailing: false) },
      Self.callback(completion, on: callbackQueue))
  }

  /// Takes back a change that was shown by ``applyOptimisticUpdate(id:_:)``. If there is none of this name, nothing
  /// happens.
  ///
  /// - Parameter id: The name of the change.
  /// - Throws: ``Error/isWithinTransaction(call:transaction:)`` in the body of a transaction.
  public func revertOptimisticUpdate(id: String) async throws {
    try await engine.inTurn("revertOptimisticUpdate(id:)") { await engine.removeLayers { $0.id == id } }
  }

  /// Takes back a change that was shown by `applyOptimisticUpdate`, and calls a completion.
  ///
  /// - Parameters:
  ///   - id: The name of the change.
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called when the change is no longer shown. nil, the default: nothing is called.
  public func revertOptimisticUpdate(
    id: String, callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    engine.whenTurnComes(
      readsWait: true, { [engine] in await engine.removeLayers { $0.id == id } },
      Self.callback(completion, on: callbackQueue))
  }

  /// The names of the changes that are shown and not confirmed, the oldest first. Those that were left out because they
  /// threw are among them.
  public var optimisticUpdates: [String] { engine.layers.list.map(\.id) }

  /// Called when an optimistic update throws that did not throw when it ran before, with its name and its error. It is
  /// not called for an error that ``applyOptimisticUpdate(id:_:)`` throws. nil, the default: nothing is called.
  public var onOptimisticFailure: (@Sendable (String, any Swift.Error) -> Void)? {
    get { engine.onOptimisticFailure.withLock { $0 } }
    set { engine.onOptimisticFailure.replace(\.self, with: newValue) }
  }

  /// The optimistic update that the caller runs in; nil if there is none. A request from there is an error.
  package static var runningOptimisticUpdate: String? { HeldTurn.runningLayer }

  /// Whether the caller runs in the body of a transaction of this store, and so would wait for itself if it waited for a
  /// change of the cache.
  package var isHeldByCaller: Bool { HeldTurn.call(holdingTurnOf: engine) != nil }
}

// MARK: Mutations

extension ApolloStore {
  /// Shows the guess of a mutation. If it throws, it is kept, and tried again after the next change of the cache.
  package func begin(_ update: OptimisticUpdate) async throws { try await begin([update]) }

  /// Shows the guesses of several mutations on top of what is shown, in one commit. Guesses of the same names are
  /// replaced.
  package func begin(_ updates: [OptimisticUpdate]) async throws {
    let added = updates.compactMap { update in
      update.guess.map {
        OptimisticLayer(id: update.id, token: update.token, identity: identity, asked: update.asked, change: $0)
      }
    }
    guard !added.isEmpty else { return }
    try await engine.inTurn("perform(mutation:)") { try await engine.add(added, keepsFailing: true) }
  }

  /// Takes the guess of a mutation back that has failed, or was cancelled.
  package func revert(_ update: OptimisticUpdate) async { await revert([update]) }

  /// Takes the guesses of several mutations back, in one commit.
  package func revert(_ updates: [OptimisticUpdate]) async {
    let tokens = Set(updates.map(\.token))
    guard !tokens.isEmpty else { return }
    try? await engine.inTurn("perform(mutation:)") { await engine.removeLayers { tokens.contains($0.token) } }
  }

  /// The end of a mutation's guess.
  ///
  /// - Parameters:
  ///   - update: The guess.
  ///   - change: What is done in the same commit with the result. nil: nothing.
  ///   - unread: Takes what the backend threw when a change needed records of it, for a caller that has all changes
  ///     made later in that case. nil, the default: they are not made later.
  /// - Returns: What ``publish(_:origin:lifetime:completing:)`` is given.
  package func completion(
    of update: OptimisticUpdate, _ change: OptimisticUpdate.Change?, unread: Locked<(any Swift.Error)?>? = nil
  ) -> OptimisticUpdate.Completion {
    OptimisticUpdate.Completion(
      token: update.token, changes: change.map { [$0] } ?? [], identity: identity, unread: unread)
  }

  /// The end of an operation that makes one more change in the commit of its result.
  ///
  /// - Parameters:
  ///   - completion: The end of a guess; nil if there was none.
  ///   - change: The change, which comes first.
  /// - Returns: What ``publish(_:origin:lifetime:completing:)`` is given.
  package func completion(
    _ completion: OptimisticUpdate.Completion?, after change: @escaping OptimisticUpdate.Change
  ) -> OptimisticUpdate.Completion {
    OptimisticUpdate.Completion(
      token: completion?.token ?? UUID(), changes: [change] + (completion?.changes ?? []), identity: identity,
      unread: completion?.unread)
  }

  /// Ends the guess of a mutation whose result has no records for the cache.
  ///
  /// - Parameters:
  ///   - completion: The end.
  ///   - asked: When the mutation was asked for. If the store was cleared since, only the guess ends. nil: that is not known.
  ///   - ticket: The place of the mutation in the order of sending. nil, the default: it has none.
  /// - Returns: What the change or the backend threw; nil if neither did.
  package func complete(
    _ completion: OptimisticUpdate.Completion, asked: StoreEpoch?, sent ticket: SendingTicket? = nil
  ) async -> (any Swift.Error)? {
    do {
      return try await engine.inTurn("perform(mutation:)") {
        await engine.complete(completion, asked: asked, sent: ticket)
      }
    } catch {
      return error
    }
  }
}
