import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

/// The mutations of an outbox: what waits, what is under way, and what is next.
///
/// Each scope is a line; the first of each line may be sent. What a mutation goes through:
///
///     queued ─► sent ─► answered (the answer is kept) ─► in the cache ─► the cache is on disk ─► gone
///                 └──► waits (network, backoff) or is given up
///
/// Nothing is sent before it is kept, and nothing is sent again once its answer is kept.
actor OutboxQueue {
  let configuration: Outbox.Configuration
  /// Whose mutations these are, as the storage knows the owner; nil: those without one.
  let owner: String?
  let sender: OutboxSender
  let connectivity: Connectivity
  let clock: any ClientClock
  nonisolated let ids = Locked(LocalIDs())
  /// How many mutations have not been answered, for those who cannot wait.
  nonisolated let shownCount = Locked(0)

  /// Ends when the client's operations need not wait for what is shown.
  nonisolated let holding = AsyncStream.makeStream(of: Void.self)

  var mutations = QueuedMutations()
  var backlog: Backlog
  var observers = Observers()
  var isPaused = false
  /// Nothing is sent yet, because the credentials may be those of another owner.
  var isHeld: Bool
  var isReady = false
  var isStopped = false
  /// Whether no other outbox can use the storage.
  var hasStorage = false
  /// Loads what an earlier launch has left; gives what the storage threw.
  var loading: Task<(any Error)?, Never>?
  /// Brings into the cache, and shows there, what was loaded.
  var restoring: Task<Void, Never>?
  var reloading = Reloading()
  /// The mutations whose guesses or updates need what the cache could not read.
  var unread: Set<UUID> = []
  var rereading = Reloading()
  /// Shows these, and makes their updates; nil: that is not under way.
  var readingAgain: Task<Void, Never>?
  /// What waits for the end of transactions in whose bodies the outbox was called.
  var afterTransaction: Task<Void, Never>?
  var wakings: [String: Task<Void, Never>] = [:]
  var endListening: (@Sendable () -> Void)?
  /// How many mutations are being ended: what became of them is not kept yet, or their answers are in the cache and not
  /// yet on disk for sure.
  var finishing = 0
  /// The mutations whose answers are in the cache, and not yet on disk for sure.
  var unflushed: [UUID: Outbox.Row] = [:]
  var idleWaiters: [UUID: CheckedContinuation<Void, Never>] = [:]

  init(
    _ configuration: Outbox.Configuration, owner: String?, isHeld: Bool, sender: OutboxSender,
    connectivity: Connectivity
  ) {
    self.configuration = configuration
    self.owner = owner
    self.isHeld = isHeld
    backlog = Backlog(owner: owner)
    self.sender = sender
    self.connectivity = connectivity
    clock = sender.route.policies.clock
  }

  // MARK: Which is next

  /// Sends the first mutation of a scope, if it can be sent now.
  func schedule(_ scope: String) {
    guard isReady, !isStopped, !isHeld else { return }
    defer { checkIdle() }
    while let id = mutations.lines[scope]?.first, let item = mutations[id], item.stage == .waiting {
      // (A timer may be early by what dates cannot tell apart.)
      if let end = item.expiry, clock.seconds(until: end) < 0.001 {
        giveUpExpired(item)
        continue
      }
      guard !isPaused, !mutations.isPaused(item.row) else { return wait(id, .queued) }
      switch dependency(of: item) {
      case .unmet(let reason):
        giveUp(id, OperationError(.unknownID, reason, operationName: item.row.operationName))
        continue
      case .awaited: return wait(id, .queued)
      case .met: break
      }
      if let end = item.retryAt, end > clock.now {
        let event: QueueEvent = item.waitsForNetwork ? .waitingForNetwork : .waiting(item.row.notBefore ?? clock.date)
        return wait(id, event, until: end)
      }
      if let end = connectivity.offlineUntil { return wait(id, .waitingForNetwork, until: end) }
      guard mutations.underWay.count < max(1, configuration.maximumConcurrentScopes) else { return wait(id, .queued) }
      // The files of one that came before it may be copied at the moment.
      guard !mutations.isComing(before: item.row.number, in: scope) else { return wait(id, .queued) }
      return start(id)
    }
  }

  /// Looks at all scopes. The one whose first mutation waits for the longest time comes first.
  func scheduleAll() {
    let heads = mutations.lines.compactMap { scope, line in
      line.first.flatMap { mutations[$0]?.row.number }.map { (scope, $0) }
    }
    for (scope, _) in heads.sorted(by: { $0.1 < $1.1 }) { schedule(scope) }
  }

  /// Lets the first mutation of a scope wait: for a time, or until something else happens.
  private func wait(_ id: UUID, _ event: QueueEvent, until time: ContinuousClock.Instant? = nil) {
    tell(id, event)
    guard let scope = mutations[id]?.row.scope else { return }
    wakings.removeValue(forKey: scope)?.cancel()
    guard let time else { return }
    wakings[scope] = Task.own { [weak self, clock] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await self?.schedule(scope)
    }
  }

  // MARK: What is of no use any more

  /// Gives all mutations up whose time is over, when it is. (One that is being added is watched when it is in its line.)
  func watchExpiries() {
    for id in mutations.items.keys where !backlog.adding.contains(id) { watchExpiry(of: id) }
  }

  /// Gives a mutation up when its time is over, wherever it is in its line then.
  func watchExpiry(of id: UUID) {
    guard !isStopped, let item = mutations[id], item.isUnanswered, let end = item.expiry else { return }
    item.timer?.cancel()
    // (Before the date is asked for: if time passes in between, the wait is too short, which does no harm.)
    let now = clock.now
    let time = now + .waiting(clock.seconds(until: end))
    mutations[id]?.timer = Task.own { [weak self, clock] in
      guard (try? await clock.sleep(until: time)) != nil else { return }
      await self?.expire(id)
    }
  }

  private func expire(_ id: UUID) {
    guard isReady, !isStopped, !isHeld, let item = mutations[id], let end = item.expiry else { return }
    // (The date may have been set back meanwhile.)
    if clock.seconds(until: end) >= 0.001 { return watchExpiry(of: id) }
    // (One that is under way is looked at again when that has failed.)
    guard item.stage == .waiting else { return }
    giveUpExpired(item)
    schedule(item.row.scope)
  }

  private func giveUpExpired(_ item: Item) {
    giveUp(
      item.row.id,
      OperationError(
        .expired, "It was not sent within the \(item.row.policy.expiresAfter ?? 0) seconds in which it is of use.",
        operationName: item.row.operationName))
  }

  // MARK: What a mutation waits for

  private enum Dependency {
    case met
    case awaited
    case unmet(String)
  }

  /// Whether the server's ids are known for all temporary ids that a mutation names.
  private func dependency(of item: Item) -> Dependency {
    var isAwaited = false
    for name in item.names {
      switch knowledge(of: name, for: item.row.number) {
      case .server: continue
      case .awaited: isAwaited = true
      case .never(let reason):
        // A mutation that has its number and is not there yet may make the object.
        guard mutations.isComing(before: item.row.number) else {
          return .unmet("It names the temporary id '\(name)': \(reason)")
        }
        isAwaited = true
        mutations.isComingAwaited = true
      }
    }
    return isAwaited ? .awaited : .met
  }

  private func knowledge(of name: String, for number: Int64) -> LocalIDs.Known {
    let known = ids.withLock { $0 }
    if known.serverID(for: name) != nil { return .server }
    let creators = (mutations.creators[name] ?? []).compactMap { mutations[$0] }
    if creators.contains(where: { $0.stage != .failed && $0.row.number < number }) { return .awaited }
    guard let last = creators.last else {
      return .never(
        reason: known.serverIDs.keys.contains(name)
          ? "the server's id is not known. The mutation that makes the object was cancelled, or has no 'idMapping'."
          : "no mutation of this outbox makes that object.")
    }
    if last.row.number >= number { return .never(reason: "the mutation that makes the object was enqueued later.") }
    return .never(reason: "the mutation '\(last.row.operationName)', which makes the object, has failed.")
  }

  func networkHasChanged(isBack: Bool) async {
    if isBack {
      if reloading.failures > 0 { await loadAgain() }
      for (id, item) in mutations.items where item.waitsForNetwork { mutations[id] = endingWait(of: item) }
      scheduleAll()
    }
    changed()
  }

  /// Ends a mutation's wait for the network, which is back. If the network has failed for it in spite of such a return, as
  /// where a server ends its connection each time, each further return leaves a longer wait: otherwise it would be sent again
  /// with each answer to something else.
  ///
  /// - Parameter item: The mutation, which waits for the network.
  /// - Returns: The mutation as it is from now on.
  private func endingWait(of item: Item) -> Item {
    var item = item
    item.isTriedByReturn = true
    if item.failedReturns == 0 {
      item.retryAt = nil
      item.waitsForNetwork = false
    } else if let end = item.retryAt {
      let delay = configuration.retry.delay(before: min(item.failedReturns, 60))
      item.retryAt = min(end, clock.now + .seconds(delay))
    }
    return item
  }

  // MARK: Telling

  func tell(_ id: UUID, _ event: QueueEvent) {
    guard let item = mutations[id] else { return }
    if event.text != item.told { record(event.state, of: item.row) }
    mutations[id]?.told = event.text
    item.work?.tell(event)
  }

  /// Tells the listeners of the client.
  func record(_ state: @autoclosure () -> ClientEvent.OutboxEntry.State?, of row: Outbox.Row) {
    sender.route.policies.events.tell(
      state().map { .outbox(ClientEvent.OutboxEntry(id: row.id, operationName: row.operationName, state: $0)) })
  }

  /// Tells the observers of the outbox that something has changed.
  func changed() {
    let count = mutations.items.count - mutations.failed.count
    shownCount.withLock { $0 = count }
    observers.tell()
  }

  func checkIdle() {
    guard isStopped || isReady && finishing == 0 && !backlog.isWriting && mutations.underWay.isEmpty else { return }
    for waiter in idleWaiters.values { waiter.resume() }
    idleWaiters = [:]
  }
}

extension Outbox.Row.Failure {
  init(_ error: any Error) {
    let known = error as? any ApolloError
    let unknown: ApolloErrorCode =
      if error is CancellationError { .cancelled } else { error.isNetworkFailure ? .network : .other }
    code = (known?.code ?? unknown).description
    message = known?.message ?? "\(error)"
  }

  /// Whether no server has answered: the network has failed, or the session has cancelled the request.
  var isOfNetwork: Bool { [.network, .cancelled].contains(ApolloErrorCode(code)) }

  /// The failure as an error.
  func error(of operationName: String) -> OperationError {
    OperationError(ApolloErrorCode(code), message, operationName: operationName)
  }
}
