import Apollo
import ApolloAPI

// Messages of the server.

extension ConnectionMachine {
  mutating func opened(_ subprotocol: WebSocketSubprotocol, payload: [UInt8]?, at now: Instant) {
    guard case .connecting = phase else { return }
    self.subprotocol = subprotocol
    phase = .acknowledging(until: now + timeouts.acknowledgement)
    send(.connectionInit(payload: payload))
  }

  mutating func received(_ message: ServerMessage, at now: Instant) {
    switch phase {
    case .acknowledging: receivedFirst(message, at: now)
    case .ready:
      heartbeat.signOfLife(at: now, timeouts)
      receivedLater(message, at: now)
    case .idle, .connecting, .backingOff, .renewing, .paused, .ended: break
    }
  }

  /// Handles a message before the server has acknowledged the connection. Few types are allowed then.
  private mutating func receivedFirst(_ message: ServerMessage, at now: Instant) {
    switch message {
    case .connectionAck(let silence): acknowledged(longestSilence: silence, at: now)
    case .ping, .pong, .keepAlive: receivedSignOfLife(message, at: now)
    case .connectionError(let payload): refused(payload, at: now)
    case .next, .error, .complete:
      violation("the connection is not acknowledged yet", at: now)
    case .invalid(let why): violation(why, at: now)
    case .unknown: break
    }
  }

  private mutating func acknowledged(longestSilence: Duration?, at now: Instant) {
    phase = .ready
    acknowledgedAt = now
    heartbeat.start(at: now, timeouts, longestSilence: longestSilence)
    actions.append(.notify(wasConnected ? .reconnected : .connected))
    wasConnected = true
    sendWaitingOperations()
  }

  private mutating func receivedLater(_ message: ServerMessage, at now: Instant) {
    switch message {
    case .next, .error, .complete: credentialsAreFreshUntil = nil
    default: break
    }
    switch message {
    case .next(let id, let payload): receivedNext(id, payload, at: now)
    case .error(let id, let errors): finish(id, WebSocketError(.errorResponse, graphQLErrors: errors))
    case .complete(let id): finish(id)
    case .ping, .pong, .keepAlive: receivedSignOfLife(message, at: now)
    case .invalid(let why): violation(why, at: now)
    // After the acknowledgement, `connection_error` is the server's answer to a message that it did not understand.
    case .connectionAck, .connectionError, .unknown: break
    }
  }

  /// Handles a result. A result for an operation that has ended is ignored, because it may have been on its way
  /// already.
  private mutating func receivedNext(_ id: String, _ payload: ResponseBytes?, at now: Instant) {
    guard let operation = operations[id] else { return }
    guard let payload else {
      operations.remove(id)
      send(.complete(id: id))
      actions.append(.finish(id: id, WebSocketError(.neitherErrorNorPayloadReceived)))
      return
    }
    actions.append(.deliver(id: id, payload))
    guard operation.type != .subscription else { return }
    // A query has one result, unless it comes in parts. Some servers never send the `complete` that follows it.
    if payload.announcesMore { operations.renew(id, at: now) } else { finish(id) }
  }

  private mutating func receivedSignOfLife(_ message: ServerMessage, at now: Instant) {
    switch message {
    case .ping(let payload):
      answer(.pong(payload: payload))
      actions.append(.notify(.ping(payload: payload)))
    case .pong(let payload): actions.append(.notify(.pong(payload: payload)))
    default: heartbeat.keepAlive(at: now)
    }
  }

  private mutating func refused(_ payload: JSONValue?, at now: Instant) {
    let object = payload as? JSONObject ?? (payload as? String).map { ["message": $0] }
    disconnect(.normalClosure)
    afterLoss(WebSocketError(.errorResponse, payload: object), at: now)
  }

  private mutating func violation(_ why: String, at now: Instant) {
    disconnect(.badResponse, reason: "Invalid message: " + why)
    afterLoss(WebSocketError(.unprocessedMessage(why)), at: now)
  }
}

extension ResponseBytes {
  /// True for a part of a response that says `"hasNext": true` (incremental delivery).
  fileprivate var announcesMore: Bool {
    (try? JSONMembers(self))?.value(of: "hasNext") as? Bool ?? false
  }
}
