import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

// What an app does with the mutations of its outbox.

extension OutboxQueue {
  /// Takes a mutation out of the outbox: one that waits, is sent now, or was given up.
  ///
  /// - Returns: False if it was answered already, or is not there.
  func cancel(_ id: UUID) async -> Bool {
    try? await ready()
    return await take([id]) == 1
  }

  func dismiss(_ id: UUID) async -> Bool {
    try? await ready()
    return mutations.failed.contains(id) ? await take([id]) == 1 : false
  }

  func cancelAll() async {
    try? await ready()
    _ = await take(mutations.items.values.filter { $0.stage != .failed }.map(\.row.id))
  }

  /// Takes mutations out of the outbox at once, so that none of them is sent because another one is gone.
  ///
  /// - Returns: How many: those that were answered stay.
  private func take(_ wanted: [UUID]) async -> Int {
    guard !isStopped else { return 0 }
    let taken = wanted.compactMap { mutations[$0] }.filter { $0.stage != .answered }
    guard !taken.isEmpty else { return 0 }
    var change = Outbox.Change()
    for item in taken {
      let id = item.row.id
      item.task?.cancel()
      removeFromLine(id)
      mutations.remove(id)
      mutations.underWay.remove(id)
      mutations.failed.remove(id)
      change.removed.insert(id)
      // Another mutation may make the object, or may have made it.
      guard let local = item.row.localID, mutations.creators[local] == nil,
        ids.withLock({ $0.serverID(for: local) }) == nil
      else { continue }
      ids.withLock { $0.set(nil, for: local) }
      change.serverIDs[local] = .some(nil)
    }
    // From here on it is kept, whatever ends meanwhile.
    backlog.change.formUnion(change)
    for item in taken { resumeScope(item.row.scope) }
    changed()
    await hide(taken.map(\.layer))
    _ = await persist(Outbox.Change())
    for item in taken where item.stage != .failed {
      record(.cancelled, of: item.row)
      item.work?.tell(.cancelled)
    }
    scheduleAll()
    checkIdle()
    return taken.count
  }

  /// Sends a mutation again that was given up.
  ///
  /// - Returns: False if it was not given up, or if the app does not have its operation.
  func retry(_ id: UUID) async -> Bool {
    try? await ready()
    guard !isStopped, var item = mutations[id], item.stage == .failed, item.work != nil else { return false }
    // Without its files it is another mutation.
    guard item.row.failure?.code != ApolloErrorCode.storage.description else { return false }
    item.stage = .waiting
    item.row.state = .queued
    item.row.date = clock.date
    item.row.attempts = 0
    item.row.networkFailures = 0
    (item.row.conflicts, item.row.conflictsSince) = (nil, nil)
    item.row.forgetUnreadables()
    item.row.failure = nil
    item.retryAt = nil
    (item.isTriedByReturn, item.failedReturns) = (false, 0)
    if item.row.answer != nil {
      // A server that knows the key would give the same answer again.
      item.row.answer = nil
      item.renewKey()
    }
    mutations[id] = item
    mutations.failed.remove(id)
    tell(id, .queued)
    await showInPlace(id)
    guard !isStopped, mutations[id]?.stage == .waiting else { return false }
    _ = await persist(Outbox.Change(saving: item.row))
    guard !isStopped, mutations[id]?.stage == .waiting else { return false }
    mutations.insertIntoLine(item.row)
    watchExpiry(of: id)
    resumeScope(item.row.scope)
    scheduleAll()
    changed()
    return true
  }

  /// Goes on with a scope, up to the first of the mutations that are left for which it pauses.
  private func resumeScope(_ scope: String) {
    mutations.pausedScopes[scope] = mutations.failed.compactMap { mutations[$0] }
      .filter { $0.row.scope == scope && $0.pausesScope }.map(\.row.number).min()
  }

  /// Sends what waits, with the credentials of its owner.
  func beginSending() {
    isHeld = false
    watchExpiries()
    scheduleAll()
    changed()
  }

  func setPaused(_ isPaused: Bool) {
    self.isPaused = isPaused
    scheduleAll()
    changed()
  }

  /// Sends at once what waits for a network or for its next try, and waits until nothing more can be sent now. In the
  /// body of a transaction, which the answers wait for, it does not wait.
  func flush() async throws {
    try await ready()
    for id in mutations.items.keys {
      mutations[id]?.retryAt = nil
      mutations[id]?.waitsForNetwork = false
    }
    connectivity.forgetFailures()
    scheduleAll()
    if sender.target.isHeldByCaller { return }
    let waiter = UUID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        idleWaiters[waiter] = continuation
        if Task.isCancelled { endWaiting(waiter) } else { checkIdle() }
      }
    } onCancel: {
      Task.own { await self.endWaiting(waiter) }
    }
    try Task.checkCancellation()
  }

  private func endWaiting(_ waiter: UUID) { idleWaiters.removeValue(forKey: waiter)?.resume() }

  // MARK: What is there

  func loadedEntries(failed: Bool) async -> [Outbox.Entry] {
    try? await ready()
    return entries(failed: failed)
  }

  private func entries(failed: Bool) -> [Outbox.Entry] {
    mutations.items.values.filter { ($0.stage == .failed) == failed }.sorted { $0.row.number < $1.row.number }
      .map { Outbox.Entry($0) }
  }

  var status: Outbox.Status {
    Outbox.Status(
      pending: entries(failed: false), failed: entries(failed: true), isPaused: isPaused,
      isOnline: connectivity.offlineUntil == nil)
  }

  func observe(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    guard !isStopped else {
      continuation.finish()
      return 0
    }
    // What is on a screen is not to wait for the next time that it is tried.
    if reloading.failures > 0 { Task.own { await self.loadAgain() } }
    readAgain()
    // (Whether there is a network is a part of the status, also before the outbox has anything to send.)
    if endListening == nil { listen() }
    return observers.add(continuation)
  }

  func endObserving(_ number: Int) { observers.remove(number) }

  func work<Mutation: GraphQLMutation>(of type: Mutation.Type) -> [(UUID, MutationWork<Mutation>)] {
    mutations.items.values.sorted { $0.row.number < $1.row.number }.compactMap { item in
      (item.work as? MutationWork<Mutation>).map { (item.row.id, $0) }
    }
  }
}
