// The system's own frames are not ours to test.
#if !canImport(Darwin)
  import Apollo
  import ApolloWebSocket
  import Foundation
  import NIOWebSocket
  import ScriptedWebSocketServer
  import Testing

  @Suite("The frames of a connection (RFC 6455)", .timeLimit(.minutes(5)))
  struct FramingTests {
    /// Runs a script against a bare connection; returns what came, and how it ended.
    private func messages(
      _ limits: WebSocketLimits = WebSocketLimits(messageSize: 1000),
      _ script: @escaping ScriptedWebSocketServer.Script
    ) async throws -> (messages: [WebSocketMessage], end: WebSocketError) {
      try await ScriptedWebSocketServer.with(script) { server in
        let connection = try await connect(server, limits)
        var messages: [WebSocketMessage] = []
        do {
          for try await message in connection.messages { messages.append(message) }
        } catch {
          try await server.untilScriptsEnd()
          return (messages, try #require(error as? WebSocketError))
        }
        throw ScriptFailure("the messages end without an error")
      }
    }

    private func connect(
      _ server: ScriptedWebSocketServer, _ limits: WebSocketLimits = WebSocketLimits(messageSize: 1000)
    ) async throws -> any WebSocketConnection {
      try await NIOWebSocketEngine(limits: limits)
        .connect(to: try #require(URL(string: server.address)), headers: [:], subprotocols: [])
    }

    @Test("A message may have so many frames, and no more, empty or not", arguments: [0, 1])
    func frames(size: Int) async throws {
      let limit = 50
      let reason = "a message of more than 50 frames"
      for count in [limit, limit + 1] {
        let (messages, end) = try await self.messages(WebSocketLimits(framesPerMessage: limit)) { connection in
          for number in 1...count {
            connection.send(
              number == 1 ? .text : .continuation, [UInt8](repeating: 65, count: size), fin: number == count)
          }
          if count > limit { return try await connection.expect(.close(1008, reason)) }
          connection.close(1000)
        }
        #expect(messages == (count > limit ? [] : [.text(String(repeating: "A", count: size * limit))]))
        let error = WebSocketError(.closed(code: .policyViolation, reason: reason))
        #expect(end.kind == (count > limit ? error.kind : .closed(code: .normalClosure, reason: "")))
      }
    }

    @Test("Fragments are put together, and control frames may come between them")
    func fragments() async throws {
      let result = try await messages { connection in
        connection.send(.text, Array("gr".utf8) + [0xc3], fin: false)
        connection.send(.ping, [1, 2])
        connection.send(.continuation, [0xbc], fin: false)
        connection.send(.continuation, Array("n".utf8))
        connection.send(.binary, [0xff], fin: false)
        connection.send(.continuation)
        try await connection.expect(.pong([1, 2]))
        connection.close(1000, "bye")
        try await connection.expect(.close(1000, ""))
        try await connection.expect(.gone)
      }
      #expect(result.messages == [.text("grün"), .binary([0xff])])
      #expect(result.end.kind == .closed(code: .normalClosure, reason: "bye"))
    }

    @Test("Both sides mask and close as they have to")
    func client() async throws {
      try await ScriptedWebSocketServer.with { connection in
        try await connection.expect(.text("hello"))
        try await connection.expect(.binary([0, 1]))
        try await connection.expect(.close(4000, String(repeating: "é", count: 61)))
        try await connection.expect(.gone)
      } _: { server in
        let connection = try await connect(server)
        connection.send(.text("hello"))
        connection.send(.binary([0, 1]))
        connection.close(code: WebSocketCloseCode(rawValue: 4000), reason: String(repeating: "é", count: 62))
        connection.send(.text("too late"))
        try await server.untilScriptsEnd()
      }
    }

    @Test("An unanswered close frame does not keep the connection")
    func closeTimeout() async throws {
      let result = try await messages { connection in
        connection.close(nil)
        try await connection.expect(.close(nil, ""))
        try await connection.expect(.gone)
      }
      #expect(result.end.kind == .closed(code: .noStatusReceived, reason: ""))
    }

    @Test("A drop is 1006")
    func drop() async throws {
      let result = try await messages { $0.drop() }
      #expect(result.end.kind == .closed(code: .abnormalClosure, reason: ""))
    }

    @Test("What comes after the server's close frame is ignored")
    func dataAfterClose() async throws {
      let result = try await messages { connection in
        connection.send("one")
        connection.close(1001)
        connection.send("two")
        try await connection.expect(.close(1001, ""))
      }
      #expect(result.messages == [.text("one")])
      #expect(result.end.kind == .closed(code: .goingAway, reason: ""))
    }

    @Test(
      "Text that is not UTF-8 is 1007",
      arguments: [
        [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
      ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) async throws {
      let whole = try await messages { connection in
        connection.send(.text, bytes)
        try await connection.expect(.close(1007, "text that is not UTF-8"))
      }
      #expect(whole.end.kind == .closed(code: .invalidFramePayloadData, reason: "text that is not UTF-8"))
    }

    @Test("Text that cannot become UTF-8 is 1007 before the message ends")
    func earlyInvalidUTF8() async throws {
      let result = try await messages { connection in
        connection.send(.text, Array("grü".utf8).dropLast(), fin: false)
        connection.send(.continuation, [0x41], fin: false)
        try await connection.expect(.close(1007, "text that is not UTF-8"))
      }
      #expect(result.messages.isEmpty)
    }

    struct Violation: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let code: UInt16
      let act: @Sendable (ScriptedConnection) -> Void
    }

    @Test(
      "A server that breaks a rule is told which code",
      arguments: [
        Violation(testDescription: "masked", code: 1002) { $0.send(.text, [65], isMasked: true) },
        Violation(testDescription: "reserved bit", code: 1002) { $0.send(.text, [65], rsv1: true) },
        Violation(testDescription: "unknown frame", code: 1002) { $0.sendRaw([0x83, 0]) },
        Violation(testDescription: "unknown control frame", code: 1002) { $0.sendRaw([0x8b, 0]) },
        Violation(testDescription: "continuation of nothing", code: 1002) { $0.send(.continuation, [65]) },
        Violation(testDescription: "message within a message", code: 1002) {
          $0.send(.text, [65], fin: false)
          $0.send(.text, [66])
        },
        Violation(testDescription: "fragmented ping", code: 1002) { $0.send(.ping, [], fin: false) },
        Violation(testDescription: "long ping", code: 1002) {
          $0.send(.ping, [UInt8](repeating: 0, count: 126))
        },
        Violation(testDescription: "close frame of one byte", code: 1002) { $0.send(.connectionClose, [3]) },
        Violation(testDescription: "close code 1005", code: 1002) { $0.close(1005) },
        Violation(testDescription: "close code 999", code: 1002) { $0.close(999) },
        Violation(testDescription: "close code 2999", code: 1002) { $0.close(2999) },
        Violation(testDescription: "close reason not UTF-8", code: 1007) {
          $0.send(.connectionClose, [3, 232, 0xff])
        },
        Violation(testDescription: "frame too large", code: 1009) {
          $0.send(.text, [UInt8](repeating: 65, count: 1001))
        },
        Violation(testDescription: "announced too large", code: 1009) {
          $0.sendRaw([0x82, 127, 0, 0, 0, 0, 0x40, 0, 0, 0])
        },
        Violation(testDescription: "fragments too large", code: 1009) {
          $0.send(.binary, [UInt8](repeating: 65, count: 600), fin: false)
          $0.send(.continuation, [UInt8](repeating: 65, count: 600))
        },
      ])
    func violations(violation: Violation) async throws {
      let result = try await messages { connection in
        violation.act(connection)
        guard case .close(violation.code, let reason) = try await connection.receive() else {
          throw ScriptFailure("no close frame with \(violation.code)")
        }
        #expect(!reason.isEmpty)
        try await connection.expect(.gone)
      }
      #expect(result.messages.isEmpty)
      guard case .closed(let code, _) = result.end.kind else { throw ScriptFailure("\(result.end)") }
      #expect(code.rawValue == violation.code)
    }

    @Test("The largest message passes, and the empty one")
    func sizes() async throws {
      let result = try await messages { connection in
        connection.send(.text, [UInt8](repeating: 65, count: 1000))
        connection.send(.text)
        connection.close(1000)
      }
      #expect(result.messages == [.text(String(repeating: "A", count: 1000)), .text("")])
    }
  }
#endif
