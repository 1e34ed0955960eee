import Apollo
import Foundation
import NIOWebSocket
import ScriptedWebSocketServer
import StyledTests
import Testing
import Waiting

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Sockets of an app's own", .timeLimit(.minutes(5)))
struct WebSocketClientTests {
  private func transport(_ socket: MockWebSocket) -> WebSocketTransport {
    var configuration = WebSocketTransport.Configuration(connectOnInit: false)
    configuration.reconnection.initialDelay = .milliseconds(10)
    return WebSocketTransport(websocket: socket, config: configuration)
  }

  @Test("It answers pings itself, inside of the call")
  func pings() async throws {
    let engine = WebSocketClientEngine(MockWebSocket("graphql-ws"), WebSocketLimits())
    let url = try #require(URL(string: "wss://example.com/graphql"))
    let connection = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-ws"])
    let isAnswered = Locked(false)
    connection.ping { isAnswered.withLock { $0 = true } }
    #expect(isAnswered.withLock { $0 })
  }

  private func stars(_ transport: WebSocketTransport, _ count: Int, between: () -> Void = {}) async throws -> [Int?] {
    var stars: [Int?] = []
    for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
      stars.append(result.data?.reviewAdded?.stars)
      if stars.count == count { break }
      between()
    }
    return stars
  }

  @Test(
    "The transport speaks the protocol of the socket's request",
    arguments: [("graphql-ws", 4), ("graphql-transport-ws", 3), (nil, 3)] as [(String?, Int)])
  func subprotocol(name: String?, expected: Int) async throws {
    let socket = MockWebSocket(name)
    #expect(try await stars(transport(socket), 1) == [expected])
    let first = socket.notes.withLock { $0.first }
    #expect(first == "connect wss one \(name ?? "graphql-transport-ws")")
  }

  @Test("A connection that fails, or breaks, is opened again; the subscription goes on")
  func reconnection() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    socket.isRefusing = true
    let transport = transport(socket)
    #expect(try await stars(transport, 2, between: { socket.fail() }) == [3, 3])
    #expect(socket.notes.withLock { $0.filter { $0.hasPrefix("connect ") } }.count == 3)
  }

  @Test(
    "What replaces a connection waits for its end, or not long if the socket never tells", arguments: [true, false])
  func replaced(tellsOfEnd: Bool) async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    socket.tellsOfEnd = tellsOfEnd
    let transport = transport(socket)
    let all = try await stars(transport, 2) { transport.updateHeaderValues(["Authorization": "two"]) }
    #expect(all == [3, 3])
    let connections = socket.notes.withLock { $0.filter { $0.hasPrefix("connect ") || $0 == "disconnect" } }
    #expect(
      connections.prefix(3) == [
        "connect wss one graphql-transport-ws", "disconnect", "connect wss two graphql-transport-ws",
      ])
  }

  @Test("An attempt that is cancelled while it waits for the end of a connection spoils no later one")
  func cancelled() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    socket.tellsOfEnd = false
    let engine = WebSocketClientEngine(socket, WebSocketLimits())
    let url = try #require(URL(string: "wss://example.com/graphql"))
    let first = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-transport-ws"])
    first.close(code: .normalClosure, reason: "")
    let attempt = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-transport-ws"])
    }
    await #expect(throws: CancellationError.self) { try await attempt.value }
    engine.websocketDidDisconnect(socket: socket, error: nil)
    let second = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-transport-ws"])
    #expect(second.subprotocol == "graphql-transport-ws")
  }

  @Test("An attempt that is cancelled before it begins connects nothing, and spoils no later one")
  func cancelledBefore() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    let engine = WebSocketClientEngine(socket, WebSocketLimits())
    let url = try #require(URL(string: "wss://example.com/graphql"))
    let attempt = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-transport-ws"])
    }
    await #expect(throws: CancellationError.self) { try await attempt.value }
    let second = try await engine.connect(to: url, headers: [:], subprotocols: ["graphql-transport-ws"])
    #expect(second.subprotocol == "graphql-transport-ws")
    #expect(socket.notes.withLock { $0.filter { $0.hasPrefix("connect ") } }.count == 1)
  }

  @Test("What a callback has held may use the socket when the callback is taken back")
  func releasedCallback() throws {
    final class Chat {
      private let socket: WebSocket
      init(_ socket: WebSocket) { self.socket = socket }
      deinit { socket.disconnect() }
    }
    let socket = WebSocket(url: try #require(URL(string: "ws://127.0.0.1:1")), protocol: .graphql_ws)
    func listen() {
      let chat = Chat(socket)
      socket.onText = { _ in withExtendedLifetime(chat) {} }
    }
    listen()
    listen()
    socket.onText = nil
    #expect(!socket.isConnected)
  }

  @Test("Closing the transport disconnects the socket")
  func closed() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    let transport = transport(socket)
    try await transport.connect()
    transport.closeConnection()
    try await eventually { socket.notes.withLock { $0.last } == "disconnect" }
  }

  private struct Login: Authenticator {
    let token: Locked<String?>

    func credentials() async throws -> [String: String] {
      token.withLock { $0 }.map { ["Authorization": $0] } ?? [:]
    }

    func renew(refused: [String: String]) async throws -> Bool { false }
  }

  @Test("Neither the credentials nor the names of a connection go into the next one")
  func leftovers() async throws {
    let token = Locked<String?>("A"), socket = MockWebSocket("graphql-transport-ws")
    var configuration = WebSocketTransport.Configuration(connectOnInit: false)
    configuration.authenticator = Login(token: token)
    let transport = WebSocketTransport(websocket: socket, config: configuration)
    try await transport.connect()
    transport.closeConnection()
    token.withLock { $0 = nil }
    transport.clientName = "new"
    try await transport.connect()
    #expect(socket.request.value(forHTTPHeaderField: "apollographql-client-name") == "new")
    transport.closeConnection()
    transport.updateHeaderValues(["Authorization": nil], reconnectIfConnected: false)
    try await transport.connect()
    #expect(socket.tokens == ["A", "one", "none"])
  }

  @Test("The request of a socket is used on its queue only")
  func queue() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    let transport = transport(socket)
    try await transport.connect()
    transport.updateHeaderValues(["Authorization": "two"])
    try await transport.connect()
    try await transport.forgetUser()
    #expect(try await stars(transport, 1) == [3])
    #expect(socket.strayUses.withLock { $0 } == 0)
  }

  @Test("A header field that the app sets on the request counts, until the transport has another value for it")
  func ownFields() async throws {
    let socket = MockWebSocket("graphql-transport-ws"), transport = transport(socket)
    socket.request.setValue("two", forHTTPHeaderField: "Authorization")
    try await transport.connect()
    transport.closeConnection()
    try await transport.connect()
    transport.closeConnection()
    transport.updateHeaderValues(["authorization": "three"], reconnectIfConnected: false)
    try await transport.connect()
    #expect(socket.tokens == ["two", "two", "three"])
  }

  @Test("What the transport is told counts for a field that the app has set, though the transport had the same before")
  func toldFields() async throws {
    let socket = MockWebSocket("graphql-transport-ws"), transport = transport(socket)
    socket.request.setValue("A", forHTTPHeaderField: "X-User")
    try await transport.connect()
    #expect(socket.request.value(forHTTPHeaderField: "X-User") == "A")
    transport.closeConnection()
    transport.updateHeaderValues(["x-user": nil], reconnectIfConnected: false)
    try await transport.connect()
    #expect(socket.request.value(forHTTPHeaderField: "X-User") == nil)
    socket.request.setValue("two", forHTTPHeaderField: "Authorization")
    transport.closeConnection()
    try await transport.connect()
    transport.closeConnection()
    transport.updateHeaderValues(["Authorization": "one"], reconnectIfConnected: false)
    try await transport.connect()
    // Once it was set, the app's next value counts again.
    socket.request.setValue("three", forHTTPHeaderField: "Authorization")
    transport.closeConnection()
    try await transport.connect()
    #expect(socket.tokens == ["one", "one", "two", "one", "three"])
  }

  @Test("What the app has set on the request ends with its user")
  func forgottenFields() async throws {
    let socket = MockWebSocket("graphql-transport-ws"), transport = transport(socket)
    try await transport.connect()
    socket.request.setValue("A", forHTTPHeaderField: "X-User")
    socket.request.setValue("A", forHTTPHeaderField: "Authorization")
    try await transport.forgetUser()
    #expect(socket.request.value(forHTTPHeaderField: "X-User") == nil)
    try await transport.connect()
    #expect(socket.request.value(forHTTPHeaderField: "X-User") == nil)
    #expect(socket.request.value(forHTTPHeaderField: "apollographql-client-name") == transport.clientName)
    try await transport.forgetUser()
    // As an app does when the next user signs in.
    socket.request.setValue("B", forHTTPHeaderField: "Authorization")
    try await transport.connect()
    #expect(socket.tokens == ["one", "one", "B"])
  }

  /// Sees what the transport is told.
  private final class Listener: WebSocketClientDelegate {
    let transport: WebSocketTransport
    let texts = Locked<[String]>([])
    init(_ transport: WebSocketTransport) { self.transport = transport }

    func websocketDidConnect(socket: any WebSocketClient) { transport.websocketDidConnect(socket: socket) }
    func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?) {
      transport.websocketDidDisconnect(socket: socket, error: error)
    }
    func websocketDidReceiveMessage(socket: any WebSocketClient, text: String) {
      texts.withLock { $0.append(text) }
      transport.websocketDidReceiveMessage(socket: socket, text: text)
    }
    func websocketDidReceiveData(socket: any WebSocketClient, data: Data) {
      transport.websocketDidReceiveData(socket: socket, data: data)
    }
  }

  @Test("An app may stand between the socket and the transport")
  func between() async throws {
    let socket = MockWebSocket("graphql-transport-ws")
    let transport = transport(socket)
    let listener = Listener(transport)
    socket.delegate = listener
    #expect(try await stars(transport, 1) == [3])
    #expect(listener.texts.withLock { $0.first } == #"{"type":"connection_ack"}"#)
  }
}

@Suite("The WebSocket of 1.x", .everyStyle, .timeLimit(.minutes(5)))
struct WebSocketTests {
  @Test("Its callbacks are called for the connections of a transport, on the queue of the callbacks")
  func callbacks() async throws {
    try await ScriptedWebSocketServer.with { connection in
      #expect(connection.headers["authorization"] == "later")
      try await connection.acknowledge()
      try await connection.subscription()
      connection.close(1000)
    } _: { server in
      let notes = Locked<[String]>([])
      let socket = WebSocket(url: try #require(URL(string: server.address)), protocol: .graphql_transport_ws)
      socket.callbackQueue = DispatchQueue(label: "callbacks")
      socket.onConnect = { notes.withLock { $0.append("connect") } }
      socket.onText = { _ in notes.withLock { $0.append("text") } }
      socket.onDisconnect = { error in notes.withLock { $0.append("disconnect \(error == nil)") } }
      let transport = WebSocketTransport(
        websocket: socket,
        config: .init(connectingPayload: .none, reconnection: .never, connectOnInit: false))
      socket.request.setValue("later", forHTTPHeaderField: "Authorization")
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      try await eventually { notes.withLock { $0.count } == 3 }
      #expect(notes.withLock { $0 } == ["connect", "text", "disconnect true"])
      #expect(!socket.isConnected)
    }
  }

  /// Notes what it is told.
  private final class Delegate: WebSocketClientDelegate {
    let notes = Locked<[String]>([])
    func websocketDidConnect(socket: any WebSocketClient) { notes.withLock { $0.append("connect") } }
    func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?) {
      notes.withLock { $0.append("disconnect \(error.map { "\($0)" } ?? "in order")") }
    }
    func websocketDidReceiveMessage(socket: any WebSocketClient, text: String) { notes.withLock { $0.append(text) } }
    func websocketDidReceiveData(socket: any WebSocketClient, data: Data) {
      notes.withLock { $0.append("\(Array(data))") }
    }
  }

  @Test("It works without a transport: it connects, writes, is told what comes, and disconnects")
  func alone() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text("hello"))
      try await connection.expect(.binary([1, 2]))
      connection.send("hello")
      connection.send(.binary, [3])
      try await connection.answerPing()
      try await connection.expect(.close(1000, ""))
    } _: { server in
      let socket = WebSocket(url: try #require(URL(string: server.address)), protocol: .graphql_ws)
      let delegate = Delegate()
      socket.callbackQueue = DispatchQueue(label: "callbacks")
      socket.delegate = delegate
      socket.connect()
      socket.connect()
      try await eventually { socket.isConnected }
      socket.write(string: "hello")
      let written = Locked(0)
      socket.write(data: Data([1, 2])) { written.withLock { $0 += 1 } }
      try await eventually { delegate.notes.withLock { $0.count } == 3 }
      try await eventually { written.withLock { $0 } == 1 }
      #expect(delegate.notes.withLock { $0 } == ["connect", "hello", "[3]"])
      let answered = Locked(false)
      socket.onPong = { data in answered.withLock { $0 = data == nil } }
      socket.write(ping: Data())
      try await eventually { answered.withLock { $0 } }
      socket.disconnect()
      try await eventually { !socket.isConnected }
      try await eventually { delegate.notes.withLock { $0.last } == "disconnect in order" }
      #expect(server.connections.count == 1)
    }
  }

  @Test("After it was disconnected, it connects again at once")
  func again() async throws {
    try await ScriptedWebSocketServer.with { connection in
      while try await connection.receive() != .gone {}
    } _: { server in
      let socket = WebSocket(url: try #require(URL(string: server.address)), protocol: .graphql_ws)
      let delegate = Delegate()
      socket.callbackQueue = DispatchQueue(label: "callbacks")
      socket.delegate = delegate
      socket.connect()
      try await eventually { socket.isConnected }
      socket.disconnect()
      #expect(!socket.isConnected)
      socket.connect()
      try await server.until(connectionCount: 2)
      try await eventually { delegate.notes.withLock { $0.count } == 3 }
      #expect(delegate.notes.withLock { $0 } == ["connect", "disconnect in order", "connect"])
    }
  }

  @Test("A server that is not there, and an address that is none, are told of")
  func failures() async throws {
    for (address, reason) in [("ws://127.0.0.1:1", "The connection failed"), ("mailto:a@b", "is not the address")] {
      let socket = WebSocket(url: try #require(URL(string: address)), protocol: .graphql_ws)
      let delegate = Delegate()
      socket.delegate = delegate
      socket.callbackQueue = DispatchQueue(label: "callbacks")
      socket.connect()
      try await eventually { delegate.notes.withLock { $0.count } == 1 }
      #expect(delegate.notes.withLock { $0 }.first?.contains(reason) == true)
    }
  }
}
