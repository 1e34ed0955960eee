import Apollo
import ApolloAPI

/// A connection and the operations on it, as a state machine: events and the time go in, actions come out.
///
///     idle → connecting → acknowledging → ready → idle
///              ↑  any loss ↓
///             backing off, or renewing credentials, while operations remain
///
/// It knows no socket, no thread and no clock, so that each transition is a plain function call.
struct ConnectionMachine: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// An operation as the connection sees it.
  struct Operation: Sendable {
    let id: String
    let type: GraphQLOperationType
    /// The JSON of the request.
    let request: [UInt8]
    /// True if it may be sent once more after a connection was lost.
    let isResendable: Bool
    /// When it fails without a result; nil for never.
    var deadline: Instant?
    /// True between its `subscribe` and its end on the current connection.
    var isSent = false
  }

  enum Event: Sendable {
    case start(Operation)
    /// Nobody waits for the operation any more.
    case cancel(id: String)
    /// Connect without an operation.
    case connect
    /// The handshake is over.
    case opened(WebSocketSubprotocol, payload: [UInt8]?)
    case received(ServerMessage)
    /// The server has answered a ping frame.
    case answered
    /// The connection, or the attempt to open it, is over.
    case lost(WebSocketError)
    /// The answer to ``Action/renewCredentials``: false if there are no others.
    case renewed(Result<Bool, WebSocketError>)
    /// The ``ConnectionMachine/deadline`` has come.
    case timeIsUp
    /// Ask the server for a sign of life.
    case ping(payload: [UInt8]?)
    /// Close, end every operation.
    case close
    /// Close, and keep subscriptions for `resume`.
    case pause
    case resume(connects: Bool)
    /// Close and open anew, if it is open.
    case reconnect
    /// The transport is gone: end with the last operation.
    case release
  }

  enum Action: Sendable {
    case connect
    case send(ClientMessage)
    /// Send a ping frame of the WebSocket protocol.
    case sendPingFrame
    /// Close the connection, or give up the attempt to open it. Nothing of it is passed on any more.
    case disconnect(WebSocketCloseCode, reason: String)
    /// Get other credentials than those of the last connection.
    case renewCredentials
    case deliver(id: String, ResponseBytes)
    /// How an operation stands.
    case report(id: String, SubscriptionState)
    /// The operation is over.
    case finish(id: String, WebSocketError?)
    case notify(Notice)
    /// Nothing will ever happen again.
    case end
  }

  /// What a delegate is told.
  enum Notice: Sendable {
    case connected
    case reconnected
    case disconnected(WebSocketError?)
    case ping(payload: [UInt8]?)
    case pong(payload: [UInt8]?)
  }

  enum Phase: Sendable {
    case idle
    case connecting(until: Instant)
    case acknowledging(until: Instant)
    case ready
    case backingOff(until: Instant)
    /// Waits for credentials because of this error.
    case renewing(WebSocketError)
    case paused
    case ended
  }

  let timeouts: WebSocketTimeouts
  let reconnection: ReconnectionPolicy
  /// True if there is somebody who renews credentials.
  let renewsCredentials: Bool
  /// From 0 up to 1, for the jitter.
  let random: @Sendable () -> Double

  var phase = Phase.idle
  var subprotocol = WebSocketSubprotocol.graphqlTransportWS
  var operations = OperationTable()
  /// The attempts that failed since the last connection that lasted.
  var failures = ReconnectionPolicy.Failures()
  /// When the server acknowledged the connection that is open.
  var acknowledgedAt: Instant?
  /// Until when a refusal of renewed credentials means that others would not help either; nil once they have served.
  var credentialsAreFreshUntil: Instant?
  var wasConnected = false
  var isReleased = false
  /// Since when there has been no operation on the open connection.
  var idleSince: Instant?
  var heartbeat = Heartbeat()
  var actions: [Action] = []

  init(
    timeouts: WebSocketTimeouts = WebSocketTimeouts(), reconnection: ReconnectionPolicy = ReconnectionPolicy(),
    renewsCredentials: Bool = false, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.timeouts = timeouts
    self.reconnection = reconnection
    self.renewsCredentials = renewsCredentials
    self.random = random
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .start(let operation): start(operation, at: now)
    case .cancel(let id): cancel(id)
    case .connect: connectIfIdle(at: now)
    case .opened(let subprotocol, let payload): opened(subprotocol, payload: payload, at: now)
    case .received(let message): received(message, at: now)
    case .answered: heartbeat.signOfLife(at: now, timeouts)
    case .lost(let error): lost(error, at: now)
    case .renewed(let result): renewed(result, at: now)
    case .timeIsUp: timeIsUp(at: now)
    case .ping(let payload): if case .ready = phase { actions.append(.send(.ping(payload: payload))) }
    case .close: close()
    case .pause: pause()
    case .resume(let connects): resume(connects: connects, at: now)
    case .reconnect: reconnect(at: now)
    case .release: release()
    }
    settle(at: now)
    defer { actions.removeAll() }
    return actions
  }

  /// What holds after every event: a connection that nobody needs counts its idle time, a released machine ends.
  private mutating func settle(at now: Instant) {
    guard operations.isEmpty else {
      idleSince = nil
      return
    }
    switch phase {
    case .backingOff, .renewing: becomeIdle()
    default: break
    }
    if isReleased {
      if isOpen { disconnect(.normalClosure) }
      if case .ended = phase { return }
      phase = .ended
      actions.append(.end)
    } else if case .ready = phase, idleSince == nil {
      idleSince = now
    }
  }

  /// True while there is a connection, or an attempt to open one.
  var isOpen: Bool {
    switch phase {
    case .connecting, .acknowledging, .ready: true
    case .idle, .backingOff, .renewing, .paused, .ended: false
    }
  }

  /// True while there is a connection, or will be one by itself.
  var isTrying: Bool {
    switch phase {
    case .connecting, .acknowledging, .ready, .backingOff, .renewing: true
    case .idle, .paused, .ended: false
    }
  }

  mutating func becomeIdle() {
    phase = .idle
    failures = ReconnectionPolicy.Failures()
  }
}
