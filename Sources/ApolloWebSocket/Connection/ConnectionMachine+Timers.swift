import Apollo

// What the machine does by itself, and when.

extension ConnectionMachine {
  /// When the machine wants to be told that time is up; nil for not at all.
  var deadline: Instant? {
    earlier(operations.deadline, phaseDeadline)
  }

  private var phaseDeadline: Instant? {
    switch phase {
    case .connecting(let until), .acknowledging(let until), .backingOff(let until): until
    case .ready: earlier(idleDeadline, heartbeat.deadline)
    case .idle, .renewing, .paused, .ended: nil
    }
  }

  private var idleDeadline: Instant? {
    guard let idleSince, let idle = timeouts.idle else { return nil }
    return idleSince + idle
  }

  mutating func timeIsUp(at now: Instant) {
    failOverdueOperations(at: now)
    guard let phaseDeadline, phaseDeadline <= now else { return }
    switch phase {
    case .connecting:
      disconnect(.terminated)
      afterLoss(WebSocketError(.timeout), at: now)
    case .acknowledging:
      let error = WebSocketError.closed(.connectionAcknowledgementTimeout, "Connection acknowledgement timeout")
      disconnect(.connectionAcknowledgementTimeout, reason: "Connection acknowledgement timeout")
      afterLoss(error, at: now)
    case .backingOff: connect(at: now)
    case .ready: readyTimeIsUp(at: now)
    case .idle, .renewing, .paused, .ended: break
    }
  }

  private mutating func failOverdueOperations(at now: Instant) {
    for operation in operations.overdue(at: now) {
      if operation.isSent { actions.append(.send(.complete(id: operation.id))) }
      finish(operation.id, WebSocketError(.timeout))
    }
  }

  private mutating func readyTimeIsUp(at now: Instant) {
    if let idleDeadline, idleDeadline <= now {
      disconnect(.normalClosure)
      heartbeat = Heartbeat()
      idleSince = nil
      actions.append(.notify(.disconnected(nil)))
      return becomeIdle()
    }
    switch heartbeat.timeIsUp(at: now, timeouts) {
    case .ping: actions.append(subprotocol.hasPing ? .send(.ping(payload: nil)) : .sendPingFrame)
    case .dead:
      disconnect(.terminated, reason: "No sign of life")
      afterLoss(.closed(.terminated), at: now)
    case nil: break
    }
  }
}

/// Tells whether the server is still there.
struct Heartbeat: Sendable {
  typealias Instant = ConnectionMachine.Instant

  enum Outcome {
    case ping
    case dead
  }

  /// When to send the next ping.
  private var pingAt: Instant?
  /// By when there has to be a message after a ping.
  private var answerBy: Instant?
  /// By when there has to be the next `ka`.
  private var keepAliveBy: Instant?
  /// What the server announced, in place of the timeout.
  private var longestSilence: Duration?

  var deadline: Instant? { earlier(pingAt, earlier(answerBy, keepAliveBy)) }

  mutating func start(at now: Instant, _ timeouts: WebSocketTimeouts, longestSilence: Duration? = nil) {
    if let interval = timeouts.pingInterval { pingAt = now + interval }
    self.longestSilence = longestSilence
    if longestSilence != nil { keepAlive(at: now, timeouts) }
  }

  /// Any message will do as an answer: it may stand in a queue before the pong.
  mutating func signOfLife(at now: Instant, _ timeouts: WebSocketTimeouts) {
    if keepAliveBy != nil { keepAlive(at: now, timeouts) }
    guard answerBy != nil, let interval = timeouts.pingInterval else { return }
    answerBy = nil
    pingAt = now + interval
  }

  /// A server that has sent one `ka` is expected to go on.
  mutating func keepAlive(at now: Instant, _ timeouts: WebSocketTimeouts) {
    keepAliveBy = now + (longestSilence ?? timeouts.keepAlive)
  }

  mutating func timeIsUp(at now: Instant, _ timeouts: WebSocketTimeouts) -> Outcome? {
    if let limit = earlier(answerBy, keepAliveBy), limit <= now { return .dead }
    guard let ping = pingAt, ping <= now else { return nil }
    pingAt = nil
    answerBy = now + timeouts.pong
    return .ping
  }
}

private func earlier(
  _ one: ConnectionMachine.Instant?, _ other: ConnectionMachine.Instant?
) -> ConnectionMachine.Instant? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
