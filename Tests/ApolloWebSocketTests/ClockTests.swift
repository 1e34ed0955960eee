import Apollo
import ApolloTestSupport
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

@testable import ApolloWebSocket

/// An engine of an app's own. Its server says `ka` and one event, and then nothing.
private struct SilentEngine: WebSocketEngine {
  struct Connection: WebSocketConnection {
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>
    let server: AsyncThrowingStream<WebSocketMessage, any Error>.Continuation
    let closes: Awaited<[WebSocketCloseCode]>
    let hasBytes = Locked(false)

    func send(_ message: WebSocketMessage) {
      guard case .text(let text) = message else { return }
      if text.contains("connection_init") {
        say(#"{"type":"ka"}"#)
        say(ack)
      }
      if text.contains(#""start""#) { say(#"{"type":"data","id":"1","payload":\#(review(4))}"#) }
    }

    private func say(_ text: String) {
      hasBytes.withLock { $0 = true }
      server.yield(.text(text))
    }

    func haveBytesCome() -> Bool {
      hasBytes.withLock { hasBytes in
        defer { hasBytes = false }
        return hasBytes
      }
    }

    func close(code: WebSocketCloseCode, reason: String) { closes.change { $0.append(code) } }
  }

  /// A connection with ping frames.
  struct PingingConnection: ByteWatching {
    let base: Connection
    let isSending: Bool
    let answer: @Sendable (@escaping @Sendable () -> Void) -> Void

    var subprotocol: String? { base.subprotocol }
    var messages: AsyncThrowingStream<WebSocketMessage, any Error> { base.messages }
    func send(_ message: WebSocketMessage) { base.send(message) }
    func ping(answered: @escaping @Sendable () -> Void) { answer(answered) }
    func haveBytesCome() -> Bool { base.haveBytesCome() || isSending }
    func close(code: WebSocketCloseCode, reason: String) { base.close(code: code, reason: reason) }
  }

  /// What happens in a ping; nil: the engine has none.
  let answer: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
  /// Whether bytes come all the time, of a message that is never whole.
  var isSending = false
  let closes = Awaited<[WebSocketCloseCode]>([])

  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    let (messages, server) = AsyncThrowingStream<WebSocketMessage, any Error>.makeStream()
    let base = Connection(subprotocol: subprotocols.first, messages: messages, server: server, closes: closes)
    guard let answer else { return base }
    return PingingConnection(base: base, isSending: isSending, answer: answer)
  }
}

/// Nothing here takes time: minutes pass when a test says so.
@Suite("A WebSocket by a clock that stands", .timeLimit(.minutes(5)))
struct ClockTests {
  private func client(
    _ clock: TestClock, _ server: ScriptedWebSocketServer, _ reconnection: ReconnectionPolicy,
    _ timeouts: WebSocketTimeouts
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: URL(string: "http://clock.example/")!)
    configuration.clock = clock
    let transport = try WebSocketTransport(server, reconnection: reconnection) { $0.timeouts = timeouts }
    return ApolloClient(networkTransport: transport, configuration: configuration)
  }

  @Test("The next attempts to connect wait longer and longer")
  func reconnection() async throws {
    let clock = TestClock(), number = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let count = number.withLock { number in
        number += 1
        return number
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      guard count == 4 else { return connection.drop() }
      connection.send(next(id, review(count)))
      connection.send(complete(id))
    } _: { server in
      let policy = ReconnectionPolicy(initialDelay: .seconds(60), maximumDelay: .seconds(200), jitter: 0)
      let client = try client(clock, server, policy, WebSocketTimeouts(pingInterval: nil))
      let results = try client.subscribe(subscription: ReviewAdded())
      let stars = Task {
        var stars: [Int?] = []
        for try await result in results { stars.append(result.data?.reviewAdded?.stars) }
        return stars
      }
      // What connects has a limit, too, which is another wait.
      for delay in [60, 120, 200] {
        try await eventually("it waits for \(delay) seconds") { clock.waits == [.seconds(delay)] }
        await clock.advanceToNext()
      }
      #expect(try await stars.value == [4])
    }
  }

  /// Lets time pass for a client that always waits for something.
  private func pass(_ seconds: Int, _ clock: TestClock) async {
    let end = clock.now + .seconds(seconds)
    while true {
      // (An alarm that was set for less than this may be there still.)
      await clock.untilWaiting()
      guard let next = clock.waits.first, clock.now + next < end else { break }
      await clock.advanceToNext()
    }
    await clock.advance(by: end - clock.now)
  }

  /// Subscribes over an engine, lets time pass after the first event, and sees what has come of that.
  private func subscribe(
    over engine: SilentEngine, _ timeouts: WebSocketTimeouts = WebSocketTimeouts(), for seconds: Int,
    then see: () async throws -> Void
  ) async throws {
    let clock = TestClock(), events = Awaited(0)
    var configuration = ApolloClient.Configuration(url: URL(string: "http://clock.example/")!)
    configuration.clock = clock
    // (Without a limit: the time passes while attempts are under way, which fail by that.)
    let reconnection = ReconnectionPolicy(initialDelay: .milliseconds(10), jitter: 0)
    let transport = WebSocketTransport(
      url: URL(string: "ws://clock.example/")!,
      configuration: .init(
        subprotocols: [.graphqlWS], reconnection: reconnection, timeouts: timeouts, connectOnInit: false),
      engine: engine)
    let client = ApolloClient(networkTransport: transport, configuration: configuration)
    let results = try client.subscribe(subscription: ReviewAdded())
    let reading = Task { for try await _ in results { events.change { $0 += 1 } } }
    defer { reading.cancel() }
    try await events.until { $0 == 1 }
    await pass(seconds, clock)
    try await see()
  }

  @Test("A server that is silent after a ka is left, though the socket answers pings itself", arguments: [false, true])
  func silence(hasPings: Bool) async throws {
    let engine = hasPings ? SilentEngine(answer: { $0() }) : SilentEngine(answer: nil)
    try await subscribe(over: engine, for: 60) {
      try await eventually { engine.closes.value.first == .terminated }
    }
  }

  @Test("A server that does not answer pings is left, unless its bytes come", arguments: [true, false])
  func bytes(areComing: Bool) async throws {
    let engine = SilentEngine(answer: { _ in }, isSending: areComing)
    try await subscribe(over: engine, for: areComing ? 200 : 60) {
      if areComing {
        #expect(engine.closes.value.isEmpty)
      } else {
        try await eventually { engine.closes.value.first == .terminated }
      }
    }
  }

  @Test("Without pings, a server that falls silent is left in time, unless its bytes come", arguments: [true, false])
  func bytesWithoutPings(areComing: Bool) async throws {
    let engine = SilentEngine(answer: { _ in }, isSending: areComing)
    let timeouts = WebSocketTimeouts(pingInterval: nil, keepAlive: .seconds(30))
    try await subscribe(over: engine, timeouts, for: areComing ? 200 : 31) {
      if areComing {
        #expect(engine.closes.value.isEmpty)
      } else {
        try await eventually { engine.closes.value.first == .terminated }
      }
    }
  }

  @Test("A server that answers pings is not left, even if its pong is there before the ping has returned")
  func fastPong() async throws {
    let pings = Awaited(0)
    let engine = SilentEngine(answer: { answered in
      let isAnswered = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        answered()
        isAnswered.signal()
      }
      isAnswered.wait()
      pings.change { $0 += 1 }
    })
    try await subscribe(over: engine, for: 200) {
      #expect(pings.value >= 5)
      #expect(engine.closes.value.isEmpty)
    }
  }

  @Test("A server that says nothing after a ping is left, and so is one that never acknowledges")
  func pings() async throws {
    let clock = TestClock(), events = Awaited<[String]>([]), number = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let count = number.withLock { number in
        number += 1
        return number
      }
      if count == 2 {
        _ = try await connection.receive()
        events.change { $0.append("init") }
        _ = try await connection.receive()
        return
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      events.change { $0.append("subscribed") }
      if count == 3 {
        connection.send(next(id, review(count)))
        return connection.send(complete(id))
      }
      _ = try await connection.receive()
      events.change { $0.append("ping") }
      _ = try await connection.receive()
      events.change { $0.append("gone") }
    } _: { server in
      let timeouts = WebSocketTimeouts(
        acknowledgement: .seconds(700), pingInterval: .seconds(3600), pong: .seconds(600))
      let policy = ReconnectionPolicy(
        initialDelay: .seconds(60), maximumDelay: .seconds(1000), jitter: 0, stableAfter: .zero)
      let client = try client(clock, server, policy, timeouts)
      let results = try client.subscribe(subscription: ReviewAdded())
      let stars = Task {
        var stars: [Int?] = []
        for try await result in results { stars.append(result.data?.reviewAdded?.stars) }
        return stars
      }
      try await events.until { $0 == ["subscribed"] }
      await pass(3599, clock)
      #expect(events.value == ["subscribed"])
      await pass(1, clock)
      try await events.until { $0.last == "ping" }
      await pass(600, clock)
      try await events.until { $0.last == "gone" }
      await pass(60, clock)
      try await events.until { $0.last == "init" }
      await pass(700, clock)
      await pass(120, clock)
      #expect(try await stars.value == [3])
    }
  }
}
