import Apollo
import ApolloAPI

/// Runs a ``ConnectionMachine``: hands it what happens, one thing after the other, and does what it says.
///
/// One task does all of that, so nothing here needs a lock.
struct ConnectionDriver {
  typealias Sink = AsyncThrowingStream<ResponseBytes, any Error>.Continuation

  enum Input: Sendable {
    case event(ConnectionMachine.Event)
    case start(ConnectionMachine.Operation, Sink)
    /// The number tells connections apart: what an earlier one still has to say does not matter any more.
    case opened(number: Int, OpenConnection)
    case received(number: Int, WebSocketMessage)
    case lost(number: Int, WebSocketError)
  }

  /// A connection after its handshake, and what to introduce the client with.
  struct OpenConnection: Sendable {
    let connection: any WebSocketConnection
    let subprotocol: WebSocketSubprotocol
    let payload: [UInt8]?
  }

  private var machine: ConnectionMachine
  private let inbox: AsyncStream<Input>.Continuation
  private let connect: @Sendable () async throws -> OpenConnection
  private let notify: @Sendable (ConnectionMachine.Notice) -> Void

  private var number = 0
  private var reader: Task<Void, Never>?
  private var connection: OpenConnection?
  private var sinks: [String: Sink] = [:]
  private var alarm: (time: ConnectionMachine.Instant, task: Task<Void, Never>)?

  /// Starts a driver, which runs until its machine has been released and has no operations left.
  ///
  /// - Returns: Where events go.
  static func start(
    _ machine: ConnectionMachine, connect: @escaping @Sendable () async throws -> OpenConnection,
    notify: @escaping @Sendable (ConnectionMachine.Notice) -> Void
  ) -> AsyncStream<Input>.Continuation {
    let (inputs, inbox) = AsyncStream<Input>.makeStream()
    Task {
      var driver = ConnectionDriver(machine: machine, inbox: inbox, connect: connect, notify: notify)
      for await input in inputs { driver.take(input) }
    }
    return inbox
  }

  private init(
    machine: ConnectionMachine, inbox: AsyncStream<Input>.Continuation,
    connect: @escaping @Sendable () async throws -> OpenConnection,
    notify: @escaping @Sendable (ConnectionMachine.Notice) -> Void
  ) {
    self.machine = machine
    self.inbox = inbox
    self.connect = connect
    self.notify = notify
  }

  private mutating func take(_ input: Input) {
    guard let event = event(for: input) else { return }
    for action in machine.handle(event, at: .now) { perform(action) }
    setAlarm()
  }

  /// What an input means to the machine; nil if it comes from a connection that is over.
  private mutating func event(for input: Input) -> ConnectionMachine.Event? {
    switch input {
    case .event(.timeIsUp):
      alarm = nil
      return .timeIsUp
    case .event(let event): return event
    case .start(let operation, let sink):
      sinks[operation.id] = sink
      return .start(operation)
    case .opened(let number, let opened):
      guard number == self.number else {
        opened.connection.close(code: .goingAway, reason: "")
        return nil
      }
      connection = opened
      return .opened(opened.subprotocol, payload: opened.payload)
    case .received(let number, let message):
      guard number == self.number, let connection else { return nil }
      switch message {
      case .text(let text): return .received(ServerMessage(text, in: connection.subprotocol))
      case .binary: return .received(.invalid("it is binary"))
      }
    case .lost(let number, let error):
      guard number == self.number else { return nil }
      forgetConnection()
      return .lost(error)
    }
  }

  private mutating func perform(_ action: ConnectionMachine.Action) {
    switch action {
    case .connect: openConnection()
    case .send(let message):
      if let connection, let text = message.text(in: connection.subprotocol) { connection.connection.send(.text(text)) }
    case .disconnect(let code, let reason):
      connection?.connection.close(code: code, reason: reason)
      forgetConnection()
    case .deliver(let id, let payload): sinks[id]?.yield(payload)
    case .finish(let id, let error): sinks.removeValue(forKey: id)?.finish(throwing: error)
    case .notify(let notice): notify(notice)
    case .end: inbox.finish()
    }
  }

  private mutating func openConnection() {
    number += 1
    reader = Task { [number, inbox, connect] in
      do {
        let opened = try await connect()
        inbox.yield(.opened(number: number, opened))
        for try await message in opened.connection.messages { inbox.yield(.received(number: number, message)) }
        inbox.yield(.lost(number: number, .closed(.abnormalClosure)))
      } catch {
        inbox.yield(.lost(number: number, .wrap(error)))
      }
    }
  }

  /// From now on nothing of the connection counts.
  private mutating func forgetConnection() {
    number += 1
    reader?.cancel()
    reader = nil
    connection = nil
  }

  /// An alarm that comes too early does no harm: the machine looks at its deadline.
  private mutating func setAlarm() {
    let deadline = machine.deadline
    if let alarm {
      if let deadline, alarm.time <= deadline { return }
      alarm.task.cancel()
      self.alarm = nil
    }
    guard let deadline else { return }
    let task = Task { [inbox] in
      guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
      inbox.yield(.event(.timeIsUp))
    }
    alarm = (deadline, task)
  }
}
