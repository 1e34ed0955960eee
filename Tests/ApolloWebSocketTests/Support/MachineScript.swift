import Apollo

@testable import ApolloWebSocket

func sendSubscribe(_ id: String) -> String { #"send {"id":"\#(id)","type":"subscribe","payload":{"query":"{a}"}}"# }

/// A machine, its clock, and what it does as lines of text.
///
///     send {"type":"connection_init"}
///     deliver 1 {"data":…}
///     finish 1
///     disconnect 4504 Connection acknowledgement timeout
struct MachineScript {
  var machine: ConnectionMachine
  var now = ContinuousClock.now
  var subprotocol = WebSocketSubprotocol.graphqlTransportWS
  /// What subscriptions are told of how they stand, as `1 active`; not among the actions.
  var states: [String] = []
  /// What is logged; not among the actions.
  var warnings: [String] = []
  /// What was sent and the network has not taken, because the server does not read. Else it is taken at once.
  private var unread: [ClientMessage.Weight] = []
  var readsNothing = false

  init(
    _ subprotocol: WebSocketSubprotocol = .graphqlTransportWS,
    timeouts: WebSocketTimeouts = WebSocketTimeouts(pingInterval: nil),
    reconnection: ReconnectionPolicy = ReconnectionPolicy(jitter: 0), limits: WebSocketLimits = WebSocketLimits(),
    renewsCredentials: Bool = false
  ) {
    self.subprotocol = subprotocol
    machine = ConnectionMachine(
      timeouts: timeouts, reconnection: reconnection, limits: limits, renewsCredentials: renewsCredentials,
      random: { 0.5 })
  }

  /// A machine with an acknowledged connection.
  static func ready(
    _ subprotocol: WebSocketSubprotocol = .graphqlTransportWS,
    timeouts: WebSocketTimeouts = WebSocketTimeouts(pingInterval: nil),
    reconnection: ReconnectionPolicy = ReconnectionPolicy(jitter: 0), limits: WebSocketLimits = WebSocketLimits(),
    renewsCredentials: Bool = false
  ) -> MachineScript {
    var script = MachineScript(
      subprotocol, timeouts: timeouts, reconnection: reconnection, limits: limits, renewsCredentials: renewsCredentials)
    script.run(.connect)
    script.open()
    script.receive(ack)
    return script
  }

  @discardableResult
  mutating func run(_ event: ConnectionMachine.Event) -> [String] {
    let actions = machine.handle(event, at: now)
    for case .report(let id, let state) in actions { states.append("\(id) \(state)") }
    for case .warn(let error, let delay) in actions { warnings.append(ConnectionDriver.warning(error, delay)) }
    for case .disconnect in actions { unread = [] }
    for case .send(let message) in actions { unread.append(message.weight) }
    return actions.compactMap(text) + (readsNothing ? [] : takeAll())
  }

  /// Lets the network take what waits; returns what the machine does then.
  @discardableResult
  mutating func takeAll() -> [String] {
    let taken = unread
    unread = []
    return taken.flatMap { run(.taken($0)) }
  }

  @discardableResult
  mutating func open(payload: String? = nil) -> [String] {
    run(.opened(subprotocol, payload: payload.map { Array($0.utf8) }))
  }

  @discardableResult
  mutating func start(
    _ id: String, _ type: GraphQLOperationType = .subscription, isResendable: Bool? = nil,
    timeout: Duration? = nil, limit: Duration? = nil, text: String = "{a}"
  ) -> [String] {
    run(
      .start(
        ConnectionMachine.Operation(
          id: id, type: type, request: Array(#"{"query":"\#(text)"}"#.utf8),
          isResendable: isResendable ?? (type == .subscription), deadline: timeout.map { now + $0 }, limit: limit)))
  }

  @discardableResult
  mutating func receive(_ text: String) -> [String] { run(.received(ServerMessage(text, in: subprotocol))) }

  @discardableResult
  mutating func lose(_ code: UInt16) -> [String] {
    unread = []
    return run(.lost(.closed(WebSocketCloseCode(rawValue: code))))
  }

  /// Lets time pass, and tells the machine of its deadlines as they come.
  @discardableResult
  mutating func wait(_ duration: Duration) -> [String] {
    let end = now + duration
    var actions: [String] = []
    while let deadline = machine.deadline, deadline <= end {
      now = max(now, deadline)
      actions += run(.timeIsUp)
    }
    now = end
    return actions
  }

  private func text(_ action: ConnectionMachine.Action) -> String? {
    switch action {
    case .report, .refuse, .warn: nil
    case .connect: "connect"
    case .renewCredentials: "renew"
    case .send(let message): "send " + (message.text(in: subprotocol) ?? "nothing")
    case .sendPingFrame: "send ping frame"
    case .disconnect(let code, let reason):
      reason.isEmpty ? "disconnect \(code.rawValue)" : "disconnect \(code.rawValue) \(reason)"
    case .deliver(let id, let payload): "deliver \(id) \(payload.text)"
    case .finish(let id, nil): "finish \(id)"
    case .finish(let id, let error?): "fail \(id): \(error)"
    case .notify(let notice): text(notice)
    case .end: "end"
    }
  }

  private func text(_ notice: ConnectionMachine.Notice) -> String {
    switch notice {
    case .connected: "tell connected"
    case .reconnected: "tell reconnected"
    case .disconnected(nil): "tell disconnected"
    case .disconnected(let error?): "tell disconnected: \(error)"
    case .ping: "tell ping"
    case .pong: "tell pong"
    }
  }
}
