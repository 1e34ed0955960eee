import Apollo

// The connection opens, breaks, and opens again.

extension ConnectionMachine {
  mutating func connect(at now: Instant) {
    phase = .connecting(until: now + timeouts.connection)
    (idleSince, isAskedFor) = (nil, false)
    actions.append(.connect)
  }

  /// Connects because the app has asked for it. Where an attempt waits already, it is made even if the operations end
  /// that it is for.
  mutating func connectIfAsked(at now: Instant) {
    switch phase {
    case .idle: connect(at: now)
    case .backingOff, .renewing: isAskedFor = true
    case .connecting, .acknowledging, .ready, .paused, .ended: break
    }
  }

  /// Ends the connection from this side. The caller then sets the next phase.
  mutating func disconnect(_ code: WebSocketCloseCode, reason: String = "") {
    if case .ready = phase, subprotocol.hasTermination { actions.append(.send(.connectionTerminate)) }
    actions.append(.disconnect(code, reason: reason))
  }

  mutating func forgetConnection() {
    (idleSince, acknowledgedAt) = (nil, nil)
    unread = UnreadBytes(limit: unread.limit)
    (waitsForRoom, waitingPong) = (false, nil)
    heartbeat = Heartbeat()
    operations.markAllUnsent()
  }

  /// Resets the failures if the connection has lasted for `stableAfter`. Its credentials were accepted, too.
  private mutating func forgetFailures(ifStableAt now: Instant) {
    guard let acknowledgedAt, now - acknowledgedAt >= reconnection.stableAfter else { return }
    failures = ReconnectionPolicy.Failures()
    // (With `.zero`, a connection has lasted though it was refused at once.)
    if reconnection.stableAfter > .zero { credentialsAreFreshUntil = nil }
  }

  mutating func lost(_ error: WebSocketError, at now: Instant) {
    guard isOpen else { return }
    afterLoss(error, at: now)
  }

  /// Tries again for those operations that may be sent again, if the error allows it; the others fail.
  mutating func afterLoss(_ error: WebSocketError, at now: Instant) {
    actions.append(.notify(.disconnected(error)))
    // (The notice is the answer to the app that has asked for it.)
    isAskedFor = false
    forgetFailures(ifStableAt: now)
    if mayRenewCredentials(after: error, at: now) { return credentialsRefused(error, at: now) }
    guard let nature = error.natureOfLoss else { return giveUp(error) }
    if error.isOrderlyClose, acknowledgedAt != nil, reconnection.isOff(for: nature) {
      for operation in operations.all where operation.type == .subscription { finish(operation.id) }
    }
    finishAll(error) { !$0.isResendable }
    forgetConnection()
    guard !operations.isEmpty else { return becomeIdle() }
    backOff(after: error, nature, at: now)
  }

  /// Waits before the next attempt. After too many of them the operations fail.
  ///
  /// - Parameters:
  ///   - error: Why there is no connection.
  ///   - nature: What caused that.
  ///   - refusal: The refusal of credentials, which are renewed before the attempt. nil, the default: they are not.
  ///   - now: The time.
  private mutating func backOff(
    after error: WebSocketError, _ nature: ReconnectionPolicy.Nature, refusal: WebSocketError? = nil, at now: Instant
  ) {
    guard let delay = reconnection.delay(after: failures, nature, random: random()) else {
      let attempts = failures.count + 1
      return giveUp(attempts == 1 ? error : WebSocketError(.retriesExhausted(attempts: attempts), error: error))
    }
    // One line for all failures in a row.
    if failures.count == 0 { actions.append(.warn(error, nextAttemptAfter: delay)) }
    failures.add(nature)
    phase = .backingOff(until: now + delay, refusal: refusal)
    reportAll(.reconnecting(attempt: failures.count, delay: delay))
  }

  private mutating func giveUp(_ error: WebSocketError) {
    forgetConnection()
    actions.append(.refuse(error))
    finishAll(error)
    becomeIdle()
  }

  // MARK: Credentials

  /// How long renewed credentials count as new.
  private static let freshness = Duration.seconds(60)

  private func mayRenewCredentials(after error: WebSocketError, at now: Instant) -> Bool {
    renewsCredentials && error.isRefusalOfCredentials && credentialsAreFreshUntil.map { $0 <= now } ?? true
  }

  /// Waits for other credentials. Operations of all types that the server has not seen yet wait, too.
  private mutating func credentialsRefused(_ error: WebSocketError, at now: Instant) {
    finishAll(error) { $0.isSent && !$0.isResendable }
    forgetConnection()
    guard !operations.isEmpty else { return becomeIdle() }
    // A server that takes each of its credentials for a moment only would have them renewed without end.
    if let renewedAt = failures.renewedAt, now - renewedAt < Self.freshness {
      return backOff(after: error, .server, refusal: error, at: now)
    }
    renewCredentials(error)
    reportAll(.reconnecting(attempt: failures.count + 1, delay: .zero))
  }

  mutating func renewCredentials(_ refusal: WebSocketError) {
    phase = .renewing(refusal)
    actions.append(.renewCredentials)
  }

  mutating func renewed(_ result: Result<Bool, WebSocketError>, at now: Instant) {
    guard case .renewing(let refusal) = phase else { return }
    switch result {
    case .success(true):
      credentialsAreFreshUntil = now + Self.freshness
      failures.renewedAt = now
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
    // What was renewed may have been another user's.
    credentialsAreFreshUntil = nil
    becomeIdle()
  }

  mutating func release() {
    isReleased = true
    // The transport has been released, so nothing could resume the connection.
    if case .paused = phase { close() }
  }

  mutating func pause(at now: Instant) {
    dropConnection(.goingAway, at: now)
    phase = .paused
    reportAll(.paused)
  }

  mutating func resume(reopens: Bool, at now: Instant) {
    self.reopens = reopens
    switch phase {
    case .idle, .paused, .backingOff:
      becomeIdle()
      reportAll(.pending)
      connect(at: now)
    case .connecting, .acknowledging, .ready, .renewing, .ended: break
    }
  }

  mutating func reconnect(at now: Instant) {
    guard isOpen else { return }
    dropConnection(.normalClosure, at: now)
    connect(at: now)
    reportAll(.pending)
  }

  /// Ends the connection. Operations of all types that were not sent yet wait for the next one.
  private mutating func dropConnection(_ code: WebSocketCloseCode, at now: Instant) {
    guard isOpen else { return }
    forgetFailures(ifStableAt: now)
    finishAll(WebSocketError(.closedByClient)) { $0.isSent && !$0.isResendable }
    disconnect(code)
    forgetConnection()
    actions.append(.notify(.disconnected(nil)))
  }
}
