import Apollo

// Messages to a server that may not read them.

extension ConnectionMachine {
  mutating func send(_ message: ClientMessage) {
    unread.add(message.weight)
    actions.append(.send(message))
  }

  /// Answers a ping. Of several pings, only the latest needs an answer, so one pong at most waits behind the one that the
  /// server has not read.
  mutating func answer(_ pong: ClientMessage) {
    if unread.hasPong { waitingPong = pong } else { send(pong) }
  }

  mutating func taken(_ weight: ClientMessage.Weight) {
    unread.remove(weight)
    if !unread.hasPong, let pong = waitingPong {
      waitingPong = nil
      send(pong)
    }
    if waitsForRoom, case .ready = phase { sendWaitingOperations() }
  }

  mutating func endIfTooMuchIsUnread(at now: Instant) {
    if unread.isTooMuch { endOfUnread(at: now) }
  }

  /// Ends the connection to a server that does not read.
  mutating func endOfUnread(at now: Instant) {
    let error = WebSocketError(.tooManyUnreadBytes(limit: unread.limit))
    guard isOpen else { return }
    disconnect(.policyViolation, reason: "More than \(unread.limit) bytes are unread")
    afterLoss(error, at: now)
  }
}
