import Apollo

// The connection opens, breaks, and opens again.

extension ConnectionMachine {
  mutating func connect(at now: Instant) {
    phase = .connecting(until: now + timeouts.connection)
    idleSince = nil
    acknowledgedAt = nil
    actions.append(.connect)
  }

  mutating func connectIfIdle(at now: Instant) {
    if case .idle = phase { connect(at: now) }
  }

  /// Ends the connection from this side. The caller then sets the next phase.
  mutating func disconnect(_ code: WebSocketCloseCode, reason: String = "") {
    if case .ready = phase, subprotocol.hasTermination { actions.append(.send(.connectionTerminate)) }
    actions.append(.disconnect(code, reason: reason))
  }

  mutating func forgetConnection() {
    idleSince = nil
    unread = UnreadBytes(limit: unread.limit)
    (waitsForRoom, waitingPong) = (false, nil)
    heartbeat = Heartbeat()
    operations.markAllUnsent()
  }

  /// Resets the failures if the connection has lasted for `stableAfter`.
  private mutating func forgetFailures(ifStableAt now: Instant) {
    guard let acknowledgedAt, now - acknowledgedAt >= reconnection.stableAfter else { return }
    failures = ReconnectionPolicy.Failures()
  }

  mutating func lost(_ error: WebSocketError, at now: Instant) {
    guard isOpen else { return }
    afterLoss(error, at: now)
  }

  /// Tries again for those operations that may be sent again, if the error allows it; the others fail.
  mutating func afterLoss(_ error: WebSocketError, at now: Instant) {
    actions.append(.notify(.disconnected(error)))
    forgetFailures(ifStableAt: now)
    if mayRenewCredentials(after: error, at: now) { return renewCredentials(error) }
    guard let nature = error.natureOfLoss else { return giveUp(error) }
    if error.isOrderlyClose, acknowledgedAt != nil, reconnection.isOff(for: nature) {
      for operation in operations.all where operation.type == .subscription { finish(operation.id) }
    }
    finishAll(error) { !$0.isResendable }
    forgetConnection()
    guard !operations.isEmpty else { return becomeIdle() }
    guard let delay = reconnection.delay(after: failures, nature, random: random()) else {
      let attempts = failures.count + 1
      return giveUp(attempts == 1 ? error : WebSocketError(.retriesExhausted(attempts: attempts), error: error))
    }
    // One line for all failures in a row.
    if failures.count == 0 { actions.append(.warn(error, nextAttemptAfter: delay)) }
    failures.add(nature)
    phase = .backingOff(until: now + delay)
    reportAll(.reconnecting(attempt: failures.count, delay: delay))
  }

  private mutating func giveUp(_ error: WebSocketError) {
    forgetConnection()
    finishAll(error)
    becomeIdle()
  }

  // MARK: Credentials

  private func mayRenewCredentials(after error: WebSocketError, at now: Instant) -> Bool {
    renewsCredentials && error.isRefusalOfCredentials && credentialsAreFreshUntil.map { $0 <= now } ?? true
  }

  /// Waits for other credentials. Operations of all types that the server has not seen yet wait, too.
  private mutating func renewCredentials(_ error: WebSocketError) {
    finishAll(error) { $0.isSent && !$0.isResendable }
    forgetConnection()
    guard !operations.isEmpty else { return becomeIdle() }
    phase = .renewing(error)
    actions.append(.renewCredentials)
    reportAll(.reconnecting(attempt: failures.count + 1, delay: .zero))
  }

  mutating func renewed(_ result: Result<Bool, WebSocketError>, at now: Instant) {
    guard case .renewing(let refusal) = phase else { return }
    switch result {
    case .success(true):
      credentialsAreFreshUntil = now + .seconds(60)
      connect(at: now)
    case .success(false): giveUp(refusal)
    case .failure(let error): afterLoss(error, at: now)
    }
  }

  // MARK: Calls of the app

  /// Ends all operations. Subscriptions end without an error; queries and mutations fail.
  mutating func close() {
    if isOpen {
      disconnect(.normalClosure)
      actions.append(.notify(.disconnected(nil)))
    }
    forgetConnection()
    for operation in operations.all {
      finish(operation.id, operation.type == .subscription ? nil : WebSocketError(.closedByClient))
    }
    becomeIdle()
  }

  mutating func release() {
    isReleased = true
    // The transport has been released, so nothing could resume the connection.
    if case .paused = phase { close() }
  }

  mutating func pause() {
    dropConnection(.goingAway)
    phase = .paused
    reportAll(.paused)
  }

  mutating func resume(connects: Bool, at now: Instant) {
    switch phase {
    case .idle, .paused, .backingOff:
      becomeIdle()
      reportAll(.connecting)
      if connects || !operations.isEmpty { connect(at: now) }
    case .connecting, .acknowledging, .ready, .renewing, .ended: break
    }
  }

  mutating func reconnect(at now: Instant) {
    guard isOpen else { return }
    dropConnection(.normalClosure)
    connect(at: now)
    reportAll(.connecting)
  }

  /// Ends the connection. Operations of all types that were not sent yet wait for the next one.
  private mutating func dropConnection(_ code: WebSocketCloseCode) {
    guard isOpen else { return }
    finishAll(WebSocketError(.closedByClient)) { $0.isSent && !$0.isResendable }
    disconnect(code)
    forgetConnection()
    actions.append(.notify(.disconnected(nil)))
  }
}
