import Apollo
import ApolloWebSocket
import Foundation
import NIOWebSocket
import ScriptedWebSocketServer
import StyledTests
import Testing

/// What a server may do wrong, seen from an app: a clear error, or none, and a transport that goes on to work.
@Suite("A server that does wrong", .everyStyle, .timeLimit(.minutes(5)))
struct HostileServerTests {
  /// Runs a subscription on a connection on which the server does wrong, and then one on which it does not.
  private func failure(
    closing close: ScriptedConnection.Frame?,
    configure: (inout WebSocketTransport.Configuration) -> Void = { _ in }, engine: (any WebSocketEngine)? = nil,
    _ wrong: @escaping @Sendable (ScriptedConnection, _ id: String) async throws -> Void
  ) async throws -> WebSocketError {
    let connections = Locked(0)
    return try await ScriptedWebSocketServer.with { connection in
      let isFirst = connections.withLock { count in
        count += 1
        return count == 1
      }
      try await connection.acknowledge()
      let id = try await connection.subscription()
      guard isFirst else { return connection.send(complete(id)) }
      try await wrong(connection, id)
      if let close { try await connection.expect(close) }
    } _: { server in
      var configuration = WebSocketTransport.Configuration(reconnection: .never)
      configure(&configuration)
      let transport = WebSocketTransport(
        url: try #require(URL(string: server.address)), configuration: configuration, engine: engine)
      let error = try await transport.failure(of: ReviewAdded())
      #expect(try await transport.all(ReviewAdded()).isEmpty)
      try await server.untilScriptsEnd()
      return error
    }
  }

  // MARK: Not of the GraphQL protocol

  @Test(
    "A text that is not a message closes with 4004, and the error says what is wrong with it",
    arguments: [
      ("{nope", "it is not a JSON object"), ("", "it is not a JSON object"), ("[]", "it is not a JSON object"),
      ("{}", "it has no type"), (#"{"type":7}"#, "it has no type"),
      (#"{"type":"next","payload":{}}"#, "its type is 'next' and it has no id"),
      (#"{"type":"complete","id":null}"#, "its type is 'complete' and it has no id"),
      (#"{"type":"error","id":"","payload":[]}"#, "its type is 'error' and it has no id"),
    ])
  func noMessage(text: String, reason: String) async throws {
    let error = try await failure(closing: nil) { connection, _ in
      connection.send(text)
      guard case .close(let code, let why) = try await connection.receive() else { throw ScriptFailure("no close") }
      #expect(code == 4004)
      #expect(why.hasPrefix("Invalid message: " + reason))
      #expect(why.utf8.count <= 123)
    }
    guard case .unprocessedMessage(let why) = error.kind else { throw error }
    #expect(why.hasPrefix(reason))
  }

  @Test("A binary message is read as the text that it is")
  func binaryText() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init"}"#))
      connection.send(.binary, Array(ack.utf8))
      let id = try await connection.subscription()
      connection.send(.binary, Array(next(id, review(3, id: "grün 😀")).utf8))
      connection.send(.binary, Array(complete(id).utf8))
    } _: { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.id } == ["grün 😀"])
    }
  }

  @Test(
    "A binary message that is not text closes with 4004", arguments: [[0xff], [0x7b, 0xc3], [0x22, 0xed, 0xa0, 0x80]])
  func binary(_ bytes: [UInt8]) async throws {
    let text = "it is binary, and not text in UTF-8"
    let error = try await failure(closing: .close(4004, "Invalid message: " + text)) { connection, id in
      connection.send(.binary, bytes, fin: true)
    }
    #expect(error.kind == .unprocessedMessage(text))
  }

  @Test(
    "What a client does not know, or no longer, changes nothing",
    arguments: [
      ack, #"{"type":"connection_ack","payload":{"again":true}}"#, #"{"type":"brand_new","payload":[1]}"#,
      #"{"type":"start_ack","id":"1"}"#, next("99", review(9)), complete("99"),
      #"{"id":"99","type":"error","payload":[{"message":"m"}]}"#, #"{"type":"pong"}"#,
      #"{"type":"pong","payload":{"unsolicited":true}}"#,
    ])
  func ignored(text: String) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(text)
      connection.send(next(id, review(1)))
      connection.send(text)
      connection.send(complete(id))
    } _: { server in
      let results = try await WebSocketTransport(server).all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.stars } == [1])
    }
  }

  @Test(
    "A payload that is none fails its operation, which the server is told to stop, and no other",
    arguments: [
      #"{"id":"1","type":"next"}"#, #"{"id":"1","type":"next","payload":null}"#,
      #"{"id":"1","type":"next","payload":7}"#, #"{"id":"1","type":"next","payload":[]}"#,
      #"{"id":"1","type":"next","payload":{}}"#, #"{"id":"1","type":"next","payload":{"data":[]}}"#,
      #"{"id":"1","type":"next","payload":{"data":{"reviewAdded":7}}}"#,
    ])
  func badPayload(text: String) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let ids = [try await connection.subscription(), try await connection.subscription()]
      connection.send(text)
      try await connection.expect(.text(complete(ids[0])))
      connection.send(next(ids[1], review(1)))
      connection.send(complete(ids[1]))
    } _: { server in
      let transport = try WebSocketTransport(server)
      let first = transport.results(of: ReviewAdded(), cachePolicy: .default)
      #expect(try await transport.all(ReviewAdded()).map { $0.data?.reviewAdded?.stars } == [1])
      await #expect(throws: (any Error).self) { for try await _ in first {} }
      #expect(server.connections.count == 1)
    }
  }

  // MARK: Not of the WebSocket protocol

  #if !canImport(Darwin)
    @Test("A message, and a frame, above the engine's limit closes with 1009", arguments: [true, false])
    func tooBig(inOneFrame: Bool) async throws {
      let engine = NIOWebSocketEngine(limits: WebSocketLimits(messageSize: 1000))
      let reason = "more than 1000 bytes"
      let error = try await failure(closing: .close(1009, reason), engine: engine) { connection, _ in
        let part = [UInt8](repeating: 0x20, count: inOneFrame ? 1001 : 600)
        connection.send(.text, part, fin: inOneFrame)
        if !inOneFrame { connection.send(.continuation, part, fin: false) }
      }
      #expect(error.kind == .closed(code: .messageTooBig, reason: reason))
      #expect(error.message == "The connection was closed: 1009 (message too big), more than 1000 bytes.")
    }

    @Test("Text that is not UTF-8 closes with 1007")
    func notUTF8() async throws {
      let reason = "text that is not UTF-8"
      let error = try await failure(closing: .close(1007, reason)) { connection, _ in
        connection.send(.text, [0xff, 0xfe], fin: true)
      }
      #expect(error.kind == .closed(code: .invalidFramePayloadData, reason: reason))
    }
  #endif

  @Test("What comes after the close frame is not passed on")
  func afterClose() async throws {
    let error = try await failure(closing: .close(4500, "")) { connection, id in
      connection.close(4500, "over")
      connection.send(next(id, review(1)))
      connection.send(complete(id))
    }
    #expect(error.kind == .closed(code: .serverError, reason: "over"))
  }

  // MARK: Silence

  @Test("A server that takes the connection and never acknowledges it")
  func neverAcknowledges() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.expect(.text(#"{"type":"connection_init"}"#))
      try await connection.expect(.close(4504, "Connection acknowledgement timeout"))
    } _: { server in
      let transport = try WebSocketTransport(server) {
        $0.timeouts.acknowledgement = .milliseconds(20)
        $0.reconnection.maximumServerFailures = 1
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .retriesExhausted(attempts: 2))
      #expect(error.message.contains("4504 (no connection_ack in time)"))
    }
  }

  @Test(
    "A path that drops everything silently, in both directions, is noticed by a ping without an answer",
    arguments: WebSocketSubprotocol.allCases)
  func halfOpen(subprotocol: WebSocketSubprotocol) async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(
        subprotocol == .graphqlWS ? #"{"id":"\#(id)","type":"data","payload":\#(review(1))}"# : next(id, review(1)))
      while try await connection.receive() != .gone {}
    } _: { server in
      try await BlackHole.with(before: server.port) { hole in
        var configuration = WebSocketTransport.Configuration(subprotocols: [subprotocol], reconnection: .never)
        configuration.timeouts.pingInterval = .milliseconds(200)
        configuration.timeouts.pong = .milliseconds(200)
        let transport = WebSocketTransport(
          url: try #require(URL(string: "ws://127.0.0.1:\(hole.port)/graphql")), configuration: configuration)
        let error = await #expect(throws: WebSocketError.self) {
          for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
            #expect(result.data?.reviewAdded?.stars == 1)
            hole.swallowEverything()
          }
        }
        #expect(error?.kind == .closed(code: .terminated, reason: ""))
        #expect(error?.message == "The connection was closed: 4499 (no sign of life from the server).")
      }
    }
  }
}
