import Apollo
import Foundation
import Testing
import Waiting

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The limits of sockets that an app makes", .timeLimit(.minutes(5)))
struct SocketLimitTests {
  /// A server that reads nothing.
  private struct Unread: WebSocketEngine {
    struct Connection: WebSocketConnection {
      let subprotocol: String?
      let messages: AsyncThrowingStream<WebSocketMessage, any Error>
      let closes: Awaited<[WebSocketCloseCode]>

      func send(_ message: WebSocketMessage) {}
      func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void) {}
      func close(code: WebSocketCloseCode, reason: String) { closes.change { $0.append(code) } }
    }

    let closes = Awaited<[WebSocketCloseCode]>([])
    let attempts = Awaited(0), mayOpen = Awaited(true)

    func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      attempts.change { $0 += 1 }
      // As an engine that does not notice that it was cancelled.
      try await Task { try await mayOpen.until { $0 } }.value
      // Nothing comes, and it does not end.
      let (messages, _) = AsyncThrowingStream<WebSocketMessage, any Error>.makeStream()
      return Connection(subprotocol: subprotocols.first, messages: messages, closes: closes)
    }
  }

  private func request() throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "ws://example.com")))
  }

  @Test("What an app writes is bounded while the server does not read")
  func writes() async throws {
    let engine = Unread()
    let socket = WebSocket(
      request: try request(), protocol: .graphql_ws, engine: engine, limits: WebSocketLimits(unreadBytes: 1000))
    let events = Awaited<[String]>([])
    socket.callbackQueue = DispatchQueue(label: "callbacks")
    socket.onConnect = { events.change { $0.append("connected") } }
    socket.onDisconnect = { error in events.change { $0.append("\((error as? WebSocketError)?.message ?? "no error")") }
    }
    socket.connect()
    try await events.until { $0.count == 1 }
    // One that is larger than the limit may wait by itself.
    socket.write(string: String(repeating: "a", count: 2000))
    #expect(socket.isConnected)
    socket.write(data: Data([1]))
    try await events.until { $0.count == 2 }
    #expect(events.value.last?.contains("more than 1000 bytes wait to be sent") == true, "\(events.value)")
    #expect(engine.closes.value == [.policyViolation])
    #expect(!socket.isConnected)
  }

  @Test("The callback that is told of this end may connect again")
  func connectsAgain() async throws {
    let socket = WebSocket(
      request: try request(), protocol: .graphql_ws, engine: Unread(), limits: WebSocketLimits(unreadBytes: 1000))
    let events = Awaited<[String]>([])
    socket.callbackQueue = DispatchQueue(label: "callbacks")
    socket.onConnect = { events.change { $0.append("connect") } }
    socket.onDisconnect = { [weak socket] _ in
      events.change { $0.append("disconnect") }
      socket?.connect()
    }
    socket.connect()
    try await events.until { $0.count == 1 }
    socket.write(string: String(repeating: "a", count: 2000))
    socket.write(data: Data([1]))
    try await events.until { $0.count == 3 }
    #expect(events.value == ["connect", "disconnect", "connect"])
    #expect(socket.isConnected)
  }

  @Test("A socket that is released closes its connection, whatever its engine notices")
  func released() async throws {
    let engine = Unread()
    var socket: WebSocket? = WebSocket(request: try request(), protocol: .graphql_ws, engine: engine)
    socket?.callbackQueue = DispatchQueue(label: "callbacks")
    socket?.connect()
    try await eventually { socket?.isConnected == true }
    socket = nil
    try await engine.closes.until { !$0.isEmpty }
    #expect(engine.closes.value == [.goingAway])
  }

  @Test("An attempt that succeeds though the socket was disconnected leaves no connection", arguments: [false, true])
  func late(isConnectedBefore: Bool) async throws {
    let engine = Unread(), events = Awaited<[String]>([])
    engine.mayOpen.change { $0 = false }
    let socket = WebSocket(request: try request(), protocol: .graphql_ws, engine: engine)
    socket.callbackQueue = DispatchQueue(label: "callbacks")
    socket.onConnect = { events.change { $0.append("connect") } }
    socket.onDisconnect = { _ in events.change { $0.append("disconnect") } }
    socket.connect()
    try await engine.attempts.until { $0 == 1 }
    socket.disconnect()
    if isConnectedBefore {
      socket.connect()
      try await engine.attempts.until { $0 == 2 }
    }
    engine.mayOpen.change { $0 = true }
    try await engine.closes.until { !$0.isEmpty }
    if !isConnectedBefore {
      #expect(!socket.isConnected)
      socket.connect()
    }
    try await events.until { $0.count == 2 }
    #expect(events.value.sorted() == ["connect", "disconnect"])
    #expect(engine.closes.value == [.goingAway])
    #expect(socket.isConnected)
  }

  /// A server that says two things.
  private struct Talking: WebSocketEngine {
    struct Connection: WebSocketConnection {
      let subprotocol: String?
      let messages: AsyncThrowingStream<WebSocketMessage, any Error>

      func send(_ message: WebSocketMessage) {}
      func close(code: WebSocketCloseCode, reason: String) {}
    }

    /// How often it was asked for a message.
    let asked = Awaited(0)

    func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      let messages = AsyncThrowingStream<WebSocketMessage, any Error> { [asked] in
        let number = asked.change { (asked: inout Int) -> Int in
          asked += 1
          return asked
        }
        return number <= 2 ? .text("message\(number)") : nil
      }
      return Connection(subprotocol: subprotocols.first, messages: messages)
    }
  }

  @Test("A message that waits while its connection is disconnected is not told, and leaves its room to others")
  func lateMessage() async throws {
    let engine = Talking(), notes = Locked<[String]>([])
    let socket = WebSocket(
      request: try request(), protocol: .graphql_ws, engine: engine, limits: WebSocketLimits(waitingBytes: 10))
    let queue = DispatchQueue(label: "callbacks"), goOn = DispatchSemaphore(value: 0)
    socket.callbackQueue = queue
    socket.onConnect = { notes.withLock { $0.append("connect") } }
    socket.onText = { text in notes.withLock { $0.append(text) } }
    socket.onDisconnect = { _ in notes.withLock { $0.append("disconnect") } }
    queue.async { goOn.wait() }
    socket.connect()
    try await engine.asked.until { $0 == 2 }
    for _ in 1...1000 { await Task.yield() }
    socket.disconnect()
    goOn.signal()
    // Then it has done with the second one.
    try await engine.asked.until { $0 == 3 }
    await withCheckedContinuation { end in queue.async { end.resume() } }
    #expect(notes.withLock { $0 } == ["connect", "message1", "disconnect"])
    await socket.gate.add(10)
  }

  @Test("A socket reads no further while callbacks are behind")
  func callbacks() async throws {
    let gate = CallbackGate(limit: 1000)
    await gate.add(5000)
    let second = Task { await gate.add(500) }
    let isPassed = Awaited(false)
    let third = Task {
      await second.value
      isPassed.change { $0 = true }
    }
    for _ in 1...1000 { await Task.yield() }
    #expect(!isPassed.value)
    gate.remove(5000)
    try await isPassed.until { $0 }
    await gate.add(400)
    gate.remove(900)
    await third.value
  }

  @Test("A message that is larger than the limit and waits behind another one is told once that is gone")
  func largeOneWaits() async throws {
    let gate = CallbackGate(limit: 1000)
    await gate.add(500)
    let large = begin { await gate.add(5000) }
    gate.remove(500)
    try await large.value
    // Two connections may be read at once.
    let second = begin { await gate.add(600) }
    let third = begin { await gate.add(300) }
    gate.remove(5000)
    try await second.value
    try await third.value
  }

  /// A client of an app's own that only connects.
  private final class Client: WebSocketClient, @unchecked Sendable {
    var request: URLRequest
    weak var delegate: (any WebSocketClientDelegate)?
    var callbackQueue = DispatchQueue.main

    init(_ request: URLRequest) { self.request = request }

    func connect() { delegate?.websocketDidConnect(socket: self) }
    func disconnect(forceTimeout: TimeInterval?) {}
    func write(ping: Data, completion: (() -> Void)?) {}
    func write(string: String) {}
  }

  @Test("Messages of a client that cannot be held up are bounded")
  func pushes() async throws {
    let client = Client(try request())
    let engine = WebSocketClientEngine(client, WebSocketLimits(waitingBytes: 1000))
    let connection = try await engine.connect(
      to: try #require(client.request.url), headers: [:], subprotocols: ["graphql-ws"])
    let text = String(repeating: "a", count: 600)
    engine.websocketDidReceiveMessage(socket: client, text: text)
    engine.websocketDidReceiveData(socket: client, data: Data(repeating: 0, count: 400))
    engine.websocketDidReceiveMessage(socket: client, text: "b")
    engine.websocketDidReceiveMessage(socket: client, text: "c")
    var messages: [WebSocketMessage] = []
    let error = await #expect(throws: WebSocketError.self) {
      for try await message in connection.messages { messages.append(message) }
    }
    #expect(messages == [.text(text), .binary([UInt8](repeating: 0, count: 400))])
    #expect(error?.kind == .tooManyResultBytes(limit: 1000))
  }
}
