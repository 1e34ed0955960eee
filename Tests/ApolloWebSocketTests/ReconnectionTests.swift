import Apollo
import ApolloWebSocket
import Foundation
import ScriptedServer
import ScriptedWebSocketServer
import StyledTests
import Testing

@Suite("A connection that breaks", .everyStyle, .timeLimit(.minutes(5)))
struct ReconnectionTests {
  /// The stars of the results that come, each from the connection of that number.
  private static func answerWithConnectionNumber(
    _ connections: Locked<Int>, lastOne: Int, _ end: @escaping @Sendable (ScriptedConnection) -> Void
  ) -> ScriptedWebSocketServer.Script {
    { connection in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(number)))
      if number == lastOne { connection.send(complete(id)) } else { end(connection) }
    }
  }

  @Test(
    "Subscriptions go on after every loss that another attempt may cure",
    arguments: [nil, 1000, 1001, 1012, 1013, 1014, 4408, 4499, 4504, 4999] as [UInt16?])
  func retryable(code: UInt16?) async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(
      Self.answerWithConnectionNumber(connections, lastOne: 3) { connection in
        if let code { connection.close(code, "for now") } else { connection.drop() }
      }
    ) { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.stars } == [1, 2, 3])
    }
  }

  @Test("A close frame without a code is a loss that another attempt may cure")
  func noCode() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(
      Self.answerWithConnectionNumber(connections, lastOne: 2) { $0.close(nil) }
    ) { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.count == 2)
    }
  }

  @Test(
    "Other close codes end all operations with code and reason, and no attempt follows",
    arguments: [1002, 1003, 1007, 1008, 1009, 1011, 4004, 4005, 4400, 4401, 4403, 4406, 4409, 4429, 4500] as [UInt16])
  func fatal(code: UInt16) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
      connection.close(code, "no way")
      try await connection.expect(.close(code, ""))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .closed(code: WebSocketCloseCode(rawValue: code), reason: "no way"))
      #expect(error.code == .network)
      #expect(error.message.contains("\(code)") && error.message.contains("no way"))
      try await server.untilScriptsEnd()
      #expect(server.connections.count == 1)
    }
  }

  @Test("A query in flight fails with the reason of the loss, a subscription beside it goes on")
  func queryInFlight() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      if isFirst {
        try await connection.subscription()
        connection.close(1001, "restarting")
      } else {
        #expect(id == "1", "only the subscription is sent again")
        connection.send(complete(id))
      }
    } _: { server in
      let transport = try WebSocketTransport(server)
      let subscription = transport.results(of: ReviewAdded(), cachePolicy: .default)
      let error = try await transport.failure(of: ReviewQuery())
      #expect(error.kind == .closed(code: .goingAway, reason: "restarting"))
      for try await _ in subscription { Issue.record("there was no result") }
    }
  }

  struct Safe: ResendableRequestContext { let isResendable = true }

  @Test("An operation that is marked safe is sent again", arguments: [true, false])
  func resendable(byContext: Bool) async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      if isFirst { connection.drop() } else { connection.send(next(id, review(5, field: "review"))) }
    } _: { server in
      let transport = try WebSocketTransport(server) {
        if !byContext { $0.resentOperations.insert(.query) }
      }
      let results = try await transport.all(ReviewQuery(), context: byContext ? Safe() : nil)
      #expect(results.map { $0.data?.review?.stars } == [5])
    }
  }

  @Test("Attempts end with the last error and their number")
  func exhausted() async throws {
    try await ScriptedWebSocketServer.with(handshakes: Array(repeating: .refuse(status: 503), count: 10)) { _ in
    } _: { server in
      let transport = try WebSocketTransport(server)
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .retriesExhausted(attempts: 4))
      #expect(error.code == .retriesExhausted)
      #expect(error.httpStatus == 503)
      #expect((error.cause as? WebSocketError)?.kind == .upgradeError(code: 503))
    }
  }

  @Test("A connection that has lasted restores all attempts")
  func counterReset() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(
      Self.answerWithConnectionNumber(connections, lastOne: 8) { $0.drop() }
    ) { server in
      let results = try await WebSocketTransport(server) { $0.reconnection.stableAfter = .zero }.all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.stars } == Array(1...8))
    }
  }

  @Test("A server that acknowledges, answers and closes at once is not asked again without end")
  func flapping() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(
      Self.answerWithConnectionNumber(connections, lastOne: 100) { $0.close(1000) }
    ) { server in
      let transport = try WebSocketTransport(server)
      var stars: [Int?] = []
      let error = await #expect(throws: WebSocketError.self) {
        for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
          stars.append(result.data?.reviewAdded?.stars)
        }
      }
      #expect(error?.kind == .retriesExhausted(attempts: 4))
      #expect(stars == [1, 2, 3, 4])
    }
  }

  @Test(
    "With reconnection off, a server that closes in order ends subscriptions, and fails a query",
    arguments: [1000, nil] as [UInt16?])
  func neverAndInOrder(code: UInt16?) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1)))
      try await connection.subscription()
      connection.close(code)
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never)
      let recorder = Recorder()
      transport.delegate = recorder
      let events = transport.subscribe(to: ReviewAdded())
      let error = try await transport.failure(of: ReviewQuery())
      #expect(
        error.kind == .closed(code: code.map(WebSocketCloseCode.init(rawValue:)) ?? .noStatusReceived, reason: ""))
      var stars: [Int?] = []
      for try await event in events { stars.append(event.data?.reviewAdded?.stars) }
      #expect(stars == [1])
      #expect("\(events.state)" == "finished")
      #expect(recorder.events == ["connected", "disconnected"], "a close in order is not an error for the delegate")
      #expect(server.connections.count == 1)
    }
  }

  @Test("With reconnection off, a server that closes in order before it acknowledges fails subscriptions")
  func neverAndRefused() async throws {
    try await ScriptedWebSocketServer.with {
      $0.close(1000)
    } _: { server in
      let error = try await WebSocketTransport(server, reconnection: .never).failure(of: ReviewAdded())
      #expect(error.kind == .closed(code: .normalClosure, reason: ""))
    }
  }

  @Test("With reconnection off, a loss ends subscriptions")
  func never() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
      connection.drop()
    } _: { server in
      let error = try await WebSocketTransport(server, reconnection: .never).failure(of: ReviewAdded())
      #expect(error.kind == .closed(code: .abnormalClosure, reason: ""))
      #expect(server.connections.count == 1)
    }
  }

  @Test("A server that never acknowledges is left with 4504, and tried again")
  func noAcknowledgement() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init"}"#))
      try await connection.expect(.close(4504, "Connection acknowledgement timeout"))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.timeouts.acknowledgement = .milliseconds(50)
        $0.reconnection.maximumServerFailures = 1
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .retriesExhausted(attempts: 2))
      #expect(
        (error.cause as? WebSocketError)?.kind
          == .closed(code: .connectionAcknowledgementTimeout, reason: "Connection acknowledgement timeout"))
      try await server.untilScriptsEnd()
      #expect(server.connections.count == 2)
    }
  }

  @Test("A server that never ends the handshake is given up")
  func noHandshake() async throws {
    try await ScriptedWebSocketServer.with(handshakes: [.hang]) { _ in
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.timeouts.connection = .milliseconds(50)
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .timeout)
      #expect(server.connections.isEmpty)
    }
  }

  @Test("A server that no longer answers pings counts as gone", .asWritten)
  func noPong() async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      try await connection.expect(.text(#"{"type":"ping"}"#))
      connection.send(#"{"type":"pong"}"#)
      try await connection.expect(.text(#"{"type":"ping"}"#))
      if isFirst {
        try await connection.expect(.close(4499, "No sign of life"))
      } else {
        connection.send(complete(id))
      }
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.timeouts.pingInterval = .milliseconds(30)
        $0.timeouts.pong = .seconds(4)
      }
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      #expect(server.connections.count == 2)
    }
  }

  struct Patience: RequestContextTimeoutConfigurable { let requestTimeout: TimeInterval }

  @Test(
    "A timeout that is not a time, or longer than any clock, does no harm",
    arguments: [.infinity, 1e300, 1e12] as [TimeInterval])
  func longTimeouts(seconds: TimeInterval) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      connection.send(next(try await connection.subscription(), review(1, field: "review")))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.timeouts = WebSocketTimeouts(
          connection: .seconds(Int64.max), acknowledgement: .seconds(Int64.max), result: .seconds(Int64.max),
          idle: .seconds(Int64.max), pingInterval: .seconds(Int64.max), pong: .seconds(Int64.max),
          keepAlive: .seconds(Int64.max))
      }
      let context = Patience(requestTimeout: seconds)
      #expect(try await transport.all(ReviewQuery(), context: context).map { $0.data?.review?.stars } == [1])
    }
  }

  @Test("A timeout of nothing, or below, is over at once", arguments: [.nan, -1, -.infinity, 0] as [TimeInterval])
  func shortTimeouts(seconds: TimeInterval) async throws {
    try await ScriptedWebSocketServer.with(handshakes: [.hang]) { _ in
    } _: { server in
      let transport = try WebSocketTransport(server)
      let error = try await transport.failure(of: ReviewQuery(), context: Patience(requestTimeout: seconds))
      #expect(error.kind == .timeout)
    }
  }

  struct Hurry: RequestContextTimeoutConfigurable { let requestTimeout: TimeInterval = 0.05 }

  @Test("A query that is never answered fails in its time", arguments: [true, false])
  func noResult(byContext: Bool) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      try await connection.expect(.text(complete(id)))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        if !byContext { $0.timeouts.result = .milliseconds(50) }
      }
      // The time counts from the start of the query: were there no connection yet, it might never be sent.
      try await transport.connect()
      let error = try await transport.failure(of: ReviewQuery(), context: byContext ? Hurry() : nil)
      #expect(error.kind == .timeout)
      try await server.untilScriptsEnd()
    }
  }

  @Test("Nobody listens: the error says so")
  func refused() async throws {
    // No service has port 1.
    let transport = WebSocketTransport(
      url: try #require(URL(string: "ws://127.0.0.1:1")),
      configuration: WebSocketTransport.Configuration(reconnection: .never, connectOnInit: false))
    let error = try await transport.failure(of: ReviewAdded())
    #expect(error.kind == .networkError)
    #expect(error.cause != nil)
  }

  @Test(
    "HTTP statuses that promise no better next time end it at once, with the status", arguments: [400, 401, 403, 404])
  func upgradeRefused(status: Int) async throws {
    let requests = Locked(0)
    try await ScriptedServer.with { _ in
      requests.withLock { $0 += 1 }
      return [.respond("no", status: status)]
    } _: { server in
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address)), configuration: .init(connectOnInit: false))
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .upgradeError(code: status))
      #expect(error.httpStatus == status)
      #expect(error.code == .httpStatus)
      #expect(requests.withLock { $0 } == 1)
    }
  }

  @Test("HTTP statuses of a server in trouble are tried again", arguments: [429, 502, 503])
  func upgradeRetried(status: Int) async throws {
    let connections = Locked(0)
    try await ScriptedWebSocketServer.with(
      handshakes: [.refuse(status: status)], Self.answerWithConnectionNumber(connections, lastOne: 1) { _ in }
    ) { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.count == 1)
    }
  }
}
