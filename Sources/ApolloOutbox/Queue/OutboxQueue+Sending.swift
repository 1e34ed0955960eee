import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What a mutation goes through once it is its turn.

extension OutboxQueue {
  /// Sends a mutation.
  func start(_ id: UUID) {
    guard var item = mutations[id], let work = item.work else { return }
    item.stage = .sending
    item.sendingCount += 1
    item.retryAt = nil
    item.waitsForNetwork = false
    item.ticket = sender.target.beginSending(.mutation)
    let row = item.row, known = ids.withLock { $0 }, isRepeated = item.isRepeated, sender = sender
    let count = SendingCount()
    item.task = Task.own { [weak self] in
      let result: Result<Data, any Error>
      do {
        result = .success(try await work.send(row, known, isRepeated: isRepeated, by: sender, counting: count))
      } catch {
        result = .failure(error)
      }
      await self?.sent(id, result, count)
    }
    mutations[id] = item
    mutations.underWay.insert(id)
    tell(id, .sending(attempt: item.row.attempts + 1))
    changed()
  }

  private func sent(_ id: UUID, _ result: Result<Data, any Error>, _ count: SendingCount) async {
    guard !isStopped, var item = mutations[id], item.stage == .sending else { return checkIdle() }
    finishing += 1
    defer {
      scheduleAll()
      finished()
    }
    switch result {
    case .success(let answer):
      connectivity.noteQueued(nil)
      item.stage = .answered
      item.row.state = .answered
      item.row.countAttempt()
      item.row.answer = answer
      item.row.failure = nil
      mutations[id] = item
      // What cannot be kept now is kept as soon as it can be. In this launch the mutation is not sent again in any case.
      _ = await persist(Outbox.Change(saving: item.row))
      guard !isStopped else { return }
      await apply(id)
    case .failure(let error):
      mutations.underWay.remove(id)
      item.task = nil
      item.ticket = nil
      item.stage = .waiting
      item.row.countAttempt()
      mutations[id] = item
      connectivity.noteQueued(error)
      if error.isSignOut {
        // The outbox is emptied next. Until then it sends nothing, and what ends has not failed.
        isHeld = true
        return changed()
      }
      await failed(id, error, count)
    }
  }

  /// A try has failed: it is tried again later, or the mutation is given up.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - error: Why there is no answer.
  ///   - count: How often the mutation was sent in this try: interceptors may send it again.
  private func failed(_ id: UUID, _ error: any Error, _ count: SendingCount) async {
    guard var item = mutations[id], let work = item.work else { return }
    let failure = work.failure(error, clock, isSent: count.isMade)
    let status = failure.httpStatus ?? 0
    // What writes the answer may fail because of the disk as well. Then the mutation may be done.
    let disk = count.isMade ? nil : DiskFailure(failure.error)
    // (If it was sent before, the last error says nothing of that.)
    if count.value <= 1, disk != nil || failure.error.isOfUnsent { item.sendingCount -= 1 }
    // (A transport that makes the request itself has made one that a server answers.)
    if count.isMade || status > 0 { item.row.forgetUnreadables() }
    let isUnreadable = disk == .unreadable && !item.row.countUnreadable(at: clock.date)
    let passes = MaxRetryInterceptor.RetryRule.passes(status, isRepeated: item.isRepeated)
    if status >= 400, !passes, !failure.isNetworkFailure, !item.isRepeated {
      // A server that remembers keys would refuse the next try as well. (What was sent before that may have been done,
      // although no answer came. Then the key stays.)
      item.renewKey()
    }
    // The server may still be doing what was sent before.
    let isBeingDone = status == 409 && passes && item.row.countConflict(at: clock.date)
    mutations[id] = item
    let code = failure.error.sessionCode
    // A caller who cancels takes the mutation out of the outbox. So it was the session, such as one that does not trust
    // the server, or that was invalidated.
    let isInterrupted = failure.error is CancellationError || code == .cancelled
    // (Foundation's own refusal of a certificate is a failure of the network as well.)
    let isOfNetwork = failure.isNetworkFailure || isInterrupted
    let mayPass = isInterrupted || isBeingDone || configuration.retry.retryRule.allowsRetry(failure)
    guard mayPass, !isUnreadable else {
      guard DiskFailure.isOfLostFile(failure.error) else { return giveUp(id, error) }
      let message = "A file of the mutation is gone: \(failure.error)"
      return giveUp(
        id, OperationError(.storage, message, operationName: item.row.operationName, cause: failure.error))
    }
    let limit = min(
      item.row.policy.maximumAttempts.map { max(1, $0) } ?? .max,
      configuration.retry.maxRetries == .max ? .max : configuration.retry.maxRetries + 1)
    // A server that hangs must not hold its scope up for ever.
    if isOfNetwork, code != .timedOut { item.row.countNetworkFailure() }
    guard item.row.attempts - item.row.networkFailures < limit else {
      let message = (error as? any ApolloError)?.message ?? "\(error)"
      return giveUp(
        id,
        OperationError(
          .retriesExhausted, "It failed \(item.row.attempts) times, at last with: \(message)",
          operationName: item.row.operationName, cause: error))
    }
    let backoff = configuration.retry.delay(before: min(item.row.attempts, 60))
    let delay = max(backoff, min(failure.retryAfter ?? 0, longestWait))
    item.waitsForNetwork = isOfNetwork
    if !isOfNetwork { item.failedReturns = 0 } else if item.isTriedByReturn { item.failedReturns += 1 }
    item.isTriedByReturn = false
    item.retryAt = clock.now + .seconds(delay)
    let date = clock.date.addingTimeInterval(delay)
    item.row.notBefore = date
    item.row.failure = Outbox.Row.Failure(error)
    mutations[id] = item
    tell(id, item.waitsForNetwork ? .waitingForNetwork : .waiting(date))
    changed()
    _ = await persist(Outbox.Change(saving: item.row))
    // (Its time may have ended while it was sent, and another mutation may be the first of its line by now.)
    watchExpiry(of: id)
    schedule(item.row.scope)
  }

  /// The longest wait between two tries, in seconds: an hour for a server that asks for it.
  var longestWait: TimeInterval { max(3600, configuration.retry.maxDelay.limitedToYear) }

  /// Brings the answer of a mutation into the cache.
  func apply(_ id: UUID) async {
    guard let item = mutations[id], let work = item.work else { return }
    do {
      let applied = try await work.apply(item.row, replacing: ids, by: sender, ending: item.layer, sent: item.ticket)
      mutations.underWay.remove(id)
      if let refusal = applied.refusal {
        mutations[id]?.ticket = nil
        // (What an earlier launch has sent, and has no files any more, cannot be sent again.)
        return giveUp(id, item.problem ?? refusal)
      }
      if let local = item.row.localID { ids.withLock { $0.set(applied.serverID, for: local) } }
      removeFromLine(id)
      // (Until then it stays in the storage. If the process ends before, the next launch makes the update.)
      if let error = applied.unread { return readLater([id], because: error) }
      mutations.remove(id)
      // When a caller hears of the result, the mutation is gone.
      changed()
      record(.succeeded, of: item.row)
      applied.deliver()
    } catch {
      // The server has done it, so it is not sent again. What it answered does not fit the app.
      mutations.underWay.remove(id)
      removeFromLine(id)
      mutations.remove(id)
      if let local = item.row.localID { ids.withLock { $0.set(nil, for: local) } }
      await hide([item.layer])
      let failure = OperationError.wrap(error, operationName: item.row.operationName)
      record(.failed(failure), of: item.row)
      work.tell(.failed(failure))
    }
    refetchQueries(after: item.row)
    finishing += 1
    unflushed[id] = item.row
    changed()
    Task.own { await self.finish(item.row) }
  }

  /// Asks again for the queries that a mutation names which was done.
  private func refetchQueries(after row: Outbox.Row) {
    guard let names = row.refetchQueries else { return }
    sender.activeQueries.refetch(named: names)
  }

  /// Lets go of an answered mutation, when its answer is on disk in the cache.
  private func finish(_ row: Outbox.Row) async {
    var tries = 0
    while !isStopped {
      do {
        try await sender.target.flush()
        break
      } catch {
        // If the process ends before, the answer is brought into the cache again by the next launch.
        tries += 1
        if tries == 1 { finished() }
        try? await clock.sleep(for: .seconds(min(60, pow(2, Double(min(tries, 6))))))
      }
    }
    // (What ends the outbox has the cache written once more.)
    if !isStopped {
      letGo(row)
      _ = await persist(Outbox.Change())
    }
    if tries == 0 { finished() }
  }

  /// Takes a mutation out of the storage, because its answer is on disk in the cache. It is written with the next change.
  func letGo(_ row: Outbox.Row) {
    guard unflushed.removeValue(forKey: row.id) != nil else { return }
    var change = Outbox.Change()
    change.removed = [row.id]
    if let local = row.localID, let known = ids.withLock({ $0.serverIDs[local] }) { change.serverIDs[local] = known }
    backlog.change.formUnion(change)
  }

  func finished() {
    finishing -= 1
    checkIdle()
  }

  /// Gives a mutation up, and those with it that its policy says. They stay, for the app to dismiss them or to try them
  /// again.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - error: Why it is given up.
  func giveUp(_ id: UUID, _ error: any Error) {
    let failed = fail(id, error)
    guard !failed.isEmpty else { return }
    finishing += 1
    Task.own { await self.tellFailed(failed) }
    changed()
  }

  private func tellFailed(_ failed: [(item: Item, error: any Error)]) async {
    // When a caller hears of the failure, the cache no longer shows the guess.
    await hide(failed.map { $0.item.layer })
    _ = await persist(Outbox.Change())
    // The app may have retried it already.
    for (item, error) in failed where mutations[item.row.id].map({ $0.stage == .failed }) ?? true {
      record(.failed(error), of: item.row)
      item.work?.tell(.failed(error))
    }
    finished()
    scheduleAll()
  }

  /// Takes a mutation out of its line, and those with it that its policy says.
  ///
  /// - Parameters:
  ///   - id: The mutation.
  ///   - error: Why it is given up.
  /// - Returns: The mutations, and why each was given up.
  private func fail(_ id: UUID, _ error: any Error) -> [(item: Item, error: any Error)] {
    guard var item = mutations[id] else { return [] }
    let error = OperationError.wrap(error, operationName: item.row.operationName)
    item.stage = .failed
    item.task = nil
    item.timer?.cancel()
    item.timer = nil
    item.row.state = .failed
    item.row.notBefore = nil
    item.row.failure = Outbox.Row.Failure(error)
    mutations[id] = item
    mutations.failed.insert(id)
    removeFromLine(id)
    backlog.change.formUnion(Outbox.Change(saving: item.row))
    var failed = [(item: item, error: error)]
    let scope = item.row.scope
    if item.pausesScope { mutations.pause(behind: item.row) }
    if item.row.policy.onFailure == .dropScope, !item.isDropped {
      let message = "'\(item.row.operationName)', a mutation before it in the scope '\(scope)', was given up."
      for other in mutations.lines[scope] ?? [] {
        guard let next = mutations[other], next.stage == .waiting, next.row.number > item.row.number else { continue }
        let reason = OperationError(.scopeDropped, message, operationName: next.row.operationName)
        failed += fail(other, reason)
      }
    }
    return failed
  }

  func removeFromLine(_ id: UUID) {
    guard let emptied = mutations.removeFromLine(id) else { return }
    wakings.removeValue(forKey: emptied)?.cancel()
  }
}

extension Error {
  /// Whether the server cannot have done what was sent last: there was no connection, or there were no credentials.
  fileprivate var isOfUnsent: Bool {
    if (self as? any ApolloError)?.code == .credentials { return true }
    let codes: [URLError.Code] = [
      .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
      .internationalRoamingOff, .callIsActive, .secureConnectionFailed, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    ]
    guard let error = sessionError, codes.contains(error.code) else { return false }
    // (On Apple's systems, a cancelled task may be told as one to a server that is not trusted.)
    return (error.userInfo[NSUnderlyingErrorKey] as? URLError)?.code != .cancelled
  }

  /// The code of Foundation's error that this one is about: `timedOut` for the deadline of a try as well. nil if there is
  /// none.
  fileprivate var sessionCode: URLError.Code? { sessionError?.code }

  private var sessionError: URLError? {
    let error = OperationError.unwrap(self)
    let cause: any Error = (error as? any ApolloError)?.cause ?? error
    return cause as? URLError
  }
}
