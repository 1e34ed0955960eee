import Apollo
import ApolloAPI
import Foundation
import Logging

/// Runs a ``ConnectionMachine``: passes it one event after the other, and carries out its actions.
///
/// A single task does this, so no lock is needed. The task also decodes the results, so the socket is read only as fast
/// as results are decoded. Results that wait for a slow consumer wait in the consumer's own, limited buffer.
struct ConnectionDriver {
  enum Input: Sendable {
    case event(ConnectionMachine.Event)
    case start(ConnectionMachine.Operation, OperationSink)
    /// The operation of this sink is over for its consumer.
    case end(id: String, OperationSink)
    /// Connect, and report whether that succeeds.
    case connect(ConnectionWaiter)
    /// A connection was opened. The number identifies it; inputs of earlier connections are ignored.
    case opened(number: Int, OpenConnection)
    /// A message has arrived. The next message is read when this one has been handled.
    case received(number: Int, WebSocketMessage, done: CheckedContinuation<Void, Never>)
    /// The network has taken a message.
    case taken(number: Int, ClientMessage.Weight)
    /// A ping frame was answered: by the server, or by the socket itself.
    case answered(number: Int, byServer: Bool)
    /// What renewed the credentials is over. It has a number as a connection has.
    case renewed(number: Int, Result<Bool, WebSocketError>)
    case lost(number: Int, WebSocketError)
  }

  /// A connection after its handshake, and the payload of `connection_init`.
  struct OpenConnection: Sendable {
    let connection: any WebSocketConnection
    /// The same connection, if it learns of bytes before they are a whole message. (The driver asks at each message.)
    let bytes: (any ByteWatching)?
    let subprotocol: WebSocketSubprotocol
    let payload: [UInt8]?

    init(_ connection: any WebSocketConnection, _ subprotocol: WebSocketSubprotocol, payload: [UInt8]?) {
      self.connection = connection
      self.subprotocol = subprotocol
      self.payload = payload
      bytes = connection as? any ByteWatching
    }
  }

  /// The parts of the driver that are outside of the connection.
  struct Environment: Sendable {
    let connect: @Sendable (_ attempt: Int) async throws -> OpenConnection
    /// Whether an attempt to connect, or its connection, lacks a change for which it is replaced.
    let isOutdated: @Sendable (_ attempt: Int) -> Bool
    /// Where the server is, for errors.
    let url: @Sendable () -> URL?
    /// Gets other credentials. It returns false if there are none.
    let renewCredentials: @Sendable () async throws -> Bool
    let notify: @Sendable (ConnectionMachine.Notice) -> Void
    /// The clock of the client.
    let clock: @Sendable () -> any ClientClock
  }

  private static let logger = Logger(label: "apollo")

  private var machine: ConnectionMachine
  private let inbox: AsyncStream<Input>.Continuation
  private let environment: Environment

  private var number = 0
  /// Opens the connection and reads it, or renews the credentials for the next one.
  private var reader: Task<Void, Never>?
  private var connection: OpenConnection?
  private var sinks: [String: OperationSink] = [:]
  private var waiters: [ConnectionWaiter] = []
  private var alarm: (time: ConnectionMachine.Instant, task: Task<Void, Never>)?

  /// What is logged when operations begin to wait for a connection.
  static func warning(_ error: WebSocketError, _ delay: Duration) -> String {
    "\(error.message) Operations wait for the WebSocket, which is opened again and again, the next time in "
      + "\(SubscriptionState.text(delay)). The state of a subscription shows each attempt."
  }

  /// Starts a driver, which runs until its machine has been released and has no operations left.
  ///
  /// - Returns: The continuation that takes the inputs.
  static func start(_ machine: ConnectionMachine, _ environment: Environment) -> AsyncStream<Input>.Continuation {
    let (inputs, inbox) = AsyncStream<Input>.makeStream()
    Task {
      var driver = ConnectionDriver(machine: machine, inbox: inbox, environment: environment)
      for await input in inputs { await driver.take(input) }
    }
    return inbox
  }

  private init(machine: ConnectionMachine, inbox: AsyncStream<Input>.Continuation, environment: Environment) {
    self.machine = machine
    self.inbox = inbox
    self.environment = environment
  }

  private mutating func take(_ input: Input) async {
    if let event = event(for: input) {
      switch event {
      // Before the machine decides whether the server is silent.
      case .timeIsUp: if haveBytesCome() { await handle(.bytes) }
      // The message is a later sign of life than its bytes.
      case .received: _ = haveBytesCome()
      default: break
      }
      await handle(event)
      // No connection will follow, because it was closed, paused or released.
      if !machine.isTrying { settleWaiters(.failure(WebSocketError(.closedByClient))) }
      setAlarm()
    }
    if case .received(_, _, let done) = input { done.resume() }
  }

  private mutating func handle(_ event: ConnectionMachine.Event) async {
    for action in machine.handle(event, at: environment.clock().now) { await perform(action) }
  }

  /// Whether bytes have come since the last call.
  private func haveBytesCome() -> Bool { connection?.bytes?.haveBytesCome() ?? false }

  /// The event of the machine for an input; nil if the input comes from an earlier connection or operation, or if it asks
  /// for a connection with a change that this one has.
  private mutating func event(for input: Input) -> ConnectionMachine.Event? {
    switch input {
    case .event(.timeIsUp):
      alarm = nil
      return .timeIsUp
    case .event(.reconnect): return environment.isOutdated(number) ? .reconnect : nil
    case .event(let event): return event
    case .start(let operation, let sink):
      // With two operations of one id, results could not be assigned.
      guard sinks[operation.id] == nil else {
        sink.finish(throwing: WebSocketError(.duplicateOperationID(operation.id)))
        return nil
      }
      sinks[operation.id] = sink
      return .start(operation)
    // Another operation may have the id by now, or may have had it before this one, which then was not started.
    case .end(let id, let sink): return sinks[id] === sink ? .cancel(id: id) : nil
    case .connect(let waiter):
      if case .ready = machine.phase {
        waiter.settle(.success(()))
      } else {
        waiters.append(waiter)
      }
      return .connect
    case .opened(let number, let opened):
      guard number == self.number else {
        opened.connection.close(code: .goingAway, reason: "")
        return nil
      }
      connection = opened
      return .opened(opened.subprotocol, payload: opened.payload)
    case .received(let number, let message, _):
      guard number == self.number, let connection else { return nil }
      switch message {
      case .text(let text): return .received(ServerMessage(text, in: connection.subprotocol))
      case .binary(let bytes): return .received(ServerMessage(binary: bytes, in: connection.subprotocol))
      }
    case .taken(let number, let weight): return number == self.number ? .taken(weight) : nil
    case .answered(let number, let byServer):
      return number == self.number ? .answered(byServer: byServer) : nil
    case .renewed(let number, let result): return number == self.number ? .renewed(result) : nil
    case .lost(let number, let error):
      guard number == self.number else { return nil }
      forgetConnection()
      return .lost(error.at(environment.url()))
    }
  }

  private mutating func perform(_ action: ConnectionMachine.Action) async {
    switch action {
    case .connect: openConnection()
    case .renewCredentials: renewCredentials()
    case .send(let message):
      if let connection, let text = message.text(in: connection.subprotocol) {
        connection.connection.send(.text(text)) { [number, inbox, weight = message.weight] in
          inbox.yield(.taken(number: number, weight))
        }
      }
    case .sendPingFrame: if let connection { sendPing(over: connection.connection) }
    case .disconnect(let code, let reason):
      connection?.connection.close(code: code, reason: reason)
      forgetConnection()
    case .deliver(let id, let payload): await sinks[id]?.receive(payload)
    case .report(let id, let state): sinks[id]?.report(state)
    case .finish(let id, let error): sinks.removeValue(forKey: id)?.finish(throwing: error?.at(environment.url()))
    case .notify(let notice):
      environment.notify(notice)
      switch notice {
      case .connected, .reconnected: settleWaiters(.success(()))
      case .disconnected(let error): settleWaiters(.failure(error ?? WebSocketError(.closedByClient)))
      case .ping, .pong: break
      }
    case .refuse(let error): settleWaiters(.failure(error.at(environment.url())))
    case .warn(let error, let delay): Self.logger.warning("\(Self.warning(error.at(environment.url()), delay))")
    case .end: inbox.finish()
    }
  }

  /// Sends a ping frame. What the call itself answers is not an answer of the server.
  private func sendPing(over connection: any WebSocketConnection) {
    // The thread that sends, until it has sent: meanwhile, a fast pong may come on another one.
    let sender = Locked<ObjectIdentifier?>(ObjectIdentifier(Thread.current))
    connection.ping { [number, inbox] in
      let isInsideOfCall = sender.withLock { $0 } == ObjectIdentifier(Thread.current)
      inbox.yield(.answered(number: number, byServer: !isInsideOfCall))
    }
    sender.withLock { $0 = nil }
  }

  private mutating func settleWaiters(_ outcome: Result<Void, any Error>) {
    for waiter in waiters { waiter.settle(outcome) }
    waiters = []
  }

  private mutating func openConnection() {
    number += 1
    reader = Task { [number, inbox, environment] in
      do {
        let opened = try await environment.connect(number)
        inbox.yield(.opened(number: number, opened))
        for try await message in opened.connection.messages {
          await withCheckedContinuation { done in
            if case .enqueued = inbox.yield(.received(number: number, message, done: done)) { return }
            done.resume()
          }
        }
        inbox.yield(.lost(number: number, .closed(.abnormalClosure)))
      } catch {
        inbox.yield(.lost(number: number, .wrap(error)))
      }
    }
  }

  /// What was begun goes on when nothing waits for it any more: a server may have ended the old credentials already.
  private mutating func renewCredentials() {
    number += 1
    reader = Task { [number, inbox, environment] in
      do {
        inbox.yield(.renewed(number: number, .success(try await environment.renewCredentials())))
      } catch {
        inbox.yield(.renewed(number: number, .failure(.wrap(error, as: .credentials))))
      }
    }
  }

  /// Ignores all further inputs of the connection.
  private mutating func forgetConnection() {
    number += 1
    reader?.cancel()
    reader = nil
    connection = nil
  }

  /// Sets an alarm for the machine's deadline. An early alarm does no harm, because the machine checks its deadline.
  private mutating func setAlarm() {
    let deadline = machine.deadline
    if let alarm {
      if let deadline, alarm.time <= deadline { return }
      alarm.task.cancel()
      self.alarm = nil
    }
    let clock = environment.clock()
    guard let deadline = deadline.map({ min($0, clock.now + .longest) }) else { return }
    let task = Task { [inbox] in
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      inbox.yield(.event(.timeIsUp))
    }
    alarm = (deadline, task)
  }
}
