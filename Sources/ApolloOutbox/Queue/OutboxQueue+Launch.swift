import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

// The beginning and the end of an outbox.

extension OutboxQueue {
  /// Loads what an earlier launch has left, for no call: what the storage throws is told.
  func begin() async {
    do { try await ready() } catch { configuration.onStorageFailure?(error) }
  }

  /// Loads what an earlier launch has left, shows it, and begins to send. What fails is tried again, by the next call at
  /// the latest.
  func ready() async throws {
    try checkIsOpen()
    if isReady { return }
    let task = loading ?? Task { try await load() }
    loading = task
    do { try await task.value } catch {
      if loading == task {
        loading = nil
        loadLater()
      }
      throw error
    }
  }

  /// Loads once more after a while, when the app comes to the foreground, and when the network is back.
  private func loadLater() {
    guard !isStopped else { return }
    reloading.failures += 1
    let end = clock.instant(after: .seconds(min(60, pow(2, Double(min(reloading.failures, 6))))))
    reloading.timer?.cancel()
    reloading.timer = Task { [weak self, clock] in
      guard (try? await clock.sleep(until: end)) != nil else { return }
      await self?.loadAgain()
    }
    guard reloading.foreground == nil else { return }
    reloading.foreground = AppPhaseObserver { [weak self] phase in
      if phase == .foreground { Task { await self?.loadAgain() } }
    }
    endListening = connectivity.onChange { [weak self] isBack in
      if isBack { Task { await self?.loadAgain() } }
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
    configuration.storage.onLoss { [weak self] in Task { await self?.saveAll() } }
    if isStopped { return }
    let rows = usable(contents.rows.filter { $0.owner == owner })
    ids.withLock { $0 = LocalIDs(contents.serverIDs) }
    mutations.nextNumber = Self.numberAfter(contents)
    for row in rows { restore(row) }
    for row in rows where row.state == .answered { await apply(row.id) }
    await show(rows.map(\.id).filter { mutations[$0]?.stage == .waiting })
    reloading.end()
    endListening?()
    let hasFailed = mutations.items.values.contains(where: \.waitsForNetwork)
    endListening = connectivity.onChange(hasFailed: hasFailed) { [weak self] isBack in
      Task { await self?.networkHasChanged(isBack: isBack) }
    }
    isReady = true
    for row in rows where !isStopped {
      if let item = mutations[row.id], item.stage == .waiting, let problem = item.problem { giveUp(row.id, problem) }
    }
    scheduleAll()
    changed()
  }

  /// Takes the storage for this outbox alone.
  ///
  /// - Parameter waits: Whether to wait if another one has it: the outbox of a client that is gone may need a moment to
  ///   end. The default is true.
  /// - Throws: ``OperationError`` if another one has it.
  private func claimStorage(waits: Bool = true) async throws {
    // The other outbox may be of a client with another clock.
    let clock = SystemClock(), end = clock.now + .seconds(10)
    while !UsedStorages.insert(configuration.storage) {
      guard waits, clock.now < end else {
        throw OperationError(
          .configuration, "The storage is used by another outbox. Give each client's outbox a storage of its own.")
      }
      try await clock.sleep(for: .milliseconds(10))
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
      if item.pausesScope { mutations.pausedScopes.insert(row.scope) }
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
    // What is sent may wait for an authenticator that waits for this. It was cancelled, and sends nothing more.
    let answered = mutations.items.values.filter { $0.stage == .answered }.compactMap(\.task)
    await endWork()
    for task in answered { await task.value }
    await endWriting()
    await closeStorage()
    // Last, so that a store that is busy keeps no other outbox waiting for the storage.
    await hideAll()
  }

  /// Ends all work, and takes away what the mutations show: they are another owner's from now on.
  ///
  /// It does not wait for what was sent, which may wait for an authenticator that waits for this. It was cancelled, and
  /// sends nothing more.
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

  private func endWork() async {
    isStopped = true
    reloading.end()
    endListening?()
    for item in mutations.items.values { item.task?.cancel() }
    for waking in wakings.values { waking.cancel() }
    checkIdle()
    for item in mutations.items.values { item.work?.tell(.left) }
    observers.finish()
    _ = await loading?.result
  }

  private func hideAll() async { await sender.target.revert(mutations.items.values.map(\.layer)) }

  private func endWriting(keepsBacklog: Bool = true) async {
    // Copies of files that are made now are removed first: nothing sends them.
    if backlog.keeping > 0 { await withCheckedContinuation { backlog.keepWaiters.append($0) } }
    if keepsBacklog, isReady, !backlog.change.isEmpty { _ = await persist(Outbox.Change()) }
    backlog.isClosed = true
    if backlog.isWriting { await withCheckedContinuation { backlog.endWaiters.append($0) } }
  }

  private func closeStorage() async {
    if hasStorage { await configuration.storage.close() }
    releaseStorage()
  }
}
