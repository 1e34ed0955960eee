import ApolloCache
import ApolloAPI
import Foundation

// What an outbox keeps.

extension OutboxQueue {
  /// Has the storage make a change, together with what it has not made yet. Calls that come while it writes share the
  /// next write.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - id: The mutation that the change is about. nil, the default: none alone.
  /// - Returns: What the storage threw; nil: the change is kept. Otherwise it is tried again later.
  func persist(_ change: Outbox.Change, of id: UUID? = nil) async -> (any Error)? {
    if backlog.isClosed { return CancellationError() }
    backlog.change.formUnion(change)
    return await withCheckedContinuation { continuation in
      backlog.waiters.append(Backlog.Waiter(id: id, continuation: continuation))
      guard !backlog.isWriting else { return }
      backlog.isWriting = true
      Task.own { await self.write() }
    }
  }

  private func write() async {
    while !backlog.waiters.isEmpty {
      let all = backlog.change, waiters = backlog.waiters
      backlog.change = Outbox.Change()
      backlog.change.owner = owner
      backlog.waiters = []
      let failures = all.isEmpty ? [:] : await write(all)
      for waiter in waiters {
        // What else could not be written does not fail a mutation that was.
        let failure: (any Error)? = if let id = waiter.id { failures[id] } else { failures.values.first }
        waiter.continuation.resume(returning: failure)
      }
    }
    backlog.isWriting = false
    for waiter in backlog.endWaiters { waiter.resume() }
    backlog.endWaiters = []
    checkIdle()
  }

  /// Writes a change; if that fails, mutation by mutation, so that one that cannot be written keeps no other back.
  ///
  /// - Returns: What the storage threw, by the mutation that it threw for; with nil, for what is of none.
  private func write(_ all: Outbox.Change) async -> [UUID?: any Error] {
    if all.saved.count > 1 {
      do {
        try await configuration.storage.write(all)
        backlog.retries = 0
        return [:]
      } catch {}
    }
    var failures: [UUID?: any Error] = [:], rest = Outbox.Change()
    rest.owner = owner
    for (id, part) in all.parts {
      do { try await configuration.storage.write(part) } catch {
        failures[id] = error
        // What cannot be kept for a caller that waits is not kept at all.
        if id.map({ !backlog.adding.contains($0) }) ?? true { rest.formUnion(part) }
      }
    }
    guard let failure = failures.values.first else {
      backlog.retries = 0
      return [:]
    }
    if !rest.isEmpty {
      rest.formUnion(backlog.change)
      backlog.change = rest
      retryStorage()
    }
    configuration.onStorageFailure?(failure)
    return failures
  }

  /// Writes what is left after a while.
  func retryStorage() {
    guard backlog.retry == nil, !backlog.isClosed else { return }
    backlog.retries += 1
    let end = clock.instant(after: .seconds(min(60, pow(2, Double(min(backlog.retries, 6))))))
    backlog.retry = Task.own { [weak self, clock] in
      try? await clock.sleep(until: end)
      await self?.writeBacklog()
    }
  }

  private func writeBacklog() async {
    backlog.retry = nil
    if !backlog.isClosed, !backlog.change.isEmpty { _ = await persist(Outbox.Change()) }
  }

  /// Writes everything again, because the storage has lost it.
  func saveAll() async {
    guard !backlog.isClosed else { return }
    for item in mutations.items.values where !backlog.adding.contains(item.row.id) {
      backlog.change.formUnion(Outbox.Change(saving: item.row))
    }
    backlog.change.serverIDs.merge(ids.withLock { $0.serverIDs }) { $1 }
    _ = await persist(Outbox.Change())
  }
}

extension Outbox.Change {
  /// The change, mutation by mutation; with nil, what is of none. Those that came first come first.
  fileprivate var parts: [(id: UUID?, change: Outbox.Change)] {
    var others = self
    others.saved = [:]
    let rows = saved.values.sorted { $0.number < $1.number }
    return (others.isEmpty ? [] : [(nil, others)]) + rows.map { ($0.id, Outbox.Change(saving: $0)) }
  }
}
