import Apollo

// The deadlines of the machine, and its actions when they have come.

extension ConnectionMachine {
  /// When the machine must be given ``Event/timeIsUp``; nil if there is no deadline.
  var deadline: Instant? {
    earlier(operations.deadline, phaseDeadline)
  }

  private var phaseDeadline: Instant? {
    switch phase {
    case .connecting(let until), .acknowledging(let until), .backingOff(let until, _): until
    case .ready: earlier(idleDeadline, heartbeat.deadline(timeouts))
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
      afterLoss(.timeout(after: timeouts.connection), at: now)
    case .acknowledging:
      let error = WebSocketError.closed(.connectionAcknowledgementTimeout, "Connection acknowledgement timeout")
      disconnect(.connectionAcknowledgementTimeout, reason: "Connection acknowledgement timeout")
      afterLoss(error, at: now)
    case .backingOff(_, let refusal?): renewCredentials(refusal)
    case .backingOff(_, nil): connect(at: now)
    case .ready: readyTimeIsUp(at: now)
    case .idle, .renewing, .paused, .ended: break
    }
  }

  private mutating func failOverdueOperations(at now: Instant) {
    for operation in operations.overdue(at: now) {
      if operation.isSent { send(.complete(id: operation.id)) }
      finish(operation.id, .timeout(after: operation.limit))
    }
  }

  private mutating func readyTimeIsUp(at now: Instant) {
    if let idleDeadline, idleDeadline <= now {
      disconnect(.normalClosure)
      forgetConnection()
      actions.append(.notify(.disconnected(nil)))
      return becomeIdle()
    }
    switch heartbeat.timeIsUp(at: now, timeouts) {
    case .ping:
      if waitsForRoom, !unread.hasMoved { return endOfUnread(at: now) }
      unread.hasMoved = false
      if subprotocol.hasPing { send(.ping(payload: nil)) } else { actions.append(.sendPingFrame) }
    case .dead:
      disconnect(.terminated, reason: "No sign of life")
      afterLoss(.closed(.terminated), at: now)
    case nil: break
    }
  }
}

/// Checks that the server still answers.
struct Heartbeat: Sendable {
  typealias Instant = ConnectionMachine.Instant

  enum Outcome {
    case ping
    case dead
  }

  /// When to send the next ping.
  private var pingAt: Instant?
  /// When the connection is lost if no message has followed a ping.
  private var answerBy: Instant?
  /// The last sign of life, after a first `ka` or an announced silence: from then on, others are expected.
  private var lastSign: Instant?
  /// The longest silence that the server announced, which replaces the configured timeout.
  private var longestSilence: Duration?
  /// Whether the socket tells of the server's answers to ping frames: what the last ping has shown.
  private var tellsAnswers = true

  /// While an answer is awaited, only that answer counts: it tells more than a `ka` that is late.
  func deadline(_ timeouts: WebSocketTimeouts) -> Instant? { answerBy ?? earlier(pingAt, silenceEnd(timeouts)) }

  /// When the server is asked if no sign of life has followed the last one. If it cannot be asked, the connection is
  /// lost then.
  private func silenceEnd(_ timeouts: WebSocketTimeouts) -> Instant? {
    guard let lastSign else { return nil }
    // (A server that announces next to nothing would be asked without a pause.)
    let silence = max(longestSilence ?? timeouts.keepAlive, .seconds(1))
    // Without answers, a server whose `ka` is slow would be taken for a dead one.
    return lastSign + (tellsAnswers || longestSilence != nil ? silence : silence * 2)
  }

  mutating func start(at now: Instant, _ timeouts: WebSocketTimeouts, longestSilence: Duration? = nil) {
    if let interval = timeouts.pingInterval { pingAt = now + interval }
    self.longestSilence = longestSilence
    if longestSilence != nil { keepAlive(at: now) }
  }

  /// Notes a message, or bytes of one. Any is an answer to a ping, because it may have been sent before the pong.
  mutating func signOfLife(at now: Instant, _ timeouts: WebSocketTimeouts) {
    if lastSign != nil { keepAlive(at: now) }
    endPing(at: now, timeouts)
  }

  /// Notes the answer to a ping frame. That of the socket itself is not a sign of life.
  mutating func answered(byServer: Bool, at now: Instant, _ timeouts: WebSocketTimeouts) {
    tellsAnswers = byServer
    if byServer { signOfLife(at: now, timeouts) } else { endPing(at: now, timeouts) }
  }

  private mutating func endPing(at now: Instant, _ timeouts: WebSocketTimeouts) {
    guard answerBy != nil, let interval = timeouts.pingInterval else { return }
    answerBy = nil
    pingAt = now + interval
  }

  /// Notes a `ka`. After the first one, more are expected.
  mutating func keepAlive(at now: Instant) { lastSign = now }

  mutating func timeIsUp(at now: Instant, _ timeouts: WebSocketTimeouts) -> Outcome? {
    guard let deadline = deadline(timeouts), deadline <= now else { return nil }
    if answerBy != nil { return .dead }
    let canAsk = timeouts.pingInterval != nil && tellsAnswers
    if !canAsk, let silenceEnd = silenceEnd(timeouts), silenceEnd <= now { return .dead }
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
