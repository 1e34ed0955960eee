import ApolloAPI

extension RecordEngine {
  /// Whether what was asked for in an epoch is still written: the store has not been cleared since. What has no epoch
  /// always is.
  func takes(_ asked: StoreEpoch?) -> Bool {
    asked.map { $0 >= state.withLock { $0.cleared } } ?? true
  }

  /// Ends the guess of a mutation whose answer is not written any more.
  func drop(_ completion: OptimisticUpdate.Completion?) async {
    if let completion { await removeLayers { $0.token == completion.token } }
  }

  /// Begins the epoch of a clearing, which has its turn later.
  func beginClearing() -> StoreEpoch {
    state.withLock { state in
      state.lastClearing = .begin()
      return state.lastClearing
    }
  }

  // MARK: In a turn

  /// Removes all records, and what guesses show that were made before.
  ///
  /// - Parameter epoch: The epoch that begins with it.
  /// - Throws: What the backend throws. Then nothing has changed, unless it is a ``RecordBackend``: that may have
  ///   removed the records. So they leave the memory all the same, and what the backend still has is loaded again.
  func clear(beginning epoch: StoreEpoch) async throws {
    var failure: (any Error)?
    if let backend {
      state.withLock { $0.isPersisting = true }
      do { try await backend.run { try await $0.clear() } } catch {
        guard backend.records != nil else {
          giveUp()
          throw error
        }
        failure = error
      }
    }
    state.withLock { $0.unwrittenDates.removeAll() }
    begin(epoch)
    var table = table
    let changes = table.removeAll(), run = await runLayers(onLoaded: &table)
    commit(table, changes, layers: run)
    if let failure { throw failure }
  }

  /// Begins an epoch. Layers that were asked for before it are gone the next time that layers run.
  func begin(_ epoch: StoreEpoch) {
    state.withLock { state in
      state.cleared = max(state.cleared, epoch)
      state.lastClearing = max(state.lastClearing, epoch)
    }
  }
}

extension ApolloStore {
  /// The epoch that the last call to clear the store has begun.
  package var lastClearing: StoreEpoch { engine.state.withLock { $0.lastClearing } }

  /// Whether the answer to what was asked for in an epoch is written. It is not after a clearing, which has its turn
  /// later than it begins, and which a cache may refuse.
  ///
  /// - Parameter asked: The epoch.
  /// - Returns: Whether it is.
  package func takes(_ asked: StoreEpoch) -> Bool { engine.takes(asked) }
}
