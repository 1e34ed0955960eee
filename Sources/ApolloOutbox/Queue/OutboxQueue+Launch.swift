import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

// The beginning and the end of an outbox.

extension OutboxQueue {
  /// Loads what an earlier launch has left, for no call: what the storage throws is told.
  func begin() async {
    defer { holding.continuation.finish() }
    do { try await ready() } catch { configuration.onStorageFailure?(error) }
  }

  /// Loads what an earlier launch has left, shows it, and begins to send. What fails is tried again, by the next call at
  /// the latest. In the body of a transaction, it is shown and sent when the transaction has ended.
  func ready() async throws {
    try checkIsOpen()
    if isReady { return }
    let task =
      loading
      ?? Task.own {
        do { try await self.load() } catch { return error }
        return nil
      }
    loading = task
    if let error = await task.value {
      if loading == task {
        loading = nil
        loadLater()
      }
      throw error
    }
    if !isReady, !sender.target.isHeldByCaller { await restoring?.value }
  }

  /// Loads once more after a while, when the app comes to the foreground, and when the network is back.
  private func loadLater() {
    guard !isStopped else { return }
    reloading.again(by: clock) { [weak self] in await self?.loadAgain() }
    if endListening == nil { listen() }
  }

  /// Learns of changes of the network from now on.
  ///
  /// - Parameter hasFailed: Whether a mutation waits for the network. The default is that none is known to.
  func listen(hasFailed: Bool = false) {
    endListening?()
    endListening = connectivity.onChange(hasFailed: hasFailed) { [weak self] isBack in
      Task.own { [weak self] in await self?.networkHasChanged(isBack: isBack) }
    }
  }

  /// Loads what could not be loaded, unless that is under way.
  func loadAgain() async {
    if !isStopped, !isReady, loading == nil { await begin() }
  }

  func checkIsOpen() throws {
    if isStopped {
      throw OperationError(
        .configuration, "The outbox was closed, has another owner by now, or its client is gone.")
    }
  }

  private func load() async throws {
    try await claimStorage(waits: reloading.failures == 0)
    let contents: Outbox.Contents
    do {
      if UsedStorages.mustBeEmptied(configuration.storage) { try await emptyStorage() }
      contents = try await configuration.storage.load(ownedBy: owner)
    } catch {
      releaseStorage()
      throw error
    }
    configuration.storage.onLoss { [weak self] in Task.own { [weak self] in await self?.saveAll() } }
    if isStopped { return }
    let rows = usable(contents.rows.filter { $0.owner == owner })
    ids.withLock { $0 = LocalIDs(contents.serverIDs) }
    mutations.nextNumber = Self.numberAfter(contents)
    for row in rows { restore(row) }
    reloading.end()
    restoring = Task.own { await self.beginWork(rows) }
  }

  /// Brings into the cache what was loaded, shows it, and begins to send.
  private func beginWork(_ rows: [Outbox.Row]) async {
    for row in rows where row.state == .answered && !isStopped { await apply(row.id) }
    // What is enqueued in the body of a transaction, which may be under way, is on top: so this waits for its end. (There is
    // no update of this name.)
    if !rows.isEmpty { try? await sender.target.revertOptimisticUpdate(id: "") }
    await show(unanswered())
    if isStopped { return }
    listen(hasFailed: mutations.items.values.contains(where: \.waitsForNetwork))
    isReady = true
    for row in rows where !isStopped {
      if let item = mutations[row.id], item.stage == .waiting, let problem = item.problem { giveUp(row.id, problem) }
    }
    watchExpiries()
    scheduleAll()
    changed()
  }

  /// Takes the storage for this outbox alone.
  ///
  /// - Parameter waits: Whether to wait if another one has it: the outbox of a client that is gone may need a moment to
  ///   end. The default is true.
  /// - Throws: ``OperationError`` if another one has it.
  private func claimStorage(waits: Bool = true) async throws {
    // (It is looked for by the system's clock: the other outbox may be of a client with another one.)
    let start = clock.now
    var looks = 0
    while !UsedStorages.insert(configuration.storage) {
      looks += 1
      // One that does not end within about a second is not about to end.
      if looks == 100 { holding.continuation.finish() }
      guard waits, clock.now < start + .seconds(10) else {
        throw OperationError(
          .configuration, "The storage is used by another outbox. Give each client's outbox a storage of its own.")
      }
      try await SystemClock().sleep(for: .milliseconds(10))
    }
    hasStorage = true
  }

  private func releaseStorage() {
    if hasStorage { UsedStorages.remove(configuration.storage) }
    hasStorage = false
  }

  /// Takes a mutation of an earlier launch.
  private func restore(_ row: Outbox.Row) {
    let type = configuration.registry.type(of: row)
    // The earlier launch may have been stopped while it was sent.
    var item = Item(row, type.map { make($0) }, sendingCount: 1)
    switch row.state {
    case .answered:
      // The server has done it. Without the type, its answer cannot be read.
      guard item.work != nil else { return _ = backlog.change.removed.insert(row.id) }
      item.stage = .answered
      item.ticket = sender.target.beginSending(.mutation)
    case .failed:
      item.stage = .failed
      item.work?.restore(failedWith: row.failure?.error(of: row.operationName))
      mutations.failed.insert(row.id)
      if item.pausesScope { mutations.pause(behind: row) }
    case .queued:
      // The clock may have been changed meanwhile.
      let wait = row.notBefore.map { min(max(0, clock.seconds(until: $0)), longestWait) }
      item.retryAt = wait.flatMap { $0 > 0 ? clock.now + .seconds($0) : nil }
      item.waitsForNetwork = item.retryAt != nil && row.failure?.isOfNetwork == true
      mutations.lines[row.scope, default: []].append(row.id)
    }
    mutations.add(item)
  }

  private func make<Mutation: GraphQLMutation>(_ type: Mutation.Type) -> any QueuedWork {
    MutationWork<Mutation>(nil, configuration.registry.registration(of: type))
  }

  /// Ends all work, and takes away what the mutations show: nothing else would end that in a store that lives on.
  ///
  /// What is under way is given up, and stays in the storage. The next outbox over the storage shows again what can be
  /// kept there, and what the registry's closures change.
  func stop() async {
    guard !isStopped else { return }
    await endWork()
    await endWriting()
    await closeStorage()
    // Last, so that a store that is busy keeps no other outbox waiting for the storage.
    await hideAll()
  }

  /// Ends all work, and takes away what the mutations show: they are another owner's from now on.
  func leave() async {
    guard !isStopped else { return }
    await endWork()
    await hideAll()
    await endWriting()
    await closeStorage()
  }

  /// Ends all work, and removes everything of every owner from the storage.
  func removeAll() async throws {
    if !isStopped { await endWork() }
    await hideAll()
    await endWriting(keepsBacklog: false)
    do {
      if !hasStorage { try await claimStorage() }
      try await emptyStorage()
    } catch {
      await closeStorage()
      throw error
    }
    await closeStorage()
  }

  private func emptyStorage() async throws {
    // (It may have been empty, and in use, since the call that wants it emptied.)
    UsedStorages.setMustBeEmptied(configuration.storage, true)
    try await configuration.storage.removeAll()
    try await (configuration.storage as? any Outbox.Storage & UserForgetting)?.forgetUser()
    UsedStorages.setMustBeEmptied(configuration.storage, false)
  }

  /// Ends all work, and waits for the answers that are brought into the cache now.
  ///
  /// It does not wait for what was sent, which may wait for an authenticator that waits for this. It was cancelled, and
  /// sends nothing more.
  private func endWork() async {
    isStopped = true
    rereading.end()
    let answered = mutations.items.values.filter { $0.stage == .answered }.compactMap(\.task)
    reloading.end()
    endListening?()
    for item in mutations.items.values {
      item.task?.cancel()
      item.timer?.cancel()
    }
    for waking in wakings.values { waking.cancel() }
    checkIdle()
    for item in mutations.items.values { item.work?.tell(.left) }
    observers.finish()
    _ = await loading?.value
    let last = [restoring, readingAgain].compactMap(\.self) + answered
    if last.isEmpty { return }
    // (They need the cache, which is free when the transaction has ended.)
    if sender.target.isHeldByCaller { return }
    for task in last { await task.value }
  }

  private func hideAll() async { await hide(mutations.items.values.map(\.layer)) }

  private func endWriting(keepsBacklog: Bool = true) async {
    // Copies of files that are made now are removed first: nothing sends them.
    if backlog.keeping > 0 { await withCheckedContinuation { backlog.keepWaiters.append($0) } }
    if keepsBacklog, hasStorage {
      let rows = unflushed.values
      if !rows.isEmpty, (try? await sender.target.flush()) != nil { rows.forEach(letGo) }
      if !backlog.change.isEmpty { _ = await persist(Outbox.Change()) }
    }
    backlog.isClosed = true
    if backlog.isWriting { await withCheckedContinuation { backlog.endWaiters.append($0) } }
  }

  private func closeStorage() async {
    if hasStorage { await configuration.storage.close() }
    releaseStorage()
  }
}
