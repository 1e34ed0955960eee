import Apollo
import ApolloAPI

/// A connection and its operations, as a state machine: it takes events and the time, and returns actions.
///
///     idle → connecting → acknowledging → ready → idle
///              ↑  any loss ↓
///             backing off, or renewing credentials, while operations remain
///
/// It does not use sockets, threads or clocks, so each transition is a plain function call.
struct ConnectionMachine: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// An operation on the connection.
  struct Operation: Sendable {
    let id: String
    let type: GraphQLOperationType
    /// The JSON of the request.
    let request: [UInt8]
    /// Whether it may be sent again after a connection was lost.
    let isResendable: Bool
    /// When the operation fails if it has no result, or no next part of one; nil for no limit.
    var deadline: Instant?
    /// The time until then, from its start or from its last part; nil if it is not known.
    var limit: Duration?
    /// Whether it was subscribed on the current connection and has not ended.
    var isSent = false
  }

  enum Event: Sendable {
    case start(Operation)
    /// The operation was cancelled.
    case cancel(id: String)
    /// Connect, also without an operation.
    case connect
    /// The handshake has succeeded.
    case opened(WebSocketSubprotocol, payload: [UInt8]?)
    case received(ServerMessage)
    /// The network has taken a message that was sent.
    case taken(ClientMessage.Weight)
    /// A ping frame was answered: by the server, or by a socket that does not tell of the server's answers.
    case answered(byServer: Bool)
    /// Bytes have come since the last message and the last ``timeIsUp``, of which a message is not whole yet.
    case bytes
    /// The connection was lost, or could not be opened.
    case lost(WebSocketError)
    /// The result of ``Action/renewCredentials``: false if there are no other credentials.
    case renewed(Result<Bool, WebSocketError>)
    /// The ``ConnectionMachine/deadline`` has come.
    case timeIsUp
    /// Ask the server for a sign of life.
    case ping(payload: [UInt8]?)
    /// Close the connection and end every operation.
    case close
    /// Close the connection, and keep subscriptions for `resume`.
    case pause
    /// Connect, and from now on open lost connections again, as they are configured to be, or do not.
    case resume(reopens: Bool)
    /// If there is a connection, close it and open another one.
    case reconnect
    /// The transport was released: end with the last operation.
    case release
  }

  enum Action: Sendable {
    case connect
    case send(ClientMessage)
    /// Send a ping frame of the WebSocket protocol.
    case sendPingFrame
    /// Close the connection, or stop opening it. None of its inputs is passed on after this.
    case disconnect(WebSocketCloseCode, reason: String)
    /// Get other credentials than those of the last connection.
    case renewCredentials
    case deliver(id: String, ResponseBytes)
    /// Report the state of an operation.
    case report(id: String, SubscriptionState)
    /// End an operation, with an error or without.
    case finish(id: String, WebSocketError?)
    case notify(Notice)
    /// Fail the calls that wait for a connection, because none is opened.
    case refuse(WebSocketError)
    /// Log that operations wait for a connection, and why.
    case warn(WebSocketError, nextAttemptAfter: Duration)
    /// The machine has ended. No events or actions follow.
    case end
  }

  /// An event for a delegate.
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
    /// The next attempt waits. Before it, the credentials are renewed because of the refusal, if there is one.
    case backingOff(until: Instant, refusal: WebSocketError?)
    /// The connection waits for other credentials because of this error.
    case renewing(WebSocketError)
    case paused
    case ended
  }

  let timeouts: WebSocketTimeouts
  /// How lost connections are opened again, unless the app has said that they are not.
  private let configuredReconnection: ReconnectionPolicy
  /// Whether there is an authenticator, which can renew credentials.
  let renewsCredentials: Bool
  /// Returns a random number from 0 up to 1, for the jitter.
  let random: @Sendable () -> Double

  /// Whether lost connections are opened again: what the last `resume` has said.
  var reopens = true
  /// Whether the app has asked for the connection that is not there yet, so that it is opened without operations, too.
  var isAskedFor = false

  var phase = Phase.idle
  var subprotocol = WebSocketSubprotocol.graphqlTransportWS
  var operations = OperationTable()
  /// The attempts that failed since the last connection that lasted for `stableAfter`.
  var failures = ReconnectionPolicy.Failures()
  /// When the server acknowledged the open connection.
  var acknowledgedAt: Instant?
  /// Until when a refusal of renewed credentials is final, because renewing them again would not help; nil once they
  /// were accepted.
  var credentialsAreFreshUntil: Instant?
  var wasConnected = false
  var isReleased = false
  /// Since when the open connection has no operations; nil if it has some.
  var idleSince: Instant?
  var heartbeat = Heartbeat()
  var unread: UnreadBytes
  /// Whether operations wait until the server has read more.
  var waitsForRoom = false
  /// The answer to the latest ping, if an earlier one waits for the server to read it.
  var waitingPong: ClientMessage?
  var actions: [Action] = []

  init(
    timeouts: WebSocketTimeouts = WebSocketTimeouts(), reconnection: ReconnectionPolicy = ReconnectionPolicy(),
    limits: WebSocketLimits = WebSocketLimits(), renewsCredentials: Bool = false,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.timeouts = timeouts
    configuredReconnection = reconnection
    unread = UnreadBytes(limit: limits.unreadBytes)
    self.renewsCredentials = renewsCredentials
    self.random = random
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .start(let operation): start(operation, at: now)
    case .cancel(let id): cancel(id)
    case .connect: connectIfAsked(at: now)
    case .opened(let subprotocol, let payload): opened(subprotocol, payload: payload, at: now)
    case .received(let message): received(message, at: now)
    case .taken(let weight): taken(weight)
    case .answered(let byServer): heartbeat.answered(byServer: byServer, at: now, timeouts)
    case .bytes: heartbeat.signOfLife(at: now, timeouts)
    case .lost(let error): lost(error, at: now)
    case .renewed(let result): renewed(result, at: now)
    case .timeIsUp: timeIsUp(at: now)
    case .ping(let payload): if case .ready = phase, subprotocol.hasPing { send(.ping(payload: payload)) }
    case .close: close()
    case .pause: pause(at: now)
    case .resume(let reopens): resume(reopens: reopens, at: now)
    case .reconnect: reconnect(at: now)
    case .release: release()
    }
    endIfTooMuchIsUnread(at: now)
    settle(at: now)
    defer { actions.removeAll() }
    return actions
  }

  /// Restores the invariants after each event: a connection without operations has an idle time, and a released machine
  /// ends.
  private mutating func settle(at now: Instant) {
    guard operations.isEmpty else {
      idleSince = nil
      return
    }
    switch phase {
    case .backingOff, .renewing: if !isAskedFor { becomeIdle() }
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

  /// How lost connections are opened again.
  var reconnection: ReconnectionPolicy { reopens ? configuredReconnection : configuredReconnection.withoutAttempts }

  /// True while there is a connection, or an attempt to open one.
  var isOpen: Bool {
    switch phase {
    case .connecting, .acknowledging, .ready: true
    case .idle, .backingOff, .renewing, .paused, .ended: false
    }
  }

  /// True if there is a connection, or if one will be opened without a further event of the app.
  var isTrying: Bool {
    switch phase {
    case .connecting, .acknowledging, .ready, .backingOff, .renewing: true
    case .idle, .paused, .ended: false
    }
  }

  mutating func becomeIdle() {
    phase = .idle
    isAskedFor = false
    failures = ReconnectionPolicy.Failures()
  }
}
