import Apollo

// The connection opens, breaks, and opens again.

extension ConnectionMachine {
  mutating func connect(at now: Instant) {
    phase = .connecting(until: now + timeouts.connection)
    idleSince = nil
    actions.append(.connect)
  }

  mutating func connectIfIdle(at now: Instant) {
    if case .idle = phase { connect(at: now) }
  }

  /// Ends the connection from this side. What follows decides on the phase.
  mutating func disconnect(_ code: WebSocketCloseCode, reason: String = "") {
    if case .ready = phase, subprotocol.hasTermination { actions.append(.send(.connectionTerminate)) }
    actions.append(.disconnect(code, reason: reason))
    forgetConnection()
  }

  private mutating func forgetConnection() {
    idleSince = nil
    heartbeat = Heartbeat()
    for index in operations.indices { operations[index].isSent = false }
  }

  mutating func lost(_ error: WebSocketError, at now: Instant) {
    guard isOpen else { return }
    afterLoss(error, at: now)
  }

  /// Tries again for those operations that may be sent again, if the error allows it; the others fail.
  mutating func afterLoss(_ error: WebSocketError, at now: Instant) {
    forgetConnection()
    actions.append(.notify(.disconnected(error)))
    guard error.isRetryable else {
      finishAll(error)
      return becomeIdle()
    }
    finishAll(error) { !$0.isResendable }
    guard !operations.isEmpty else { return becomeIdle() }
    guard let delay = reconnection.delay(afterFailures: failures, random: random()) else {
      let attempts = failures + 1
      finishAll(
        attempts == 1 ? error : WebSocketError(.retriesExhausted(attempts: attempts), error: error))
      return becomeIdle()
    }
    failures += 1
    phase = .backingOff(until: now + delay)
  }

  // MARK: What the app asks for

  /// Subscriptions just end; whoever waits for the result of a query is told that there will be none.
  mutating func close() {
    if isOpen {
      disconnect(.normalClosure)
      actions.append(.notify(.disconnected(nil)))
    }
    for operation in operations {
      let error = operation.type == .subscription ? nil : WebSocketError(.closedByClient)
      actions.append(.finish(id: operation.id, error))
    }
    operations.removeAll()
    becomeIdle()
  }

  mutating func release() {
    isReleased = true
    // Nobody is left who could resume it.
    if case .paused = phase { close() }
  }

  mutating func pause() {
    dropConnection(.goingAway)
    phase = .paused
  }

  mutating func resume(connects: Bool, at now: Instant) {
    switch phase {
    case .paused, .backingOff:
      becomeIdle()
      if connects || !operations.isEmpty { connect(at: now) }
    case .idle, .connecting, .acknowledging, .ready, .ended: break
    }
  }

  mutating func reconnect(at now: Instant) {
    guard isOpen else { return }
    dropConnection(.normalClosure)
    connect(at: now)
  }

  /// Operations that were not sent yet can wait for the next connection, whatever they are.
  private mutating func dropConnection(_ code: WebSocketCloseCode) {
    guard isOpen else { return }
    finishAll(WebSocketError(.closedByClient)) { $0.isSent && !$0.isResendable }
    disconnect(code)
    actions.append(.notify(.disconnected(nil)))
  }
}
